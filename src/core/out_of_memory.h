// Failed allocations as errors of the library.
#pragma once

namespace wick {

// Called in a handler: std::bad_alloc and std::length_error become an Error with the code kOutOfMemory and this
// message; every other exception goes on as it is.
[[noreturn]] void rethrow_out_of_memory(const char* message);

// What the function returns; its failed allocations as such an Error.
template <class F>
decltype(auto) with_memory_errors(F&& function) {
  try {
    return function();
  } catch (...) {
    rethrow_out_of_memory("out of memory");
  }
}

}  // namespace wick
