// cat, stack and their variants.
#include "ops/shape/join.h"

#include <algorithm>
#include <cmath>

#include "core/copy.h"
#include "core/shape.h"
#include "core/tensor_impl.h"
#include "ops/quantize/layers.h"
#include "ops/shape/channels.h"
#include "ops/shape/view.h"

namespace wick::ops {

namespace {

// An empty 1-D tensor may be joined with tensors of any shape and counts for nothing.
bool is_skipped(const Tensor& t) { return t.dim() == 1 && t.sizes()[0] == 0; }

// The format all inputs agree on, else contiguous.
MemoryFormat common_format(const TensorList& tensors) {
  std::optional<MemoryFormat> format;
  for (const Tensor& t : tensors) {
    const MemoryFormat own = t.suggest_memory_format();
    if (own == MemoryFormat::kContiguous) return own;
    if (format && *format != own) return MemoryFormat::kContiguous;
    format = own;
  }
  return format.value_or(MemoryFormat::kContiguous);
}

}  // namespace

Tensor concat(const TensorList& tensors, int64_t dim) {
  WICK_CHECK(!tensors.empty(), kInvalidArgument, "torch.cat(): expected a non-empty list of Tensors");
  for (size_t i = 0; i < tensors.size(); ++i) {
    WICK_CHECK(tensors[i].dim() > 0, kShapeMismatch, "zero-dimensional tensor (at position ", i,
               ") cannot be concatenated");
    check_no_channels(tensors[i], "cat");
  }
  const Tensor& leader = tensors[0];
  if (is_quantized(leader) && leader.quantizer().scheme == QScheme::kPerTensorAffine) {
    const Quantizer& q = leader.quantizer();
    const bool differ = std::any_of(tensors.begin(), tensors.end(), [&](const Tensor& t) {
      // NaN is a scale like others: quantized_cat gives all tensors one scale and comes back here.
      const double scale = t.quantizer().scale;
      const bool alike = scale == q.scale || (std::isnan(scale) && std::isnan(q.scale));
      return t.dtype() == leader.dtype() && (!alike || t.quantizer().zero_point != q.zero_point);
    });
    if (differ) return quantized_cat(tensors, dim, std::nullopt, std::nullopt);
  }
  ResultType result;
  for (const Tensor& t : tensors) result.add(t);
  const Tensor* first = nullptr;
  for (const Tensor& t : tensors) {
    if (!first && !is_skipped(t)) first = &t;
  }
  const int64_t rank = first ? first->dim() : 1;
  dim = first ? wrap_dim(dim, rank) : 0;  // empty vectors alone fit any dim
  IntVec sizes = first ? IntVec(first->sizes()) : IntVec{0};
  int64_t total = 0;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Tensor& t = tensors[i];
    if (is_skipped(t)) continue;
    WICK_CHECK(t.dim() == rank, kShapeMismatch, "Tensors must have same number of dimensions: got ", rank, " and ",
               t.dim());
    for (int64_t d = 0; d < rank; ++d) {
      WICK_CHECK(d == dim || t.sizes()[d] == sizes[d], kShapeMismatch,
                 "Sizes of tensors must match except in dimension ", dim, ". Expected size ", sizes[d],
                 " but got size ", t.sizes()[d], " for tensor number ", i, " in the list.");
    }
    WICK_CHECK(!__builtin_add_overflow(total, t.sizes()[dim], &total), kOutOfMemory, "cat: the size overflows");
  }
  sizes[dim] = total;
  Tensor out = Tensor::empty(sizes, result.get(), common_format(tensors));
  if (first) out.impl()->quantizer = first->impl()->quantizer;
  int64_t start = 0;
  for (const Tensor& t : tensors) {
    if (is_skipped(t)) continue;
    copy_into(narrow(out, dim, start, t.sizes()[dim]), t);
    start += t.sizes()[dim];
  }
  return out;
}

Tensor stack(const TensorList& tensors, int64_t dim) {
  WICK_CHECK(!tensors.empty(), kInvalidArgument, "stack expects a non-empty TensorList");
  dim = wrap_dim(dim, tensors[0].dim() + 1);
  TensorList parts;
  parts.reserve(tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) {
    WICK_CHECK(tensors[i].sizes() == tensors[0].sizes(), kShapeMismatch,
               "stack expects each tensor to be equal size, but got ", tensors[0].sizes(), " at entry 0 and ",
               tensors[i].sizes(), " at entry ", i);
    parts.push_back(unsqueeze(tensors[i], dim));
  }
  return concat(parts, dim);
}

Tensor hstack(const TensorList& tensors) {
  WICK_CHECK(!tensors.empty(), kInvalidArgument, "hstack expects a non-empty TensorList");
  const TensorList parts = atleast_1d_list(tensors);
  return concat(parts, parts[0].dim() == 1 ? 0 : 1);
}

