// Types of values as TorchScript's isinstance tells them.
#pragma once

#include "wick/ivalue.h"

namespace wick {

// Whether the value belongs to the type.
bool is_instance(const IValue& value, const Type& type);

}  // namespace wick
