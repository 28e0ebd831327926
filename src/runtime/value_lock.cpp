// ValueLock: what readers and writers do when they meet.
#include "runtime/value_lock.h"

namespace wick::runtime {

void ValueLock::lock() {
  writers_.lock();
  const int64_t inside = readers_.fetch_sub(kWriter, std::memory_order_acq_rel);
  std::unique_lock lock(mutex_);
  leaving_ += inside;
  changed_.wait(lock, [this] { return leaving_ == 0; });
}

void ValueLock::unlock() {
  {
    const std::lock_guard lock(mutex_);
    admitted_ += readers_.fetch_add(kWriter, std::memory_order_acq_rel) + kWriter;
  }
  changed_.notify_all();
  writers_.unlock();
}

void ValueLock::wait_shared() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return admitted_ > 0; });
  --admitted_;
}

void ValueLock::leave() {
  const std::lock_guard lock(mutex_);
  if (--leaving_ == 0) changed_.notify_all();
}

}  // namespace wick::runtime
