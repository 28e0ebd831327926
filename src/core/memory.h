// Memory that may be missing, aligned for any element type.
#pragma once

#include <cstddef>
#include <new>

namespace wick {

inline constexpr std::align_val_t kMemoryAlignment{64};

inline void* memory_or_null(size_t bytes) noexcept { return ::operator new(bytes, kMemoryAlignment, std::nothrow); }
inline void free_memory(void* memory) noexcept { ::operator delete(memory, kMemoryAlignment); }

}  // namespace wick
