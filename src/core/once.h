// Something made at its first use, by one thread. Unlike a static variable of a function it needs no code of the C++
// library.
#pragma once

#include <atomic>
#include <mutex>

namespace wick {

class Once {
 public:
  // Calls make() unless a call has ended before; where it throws, the next call tries again.
  template <class F>
  void call(const F& make) {
    if (done_.load(std::memory_order_acquire)) [[likely]]
      return;
    const std::lock_guard lock(mutex_);
    if (done_.load(std::memory_order_relaxed)) return;
    make();
    done_.store(true, std::memory_order_release);
  }

 private:
  std::atomic<bool> done_{false};
  std::mutex mutex_;
};

}  // namespace wick