Tensor vstack(const TensorList& tensors) {
  WICK_CHECK(!tensors.empty(), kInvalidArgument, "vstack expects a non-empty TensorList");
  return concat(atleast_2d_list(tensors), 0);
}

Tensor dstack(const TensorList& tensors) {
  WICK_CHECK(!tensors.empty(), kInvalidArgument, "dstack expects a non-empty TensorList");
  return concat(atleast_3d_list(tensors), 2);
}

Tensor column_stack(const TensorList& tensors) {
  WICK_CHECK(!tensors.empty(), kInvalidArgument, "column_stack expects a non-empty TensorList");
  TensorList parts;
  for (const Tensor& t : tensors) parts.push_back(t.dim() <= 1 ? reshape(t, {t.numel(), 1}) : t);
  return hstack(parts);
}

Tensor pad_sequence(const TensorList& sequences, bool batch_first, double padding_value,
                    std::string_view padding_side) {
  const bool left = padding_side == "left";
  WICK_CHECK(left || padding_side == "right", kInvalidArgument,
             "Expected padding_side to be one of left or right, but got ", padding_side, ".");
  WICK_CHECK(!sequences.empty(), kInvalidArgument, "received an empty list of sequences");
  const int64_t count = static_cast<int64_t>(sequences.size());
  int64_t longest = 0;
  for (const Tensor& t : sequences) {
    WICK_CHECK(t.dim() > 0, kIndexOutOfRange, "Dimension specified as 0 but tensor has no dimensions");
    longest = std::max(longest, t.size(0));
  }
  IntVec sizes = batch_first ? IntVec{count, longest} : IntVec{longest, count};
  for (int64_t s : sequences[0].sizes().subspan(1)) sizes.push_back(s);
  Tensor out = Tensor::empty(sizes, sequences[0].dtype());
  fill(out, padding_value);
  for (int64_t i = 0; i < count; ++i) {
    const Tensor row = select(out, batch_first ? 0 : 1, i);
    const int64_t length = sequences[i].size(0);
    copy_into(narrow(row, 0, left ? longest - length : 0, length), sequences[i]);
  }
  return out;
}

Tensor flatten_dense_tensors(const TensorList& tensors) {
  TensorList flat;
  for (const Tensor& t : tensors) flat.push_back(reshape(wick::contiguous(t), {-1}));
  return flat.size() == 1 ? flat[0] : concat(flat, 0);
}

TensorList unflatten_dense_tensors(const Tensor& flat, const TensorList& tensors) {
  TensorList out;
  int64_t start = 0;
  for (const Tensor& t : tensors) {
    if (t.numel() == 0) {
      out.push_back(Tensor::empty(t.sizes(), flat.dtype()));
      continue;
    }
    out.push_back(view(narrow(flat, 0, start, t.numel()), t.sizes()));
    start += t.numel();
  }
  return out;
}

Tensor chunk_cat(const TensorList& tensors, int64_t dim, int64_t num_chunks) {
  WICK_CHECK(num_chunks >= 1, kInvalidArgument, "_chunk_cat expects positive num_chunks");
  WICK_CHECK(!tensors.empty(), kInvalidArgument, "_chunk_cat expects a non-empty input tensor list");
  WICK_CHECK(tensors[0].dim() > 0, kShapeMismatch, "_chunk_cat expects tensors of at least one dimension");
  dim = wrap_dim(dim, tensors[0].dim());
  const IntSpan lead = tensors[0].sizes().subspan(0, static_cast<size_t>(dim));
  TensorList parts;
  for (const Tensor& t : tensors) {
    WICK_CHECK(t.dtype() == tensors[0].dtype(), kTypeMismatch,
               "_chunk_cat expects all input tensors with the same dtype");
    WICK_CHECK(t.numel() > 0, kInvalidArgument, "_chunk_cat expects non-empty tensor");
    WICK_CHECK(t.dim() > dim && t.sizes().subspan(0, static_cast<size_t>(dim)) == lead, kShapeMismatch,
               "_chunk_cat expects same sizes of 0,...,dim-1 dimensions for all tensors");
    const int64_t chunk = (t.size(dim) + num_chunks - 1) / num_chunks;
    IntVec padded(t.sizes());
    padded[static_cast<size_t>(dim)] = checked_numel({chunk, num_chunks});
    const Tensor buffer = Tensor::zeros(padded, t.dtype());
    copy_into(narrow(buffer, dim, 0, t.size(dim)), t);
    IntVec shape(lead);
    shape.push_back(num_chunks);
    shape.push_back(-1);
    parts.push_back(reshape(buffer, shape));
  }
  return concat(parts, dim + 1);
}

}  // namespace wick::ops
