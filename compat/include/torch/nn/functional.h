// torch::nn::functional: the functions with their options that inference code uses.
#pragma once

#include <torch/types.h>

namespace torch {

// Names that options take.
namespace enumtype {
#define WICK_ENUM(name) \
  struct k##name {};
WICK_ENUM(Nearest)
WICK_ENUM(Linear)
WICK_ENUM(Bilinear)
WICK_ENUM(Bicubic)
WICK_ENUM(Trilinear)
WICK_ENUM(Area)
WICK_ENUM(NearestExact)
WICK_ENUM(Constant)
WICK_ENUM(Reflect)
WICK_ENUM(Replicate)
WICK_ENUM(Circular)
WICK_ENUM(Zeros)
WICK_ENUM(Border)
WICK_ENUM(Reflection)
WICK_ENUM(None)
WICK_ENUM(Mean)
WICK_ENUM(Sum)
#undef WICK_ENUM
}  // namespace enumtype
#define WICK_ENUM(name) constexpr enumtype::k##name k##name{};
WICK_ENUM(Nearest)
WICK_ENUM(Linear)
WICK_ENUM(Bilinear)
WICK_ENUM(Bicubic)
WICK_ENUM(Trilinear)
WICK_ENUM(Area)
WICK_ENUM(NearestExact)
WICK_ENUM(Constant)
WICK_ENUM(Reflect)
WICK_ENUM(Replicate)
WICK_ENUM(Circular)
WICK_ENUM(Zeros)
WICK_ENUM(Border)
WICK_ENUM(Reflection)
WICK_ENUM(None)
WICK_ENUM(Mean)
WICK_ENUM(Sum)
#undef WICK_ENUM

namespace nn {

template <size_t D>
struct ExpandingArray : std::array<int64_t, D> {
  ExpandingArray(int64_t v) { this->fill(v); }
  ExpandingArray(std::initializer_list<int64_t> v) {
    TORCH_CHECK(v.size() == D, "Expected ", D, " values, but instead got ", v.size());
    std::copy(v.begin(), v.end(), this->begin());
  }
  operator at::IntArrayRef() const { return at::IntArrayRef(this->data(), D); }
};

namespace functional {

struct PadFuncOptions {
  PadFuncOptions(std::vector<int64_t> pad) : pad_(std::move(pad)) {}
  template <class Mode>
  PadFuncOptions& mode(Mode) {
    mode_ = name(Mode());
    return *this;
  }
  PadFuncOptions& value(double v) { return value_ = v, *this; }
  std::vector<int64_t> pad_;
  std::string mode_ = "constant";
  double value_ = 0;

 private:
  static const char* name(enumtype::kConstant) { return "constant"; }
  static const char* name(enumtype::kReflect) { return "reflect"; }
  static const char* name(enumtype::kReplicate) { return "replicate"; }
  static const char* name(enumtype::kCircular) { return "circular"; }
};
inline at::Tensor pad(const at::Tensor& input, const PadFuncOptions& o) {
  return at::pad(input, o.pad_, c10::string_view(o.mode_),
                 o.mode_ == "constant" ? c10::optional<double>(o.value_) : c10::nullopt);
}

struct InterpolateFuncOptions {
  InterpolateFuncOptions& size(c10::optional<std::vector<int64_t>> v) { return size_ = std::move(v), *this; }
  InterpolateFuncOptions& scale_factor(c10::optional<std::vector<double>> v) {
    return scale_factor_ = std::move(v), *this;
  }
  template <class Mode>
  InterpolateFuncOptions& mode(Mode) {
    mode_ = name(Mode());
    return *this;
  }
  InterpolateFuncOptions& align_corners(c10::optional<bool> v) { return align_corners_ = v, *this; }
  InterpolateFuncOptions& recompute_scale_factor(c10::optional<bool> v) { return recompute_ = v, *this; }
  InterpolateFuncOptions& antialias(bool v) { return antialias_ = v, *this; }
  c10::optional<std::vector<int64_t>> size_;
  c10::optional<std::vector<double>> scale_factor_;
  std::string mode_ = "nearest";
  c10::optional<bool> align_corners_;
  c10::optional<bool> recompute_;
  bool antialias_ = false;

