// Errors that say nothing of what was tried.
#pragma once

#include "wick/error.h"

namespace wick {

// Called in the handler of an Error by who tries something, to go on without it when it fails: goes on with an Error
// that is not about what was tried but about what there is: memory, time, a cancellation.
inline void rethrow_if_stopped(const Error& error) {
  switch (error.code()) {
    case ErrorCode::kOutOfMemory:
    case ErrorCode::kCancelled:
    case ErrorCode::kDeadlineExceeded:
      throw;
    default:
      return;
  }
}

}  // namespace wick
