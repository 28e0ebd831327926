// Types as the tables of a lite file spell them.
#pragma once

#include <string>

#include "wick/type.h"

namespace wick::emit {

// A tuple that keeps its name. PyTorch's reader of types takes every name below __torch__.torch for a C++ class, so its
// own named tuples, such as PackedSequence, go without.
bool is_named_tuple(const Type& type);

// In a method's signature: the name of a class or named tuple, else as in the table of types. What the lite loader of
// PyTorch cannot read (unions, futures) is widened.
std::string signature_text(const TypePtr& type);

// In the table of types that containers are made of: named tuples are spelled out with their fields, and classes,
// which the loader does not find there, are Any.
std::string container_text(const TypePtr& type);

// In the table of types values are tested for. Throws kUnsupported for a class of the model: lite files do not hold
// classes.
std::string tested_text(const TypePtr& type);

}  // namespace wick::emit
