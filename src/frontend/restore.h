// How frontends have the code run that restores a model's objects: they run nothing themselves.
#pragma once

#include <vector>

#include "core/callback.h"
#include "ir/program.h"

namespace wick {

// Runs a __setstate__ of the program that is being loaded on the object and its state; given by who loads. It must come
// to an end whatever the code does (kLimitExceeded).
using RunSetState = Callback<void(const ir::Program&, const ir::Function& setstate, std::vector<IValue>&& args)>;

}  // namespace wick
