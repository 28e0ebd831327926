// Channels of quantized tensors in views: each index of one dimension, the axis, has a scale and a zero point of its
// own.
#pragma once

#include "config/build.h"
#include "core/tensor_impl.h"

namespace wick::ops {

inline bool has_channels(const Tensor& t) {
  if constexpr (!build::kQuantized) return false;
  const Quantizer* q = t.impl()->quantizer.get();
  return q && q->scales.defined();
}

// Of four or two bits: elements share bytes, so parts of such a tensor are no views of it.
inline bool shares_bytes(const Tensor& t) {
  return build::kQuantized && (t.dtype() == DType::kQUInt4x2 || t.dtype() == DType::kQUInt2x4);
}

// Throws for a tensor that is quantized per channel or shares bytes: PyTorch has no such view or copy of it.
void refuse_channels(const Tensor& t, const char* op);
inline void check_no_channels(const Tensor& t, const char* op) {
  if (has_channels(t) || shares_bytes(t)) refuse_channels(t, op);
}

// For a view that the caller has just made of t, which has channels: they lie along another dimension...
void move_axis(const Tensor& view, const Tensor& t, int64_t axis);
// ...or the view has `count` indices of t's dimension `dim` from `first` on, or one of them and the dimension is gone.
void slice_channels(const Tensor& view, const Tensor& t, int64_t dim, int64_t first, int64_t count, int64_t step);
void select_channel(const Tensor& view, const Tensor& t, int64_t dim, int64_t index);

}  // namespace wick::ops
