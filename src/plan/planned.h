// The second gear: runs a method of the root module by plans where that is possible.
#pragma once

#include "ir/program.h"

namespace wick::plan {

// As runtime::run_function for a method of the program's root module, self first among the arguments. The first run
// with arguments of new shapes runs plainly and records; further ones use the plan made of it. Thread-safe.
IValue run_planned(const ir::Program& program, ir::Function& method, std::vector<IValue> args);

// Forgets all plans: to be called after the host has changed an attribute of a module.
void forget_plans(const ir::Program& program);

}  // namespace wick::plan
