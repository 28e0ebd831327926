// HalfLayers: which layers of a method are kept from computing in float16, because their numbers do not fit it.
#pragma once

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

  // Whether steps that this thread runs look at their results. Other threads' runs do not: what they have computed
  // before was not looked at.
  bool is_searching() const { return t_searching_ == this; }
  // From now on until end_search().
  void search() { t_searching_ = this; }
  static void end_search() { t_searching_ = nullptr; }

 private:
  mutable std::mutex mutex_;
  std::vector<const ir::Node*> floats_;
  inline static thread_local const HalfLayers* t_searching_ = nullptr;
};

// A step's result does not fit float16. `node`: the step's; null where it is not known which one's.
struct HalfOverflow {
  const ir::Node* node = nullptr;
};

}  // namespace wick::plan
