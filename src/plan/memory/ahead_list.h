// Which weights the products of a plan fetch for later steps (kernels/ahead.h): those that a step reads once and does
// little else with, so that it takes as long as they take to come. Others are fetched by the products that use them.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "kernels/ahead.h"

namespace wick::plan {

class Step;

struct StepWeights {
  const Step* step = nullptr;
  const char* begin = nullptr;
  int64_t bytes = 0;
  bool read_once = false;
};

class AheadList {
 public:
  // The next step of the plan: its weights, and the bytes of its results.
  void add(const StepWeights& weights, int64_t written);
  // After the last. Weights are fetched when no more than `cache` bytes of weights and results pass before they are
  // needed. Where everything has room there, none is fetched.
  void finish(int64_t cache);

  bool empty() const { return pieces_.empty(); }
  kernels::Ahead start() const { return {pieces_.data(), pieces_.size()}; }
  // Before step `at` runs.
  void set(kernels::Ahead& ahead, size_t at) const { ahead.set(steps_[at].after, steps_[at].limit); }

 private:
  struct StepInfo {
    int64_t traffic;  // bytes of results and weights
    size_t after;     // the first piece of later steps
    int64_t limit;    // up to where they may be fetched, counted from the first piece
  };
  std::vector<kernels::Ahead::Piece> pieces_;
  std::vector<StepInfo> steps_;
};

// The list of a plan, or null. A build that fetches nothing has none to free.
struct FreeList {
  void operator()(const AheadList* list) const {
    if constexpr (kernels::kFetchesAhead) delete list;
  }
};
using AheadListPtr = std::unique_ptr<const AheadList, FreeList>;

// Lets the products of this thread fetch from the list, if there is one, as long as it lives.
class Fetching {
 public:
  explicit Fetching(const AheadList* list) : before_(kernels::t_ahead) {
    kernels::t_ahead = nullptr;
    if (list != nullptr) kernels::t_ahead = &ahead_.emplace(list->start());
  }
  ~Fetching() { kernels::t_ahead = before_; }
  Fetching(const Fetching&) = delete;
  Fetching& operator=(const Fetching&) = delete;

 private:
  std::optional<kernels::Ahead> ahead_;
  kernels::Ahead* const before_;
};

}  // namespace wick::plan
