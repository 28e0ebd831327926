// Alias sets, and in-place operators made functional.
#pragma once

#include "ir/effects.h"

namespace wick::quantize {

// The sets of a graph; attributes are all in one, because modules may share them.
ir::Aliases aliases_of(ir::Graph& graph);

// relu_, add_ and their like become relu, add where nothing else sees the memory they write to; views become
// reshapes, which do not mind the order of elements in memory.
void make_functional(ir::Graph& graph);

}  // namespace wick::quantize
