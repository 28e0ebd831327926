// PrefetchList: which weights the products of a plan prefetch for later steps (kernels/prefetch.h). These are weights
// that a step reads once and does little else with, so that it is bound by memory. Others are fetched by the products
// that use them.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "kernels/prefetch.h"

namespace wick::plan {

class Step;

struct StepWeights {
  const Step* step = nullptr;
  const char* begin = nullptr;
  int64_t bytes = 0;
  bool read_once = false;
};

class PrefetchList {
 public:
  // The next step of the plan: its weights, and the bytes of its results.
  void add(const StepWeights& weights, int64_t written);
  // After the last. Weights are prefetched when no more than `cache` bytes of weights and results pass before
  // they are needed. Where everything fits there, none is.
  void finish(int64_t cache);

  bool empty() const { return pieces_.empty(); }
  kernels::Prefetcher start() const { return {pieces_.data(), pieces_.size()}; }
  // Before step `at` runs.
  void set(kernels::Prefetcher& prefetcher, size_t at) const { prefetcher.set(steps_[at].after, steps_[at].limit); }

 private:
  struct StepInfo {
    int64_t traffic;  // bytes of results and weights
    size_t after;     // the first piece of later steps
    int64_t limit;    // up to where they may be fetched, counted from the first piece
  };
  std::vector<kernels::Prefetcher::Piece> pieces_;
  std::vector<StepInfo> steps_;
};

// The list of a plan, or null. A build that does not prefetch has none to delete.
struct DeletePrefetchList {
  void operator()(const PrefetchList* list) const {
    if constexpr (kernels::kPrefetches) delete list;
  }
};
using PrefetchListPtr = std::unique_ptr<const PrefetchList, DeletePrefetchList>;

// Lets the products of this thread prefetch from the list, if there is one, as long as it lives.
class PrefetchScope {
 public:
  explicit PrefetchScope(const PrefetchList* list) : before_(kernels::t_prefetcher) {
    kernels::t_prefetcher = nullptr;
    if (list != nullptr) kernels::t_prefetcher = &prefetcher_.emplace(list->start());
  }
  ~PrefetchScope() { kernels::t_prefetcher = before_; }
  PrefetchScope(const PrefetchScope&) = delete;
  PrefetchScope& operator=(const PrefetchScope&) = delete;

 private:
  std::optional<kernels::Prefetcher> prefetcher_;
  kernels::Prefetcher* const before_;
};

}  // namespace wick::plan
