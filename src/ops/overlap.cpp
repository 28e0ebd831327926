// Overlap checks between the tensors that an operator reads and writes.
#include "ops/overlap.h"

#include "core/check.h"
#include "core/tensor_impl.h"
#include "ops/iterator.h"

namespace wick::ops {
namespace {

// Bytes from the first to the last element a tensor reaches, as offsets in its storage.
std::pair<int64_t, int64_t> byte_range(const TensorImpl& t) {
  int64_t low = t.offset, high = low;
  for (size_t d = 0; d < t.sizes.size(); ++d) {
    const int64_t reach = (t.sizes[d] - 1) * t.strides[d];
    (reach < 0 ? low : high) += reach;
  }
  const auto item = static_cast<int64_t>(itemsize(t.dtype));
  return {low * item, (high + 1) * item};
}

}  // namespace

Overlap overlap_of(const Tensor& a, const Tensor& b) {
  if (a.is_same(b)) return Overlap::kFull;
  if (a.numel() == 0 || b.numel() == 0 || a.storage() != b.storage()) return Overlap::kNone;
  const auto [a_low, a_high] = byte_range(*a.impl());
  const auto [b_low, b_high] = byte_range(*b.impl());
  if (a_low >= b_high || b_low >= a_high) return Overlap::kNone;
  const bool dense = a.is_non_overlapping_and_dense() && b.is_non_overlapping_and_dense();
  const bool same_view = a_low == b_low && a_high == b_high && a.itemsize() == b.itemsize() && a.sizes() == b.sizes() &&
                         a.strides() == b.strides();
  if (same_view) return Overlap::kFull;
  return dense ? Overlap::kPartial : Overlap::kUnknown;
}

void check_no_internal_overlap(const Tensor& t) {
  if (t.numel() == 0 || t.is_non_overlapping_and_dense()) return;
  for (size_t d = 0; d < t.sizes().size(); ++d) {
    WICK_CHECK(t.strides()[d] != 0 || t.sizes()[d] <= 1, kInvalidArgument,
               "unsupported operation: more than one element of the written-to tensor refers to a single memory "
               "location. Please clone() the tensor before performing the operation.");
  }
}

void check_no_partial_overlap(const Tensor& written, const Tensor& input) {
  WICK_CHECK(overlap_of(written, input) != Overlap::kPartial, kInvalidArgument,
             "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single "
             "memory location. Please clone() the tensor before performing the operation.");
}

}  // namespace wick::ops
