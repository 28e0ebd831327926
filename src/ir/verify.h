// Verification of programs between passes. verify(function) itself, which always runs, is in ir/graph.h.
#pragma once

#include "ir/graph.h"

namespace wick::ir {

struct Program;

// Called at the end of everything that makes or changes graphs. Builds with assertions (no NDEBUG: debug, sanitizers,
// fuzzing) verify the function, or every function of the program, and throw kInternal naming the pass and the node;
// other builds do nothing.
void debug_verify(const Function& function, const char* pass);
void debug_verify(const Program& program, const char* pass);

}  // namespace wick::ir
