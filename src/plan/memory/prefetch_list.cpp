// Which weights may be prefetched while each step runs, by the traffic that passes before they are needed.
#include "plan/memory/prefetch_list.h"

namespace wick::plan {

void PrefetchList::add(const StepWeights& weights, int64_t written) {
  if (weights.read_once && weights.bytes > 0) {
    const int64_t before = pieces_.empty() ? 0 : pieces_.back().before + pieces_.back().bytes;
    pieces_.push_back({weights.begin, weights.bytes, before});
  }
  steps_.push_back({written + weights.bytes, pieces_.size(), 0});
}

void PrefetchList::finish(int64_t cache) {
  int64_t all = 0;
  for (const StepInfo& s : steps_) all += s.traffic;
  if (all <= cache) pieces_.clear();
  if (pieces_.empty()) return steps_.clear();
  // Steps [i, k) fit the cache together.
  int64_t passed = 0;
  for (size_t i = 0, k = 0; i < steps_.size(); passed -= steps_[i++].traffic) {
    for (; k <= i || (k < steps_.size() && passed + steps_[k].traffic <= cache); ++k) passed += steps_[k].traffic;
    // What is left of the cache is for the begin of the next weights.
    const size_t reached = steps_[k - 1].after;
    steps_[i].limit = reached == pieces_.size() ? INT64_MAX : pieces_[reached].before;
    if (k < steps_.size() && steps_[k].after > reached) steps_[i].limit += std::max<int64_t>(0, cache - passed);
  }
}

}  // namespace wick::plan
