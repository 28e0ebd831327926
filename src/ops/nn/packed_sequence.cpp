// Packing and padding of sequences.
#include <algorithm>

#include "ops/nn/common.h"
#include "ops/nn/rnn.h"
#include "ops/shape/view.h"

namespace wick::ops {

std::tuple<Tensor, Tensor> pack_padded_sequence(const Tensor& given, const Tensor& lengths_given, bool batch_first) {
  WICK_CHECK(given.dim() >= 2, kShapeMismatch, "a padded sequence needs at least 2 dimensions, got ", given.dim());
  const Tensor input = batch_first ? transpose(given, 0, 1) : given;
  WICK_CHECK(lengths_given.dim() == 1 && lengths_given.dtype() == DType::kLong, kTypeMismatch,
             "'lengths' argument should be a 1D CPU int64 tensor, but got ", lengths_given.dim(), "D cpu ",
             name_of(lengths_given.dtype()), " tensor");
  WICK_CHECK(input.numel() > 0, kShapeMismatch, "Cannot pack empty tensors.");
  const int64_t steps = input.size(0), batch = input.size(1);
  WICK_CHECK(lengths_given.numel() == batch, kShapeMismatch,
             "Expected `len(lengths)` to be equal to batch_size, but got ", lengths_given.numel(),
             " (batch_size=", batch, ")");
  const Tensor lengths = contiguous(lengths_given);
  const int64_t* n = lengths.data_ptr<int64_t>();
  WICK_CHECK(n[batch - 1] > 0, kInvalidArgument,
             "Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0");
  for (int64_t b = 1; b < batch; ++b) {
    WICK_CHECK(
        n[b] <= n[b - 1], kInvalidArgument,
        "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass "
        "`enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep this requirement if you "
        "do not need ONNX exportability.");
  }
  WICK_CHECK(n[0] <= steps, kInvalidArgument, "start (0) + length (", n[0], ") exceeds dimension size (", steps, ").");
  int64_t total = 0;
  for (int64_t b = 0; b < batch; ++b) total += n[b];
  IntVec shape{total};
  for (int64_t d = 2; d < input.dim(); ++d) shape.push_back(input.size(d));
  Tensor data = Tensor::empty(shape, input.dtype());
  Tensor batch_sizes = Tensor::empty({n[0]}, DType::kLong);
  int64_t row = 0, rows = batch;
  for (int64_t t = 0; t < n[0]; ++t) {
    while (n[rows - 1] <= t) --rows;
    copy_into(narrow(data, 0, row, rows), narrow(select(input, 0, t), 0, 0, rows));
    batch_sizes.data_ptr<int64_t>()[t] = rows;
    row += rows;
  }
  return {data, batch_sizes};
}

std::tuple<Tensor, Tensor> pad_packed_sequence(const Tensor& data, const Tensor& batch_sizes_given, bool batch_first,
                                               const Scalar& padding_value, int64_t total_length) {
  WICK_CHECK(batch_sizes_given.dim() == 1 && batch_sizes_given.dtype() == DType::kLong && batch_sizes_given.numel() > 0,
             kTypeMismatch, "batch_sizes should be a non-empty 1D int64 tensor");
  WICK_CHECK(data.dim() >= 1, kShapeMismatch, "packed data needs at least 1 dimension");
  const Tensor batch_sizes = contiguous(batch_sizes_given);
  const int64_t* rows = batch_sizes.data_ptr<int64_t>();
  const int64_t steps = batch_sizes.numel(), batch = rows[0];
  int64_t total = 0;
  for (int64_t t = 0; t < steps; ++t) {
    WICK_CHECK(rows[t] > 0 && rows[t] <= batch && (t == 0 || rows[t] <= rows[t - 1]) && rows[t] <= data.size(0) - total,
               kInvalidArgument, "batch_sizes must be positive, not increasing, and sum up to the length of the data");
    total += rows[t];
  }
  int64_t length = steps;
  if (total_length > 0) {
    WICK_CHECK(
        total_length >= steps, kInvalidArgument,
        "Expected total_length to be at least the length of the longest sequence in input, but got total_length=",
        total_length, " and max sequence length being ", steps);
    length = total_length;
  }
  IntVec shape{length, batch};
  for (int64_t d = 1; d < data.dim(); ++d) shape.push_back(data.size(d));
  Tensor out = Tensor::empty(shape, data.dtype());
  fill(out, padding_value);
  Tensor lengths = Tensor::empty({batch}, DType::kLong);
  int64_t row = 0;
  for (int64_t t = 0; t < steps; ++t) {
    copy_into(narrow(select(out, 0, t), 0, 0, rows[t]), narrow(data, 0, row, rows[t]));
    std::fill_n(lengths.data_ptr<int64_t>(), rows[t], t + 1);
    row += rows[t];
  }
  return {batch_first ? transpose(out, 0, 1) : out, lengths};
}

}  // namespace wick::ops
