// HalfLayers: which layers of a method are kept from computing in float16, because their numbers do not fit it.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "ir/graph.h"

namespace wick::plan {

// Shared by the plans of a method. Steps that compute in float16 store infinities where a result is beyond its range.
// The plan sees them where numbers leave float16 and throws HalfOverflow; it is run again with every such step looking
// at its own result, and the first one that finds an infinity is kept in float from then on.
//
// Threads: all members may be called from several threads at once.
class HalfLayers {
 public:
  bool is_float(const ir::Node* node) const {
    const std::lock_guard lock(mutex_);
    for (const ir::Node* each : floats_) {
      if (each == node) return true;
    }
    return false;
  }
  void keep_float(const ir::Node* node) {
    const std::lock_guard lock(mutex_);
    floats_.push_back(node);
  }
  size_t count() const {
    const std::lock_guard lock(mutex_);
    return floats_.size();
  }

  // Whether steps look at their results.
  bool is_searching() const { return searching_.load(std::memory_order_relaxed); }
  void set_searching(bool on) { searching_.store(on, std::memory_order_relaxed); }

 private:
  mutable std::mutex mutex_;
  std::vector<const ir::Node*> floats_;
  std::atomic<bool> searching_{false};
};

// A step's result does not fit float16. `node`: the step's; null where it is not known which one's.
struct HalfOverflow {
  const ir::Node* node = nullptr;
};

}  // namespace wick::plan
