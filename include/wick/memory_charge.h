// MemoryCharge: the part of a memory limit (RunOptions::max_memory) that a value takes up.
#pragma once

#include <atomic>
#include <cstdint>

namespace wick {

class Budget;

// Held by values whose size the model decides; for the library's own code. Charged to the limit of the run that made
// the value, or nothing when there is none, and given back when the value is destroyed.
//
//   const MemoryCharge scratch(n * sizeof(int64_t));  // throws when that is too much; given back at the end
//
// Threads: set() may be called from several threads.
class MemoryCharge {
 public:
  MemoryCharge() = default;
  explicit MemoryCharge(uint64_t bytes) { set(bytes); }
  MemoryCharge(const MemoryCharge&) = delete;
  MemoryCharge& operator=(const MemoryCharge&) = delete;
  ~MemoryCharge() {
    if (budget_.load(std::memory_order_relaxed)) give_back();
  }
  // Makes it so many bytes. Throws kLimitExceeded, and is as before, when that is more than there may be.
  void set(uint64_t bytes);

 private:
  void give_back() noexcept;
  std::atomic<Budget*> budget_{nullptr};  // counted
  std::atomic<uint64_t> bytes_{0};
};

}  // namespace wick
