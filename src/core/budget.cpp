// Budget: time, memory, operations, threads and tasks of a load or run.
#include "core/budget.h"

#include <algorithm>

#include "core/check.h"
#include "core/limits.h"
#include "wick/memory_charge.h"

namespace wick {
namespace {

using Clock = std::chrono::steady_clock;

Clock::time_point deadline_in(std::chrono::milliseconds time) {
  constexpr std::chrono::milliseconds kForever = std::chrono::hours(24 * 365 * 100);
  return time.count() <= 0 || time >= kForever ? Clock::time_point::max() : Clock::now() + time;
}

}  // namespace

Budget::Budget(const char* what, const RunOptions& bounds)
    : what_(what), bounds_(bounds), deadline_(deadline_in(bounds.timeout)), outer_(current()) {}

void Budget::check() const {
  WICK_CHECK(!bounds_.cancellation || !bounds_.cancellation->is_cancelled(), kCancelled, what_, " was cancelled");
  WICK_CHECK(deadline_ == Clock::time_point::max() || Clock::now() < deadline_, kDeadlineExceeded, what_,
             " took longer than its time limit of ", bounds_.timeout.count(), " ms");
  if (outer_) outer_->check();
}

void Budget::spend(int64_t operations) {
  for (Budget* b = this; b; b = b->outer_.get()) {
    if (b->bounds_.max_operations <= 0) continue;
    const int64_t spent = b->operations_.fetch_add(operations, std::memory_order_relaxed) + operations;
    WICK_CHECK(spent <= b->bounds_.max_operations, kLimitExceeded, b->what_, " takes more than its limit of ",
               b->bounds_.max_operations, " operations");
  }
  check();
}

bool Budget::charge(uint64_t bytes) noexcept {
  if (bounds_.max_memory > 0) {
    uint64_t held = memory_.load(std::memory_order_relaxed);
    do {
      if (bytes > bounds_.max_memory || held > bounds_.max_memory - bytes) return false;
    } while (!memory_.compare_exchange_weak(held, held + bytes, std::memory_order_relaxed));
  }
  if (!outer_ || outer_->charge(bytes)) return true;
  if (bounds_.max_memory > 0) memory_.fetch_sub(bytes, std::memory_order_relaxed);
  return false;
}

void Budget::give_back(uint64_t bytes) noexcept {
  if (bounds_.max_memory > 0) memory_.fetch_sub(bytes, std::memory_order_relaxed);
  if (outer_) outer_->give_back(bytes);
}

void Budget::fail_memory(uint64_t bytes) const {
  const bool is_mine =
      bounds_.max_memory > 0 && (bytes > bounds_.max_memory || memory_.load() > bounds_.max_memory - bytes);
  if (!is_mine && outer_) outer_->fail_memory(bytes);
  fail_with<ErrorCode::kLimitExceeded>(what_, " needs ", bytes, " bytes more than the ", memory_.load(),
                                       " that it holds: its limit is ", bounds_.max_memory);
}

uint32_t Budget::call_depth(uint32_t most) const {
  if (outer_) most = outer_->call_depth(most);
  return bounds_.max_call_depth > 0 ? std::min(bounds_.max_call_depth, most) : most;
}

int Budget::threads(int threads) const {
  if (outer_) threads = outer_->threads(threads);
  return bounds_.max_threads > 0 ? std::min(bounds_.max_threads, threads) : threads;
}

bool Budget::take_fork() noexcept {
  if (bounds_.max_forks >= 0 && forks_.fetch_add(1, std::memory_order_relaxed) >= bounds_.max_forks) {
    forks_.fetch_sub(1, std::memory_order_relaxed);
    return false;
  }
  if (!outer_ || outer_->take_fork()) return true;
  if (bounds_.max_forks >= 0) forks_.fetch_sub(1, std::memory_order_relaxed);
  return false;
}

void Budget::give_fork() noexcept {
  if (bounds_.max_forks >= 0) forks_.fetch_sub(1, std::memory_order_relaxed);
  if (outer_) outer_->give_fork();
}

RunOptions unasked_bounds() {
  const LoadOptions defaults;
  return {.timeout = defaults.max_restore_time,
          .max_memory = limits::kFreeRestoreMemory,
          .max_operations = defaults.max_restore_operations,
          .max_forks = 0};
}

namespace {

// Holds the charge: marks its pointer to the budget, which is even.
class Held {
 public:
  explicit Held(std::atomic<Budget*>& budget) : place_(budget) {
    do {
      budget_ = place_.load(std::memory_order_relaxed);
    } while (is_marked(budget_) || !place_.compare_exchange_weak(budget_, marked(budget_), std::memory_order_acquire));
  }
  ~Held() { place_.store(budget_, std::memory_order_release); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

  Budget* budget() const { return budget_; }
  void set(Budget* budget) { budget_ = budget; }

 private:
  static bool is_marked(Budget* budget) { return reinterpret_cast<uintptr_t>(budget) % 2 != 0; }
  static Budget* marked(Budget* budget) { return reinterpret_cast<Budget*>(reinterpret_cast<uintptr_t>(budget) | 1); }

  std::atomic<Budget*>& place_;
  Budget* budget_;
};

}  // namespace

// What grows is charged to the run that makes it grow: it takes over the whole charge.
void MemoryCharge::set(uint64_t bytes) {
  if constexpr (!build::kLimits) return;
  Budget* const current = Budget::current();
  if (!current && !budget_.load(std::memory_order_relaxed)) return;
  Held held(budget_);
  Budget* const before = held.budget();
  const uint64_t had = bytes_.load(std::memory_order_relaxed);
  if (bytes <= had) {
    if (before) before->give_back(had - bytes);
    bytes_.store(bytes, std::memory_order_relaxed);
    return;
  }
  if (!current) return;  // without bounds now
  const uint64_t more = before == current ? bytes - had : bytes;
  if (!current->charge(more)) current->fail_memory(more);
  bytes_.store(bytes, std::memory_order_relaxed);
  if (before == current) return;
  current->retain();
  held.set(current);
  if (before) {
    before->give_back(had);
    before->release();
  }
}

void MemoryCharge::give_back() noexcept {
  if constexpr (!build::kLimits) return;
  Budget* const budget = budget_.load(std::memory_order_acquire);
  budget->give_back(bytes_.load(std::memory_order_relaxed));
  budget->release();
}

}  // namespace wick
