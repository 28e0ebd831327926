// Running a pooling kernel on a tensor: what the pooling operators share.
#pragma once

#include <array>
#include <vector>

#include "config/build.h"
#include "core/budget.h"
#include "kernels/pool.h"
#include "ops/conv/pool.h"
#include "wick/memory_charge.h"

namespace wick::ops {

// Windows of the 1 to 3 pooled dimensions, which are the last ones of the tensor.
struct Windows {
  std::vector<std::vector<kernels::Window>> dims;
  IntVec step;  // between positions of a window

  // Windows of one more dim, as window(o) gives them. They may be many more than the elements of the result.
  template <class Window>
  void add_dim(int64_t out, const Window& window) {
    if constexpr (build::kLimits) {
      const MemoryCharge room(static_cast<uint64_t>(out) * sizeof(kernels::Window));
    }
    auto& dim = dims.emplace_back(static_cast<size_t>(out));
    for (int64_t o = 0; o < out; ++o) {
      check_budget_at(o);
      dim[static_cast<size_t>(o)] = window(o);
    }
  }
  IntVec out_sizes() const {
    IntVec sizes;
    for (const auto& dim : dims) sizes.push_back(static_cast<int64_t>(dim.size()));
    return sizes;
  }
};

// self: [channels, spatial...] or [batch, channels, spatial...], checked by the caller to have elements in every
// window's range. Half types are computed in float. `op` names the operator when the dtype is refused.
// keep_channels_last: a batched 2-d result keeps that format.
Tensor run_max_pool(const Tensor& self, const Windows& windows, bool keep_channels_last, const char* op,
                    bool takes_integers = false);
TensorPair run_max_pool_indices(const Tensor& self, const Windows& windows, bool keep_channels_last, const char* op,
                                bool takes_integers = false);
Tensor run_avg_pool(const Tensor& self, const Windows& windows, int64_t divisor, bool keep_channels_last,
                    const char* op, bool takes_long);

// The windows of the two-dimensional pools, after their checks.
Windows max_pool2d_windows(const Tensor& self, IntSpan kernel_size, IntSpan stride, IntSpan padding, IntSpan dilation,
                           bool ceil_mode);
Windows avg_pool2d_windows(const Tensor& self, IntSpan kernel_size, IntSpan stride, IntSpan padding, bool ceil_mode,
                           bool count_include_pad);

// Windows of the last dims that give `out` results: o covers [floor(o * in / out), ceil((o + 1) * in / out)).
Windows adaptive_windows(const Tensor& self, IntSpan out);

// A view with a dimension of size 1 before dimension `at`, and without dimension `at`.
Tensor with_dim(const Tensor& t, int64_t at);
Tensor without_dim(const Tensor& t, int64_t at);

void check_pool_extents(const Tensor& self);

}  // namespace wick::ops
