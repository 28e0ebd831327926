// Ranks of values that convolutions determine.
#pragma once

#include <vector>

#include "ir/program.h"
#include "wick/ivalue.h"

namespace wick::quantize {

// Convolutions on integers take batches only. So, where they do on the arguments, what their results and what is
// computed from those have as number of dimensions is known, and code that asks for it (checks of norms, the cases of
// interpolate) is decided. Throws what the model throws.
void fix_ranks(const ir::Program& program, ir::Function& function, const std::vector<IValue>& args);

}  // namespace wick::quantize
