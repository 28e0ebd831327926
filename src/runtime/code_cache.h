// CodeCache: the compiled code of a program's functions.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <mutex>
#include <vector>

#include "runtime/code.h"

namespace wick::runtime {

// Owned by an Executor. Thread-safe; code that is there is found without a lock.
class CodeCache {
 public:
  CodeCache() = default;
  ~CodeCache();
  CodeCache(const CodeCache&) = delete;
  CodeCache& operator=(const CodeCache&) = delete;

  // Of a function that has a number; compiled when it is first asked for. Stays as long as the cache. `sharing`: see
  // compile(); the same at every call.
  const Code& of(const ir::Function& function, const ir::Sharing* sharing = nullptr) {
    const Place place(function.number);
    if (const Slot* chunk = chunks_[place.chunk].load(std::memory_order_acquire)) {
      if (const Code* code = chunk[place.slot].load(std::memory_order_acquire)) return *code;
    }
    return compiled(function, place, sharing);
  }

 private:
  using Slot = std::atomic<const Code*>;
  // Chunk k has 2^k slots, those of the numbers from 2^k - 1 on: what others read never moves while functions are
  // added.
  struct Place {
    explicit Place(uint32_t number);
    uint32_t chunk, slot;
  };
  static constexpr size_t kChunks = 32;

  const Code& compiled(const ir::Function& function, Place place, const ir::Sharing* sharing);

  std::array<std::atomic<Slot*>, kChunks> chunks_{};
  std::mutex mutex_;
  std::vector<Ref<const Code>> all_;
};

inline CodeCache::Place::Place(uint32_t number)
    : chunk(static_cast<uint32_t>(std::bit_width(number + 1)) - 1), slot(number + 1 - (uint32_t{1} << chunk)) {}

}  // namespace wick::runtime
