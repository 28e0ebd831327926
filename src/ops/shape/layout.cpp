// The dimension order and result strides of elementwise operators.
#include "ops/shape/layout.h"

namespace wick::ops {

namespace {

// Positive when dim `a` must be further out than dim `b`, negative when further in, zero when nothing tells.
int compare_dims(size_t a, size_t b, IntSpan sizes, const std::vector<IntVec>& operands) {
  for (const IntVec& strides : operands) {
    if (strides[a] == 0 || strides[b] == 0) continue;
    if (strides[a] != strides[b]) return strides[a] < strides[b] ? -1 : 1;
    if (sizes[a] > sizes[b]) return 1;
  }
  return 0;
}

}  // namespace

std::vector<size_t> elementwise_order(IntSpan sizes, const std::vector<IntVec>& operands) {
  // An insertion sort: ties between dims make the order depend on it.
  std::vector<size_t> order;
  for (size_t d = sizes.size(); d-- > 0;) order.push_back(d);
  for (size_t i = 1; i < order.size(); ++i) {
    size_t at = i;
    for (size_t j = i; j-- > 0;) {
      const int c = compare_dims(order[j], order[at], sizes, operands);
      if (c < 0) break;
      if (c > 0) {
        std::swap(order[j], order[at]);
        at = j;
      }
    }
  }
  return order;
}

IntVec elementwise_strides(IntSpan sizes, const std::vector<IntVec>& operands) {
  IntVec strides(sizes.size());
  uint64_t next = 1;
  for (size_t d : elementwise_order(sizes, operands)) {
    strides[d] = static_cast<int64_t>(next & INT64_MAX);
    next *= static_cast<uint64_t>(std::max<int64_t>(sizes[d], 1));
  }
  return strides;
}

}  // namespace wick::ops
