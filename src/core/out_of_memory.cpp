// Turns failed allocations into errors.
#include "core/out_of_memory.h"

#include <new>
#include <stdexcept>

#include "core/check.h"

namespace wick {

void rethrow_out_of_memory(const char* message) {
  std::string text;
  try {
    throw;
  } catch (const std::bad_alloc&) {
    text = message;
  } catch (const std::length_error& e) {
    text = cat(message, ": ", e.what());
  }
  throw Error(ErrorCode::kOutOfMemory, std::move(text));
}

}  // namespace wick
