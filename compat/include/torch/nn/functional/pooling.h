// torch::nn::functional: pooling.
#pragma once

#include <torch/expanding_array.h>

namespace torch {
namespace nn {

template <size_t D>
struct AvgPoolOptions {
  AvgPoolOptions(ExpandingArray<D> kernel_size) : kernel_size_(kernel_size), stride_(kernel_size) {}
  AvgPoolOptions(int64_t kernel_size) : AvgPoolOptions(ExpandingArray<D>(kernel_size)) {}
  AvgPoolOptions(std::initializer_list<int64_t> kernel_size) : AvgPoolOptions(ExpandingArray<D>(kernel_size)) {}
  AvgPoolOptions(const std::vector<int64_t>& kernel_size) : AvgPoolOptions(ExpandingArray<D>(kernel_size)) {}
  TORCH_ARG(ExpandingArray<D>, kernel_size);
  TORCH_ARG(ExpandingArray<D>, stride);
  TORCH_ARG(ExpandingArray<D>, padding) = 0;
  TORCH_ARG(bool, ceil_mode) = false;
  TORCH_ARG(bool, count_include_pad) = true;
  TORCH_ARG(c10::optional<int64_t>, divisor_override) = c10::nullopt;
};
template <size_t D>
struct MaxPoolOptions {
  MaxPoolOptions(ExpandingArray<D> kernel_size) : kernel_size_(kernel_size), stride_(kernel_size) {}
  MaxPoolOptions(int64_t kernel_size) : MaxPoolOptions(ExpandingArray<D>(kernel_size)) {}
  MaxPoolOptions(std::initializer_list<int64_t> kernel_size) : MaxPoolOptions(ExpandingArray<D>(kernel_size)) {}
  MaxPoolOptions(const std::vector<int64_t>& kernel_size) : MaxPoolOptions(ExpandingArray<D>(kernel_size)) {}
  TORCH_ARG(ExpandingArray<D>, kernel_size);
  TORCH_ARG(ExpandingArray<D>, stride);
  TORCH_ARG(ExpandingArray<D>, padding) = 0;
  TORCH_ARG(ExpandingArray<D>, dilation) = 1;
  TORCH_ARG(bool, ceil_mode) = false;
};
template <size_t D>
struct MaxUnpoolOptions {
  MaxUnpoolOptions(ExpandingArray<D> kernel_size) : kernel_size_(kernel_size), stride_(kernel_size) {}
  MaxUnpoolOptions(int64_t kernel_size) : MaxUnpoolOptions(ExpandingArray<D>(kernel_size)) {}
  MaxUnpoolOptions(std::initializer_list<int64_t> kernel_size) : MaxUnpoolOptions(ExpandingArray<D>(kernel_size)) {}
  MaxUnpoolOptions(const std::vector<int64_t>& kernel_size) : MaxUnpoolOptions(ExpandingArray<D>(kernel_size)) {}
  TORCH_ARG(ExpandingArray<D>, kernel_size);
  TORCH_ARG(ExpandingArray<D>, stride);
  TORCH_ARG(ExpandingArray<D>, padding) = 0;
};
// A missing size is the input's own.
template <size_t D>
struct AdaptivePoolOptions {
  AdaptivePoolOptions(ExpandingArrayWithOptionalElem<D> output_size) : output_size_(output_size) {}
  AdaptivePoolOptions(int64_t output_size) : output_size_(output_size) {}
  AdaptivePoolOptions(std::initializer_list<c10::optional<int64_t>> output_size) : output_size_(output_size) {}
  AdaptivePoolOptions(const std::vector<int64_t>& output_size)
      : output_size_(ExpandingArrayWithOptionalElem<D>(c10::optional<int64_t>())) {
    TORCH_CHECK(output_size.size() == D, "Expected ", D, " values, but instead got ", output_size.size());
    std::copy(output_size.begin(), output_size.end(), (*output_size_).begin());
  }
  TORCH_ARG(ExpandingArrayWithOptionalElem<D>, output_size);
};
template <size_t D>
struct LPPoolOptions {
  LPPoolOptions(double norm_type, ExpandingArray<D> kernel_size)
      : norm_type_(norm_type), kernel_size_(kernel_size), stride_(kernel_size) {}
  TORCH_ARG(double, norm_type);
  TORCH_ARG(ExpandingArray<D>, kernel_size);
  TORCH_ARG(ExpandingArray<D>, stride);
  TORCH_ARG(bool, ceil_mode) = false;
};
#define WICK_POOL_OPTIONS(D)                                   \
  using AvgPool##D##dOptions = AvgPoolOptions<D>;              \
  using MaxPool##D##dOptions = MaxPoolOptions<D>;              \
  using MaxUnpool##D##dOptions = MaxUnpoolOptions<D>;          \
  using AdaptiveAvgPool##D##dOptions = AdaptivePoolOptions<D>; \
  using AdaptiveMaxPool##D##dOptions = AdaptivePoolOptions<D>;
WICK_POOL_OPTIONS(1)
WICK_POOL_OPTIONS(2)
WICK_POOL_OPTIONS(3)
#undef WICK_POOL_OPTIONS
using LPPool1dOptions = LPPoolOptions<1>;
using LPPool2dOptions = LPPoolOptions<2>;

namespace detail {
template <size_t D>
std::vector<int64_t> adaptive_size(const at::Tensor& input, const ExpandingArrayWithOptionalElem<D>& size) {
  std::vector<int64_t> out;
  for (size_t i = 0; i < D; ++i)
    out.push_back((*size)[i].value_or(input.size(static_cast<int64_t>(i) - static_cast<int64_t>(D))));
  return out;
}
template <size_t D>
std::vector<int64_t> unpooled_size(const at::Tensor& input, const MaxUnpoolOptions<D>& o,
                                   const c10::optional<std::vector<int64_t>>& wanted) {
  std::vector<int64_t> out;
  for (size_t i = 0; i < D; ++i) {
    const int64_t n = input.size(static_cast<int64_t>(i) - static_cast<int64_t>(D));
    out.push_back((n - 1) * (*o.stride())[i] + (*o.kernel_size())[i] - 2 * (*o.padding())[i]);
  }
  if (!wanted) return out;
  // As LibTorch: the sizes of all dimensions of a batch alone, though its text names others.
  TORCH_CHECK(wanted->size() == D + 2, "output_size should be a sequence containing ", D, " or ", D + 2,
              " elements, but it has a length of '0'");
  const std::vector<int64_t> sizes(wanted->begin() + 2, wanted->end());
  for (size_t i = 0; i < D; ++i) {
    const int64_t least = out[i] - (*o.stride())[i], most = out[i] + (*o.stride())[i];
    TORCH_CHECK(least <= sizes[i] && sizes[i] <= most, "invalid output_size ", c10::IntArrayRef(sizes), " (dim ", i,
                " must be between ", least, " and ", most, ")");
  }
  return sizes;
}
}  // namespace detail

namespace functional {
template <size_t D>
struct MaxUnpoolFuncOptions : MaxUnpoolOptions<D> {
  using MaxUnpoolOptions<D>::MaxUnpoolOptions;
  TORCH_ARG(c10::optional<std::vector<int64_t>>, output_size) = c10::nullopt;
};
#define WICK_POOL(D)                                                                                              \
  using AvgPool##D##dFuncOptions = AvgPoolOptions<D>;                                                             \
  using MaxPool##D##dFuncOptions = MaxPoolOptions<D>;                                                             \
  using AdaptiveAvgPool##D##dFuncOptions = AdaptivePoolOptions<D>;                                                \
  using AdaptiveMaxPool##D##dFuncOptions = AdaptivePoolOptions<D>;                                                \
  inline at::Tensor max_pool##D##d(const at::Tensor& input, const MaxPool##D##dFuncOptions& o) {                  \
    return at::max_pool##D##d(input, o.kernel_size(), o.stride(), o.padding(), o.dilation(), o.ceil_mode());      \
  }                                                                                                               \
  inline std::tuple<at::Tensor, at::Tensor> max_pool##D##d_with_indices(const at::Tensor& input,                  \
                                                                        const MaxPool##D##dFuncOptions& o) {      \
    return at::max_pool##D##d_with_indices(input, o.kernel_size(), o.stride(), o.padding(), o.dilation(),         \
                                           o.ceil_mode());                                                        \
  }                                                                                                               \
  inline at::Tensor adaptive_avg_pool##D##d(const at::Tensor& input, const AdaptiveAvgPool##D##dFuncOptions& o) { \
    return at::adaptive_avg_pool##D##d(input, nn::detail::adaptive_size(input, o.output_size()));                 \
  }                                                                                                               \
  inline at::Tensor adaptive_max_pool##D##d(const at::Tensor& input, const AdaptiveMaxPool##D##dFuncOptions& o) { \
    return std::get<0>(at::adaptive_max_pool##D##d(input, nn::detail::adaptive_size(input, o.output_size())));    \
  }                                                                                                               \
  inline std::tuple<at::Tensor, at::Tensor> adaptive_max_pool##D##d_with_indices(                                 \
      const at::Tensor& input, const AdaptiveMaxPool##D##dFuncOptions& o) {                                       \
    return at::adaptive_max_pool##D##d(input, nn::detail::adaptive_size(input, o.output_size()));                 \
  }
