// Functions without calls to other functions of the model, as lite bytecode needs them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ir/inliner.h"
#include "ir/program.h"

namespace wick::ir {

// The object whose method was called, where a call was inlined.
struct CalledObject {
  std::string class_name;  // empty: a function was called
  std::string name;        // how the caller names it: "layer1", or "<SELF>"
};

struct InlinedFunction {
  std::unique_ptr<Function> function;
  std::vector<CalledObject> objects;  // by call site of the function
};

// What is taken for the body of a function: when it is the one to write, and when it is called.
struct Bodies {
  std::function<const Graph&(const Function&)> own, called;
};
// The functions' own graphs.
Bodies plain_bodies();

// A copy of the function with calls inlined and forks run on the spot. Calls that are looked up when they are run (on
// interfaces, C++ classes, and in programs that came from bytecode) stay. Throws kLimitExceeded for functions that call
// themselves, and for programs that grow beyond the budget or nest too deeply.
InlinedFunction inline_calls(const Program& program, const Function& function, InlineBudget& budget,
                             const Bodies& bodies = plain_bodies());

// What a lite file of the program holds, in PyTorch's order: the root's methods, __setstate__ and __getstate__ of
// objects that have both, and methods that are called through interfaces.
std::vector<InlinedFunction> functions_to_write(const Program& program);
std::vector<InlinedFunction> functions_to_write(const Program& program, InlineBudget& budget, const Bodies& bodies);

}  // namespace wick::ir
