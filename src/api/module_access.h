// From a Module to its program and back, for the library's own code and tools: applications see no program.
#pragma once

#include <memory>

#include "wick/module.h"

namespace wick {

namespace ir {
struct Program;
}
namespace runtime {
class Executor;
}

// Null for a module that nothing was loaded into.
std::shared_ptr<ir::Program> program_of(const Module& module);
// That of a module which something was loaded into.
std::shared_ptr<runtime::Executor> executor_of(const Module& module);
// A module with a state of its own; null gives an empty module.
Module make_module(std::shared_ptr<ir::Program> program);
// One with the switches of another that is not empty: planning, exactness.
Module make_module_like(const Module& module, std::shared_ptr<ir::Program> program);

// See LoadOptions::max_plan_memory.
void set_max_plan_memory(const Module& module, uint64_t bytes);

// To be called after the module's program was changed; nothing may run meanwhile.
void forget_plans(const Module& module);

}  // namespace wick