 private:
  static const char* name(enumtype::kNearest) { return "nearest"; }
  static const char* name(enumtype::kNearestExact) { return "nearest-exact"; }
  static const char* name(enumtype::kLinear) { return "linear"; }
  static const char* name(enumtype::kBilinear) { return "bilinear"; }
  static const char* name(enumtype::kBicubic) { return "bicubic"; }
  static const char* name(enumtype::kTrilinear) { return "trilinear"; }
  static const char* name(enumtype::kArea) { return "area"; }
};
at::Tensor interpolate(const at::Tensor& input, const InterpolateFuncOptions& options = {});

struct GridSampleFuncOptions {
  template <class Mode>
  GridSampleFuncOptions& mode(Mode) {
    mode_ = std::is_same<Mode, enumtype::kNearest>::value ? 1 : std::is_same<Mode, enumtype::kBicubic>::value ? 2 : 0;
    return *this;
  }
  template <class Mode>
  GridSampleFuncOptions& padding_mode(Mode) {
    padding_ = std::is_same<Mode, enumtype::kBorder>::value       ? 1
               : std::is_same<Mode, enumtype::kReflection>::value ? 2
                                                                  : 0;
    return *this;
  }
  GridSampleFuncOptions& align_corners(c10::optional<bool> v) { return align_corners_ = v.value_or(false), *this; }
  int64_t mode_ = 0;
  int64_t padding_ = 0;
  bool align_corners_ = false;
};
inline at::Tensor grid_sample(const at::Tensor& input, const at::Tensor& grid, const GridSampleFuncOptions& o = {}) {
  return at::grid_sampler(input, grid, o.mode_, o.padding_, o.align_corners_);
}

struct SoftmaxFuncOptions {
  SoftmaxFuncOptions(int64_t dim) : dim_(dim) {}
  SoftmaxFuncOptions& dtype(c10::optional<at::ScalarType> v) { return dtype_ = v, *this; }
  int64_t dim_;
  c10::optional<at::ScalarType> dtype_;
};
using LogSoftmaxFuncOptions = SoftmaxFuncOptions;
inline at::Tensor softmax(const at::Tensor& input, const SoftmaxFuncOptions& o) {
  return at::softmax(input, o.dim_, o.dtype_);
}
inline at::Tensor log_softmax(const at::Tensor& input, const LogSoftmaxFuncOptions& o) {
  return at::log_softmax(input, o.dim_, o.dtype_);
}

struct NormalizeFuncOptions {
  NormalizeFuncOptions& p(double v) { return p_ = v, *this; }
  NormalizeFuncOptions& dim(int64_t v) { return dim_ = v, *this; }
  NormalizeFuncOptions& eps(double v) { return eps_ = v, *this; }
  double p_ = 2;
  int64_t dim_ = 1;
  double eps_ = 1e-12;
};
at::Tensor normalize(const at::Tensor& input, const NormalizeFuncOptions& options = {});

struct CosineSimilarityFuncOptions {
  CosineSimilarityFuncOptions& dim(int64_t v) { return dim_ = v, *this; }
  CosineSimilarityFuncOptions& eps(double v) { return eps_ = v, *this; }
  int64_t dim_ = 1;
  double eps_ = 1e-8;
};
inline at::Tensor cosine_similarity(const at::Tensor& a, const at::Tensor& b,
                                    const CosineSimilarityFuncOptions& o = {}) {
  return at::cosine_similarity(a, b, o.dim_, o.eps_);
}

template <size_t D>
struct PoolFuncOptions {
  PoolFuncOptions(ExpandingArray<D> kernel) : kernel_(kernel), stride_(kernel) {}
  PoolFuncOptions& stride(ExpandingArray<D> v) { return stride_ = v, *this; }
  PoolFuncOptions& padding(ExpandingArray<D> v) { return padding_ = v, *this; }
  PoolFuncOptions& dilation(ExpandingArray<D> v) { return dilation_ = v, *this; }
  PoolFuncOptions& ceil_mode(bool v) { return ceil_mode_ = v, *this; }
  PoolFuncOptions& count_include_pad(bool v) { return count_include_pad_ = v, *this; }
  ExpandingArray<D> kernel_, stride_, padding_ = 0, dilation_ = 1;
  bool ceil_mode_ = false;
  bool count_include_pad_ = true;
};
using MaxPool2dFuncOptions = PoolFuncOptions<2>;
using AvgPool2dFuncOptions = PoolFuncOptions<2>;
using MaxPool1dFuncOptions = PoolFuncOptions<1>;
inline at::Tensor max_pool2d(const at::Tensor& input, const MaxPool2dFuncOptions& o) {
  return at::max_pool2d(input, o.kernel_, o.stride_, o.padding_, o.dilation_, o.ceil_mode_);
}
inline at::Tensor max_pool1d(const at::Tensor& input, const MaxPool1dFuncOptions& o) {
  return at::max_pool1d(input, o.kernel_, o.stride_, o.padding_, o.dilation_, o.ceil_mode_);
}
inline at::Tensor avg_pool2d(const at::Tensor& input, const AvgPool2dFuncOptions& o) {
  return at::avg_pool2d(input, o.kernel_, o.stride_, o.padding_, o.ceil_mode_, o.count_include_pad_);
}

inline at::Tensor relu(const at::Tensor& input) { return at::relu(input); }
inline at::Tensor gelu(const at::Tensor& input) { return at::gelu(input); }
inline at::Tensor silu(const at::Tensor& input) { return at::silu(input); }
inline at::Tensor one_hot(const at::Tensor& input, int64_t classes = -1) { return at::one_hot(input, classes); }
inline at::Tensor linear(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias = {}) {
  return at::linear(input, weight, bias.defined() ? c10::optional<at::Tensor>(bias) : c10::nullopt);
}

}  // namespace functional
}  // namespace nn
}  // namespace torch
