// Inlining: a method together with everything it calls as one graph, with the module's attributes read.
#pragma once

#include <memory>

#include "ir/changed_attributes.h"
#include "ir/program.h"

namespace wick::plan {

struct Inlined {
  std::unique_ptr<ir::Function> copy;  // null: the method itself will do
  const ir::Function* function;
  WordSet changed_constants;  // storages of constants whose elements some code changes
  WordSet unchanging;         // nodes that get an attribute that no code of the program changes
  // By call site of the function: the object whose method was called, null where it is not known; only to be compared.
  // Empty in builds without profiles.
  std::vector<const ObjectImpl*> called;
};

// A copy of the method in which calls are replaced by the bodies of what they call, and attributes of the root
// module that no code of the program changes by their values. Calls whose target is not known before running
// (interfaces, recursion), and those that would make it too large or too deep (limits.h), stay calls. The values are
// those of this moment: after the host changes an attribute the copy is stale. A build whose models have neither calls
// nor attributes makes no copy.
Inlined inline_calls(const ir::Program& program, const ir::Function& method);

}  // namespace wick::plan
