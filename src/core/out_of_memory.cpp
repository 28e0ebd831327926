// Turns failed allocations into errors.
#include "core/out_of_memory.h"

#include <new>
#include <stdexcept>

#include "wick/error.h"

namespace wick {

void rethrow_out_of_memory(const char* message) {
  try {
    throw;
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {
  }
  std::string text;
  try {
    text = message;
  } catch (const std::bad_alloc&) {
    text = "out of memory";  // short enough to take none
  }
  throw Error(ErrorCode::kOutOfMemory, std::move(text));
}

}  // namespace wick
