// Passes that make a graph smaller and leave its meaning: what PyTorch calls canonical optimizations.
#pragma once

#include "ir/graph.h"

namespace wick::passes {

// Removes what is not observable: nodes without effect whose results are unused, changes of values that are never read,
// unused outputs of ifs and loops.
void remove_dead_code(ir::Graph& graph);

// Computes pure operators on constants, takes the branch of ifs whose condition is known, drops loops that never run.
// Gives true when something changed.
bool fold_constants(ir::Graph& graph);

// Reads items of tuples and lists where they were put in, answers questions that types answer.
bool apply_peepholes(ir::Graph& graph);

// Objects that are made, written once and only read, all in this graph: their attributes as values.
bool replace_local_objects(ir::Graph& graph);

// Equal constants once, equal computations once.
void merge_common_subexpressions(ir::Graph& graph);

// Dead code, constants and peepholes until nothing changes.
void fold(ir::Graph& graph);
// All of them until nothing changes.
void simplify(ir::Graph& graph);

}  // namespace wick::passes
