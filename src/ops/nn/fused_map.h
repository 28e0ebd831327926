// A function of several broadcast tensors computed in one pass, for losses and distances.
#pragma once

#include <array>
#include <utility>

#include "ops/nn/common.h"

namespace wick::ops {

// f(values...) for each element of the broadcast shape, computed in the promoted floating-point dtype (16-bit floats
// in float) and returned in it. `op` names the operator when the promoted dtype is not floating.
template <size_t N, class F>
Tensor fused_map(const char* op, const std::array<Tensor, N>& in, F&& f) {
  ResultType result;
  IntVec shape(in[0].sizes());
  for (const Tensor& t : in) {
    result.add(t);
    shape = broadcast_shapes(shape, t.sizes());
  }
  const DType dtype = result.get();
  check_dtype(is_floating(dtype), op, dtype);
  const DType work = widened_dtype(dtype);
  std::array<Tensor, N> ready;
  for (size_t i = 0; i < N; ++i) ready[i] = contiguous(expand(to_dtype(in[i], work), shape));
  Tensor out = Tensor::empty(shape, work);
  for_float(work, op, dtype, [&](auto zero) {
    using T = decltype(zero);
    std::array<const T*, N> p;
    for (size_t i = 0; i < N; ++i) p[i] = ready[i].template data<T>();
    T* to = out.data_ptr<T>();
    parallel_for(0, out.numel(), 16384, [&](int64_t begin, int64_t end) {
      [&]<size_t... I>(std::index_sequence<I...>) {
        for (int64_t i = begin; i < end; ++i) to[i] = f(p[I][i]...);
      }
      (std::make_index_sequence<N>{});
    });
  });
  Tensor rounded = to_dtype(out, dtype);
  // The result has the strides of the first operand when that one alone decides the shape.
  if (in[0].sizes() == shape.span() && !in[0].is_contiguous() && in[0].is_non_overlapping_and_dense()) {
    Tensor strided = empty_like(in[0], dtype);
    copy_into(strided, rounded);
    return strided;
  }
  return rounded;
}

}  // namespace wick::ops
