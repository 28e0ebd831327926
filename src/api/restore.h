// Restorer: runs the code of a file that restores its objects while it is loaded.
#pragma once

#include <memory>
#include <vector>

#include "config/build.h"
#include "core/budget.h"
#include "core/limits.h"
#include "frontend/restore.h"
#include "runtime/executor.h"

namespace wick {

// For one program; to be kept until it is loaded.
class Restorer {
 public:
  Restorer(const LoadOptions& options, uint64_t file_bytes) : options_(options), file_bytes_(file_bytes) {}

  RunSetState run_set_state() {
    return [this](const ir::Program& program, const ir::Function& setstate, std::vector<IValue>&& args) {
      if constexpr (!build::kRestores) return;
      const BudgetScope scope(&budget());
      if (!executor_) executor_ = std::make_shared<runtime::Executor>(program, /*alone=*/true);
      executor_->run(setstate, std::move(args));
    };
  }

 private:
  // One for all that is restored.
  Budget& budget() {
    if (!budget_) {
      uint64_t memory = options_.max_restore_memory;
      if (memory == 0 && __builtin_mul_overflow(file_bytes_, limits::kRestoreMemoryPerByte, &memory))
        memory = INT64_MAX;
      if (options_.max_restore_memory == 0) memory += limits::kFreeRestoreMemory;
      budget_ = make_ref<Budget>("code that restores the model's objects",
                                 RunOptions{.timeout = options_.max_restore_time,
                                            .max_memory = memory,
                                            .max_operations = options_.max_restore_operations,
                                            .max_forks = 0});
    }
    return *budget_;
  }

  const LoadOptions& options_;
  const uint64_t file_bytes_;
  Ref<Budget> budget_;
  std::shared_ptr<runtime::Executor> executor_;
};

}  // namespace wick
