// Checks of sizes and strides against the layouts that the planner tells apart.
#include "plan/memory/layout.h"

namespace wick::plan {
namespace {

bool is_laid_out(IntSpan sizes, IntSpan strides, IntSpan order) {
  int64_t expected = 1;
  for (size_t k = order.size(); k-- > 0;) {
    const auto d = static_cast<size_t>(order[k]);
    if (sizes[d] != 1 && strides[d] != expected) return false;
    expected *= sizes[d];
  }
  return true;
}

}  // namespace

bool is_contiguous(IntSpan sizes, IntSpan strides) {
  int64_t expected = 1;
  for (size_t d = sizes.size(); d-- > 0;) {
    if (sizes[d] != 1 && strides[d] != expected) return false;
    expected *= sizes[d];
  }
  return true;
}

bool is_channels_last(IntSpan sizes, IntSpan strides) {
  if (sizes.size() == 3) return is_laid_out(sizes, strides, {0, 2, 1});
  return sizes.size() == 4 && is_laid_out(sizes, strides, {0, 2, 3, 1});
}

IntVec channels_last_strides(IntSpan sizes) {
  if (sizes.size() == 3) return {sizes[1] * sizes[2], 1, sizes[1]};
  return contiguous_strides(sizes, MemoryFormat::kChannelsLast);
}

void insert_in_order(std::vector<Pair>& pairs, Pair pair) {
  auto at = pairs.end();
  while (at != pairs.begin() && pair < at[-1]) --at;
  pairs.insert(at, pair);
}

bool is_dense(IntSpan sizes, IntSpan strides) {
  std::vector<Pair> dims;  // stride, size
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] != 1) insert_in_order(dims, Pair(strides[d], sizes[d]));
  }
  size_t expected = 1;
  for (const auto& [stride, size] : dims) {
    if (stride != expected) return false;
    expected *= size;
  }
  return true;
}

}  // namespace wick::plan
