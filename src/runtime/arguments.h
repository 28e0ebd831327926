// Matching a caller's arguments to a method's schema.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/schema.h"

namespace wick::runtime {

// "forward(Tensor x, int n=1) -> Tensor": the method without self, as messages show it.
std::string declaration(const FunctionSchema& schema, std::string_view name);

// Checks and completes `args` (without self) in place: defaults filled in, ints given for floats and untyped lists
// converted. Throws kInvalidArgument with PyTorch's text for a wrong count, name or type.
void bind_arguments(const FunctionSchema& schema, std::string_view name, std::vector<IValue>& args,
                    const std::map<std::string, IValue>& named);

// The same for the value of an attribute of a declared type: converts it in place; false when it is of another type. An
// object must be of the declared class.
bool convert_attribute(IValue& value, const Type& type);

}  // namespace wick::runtime
