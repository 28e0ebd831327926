// The public headers, visible outside of a library whose other symbols are hidden. Included before everything else in
// such a build (WICK_RUNTIME_ONLY).
#pragma once

#pragma GCC visibility push(default)
#include "wick/wick.h"
#pragma GCC visibility pop
