// The stack that the current thread has left.
#pragma once

#include <cstddef>

#include "core/limits.h"

namespace wick {

// For every recursion whose depth a file or a program decides. Throws kLimitExceeded when less than `reserve` bytes of
// the thread's stack are left; `what` says what is nested: "calls". On a stack that is not the thread's own (a
// coroutine's), and where the system does not tell, nothing is known and nothing is thrown.
void check_stack(const char* what, size_t reserve = limits::kStackReserve);

}  // namespace wick
