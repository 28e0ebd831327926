// Functions of the application as Wick calls them.
#pragma once

#include <torch/boxing.h>

#include "wick/ivalue.h"

namespace wick_compat {

// What the function throws becomes a wick::Error.
std::vector<wick::IValue> call_application(const BoxedFunction& f, std::vector<wick::IValue> args);

}  // namespace wick_compat
