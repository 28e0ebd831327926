// Restorer: runs the code of a file that restores its objects while it is loaded.
#pragma once

#include <memory>
#include <vector>

#include "config/build.h"
#include "core/limits.h"
#include "frontend/restore.h"
#include "runtime/executor.h"

namespace wick {

// For one program; to be kept until it is loaded.
class Restorer {
 public:
  RunSetState run_set_state() {
    return [this](const ir::Program& program, const ir::Function& setstate, std::vector<IValue>&& args) {
      if constexpr (!build::kRestores) return;
      const runtime::StepLimit limit(limits::kMaxRestoreSteps);
      if (!executor_) executor_ = std::make_shared<runtime::Executor>(program);
      executor_->run(setstate, std::move(args));
    };
  }

 private:
  std::shared_ptr<runtime::Executor> executor_;
};

}  // namespace wick
