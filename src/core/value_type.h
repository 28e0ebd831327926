// The type of a value, with a bound on its parts.
#pragma once

#include <cstddef>

#include "wick/ivalue.h"

namespace wick {

// The value's type with at most `most` types in it, one tuple counted wherever it is held; what is left out is Any, and
// of a tuple with too many items only that it is one is told.
TypePtr type_of(const IValue& value, size_t most);

}  // namespace wick
