// Memory that may be missing, aligned for any element type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

#include "core/check.h"

namespace wick {

// A number of bytes that is not negative, as memory is asked for; throws kOutOfMemory where addresses have too few
// bits.
inline size_t addressable(uint64_t bytes) {
  if constexpr (sizeof(size_t) < sizeof bytes) {
    WICK_CHECK(bytes <= PTRDIFF_MAX, kOutOfMemory, bytes, " bytes do not fit 32-bit addresses");
  }
  return static_cast<size_t>(bytes);
}

inline constexpr std::align_val_t kMemoryAlignment{64};

inline void* memory_or_null(size_t bytes) noexcept { return ::operator new(bytes, kMemoryAlignment, std::nothrow); }
inline void free_memory(void* memory) noexcept { ::operator delete(memory, kMemoryAlignment); }

}  // namespace wick
