// FunctionRunner: one function, run many times.
#pragma once

#include <memory>
#include <vector>

#include "ir/program.h"
#include "runtime/code.h"
#include "runtime/executor.h"

namespace wick::runtime {

// Runs a function that need not be one of the program's (a changed copy of one); it and what it calls are compiled
// once. Program and function must outlive it and may not change meanwhile. Thread-safe.
class FunctionRunner {
 public:
  FunctionRunner(const ir::Program& program, const ir::Function& function);
  // As Executor::run.
  IValue run(std::vector<IValue> args) const;

 private:
  const std::shared_ptr<Executor> executor_;
  const ir::Function& function_;
  const Ref<const Code> code_;
};

}  // namespace wick::runtime
