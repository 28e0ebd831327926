// Nested tensors as nn.TransformerEncoder uses them: rows of different lengths, held padded.
#include "core/copy.h"
#include "core/shape.h"
#include "core/tensor_impl.h"
#include "ops/nn/attention.h"
#include "ops/shape/view.h"

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
  const bool* p = mask.data_ptr<bool>();
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
    for (int64_t i = 0; i < t.size(1); ++i) mask.data_ptr<bool>()[row * t.size(1) + i] = i >= lengths[row];
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

namespace {

// The offsets of a batch with one jagged dim: ascending from 0 to at most `total`.
Tensor checked_offsets(const TensorList& offsets, int64_t total, const char* op) {
  WICK_CHECK(offsets.size() == 1, kUnsupported, op, ": Expected one jagged dimension, but got ", offsets.size());
  WICK_CHECK(offsets[0].dim() == 1 && offsets[0].numel() > 0 && is_integral(offsets[0].dtype(), false),
             kInvalidArgument, op, ": Expected the offsets to be a vector of integers");
  const Tensor ends = contiguous(to_dtype(offsets[0], DType::kLong));
  const int64_t* e = ends.data_ptr<int64_t>();
  for (int64_t i = 0, count = ends.numel(); i < count; ++i) {
    WICK_CHECK(e[i] >= (i == 0 ? 0 : e[i - 1]) && e[i] <= total, kIndexOutOfRange, op, ": offset ", e[i],
               " does not ascend within ", total, " rows");
  }
  return ends;
}

}  // namespace

Tensor jagged_to_padded_dense(const Tensor& values, const TensorList& offsets, IntSpan max_lengths,
                              double padding_value) {
  constexpr const char* kName = "_jagged_to_padded_dense_forward";
  WICK_CHECK(values.dim() >= 1 && max_lengths.size() == 1 && max_lengths[0] >= 0, kInvalidArgument, kName,
             ": Expected values with a jagged dimension and its greatest length");
  const Tensor ends = checked_offsets(offsets, values.size(0), kName);
  const int64_t* e = ends.data_ptr<int64_t>();
  const int64_t batch = ends.numel() - 1, length = max_lengths[0];
  IntVec sizes(values.sizes());
  sizes[0] = length;
  sizes.insert(0, batch);
  const Tensor out = Tensor::empty(sizes, values.dtype());
  fill(out, padding_value);
  for (int64_t b = 0; b < batch; ++b) {
    const int64_t rows = std::min(length, e[b + 1] - e[b]);
    if (rows > 0) copy_into(narrow(select(out, 0, b), 0, 0, rows), narrow(values, 0, e[b], rows));
  }
  return out;
}

Tensor padded_dense_to_jagged(const Tensor& dense, const TensorList& offsets, std::optional<int64_t> total) {
  constexpr const char* kName = "_padded_dense_to_jagged_forward";
  WICK_CHECK(dense.dim() >= 2, kShapeMismatch, kName, ": Expected a padded batch, but got ", dense.dim(),
             " dimensions");
  const Tensor ends = checked_offsets(offsets, INT64_MAX, kName);
  const int64_t* e = ends.data_ptr<int64_t>();
  const int64_t batch = ends.numel() - 1, length = dense.size(1);
  WICK_CHECK(batch == dense.size(0), kShapeMismatch, kName, ": Expected ", dense.size(0) + 1, " offsets, but got ",
             ends.numel());
  const int64_t rows = total.value_or(e[batch]);
  WICK_CHECK(rows >= e[batch], kShapeMismatch, kName, ": total_L is less than the last offset");
  IntVec sizes(dense.sizes().subspan(1));
  sizes[0] = rows;
  const Tensor out = Tensor::zeros(sizes, dense.dtype());
  for (int64_t b = 0; b < batch; ++b) {
    const int64_t n = std::min(length, e[b + 1] - e[b]);
    if (n > 0) copy_into(narrow(out, 0, e[b], n), narrow(select(dense, 0, b), 0, 0, n));
  }
  return out;
}

}  // namespace wick::ops
