// Stopping what works long through one row: sorts, selections and searches, which have no pieces between which the
// budget could be looked at.
#pragma once

#include <utility>

#include "core/budget.h"

namespace wick::ops {

// Counts steps, and looks at the budget once in 65536 of them. Throws as check_budget does.
class StepCounter {
 public:
  void count(int64_t steps = 1) {
    steps_ += steps;
    if (steps_ < kSteps) return;
    steps_ = 0;
    check_budget();
  }

 private:
  static constexpr int64_t kSteps = 1 << 16;
  int64_t steps_ = 0;
};

// Calls work(less) for a sort or selection by `less`: with one that counts its calls when the thread has a budget, and
// throws when that is spent. The elements are then in any order, and some may be there twice.
template <class Less, class Work>
void compare_stoppably(Less less, const Work& work) {
  if (!Budget::current()) return work(std::move(less));
  StepCounter steps;
  work([&](const auto& a, const auto& b) {
    steps.count();
    return less(a, b);
  });
}

}  // namespace wick::ops
