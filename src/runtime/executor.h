// The plain executor: runs any function of a program, operator by operator. It defines what is right.
#pragma once

#include <vector>

#include "ir/program.h"

namespace wick::runtime {

// Runs a function on the arguments (self first for a method); no check against the schema.
// Thread-safe. Throws Error with a line of context that says where in the model it happened.
IValue run_function(const ir::Program& program, ir::Function& function, std::vector<IValue>&& args);
inline IValue run_function(const ir::Program& program, ir::Function& function, const std::vector<IValue>& args) {
  return run_function(program, function, std::vector<IValue>(args));
}

// While it lives, functions run on this thread stop with kLimitExceeded after `most` jumps and calls: code that
// a file makes run before its user asked for anything must come to an end.
class StepLimit {
 public:
  explicit StepLimit(int64_t most);
  ~StepLimit();
  StepLimit(const StepLimit&) = delete;
  StepLimit& operator=(const StepLimit&) = delete;

 private:
  int64_t before_;
};

// Whether the value belongs to the type, as TorchScript's isinstance.
bool is_instance(const IValue& value, const Type& type);

}  // namespace wick::runtime
