// BoundedScope: the budget of a thread as applications see it.
#include "wick/bounds.h"

#include "config/build.h"
#include "core/budget.h"
#include "core/check.h"

namespace wick {

struct BoundedScope::State : BoundedWork {
  using BoundedWork::BoundedWork;
};

BoundedScope::BoundedScope(const char* what, const RunOptions& options) {
  if constexpr (!build::kLimits) {
    fail_with<ErrorCode::kUnsupported>("this selective build has no bounds of runs: build it with WICK_LIMITS");
  } else {
    state_ = std::make_unique<State>(what, options);
  }
}

BoundedScope::~BoundedScope() = default;

}  // namespace wick