WICK_POOL(1)
WICK_POOL(2)
WICK_POOL(3)
#undef WICK_POOL
inline at::Tensor avg_pool1d(const at::Tensor& input, const AvgPool1dFuncOptions& o) {
  return at::avg_pool1d(input, o.kernel_size(), o.stride(), o.padding(), o.ceil_mode(), o.count_include_pad());
}
#define WICK_AVG_POOL(D)                                                                                             \
  inline at::Tensor avg_pool##D##d(const at::Tensor& input, const AvgPool##D##dFuncOptions& o) {                     \
    return at::avg_pool##D##d(input, o.kernel_size(), o.stride(), o.padding(), o.ceil_mode(), o.count_include_pad(), \
                              o.divisor_override());                                                                 \
  }
WICK_AVG_POOL(2)
WICK_AVG_POOL(3)
#undef WICK_AVG_POOL
using MaxUnpool2dFuncOptions = MaxUnpoolFuncOptions<2>;
using MaxUnpool3dFuncOptions = MaxUnpoolFuncOptions<3>;
inline at::Tensor max_unpool2d(const at::Tensor& input, const at::Tensor& indices, const MaxUnpool2dFuncOptions& o) {
  return at::max_unpool2d(input, indices, nn::detail::unpooled_size<2>(input, o, o.output_size()));
}
using MaxUnpool1dFuncOptions = MaxUnpoolFuncOptions<1>;
inline at::Tensor max_unpool1d(const at::Tensor& input, const at::Tensor& indices, const MaxUnpool1dFuncOptions& o) {
  std::vector<int64_t> size = nn::detail::unpooled_size<1>(input, o, o.output_size());
  size.push_back(1);
  return at::max_unpool2d(input.unsqueeze(-1), indices.unsqueeze(-1), size).squeeze(-1);
}
inline at::Tensor max_unpool3d(const at::Tensor& input, const at::Tensor& indices, const MaxUnpool3dFuncOptions& o) {
  return at::max_unpool3d(input, indices, nn::detail::unpooled_size<3>(input, o, o.output_size()), o.stride(),
                          o.padding());
}
using LPPool1dFuncOptions = LPPoolOptions<1>;
using LPPool2dFuncOptions = LPPoolOptions<2>;
inline at::Tensor lp_pool2d(const at::Tensor& input, const LPPool2dFuncOptions& o) {
  const double count = static_cast<double>((*o.kernel_size())[0] * (*o.kernel_size())[1]);
  const at::Tensor out = at::avg_pool2d(input.pow(o.norm_type()), o.kernel_size(), o.stride(), 0, o.ceil_mode());
  return (at::sign(out) * at::relu(at::abs(out))).mul(count).pow(1. / o.norm_type());
}
inline at::Tensor lp_pool1d(const at::Tensor& input, const LPPool1dFuncOptions& o) {
  const double count = static_cast<double>((*o.kernel_size())[0]);
  const at::Tensor out = at::avg_pool1d(input.pow(o.norm_type()), o.kernel_size(), o.stride(), 0, o.ceil_mode());
  return (at::sign(out) * at::relu(at::abs(out))).mul(count).pow(1. / o.norm_type());
}

}  // namespace functional
}  // namespace nn
}  // namespace torch
