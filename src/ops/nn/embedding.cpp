// Lookups of rows of a table: embedding, embedding_bag, one_hot.
#include "ops/nn/embedding.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

#include "core/tensor_impl.h"
#include "ops/nn/common.h"
#include "ops/shape/channels.h"
#include "ops/stoppable.h"

namespace wick::ops {

namespace {

void check_index_dtype(const Tensor& t, const char* name, int position, const char* op) {
  WICK_CHECK(t.dtype() == DType::kLong || t.dtype() == DType::kInt, kTypeMismatch, "Expected tensor for argument #",
             position, " '", name, "' to have one of the following scalar types: Long, Int; but got torch.",
             name_of(t.dtype()), "Tensor instead (while checking arguments for ", op, ")");
}

Tensor as_long(const Tensor& t) { return contiguous(to_dtype(t, DType::kLong)); }

}  // namespace

Tensor embedding(const Tensor& weight, const Tensor& indices, int64_t, bool, bool) {
  WICK_CHECK(weight.dim() == 2, kShapeMismatch, "'weight' must be 2-D");
  check_index_dtype(indices, "indices", 1, "embedding");
  check_no_channels(weight, "embedding");
  const Tensor table = contiguous(weight);
  const Tensor index = as_long(indices);
  const int64_t rows = table.size(0);
  IntVec shape(indices.sizes());
  shape.push_back(table.size(1));
  Tensor out = Tensor::empty(shape, table.dtype());
  out.impl()->quantizer = table.impl()->quantizer;
  const size_t row_bytes = static_cast<size_t>(table.size(1)) * table.itemsize();
  const int64_t* ids = index.data_ptr<int64_t>();
  const char* src = static_cast<const char*>(table.raw_data());
  char* dst = static_cast<char*>(out.raw_data());
  parallel_for(0, index.numel(), grain_for(table.size(1)), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      WICK_CHECK(ids[i] >= 0 && ids[i] < rows, kIndexOutOfRange, "index out of range in self");
      if (row_bytes) std::memcpy(dst + i * row_bytes, src + ids[i] * row_bytes, row_bytes);
    }
  });
  return out;
}

Tensor embedding_renorm(const Tensor& self, const Tensor& indices, double max_norm, double norm_type) {
  WICK_CHECK(self.dim() == 2, kShapeMismatch, "Expected 2-dimensional tensor, but got ", self.dim(),
             "-dimensional tensor for argument #1 'self' (while checking arguments for embedding_renorm_)");
  check_index_dtype(indices, "indices", 2, "embedding_renorm_");
  check_dtype(is_floating(self.dtype()), "embedding_renorm_", self.dtype());
  const Tensor index = as_long(indices);
  std::vector<int64_t> ids(index.data_ptr<int64_t>(), index.data_ptr<int64_t>() + index.numel());
  compare_stoppably(std::less<>(), [&](auto less) { std::sort(ids.begin(), ids.end(), less); });
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  const int64_t width = self.size(1);
  for (int64_t id : ids) {
    WICK_CHECK(id >= 0 && id < self.size(0), kIndexOutOfRange, "index ", id,
               " is out of bounds for dimension 0 with size ", self.size(0));
    const Tensor row = self.as_strided({width}, {self.stride(1)}, self.storage_offset() + id * self.stride(0));
    std::vector<double> values = param_values<double>(row, width, 0);
    double norm = 0;
    for (double v : values) {
      norm = std::isinf(norm_type) ? std::max(norm, std::abs(v)) : norm + std::pow(std::abs(v), norm_type);
    }
    if (!std::isinf(norm_type)) norm = std::pow(norm, 1 / norm_type);
    if (!(norm > max_norm)) continue;
    const double scale = max_norm / (norm + 1e-7);
    for (double& v : values) v *= scale;
    copy_into(row, Tensor::from_values<double>(values));
  }
  return self;
}

Tensor no_grad_embedding_renorm(const Tensor& weight, const Tensor& input, double max_norm, double norm_type) {
  return embedding_renorm(weight, input, max_norm, norm_type);
}

