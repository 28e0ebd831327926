// Running out of memory ends the process (WICK_ABORT_WITHOUT_MEMORY) instead of being an error of the load or the run.
// Only then can a compiler know that what allocates throws nothing: no tables for unwinding, no freeing on the way out.
// These stand for the C++ library's functions inside of this library only; its link hides them. Memory of tensors and
// of records is asked for in another way, which still ends in an error.
#include <cstdlib>
#include <new>

void* operator new(std::size_t size) {
  void* memory = ::operator new(size, std::nothrow);
  if (memory == nullptr) std::abort();
  return memory;
}

namespace std {

// The C++ library's own names.
// NOLINTBEGIN(bugprone-reserved-identifier)
[[noreturn]] void __throw_bad_alloc() { std::abort(); }
[[noreturn]] void __throw_bad_array_new_length() { std::abort(); }
[[noreturn]] void __throw_length_error(const char*) { std::abort(); }
// NOLINTEND(bugprone-reserved-identifier)

}  // namespace std
