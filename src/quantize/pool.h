// Merges small tensors into one storage, to save records.
#pragma once

#include "ir/program.h"

namespace wick::quantize {

// Puts the scales and biases of all packed weights of the program's methods into one storage: a container has a header
// and padding for every storage, which is more than most of these have to say.
void pool_small_tensors(ir::Program& program);

}  // namespace wick::quantize
