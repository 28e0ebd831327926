// Handles: the numbers by which Java objects own native ones.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <variant>
#include <vector>

#include "wick/module.h"
#include "wick/options.h"

namespace wick::java {

// What a handle stands for. A call takes a copy, so that what is released while it runs lives until its end.
using Owned = std::variant<std::monostate, std::shared_ptr<const Module>, Tensor, Cancellation>;

// Numbers are never used twice: one that was released, or was never given, stands for nothing.
//
// Threads: all members may be called from several threads.
class Handles {
 public:
  int64_t add(Owned object);
  void release(int64_t handle) noexcept;  // what it stands for, if anything, is destroyed by the calling thread
  // A copy; T() when the handle stands for nothing, or for something else.
  template <class T>
  T get(int64_t handle) const;
  size_t size() const;

 private:
  struct Slot {
    Owned object;
    uint32_t generation = 1;
  };
  // The slot of a live handle, or null; under the lock.
  Slot* find(int64_t handle) const;
  mutable std::mutex mutex_;
  mutable std::vector<Slot> slots_;
  std::vector<uint32_t> free_;
};

// Those of the process; never destroyed.
Handles& handles();

}  // namespace wick::java
