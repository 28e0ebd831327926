// Ifs and loops that constants decide.
#pragma once

#include "passes/rewriter.h"

namespace wick::passes {

// Puts the nodes of a branch (0: the condition holds) before the if, and its results in the place of the outputs; the
// if is erased.
void take_branch(Rewriter& rewriter, ir::Node& node, size_t branch);

// Whether a constant count or a constant first condition says that the loop never runs.
bool never_runs(const ir::Node& loop);
// Erases such a loop: its outputs are what it would have begun with.
void drop_loop(Rewriter& rewriter, ir::Node& loop);

}  // namespace wick::passes
