// Pooling operators.
#pragma once

#include <tuple>

#include "ops/boxing.h"

namespace wick::ops {

using TensorPair = std::tuple<Tensor, Tensor>;

Tensor max_pool1d(const Tensor& self, IntSpan kernel_size, IntSpan stride, IntSpan padding, IntSpan dilation,
                  bool ceil_mode);
Tensor max_pool2d(const Tensor& self, IntSpan kernel_size, IntSpan stride, IntSpan padding, IntSpan dilation,
                  bool ceil_mode);
Tensor max_pool3d(const Tensor& self, IntSpan kernel_size, IntSpan stride, IntSpan padding, IntSpan dilation,
                  bool ceil_mode);
TensorPair max_pool1d_with_indices(const Tensor& self, IntSpan kernel_size, IntSpan stride, IntSpan padding,
                                   IntSpan dilation, bool ceil_mode);
TensorPair max_pool2d_with_indices(const Tensor& self, IntSpan kernel_size, IntSpan stride, IntSpan padding,
                                   IntSpan dilation, bool ceil_mode);
TensorPair max_pool3d_with_indices(const Tensor& self, IntSpan kernel_size, IntSpan stride, IntSpan padding,
                                   IntSpan dilation, bool ceil_mode);

Tensor avg_pool1d(const Tensor& self, IntSpan kernel_size, IntSpan stride, IntSpan padding, bool ceil_mode,
                  bool count_include_pad);
Tensor avg_pool2d(const Tensor& self, IntSpan kernel_size, IntSpan stride, IntSpan padding, bool ceil_mode,
                  bool count_include_pad, std::optional<int64_t> divisor_override);
Tensor avg_pool3d(const Tensor& self, IntSpan kernel_size, IntSpan stride, IntSpan padding, bool ceil_mode,
                  bool count_include_pad, std::optional<int64_t> divisor_override);

Tensor adaptive_avg_pool1d(const Tensor& self, IntSpan output_size);
Tensor adaptive_avg_pool2d(const Tensor& self, IntSpan output_size);
Tensor adaptive_avg_pool3d(const Tensor& self, IntSpan output_size);
Tensor _adaptive_avg_pool2d(const Tensor& self, IntSpan output_size);
Tensor _adaptive_avg_pool3d(const Tensor& self, IntSpan output_size);
TensorPair adaptive_max_pool1d(const Tensor& self, IntSpan output_size);
TensorPair adaptive_max_pool2d(const Tensor& self, IntSpan output_size);
TensorPair adaptive_max_pool3d(const Tensor& self, IntSpan output_size);

TensorPair fractional_max_pool2d(const Tensor& self, IntSpan kernel_size, IntSpan output_size,
                                 const Tensor& random_samples);
TensorPair fractional_max_pool3d(const Tensor& self, IntSpan kernel_size, IntSpan output_size,
                                 const Tensor& random_samples);
Tensor max_unpool2d(const Tensor& self, const Tensor& indices, IntSpan output_size);
Tensor max_unpool3d(const Tensor& self, const Tensor& indices, IntSpan output_size, IntSpan stride, IntSpan padding);

}  // namespace wick::ops
