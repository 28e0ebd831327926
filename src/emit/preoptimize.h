// What PyTorch does to a function's graph before another one inlines it. The operators that are left decide which names
// torch.jit.export_opnames lists, so the steps are PyTorch's, each done once, in its order; wick's own passes go
// further.
#pragma once

#include "ir/graph.h"

namespace wick::emit {

// When the function is compiled: what follows a raise, items of tuples made in the graph, dead code, constants.
void clean_up(ir::Graph& graph);
// When it is called: what types and constants answer, list literals, constants.
void preoptimize(ir::Graph& graph);

}  // namespace wick::emit