Tensor one_hot(const Tensor& self, int64_t num_classes) {
  WICK_CHECK(self.dtype() == DType::kLong, kTypeMismatch, "one_hot is only applicable to index tensor.");
  IntVec shape(self.sizes());
  if (self.numel() == 0) {
    WICK_CHECK(num_classes > 0, kInvalidArgument, "Can not infer total number of classes from empty tensor.");
    shape.push_back(num_classes);
    return Tensor::empty(shape, DType::kLong);
  }
  const Tensor index = contiguous(self);
  const int64_t* ids = index.data_ptr<int64_t>();
  const auto [least, most] = std::minmax_element(ids, ids + index.numel());
  WICK_CHECK(*least >= 0, kIndexOutOfRange, "Class values must be non-negative.");
  if (num_classes == -1) {
    WICK_CHECK(*most < std::numeric_limits<int64_t>::max(), kIndexOutOfRange,
               "Class values must be smaller than num_classes.");
    num_classes = *most + 1;
  } else {
    WICK_CHECK(num_classes > *most, kIndexOutOfRange, "Class values must be smaller than num_classes.");
  }
  shape.push_back(num_classes);
  Tensor out = Tensor::zeros(shape, DType::kLong);
  int64_t* dst = out.data_ptr<int64_t>();
  for (int64_t i = 0, numel = index.numel(); i < numel; ++i) dst[i * num_classes + ids[i]] = 1;
  return out;
}

namespace {

enum BagMode : int64_t { kSum = 0, kMean = 1, kMax = 2 };

// One bag: rows ids[first, last) of the table combined into out. Returns how many counted; `winners` (max mode)
// receives the row that gave each maximum.
template <class T>
int64_t combine_bag(const T* table, int64_t width, const int64_t* ids, int64_t first, int64_t last, int64_t mode,
                    int64_t padding_idx, const T* sample_weights, T* out, int64_t* winners) {
  std::fill_n(out, width, T(0));
  int64_t count = 0;
  for (int64_t i = first; i < last; ++i) {
    if (ids[i] == padding_idx) continue;
    const T* row = table + ids[i] * width;
    if (mode == kMax) {
      for (int64_t j = 0; j < width; ++j) {
        if (count == 0 || row[j] > out[j]) {
          out[j] = row[j];
          winners[j] = ids[i];
        }
      }
    } else if (sample_weights) {
      const T w = sample_weights[i];
      for (int64_t j = 0; j < width; ++j) out[j] += row[j] * w;
    } else {
      for (int64_t j = 0; j < width; ++j) out[j] += row[j];
    }
    ++count;
  }
  if (mode == kMean && count > 0) {
    for (int64_t j = 0; j < width; ++j) out[j] /= static_cast<T>(count);
  }
  return count;
}

void check_bag_tensors(const Tensor& weight, const Tensor& indices, const Tensor& offsets) {
  check_index_dtype(indices, "indices", 1, "embedding_bag");
  check_index_dtype(offsets, "offsets", 1, "embedding_bag");
  check_dtype(is_floating(weight.dtype()), "embedding_bag", weight.dtype());
  WICK_CHECK(weight.dim() == 2, kShapeMismatch, "weight has to be a 2D Tensor, but got Tensor of dimension ",
             weight.dim());
  WICK_CHECK(indices.dim() == 1, kShapeMismatch, "input has to be a 1D Tensor, but got Tensor of dimension ",
             indices.dim());
  WICK_CHECK(offsets.dim() == 1, kShapeMismatch, "offsets has to be a 1D Tensor, but got Tensor of dimension ",
             offsets.dim());
}

// Whether bags begin and end within the indices, and these within the rows of the table.
void check_bags(const Tensor& index, const Tensor& starts, int64_t bags, int64_t rows, int64_t mode,
                const OptTensor& per_sample_weights) {
  const int64_t* ids = index.data_ptr<int64_t>();
  const int64_t* first = starts.data_ptr<int64_t>();
  const int64_t count = index.numel();
  if (starts.numel() > 0) {
    WICK_CHECK(first[0] == 0, kInvalidArgument,
               "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from position 0. "
               "However, got ",
               first[0]);
    WICK_CHECK(first[starts.numel() - 1] <= count, kInvalidArgument,
               "offsets[-1] can not be greater than input's length(", count, ") but got offsets[-1] of ",
               first[starts.numel() - 1]);
  }
  WICK_CHECK(bags >= 0, kInvalidArgument, "include_last_offset: number of offsets should be at least 1");
  if (has(per_sample_weights)) {
    WICK_CHECK(mode == kSum, kInvalidArgument, "embedding_bag: per_sample_weights only supported with mode='sum'");
    WICK_CHECK(per_sample_weights->dim() == 1 && per_sample_weights->numel() == count, kShapeMismatch,
               "expected per_sample_weights to be 1D and of the same length as the indices, got sizes ",
               per_sample_weights->sizes());
  }
  for (int64_t b = 0; b < bags; ++b) {
    const int64_t last = b + 1 < starts.numel() ? first[b + 1] : count;
    WICK_CHECK(first[b] >= 0 && first[b] <= last && last <= count, kInvalidArgument,
               "offsets should be increasing and within the input's length (", count, ")");
  }
  for (int64_t i = 0; i < count; ++i) {
    WICK_CHECK(ids[i] >= 0 && ids[i] < rows, kIndexOutOfRange, "Index ", i, " is out of bounds: ", ids[i],
               ", range 0 to ", rows);
  }
}

}  // namespace

