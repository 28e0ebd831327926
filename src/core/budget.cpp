// Budget: time, memory, operations, threads and tasks of a load or run.
#include "core/budget.h"

#include <algorithm>

#include "core/check.h"
#include "core/limits.h"
#include "wick/memory_charge.h"

namespace wick {
namespace {

using Clock = std::chrono::steady_clock;

Clock::time_point deadline_in(std::chrono::nanoseconds time) {
  if (time.count() <= 0) return Clock::time_point::max();
  const Clock::time_point now = Clock::now();
  return time >= Clock::time_point::max() - now ? Clock::time_point::max() : now + time;
}

}  // namespace

Budget::Budget(const char* what, const Bounds& bounds, std::optional<Cancellation> cancellation)
    : what_(what),
      bounds_(bounds),
      cancellation_(std::move(cancellation)),
      deadline_(deadline_in(bounds.time)),
      outer_(current()) {}

void Budget::check() const {
  WICK_CHECK(!cancellation_ || !cancellation_->is_cancelled(), kCancelled, what_, " was cancelled");
  WICK_CHECK(deadline_ == Clock::time_point::max() || Clock::now() < deadline_, kDeadlineExceeded, what_,
             " took longer than its time limit of ",
             std::chrono::duration_cast<std::chrono::milliseconds>(bounds_.time).count(), " ms");
  if (outer_) outer_->check();
}

void Budget::spend(int64_t operations) {
  for (Budget* b = this; b; b = b->outer_.get()) {
    if (b->bounds_.operations <= 0) continue;
    const int64_t spent = b->operations_.fetch_add(operations, std::memory_order_relaxed) + operations;
    WICK_CHECK(spent <= b->bounds_.operations, kLimitExceeded, b->what_, " takes more than its limit of ",
               b->bounds_.operations, " operations");
  }
  check();
}

bool Budget::charge(uint64_t bytes) noexcept {
  if (bounds_.memory > 0) {
    uint64_t held = memory_.load(std::memory_order_relaxed);
    do {
      if (bytes > bounds_.memory || held > bounds_.memory - bytes) return false;
    } while (!memory_.compare_exchange_weak(held, held + bytes, std::memory_order_relaxed));
  }
  if (!outer_ || outer_->charge(bytes)) return true;
  if (bounds_.memory > 0) memory_.fetch_sub(bytes, std::memory_order_relaxed);
  return false;
}

void Budget::give_back(uint64_t bytes) noexcept {
  if (bounds_.memory > 0) memory_.fetch_sub(bytes, std::memory_order_relaxed);
  if (outer_) outer_->give_back(bytes);
}

void Budget::fail_memory(uint64_t bytes) const {
  const bool is_mine = bounds_.memory > 0 && (bytes > bounds_.memory || memory_.load() > bounds_.memory - bytes);
  if (!is_mine && outer_) outer_->fail_memory(bytes);
  fail_with<ErrorCode::kLimitExceeded>(what_, " needs ", bytes, " bytes more than the ", memory_.load(),
                                       " that it holds: its limit is ", bounds_.memory);
}

uint32_t Budget::call_depth(uint32_t most) const {
  if (outer_) most = outer_->call_depth(most);
  return bounds_.call_depth > 0 ? std::min(bounds_.call_depth, most) : most;
}

int Budget::threads(int threads) const {
  if (outer_) threads = outer_->threads(threads);
  return bounds_.threads > 0 ? std::min(bounds_.threads, threads) : threads;
}

bool Budget::take_fork() noexcept {
  if (bounds_.forks >= 0 && forks_.fetch_add(1, std::memory_order_relaxed) >= bounds_.forks) {
    forks_.fetch_sub(1, std::memory_order_relaxed);
    return false;
  }
  if (!outer_ || outer_->take_fork()) return true;
  if (bounds_.forks >= 0) forks_.fetch_sub(1, std::memory_order_relaxed);
  return false;
}

void Budget::give_fork() noexcept {
  if (bounds_.forks >= 0) forks_.fetch_sub(1, std::memory_order_relaxed);
  if (outer_) outer_->give_fork();
}

Budget::Bounds unasked_bounds() {
  const LoadOptions defaults;
  return {.time = defaults.max_restore_time,
          .memory = limits::kFreeRestoreMemory,
          .operations = defaults.max_restore_operations,
          .forks = 0};
}

void MemoryCharge::set(uint64_t bytes) {
  if constexpr (!build::kLimits) return;
  Budget* budget = budget_.load(std::memory_order_acquire);
  if (!budget) {
    Budget* const current = Budget::current();
    if (!current) return;
    current->retain();
    if (budget_.compare_exchange_strong(budget, current, std::memory_order_acq_rel)) {
      budget = current;
    } else {
      current->release();
    }
  }
  for (uint64_t before = bytes_.load(std::memory_order_relaxed);;) {
    const uint64_t more = bytes > before ? bytes - before : 0;
    if (more > 0 && !budget->charge(more)) budget->fail_memory(more);
    const uint64_t less = bytes < before ? before - bytes : 0;
    if (bytes_.compare_exchange_strong(before, bytes, std::memory_order_relaxed)) {
      if (less > 0) budget->give_back(less);
      return;
    }
    if (more > 0) budget->give_back(more);  // another thread was faster
  }
}

void MemoryCharge::give_back() noexcept {
  if constexpr (!build::kLimits) return;
  Budget* const budget = budget_.load(std::memory_order_acquire);
  budget->give_back(bytes_.load(std::memory_order_relaxed));
  budget->release();
}

}  // namespace wick
