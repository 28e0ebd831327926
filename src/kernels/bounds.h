// Time limits inside of kernels: what they call between pieces of long work.
#pragma once

#include <cstdint>

#include "config/build.h"

namespace wick::kernels {

// Throws when the work that the thread is at shall end; null while nothing bounds it. core/budget.h sets it.
using Look = void (*)();
inline constinit thread_local Look t_look_at_bounds = nullptr;

inline void check_bounds() {
  if constexpr (build::kLimits) {
    if (t_look_at_bounds != nullptr) [[unlikely]]
      t_look_at_bounds();
  }
}

// For pieces of work that may be short: looks once in so many operations.
class BoundedSteps {
 public:
  void count(int64_t operations) {
    if constexpr (build::kLimits) {
      left_ -= operations;
      if (left_ >= 0) return;
      left_ = kBetween;
      check_bounds();
    }
  }

 private:
  static constexpr int64_t kBetween = 1 << 20;
  int64_t left_ = kBetween;
};

}  // namespace wick::kernels
