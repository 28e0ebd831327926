// Compiles a function once and runs it by the interpreter.
#include "runtime/function_runner.h"

#include "runtime/frame.h"

namespace wick::runtime {

FunctionRunner::FunctionRunner(const ir::Program& program, const ir::Function& function)
    : executor_(std::make_shared<Executor>(program)), function_(function), code_(compile(function)) {}

IValue FunctionRunner::run(std::vector<IValue> args) const {
  Frame frame(*executor_, function_, *code_, 0);
  frame.count_step();
  return as_one_value(frame.run(std::move(args)));
}

}  // namespace wick::runtime