EmbeddingBagResult embedding_bag_forward(const Tensor& weight, const Tensor& indices, const Tensor& offsets, bool,
                                         int64_t mode, bool, const OptTensor& per_sample_weights,
                                         bool include_last_offset, int64_t padding_idx) {
  check_bag_tensors(weight, indices, offsets);
  WICK_CHECK(mode >= kSum && mode <= kMax, kInvalidArgument, "mode has to be one of sum, mean or max");
  const Tensor index = as_long(indices);
  const Tensor starts = as_long(offsets);
  const int64_t* ids = index.data_ptr<int64_t>();
  const int64_t* first = starts.data_ptr<int64_t>();
  const int64_t count = index.numel();
  const int64_t bags = starts.numel() - (include_last_offset ? 1 : 0);
  check_bags(index, starts, bags, weight.size(0), mode, per_sample_weights);

  const Tensor table = contiguous(widened(weight));
  const int64_t width = table.size(1);
  Tensor out = Tensor::empty({bags, width}, table.dtype());
  Tensor bag_of = Tensor::zeros({count}, DType::kLong);
  Tensor bag_size = Tensor::zeros({bags}, DType::kLong);
  Tensor winners = Tensor::zeros({mode == kMax ? bags : 0, width}, DType::kLong);
  for_float(table.dtype(), "embedding_bag", weight.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const std::vector<T> weights = param_values<T>(per_sample_weights, count, T(1));
    parallel_for(0, bags, grain_for(width * 4), [&](int64_t begin, int64_t end) {
      for (int64_t b = begin; b < end; ++b) {
        const int64_t last = b + 1 < starts.numel() ? first[b + 1] : count;
        std::fill(bag_of.data_ptr<int64_t>() + first[b], bag_of.data_ptr<int64_t>() + last, b);
        const int64_t counted =
            combine_bag(table.data_ptr<T>(), width, ids, first[b], last, mode, padding_idx,
                        has(per_sample_weights) ? weights.data() : nullptr, out.data_ptr<T>() + b * width,
                        mode == kMax ? winners.data_ptr<int64_t>() + b * width : nullptr);
        if (mode != kSum) bag_size.data_ptr<int64_t>()[b] = counted;
      }
    });
  });
  // Summing needs none of the indices a gradient would want, and PyTorch then leaves them empty.
  const bool fast_sum = mode == kSum && padding_idx < 0 && weight.stride(1) == 1 &&
                        (weight.dtype() == DType::kFloat || weight.dtype() == DType::kHalf);
  if (fast_sum) bag_of = Tensor::empty({0}, DType::kLong);
  if (mode == kSum) bag_size = Tensor::zeros({starts.numel()}, DType::kLong);
  const DType integers = indices.dtype() == offsets.dtype() ? indices.dtype() : DType::kLong;
  return {to_dtype(out, weight.dtype()), to_dtype(bag_of, integers), to_dtype(bag_size, integers),
          to_dtype(mode == kMax ? winners : clone(bag_size), integers)};
}

EmbeddingBagResult embedding_bag(const Tensor& weight, const Tensor& indices, const Tensor& offsets,
                                 bool scale_grad_by_freq, int64_t mode, bool sparse,
                                 const OptTensor& per_sample_weights, bool include_last_offset) {
  return embedding_bag_forward(weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights,
                               include_last_offset, -1);
}

EmbeddingBagResult embedding_bag_padding_idx(const Tensor& weight, const Tensor& indices, const Tensor& offsets,
                                             bool scale_grad_by_freq, int64_t mode, bool sparse,
                                             const OptTensor& per_sample_weights, bool include_last_offset,
                                             std::optional<int64_t> padding_idx) {
  int64_t padding = -1;
  if (padding_idx) {
    const int64_t rows = weight.size(0);
    WICK_CHECK(*padding_idx >= -rows && *padding_idx < rows, kIndexOutOfRange,
               "padding_idx must be within the number of embeddings, -", rows, " through ", rows - 1, ", but got ",
               *padding_idx);
    padding = wrap_dim(*padding_idx, rows);
  }
  return embedding_bag_forward(weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights,
                               include_last_offset, padding);
}

}  // namespace wick::ops
