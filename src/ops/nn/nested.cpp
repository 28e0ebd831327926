// Nested tensors as nn.TransformerEncoder uses them: rows of different lengths, held padded.
#include "core/copy.h"
#include "core/shape.h"
#include "ops/nn/attention.h"

namespace wick::ops {
namespace {

// The mask (True: an element is there) as dense bools, after checking that it fits.
Tensor checked_mask(const Tensor& t, const Tensor& mask) {
  WICK_CHECK(mask.dtype() == DType::kBool, kTypeMismatch, "Expected mask to be of ScalarType Bool, but got ",
             name_of(mask.dtype()), " instead.");
  WICK_CHECK(mask.dim() == 2, kShapeMismatch, "Padding mask should be 2D");
  WICK_CHECK(t.dim() == 3, kShapeMismatch, "Input should be a 3D tensor, N * L * D");
  WICK_CHECK(mask.size(0) == t.size(0) && mask.size(1) == t.size(1), kShapeMismatch,
             "Padding mask size should match the first two dimensions of the input");
  return contiguous(mask);
}

// How many True values each row starts with; nothing when one follows a False.
std::optional<IntVec> leading_lengths(const Tensor& mask) {
  IntVec lengths;
  const bool* p = mask.data<bool>();
  const int64_t n = mask.size(1);
  for (int64_t row = 0; row < mask.size(0); ++row, p += n) {
    int64_t length = 0;
    while (length < n && p[length]) ++length;
    for (int64_t i = length; i < n; ++i) {
      if (p[i]) return std::nullopt;
    }
    lengths.push_back(length);
  }
  return lengths;
}

}  // namespace

bool nested_tensor_from_mask_left_aligned(const Tensor& t, const Tensor& mask) {
  return leading_lengths(checked_mask(t, mask)).has_value();
}

Tensor nested_tensor_from_mask(const Tensor& t, const Tensor& mask, bool mask_check) {
  std::optional<IntVec> lengths = leading_lengths(checked_mask(t, mask));
  WICK_CHECK(lengths || !mask_check, kInvalidArgument, "Mask must have left-aligned without gaps");
  WICK_CHECK(lengths, kUnsupported, "a nested tensor from a mask with gaps is not supported");
  Tensor out = clone(t, MemoryFormat::kContiguous);
  out.impl()->row_lengths = std::make_shared<const IntVec>(std::move(*lengths));
  return out;
}

bool is_nested(const Tensor& t) { return t.impl()->row_lengths != nullptr; }

Tensor nested_padding_mask(const Tensor& t) {
  const IntVec& lengths = *t.impl()->row_lengths;
  WICK_CHECK(t.dim() == 3 && static_cast<int64_t>(lengths.size()) == t.size(0), kShapeMismatch,
             "the nested tensor has lost its shape");
  const Tensor mask = Tensor::empty({t.size(0), t.size(1)}, DType::kBool);
  for (int64_t row = 0; row < t.size(0); ++row) {
    for (int64_t i = 0; i < t.size(1); ++i) mask.data<bool>()[row * t.size(1) + i] = i >= lengths[row];
  }
  return mask;
}

Tensor to_padded_tensor(const Tensor& self, double padding, const std::optional<IntVec>& output_size) {
  WICK_CHECK(is_nested(self), kInvalidArgument, "to_padded_tensor: expected a nested tensor");
  const Tensor padded = nested_padding_mask(self);
  const IntVec& lengths = *self.impl()->row_lengths;
  int64_t longest = 0;
  for (int64_t n : lengths) longest = std::max(longest, n);
  IntVec sizes{self.size(0), longest, self.size(2)};
  if (output_size) {
    WICK_CHECK(output_size->size() == 3 && (*output_size)[0] == sizes[0] && (*output_size)[1] >= longest &&
                   (*output_size)[2] >= sizes[2],
               kShapeMismatch,
               "Value in output_size is less than NestedTensor padded size. Truncation is not supported.");
    sizes = *output_size;
  }
  const Tensor out = Tensor::empty(sizes, self.dtype());
  fill(out, padding);
  for (int64_t row = 0; row < self.size(0); ++row) {
    const IntVec part{lengths[row], self.size(2)};
    copy_into(
        out.as_strided(part, {out.strides()[1], out.strides()[2]}, row * out.strides()[0]),
        self.as_strided(part, {self.strides()[1], self.strides()[2]}, self.storage_offset() + row * self.strides()[0]));
  }
  return out;
}

}  // namespace wick::ops
