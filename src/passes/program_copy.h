// A deep copy of a program, for passes to change; it shares only tensors that are not mutated.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ir/inliner.h"
#include "ir/program.h"

namespace wick::passes {

// A copy of the program with these methods of its root module, calls in them inlined, and what they look up when they
// run. Objects and containers are copied, and so are tensors that the methods may change; other tensors are shared.
// Nothing of the file it came from is kept but the extra files. The model is not changed. Throws kNotFound naming a
// method there is not.
std::shared_ptr<ir::Program> copy_program(const ir::Program& program, const std::vector<std::string>& methods);

// Gives `to` its own copies of the other program's objects and classes. Tensors that the code changes in place are
// copied, others shared.
void copy_state(const ir::Program& from, const std::vector<const ir::Function*>& code, ir::Program& to);

// A copy that shares nothing with the value; objects of C++ classes are shared.
IValue copy_value(const IValue& value);

// Names of the methods of the root module, hooks left out.
std::vector<std::string> method_names(const ir::Program& program);

// Inlines the calls that are left in the program's functions and whose targets are known.
void inline_all(ir::Program& program, ir::InlineBudget& budget);

// Switches the program's modules to inference. Gives whether the root was in training mode.
bool set_eval(ir::Program& program);

}  // namespace wick::passes
