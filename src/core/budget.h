// Budget: what a load or run may still use.
#pragma once

#include <atomic>
#include <chrono>

#include "config/build.h"
#include "kernels/bounds.h"
#include "wick/options.h"

namespace wick {

class Budget;
inline constinit thread_local Budget* t_budget = nullptr;

// Shared by the thread that runs a model, the tasks that it forks, workers of the thread pool while they work for it,
// and the values that were made meanwhile. A budget made while another one is in force spends from that one as well.
//
// Threads: all members may be called from several threads.
class Budget : public RefCounted {
 public:
  // `what` is bounded: "the run", for messages; a literal.
  Budget(const char* what, const RunOptions& bounds);

  // Of this thread; null when nothing is bounded.
  static Budget* current() {
    if constexpr (!build::kLimits) return nullptr;
    return t_budget;
  }

  // Throws kCancelled or kDeadlineExceeded when it is time to stop.
  void check() const;
  // The same, and counts operations; throws kLimitExceeded when there were too many.
  void spend(int64_t operations);
  // Takes up memory; false, and none is taken, when that would be too much.
  bool charge(uint64_t bytes) noexcept;
  void give_back(uint64_t bytes) noexcept;
  [[noreturn]] void fail_memory(uint64_t bytes) const;

  uint32_t call_depth(uint32_t most) const;
  // How many of `threads` may be used.
  int threads(int threads) const;
  // Whether a task may have a thread of its own; if so, give_fork() when it has ended.
  bool take_fork() noexcept;
  void give_fork() noexcept;

 private:
  const char* const what_;
  const RunOptions bounds_;
  const std::chrono::steady_clock::time_point deadline_;
  const Ref<Budget> outer_;
  std::atomic<int64_t> operations_{0};
  std::atomic<uint64_t> memory_{0};
  std::atomic<int> forks_{0};
};

// Makes the budget, or none, this thread's as long as it lives; kernels look at it, too.
class BudgetScope {
 public:
  explicit BudgetScope(Budget* budget) : before_(t_budget) { set(budget); }
  ~BudgetScope() { set(before_); }
  BudgetScope(const BudgetScope&) = delete;
  BudgetScope& operator=(const BudgetScope&) = delete;

 private:
  static void set(Budget* budget) {
    t_budget = budget;
    if constexpr (build::kLimits) kernels::t_look_at_bounds = budget == nullptr ? nullptr : &check_current;
  }
  static void check_current() { t_budget->check(); }

  Budget* const before_;
};

// The bounds of code that runs before a file's user asked for anything: LoadOptions's defaults for restoring objects.
RunOptions unasked_bounds();

// A budget of its own in force as long as it lives.
class BoundedWork {
 public:
  BoundedWork(const char* what, const RunOptions& bounds)
      : budget_(make_ref<Budget>(what, bounds)), scope_(budget_.get()) {}

 private:
  const Ref<Budget> budget_;
  const BudgetScope scope_;
};

// For loops that take long and are no operators.
inline void check_budget() {
  if (const Budget* budget = Budget::current()) budget->check();
}
// The same at every 1024th turn, for loops whose turns are short; `turn` counts them.
inline void check_budget_at(int64_t turn) {
  if (turn % 1024 == 0) check_budget();
}

}  // namespace wick
