// Freezing: attributes that nothing changes become constants, and go from the module.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ir/program.h"

namespace wick::passes {

struct FreezeOptions {
  std::vector<std::string> kept_attributes;  // of the root module: stay attributes
  std::vector<std::string> kept_everywhere;  // of every module that is left ("training"); prune only
  // Which objects of C++ classes (packed weights) become constants; all when not given.
  std::function<bool(const CustomObject&)> takes_custom;
};

// Attributes that no method sets, changes in place or gives away are read now, in every method; calls on modules known
// thereby are inlined, and the graphs simplified. Modules in training mode freeze as they are: see set_eval.
void freeze(ir::Program& program, const FreezeOptions& options = {});

// Takes attributes, modules and methods from the program that nothing reads any more, but for the kept attributes.
void prune(ir::Program& program, const FreezeOptions& options = {});

// Whether the value is an object, a future or a generator, or holds one.
bool holds_objects(const IValue& value);
// Methods that objects are stored and restored by: they ran before any other.
bool restores_state(const ir::Function& function);

// A new attribute of the root module, or a new value for it.
void set_root_attribute(ir::Program& program, const std::string& name, IValue value);

}  // namespace wick::passes
