// Functions without calls to other functions of the model, as lite bytecode needs them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/program.h"

namespace wick::ir {

// A call that was replaced by what it calls.
struct InlinedCall {
  int32_t outer = -1;         // the call this one was in, or -1
  int64_t source = -1;        // of the call
  std::string caller_object;  // how the caller names the object: "layer1", or "<SELF>"
  std::string class_name;     // of the object; empty for a function
  std::string function;       // name of what is called, without its class
};

struct InlinedFunction {
  std::unique_ptr<Function> function;
  std::vector<InlinedCall> sites;
  std::unordered_map<const Node*, int32_t> site_of;  // of nodes that stand in a call's place
};

// What is taken for the body of a function: when it is the one to write, and when it is called.
struct Bodies {
  std::function<const Graph&(const Function&)> own, called;
};
// The functions' own graphs.
Bodies plain_bodies();

// A copy of the function with calls inlined and forks run on the spot. Calls that are looked up when they are run (on
// interfaces, C++ classes, and in programs that came from bytecode) stay. Throws kLimitExceeded for functions that call
// themselves or grow too large.
InlinedFunction inline_calls(const Program& program, const Function& function, const Bodies& bodies = plain_bodies());

// What a lite file of the program holds, in PyTorch's order: the root's methods, __setstate__ and __getstate__ of
// objects that have both, and methods that are called through interfaces.
std::vector<InlinedFunction> functions_to_write(const Program& program, const Bodies& bodies = plain_bodies());

}  // namespace wick::ir
