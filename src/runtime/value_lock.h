// ValueLock: keeps threads that run one program from changing what another one is using.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "config/build.h"

namespace wick::runtime {

// Whether the build has operators that change what they are given: without them no thread can be in another's way.
constexpr bool kHasValueLock = build::kMutates || build::kContainers;

// Held shared by who uses values that other threads may hold (attributes, constants, what tasks share), and alone by
// who changes one: a list, a dict, the elements, sizes or storage of a tensor. Used in programs with hazards only
// (ir/sharing.h). Owned by the Executor. Held for one operator or plan, never while a function is called or a future
// waited for; a thread takes it once at a time.
//
// Neither side keeps the other out for good: who comes after a waiting writer waits for it, and a writer that is done
// lets those in that have waited before the next one goes.
class ValueLock {
 public:
  void lock_shared() {
    if (readers_.fetch_add(1, std::memory_order_acq_rel) < 0) [[unlikely]]
      wait_shared();
  }
  void unlock_shared() {
    if (readers_.fetch_sub(1, std::memory_order_acq_rel) <= 0) [[unlikely]]
      leave();
  }
  void lock();
  void unlock();

 private:
  static constexpr int64_t kWriter = int64_t{1} << 32;  // subtracted while there is a writer
  void wait_shared();
  void leave();

  std::atomic<int64_t> readers_{0};  // that are in, or wait for a writer
  std::mutex writers_;               // held by the one writer
  std::mutex mutex_;                 // of the two below
  std::condition_variable changed_;
  int64_t admitted_ = 0;  // readers that may go on
  int64_t leaving_ = 0;   // readers that the writer waits for
};

// Holds a ValueLock, or none (null), until it is released or gone.
class ValueGuard {
 public:
  ValueGuard() = default;
  ValueGuard(ValueLock* lock, bool alone) { hold(lock, alone); }
  ~ValueGuard() { release(); }
  ValueGuard(const ValueGuard&) = delete;
  ValueGuard& operator=(const ValueGuard&) = delete;

  bool is_held() const { return kHasValueLock && lock_; }
  // Instead of what it holds: what was seen under that may change on the way.
  void hold(ValueLock* lock, bool alone) {
    if constexpr (kHasValueLock) {
      release();
      if (!lock) return;
      alone ? lock->lock() : lock->lock_shared();
      lock_ = lock;
      alone_ = alone;
    }
  }
  void release() {
    if (!is_held()) return;
    alone_ ? lock_->unlock() : lock_->unlock_shared();
    lock_ = nullptr;
  }

 private:
  ValueLock* lock_ = nullptr;
  bool alone_ = false;
};

}  // namespace wick::runtime
