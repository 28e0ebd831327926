// Activation functions.
#include "ops/pointwise/activation.h"

#include <cmath>

#include "core/copy.h"
#include "kernels/math.h"
#include "ops/pointwise/kernels.h"
#include "ops/pointwise/math.h"
#include "ops/pointwise/pointwise.h"
#include "ops/quantize/layers.h"

namespace wick::ops {

namespace {

template <class T>
struct Params {
  T a{}, b{}, c{};
};

Tensor same_type(const char* name, const Kernels& k, const Tensor& self, Out out) {
  return map(out, self.dtype(), self.dtype(), k.of(self.dtype(), name), nullptr, self);
}

Tensor with_params(const char* name, const Kernels& k, const Tensor& self, Out out, const Scalar& a,
                   const Scalar& b = 0, const Scalar& c = 0) {
  const DType t = self.dtype();
  const TileFn fn = k.of(t, name);
  return with_compute_type(t, [&]<class T>(T) {
    const Params<T> p{number_as<T>(a, t), number_as<T>(b, t), number_as<T>(c, t)};
    return map(out, t, t, fn, &p, self);
  });
}

template <class T>
T hard_gate(T x) {
  const T v = x + T(3);
  return (v < T(0) ? T(0) : v > T(6) ? T(6) : v) / T(6);
}

constexpr Kernels kRelu =
    with_f32(kernels<kReals, 1>([]<class T>(T x) -> T { return x < T(0) ? T(0) : x; }), kernels::relu_f32);
constexpr Kernels kHardtanh = with_f32(kernels_with<kReals, 1, Params>([]<class T>(Params<T> p, T x) -> T {
                                         const T low = x < p.a ? p.a : x;
                                         return low > p.b ? p.b : low;
                                       }),
                                       kernels::clamp_f32);
constexpr Kernels kHardswish =
    with_f32(kernels<kFloats, 1>([]<class T>(T x) -> T { return x * hard_gate(x); }), kernels::hardswish_f32);
constexpr Kernels kHardsigmoid =
    with_f32(kernels<kFloats, 1>([]<class T>(T x) -> T { return hard_gate(x); }), kernels::hardsigmoid_f32);
constexpr Kernels kHardshrink =
    kernels_with<kFloats, 1, Params>([]<class T>(Params<T> p, T x) -> T { return x >= -p.a && x <= p.a ? T(0) : x; });
constexpr Kernels kSoftshrink = kernels_with<kFloats, 1, Params>([]<class T>(Params<T> p, T x) -> T {
  return x > p.a ? x - p.a : x < -p.a ? x + p.a : T(0);
});
constexpr Kernels kThreshold =
    kernels_with<kReals, 1, Params>([]<class T>(Params<T> p, T x) -> T { return x <= p.a ? p.b : x; });
constexpr Kernels kLeakyRelu =
    with_f32(kernels_with<kFloats, 1, Params>([]<class T>(Params<T> p, T x) -> T { return x > 0 ? x : x * p.a; }),
             kernels::leaky_relu_f32);
// a: alpha * scale, b: scale, c: input_scale
constexpr Kernels kElu = with_f32(kernels_with<kFloats, 1, Params>([]<class T>(Params<T> p, T x) -> T {
                                    return x < 0 ? std::expm1(x * p.c) * p.a : x * p.b;
                                  }),
                                  kernels::elu_f32);
constexpr Kernels kGelu = with_f32(kernels<kFloats, 1>([]<class T>(T x) -> T {
                                     return x * T(0.5) * (T(1) + std::erf(x * T(0.70710678118654752440)));
                                   }),
                                   kernels::gelu_f32);
constexpr Kernels kGeluTanh = with_f32(kernels<kFloats, 1>([]<class T>(T x) -> T {
                                         constexpr T kBeta = static_cast<T>(0.79788456080286535588);
                                         return T(0.5) * x * (T(1) + std::tanh(kBeta * (x + T(0.044715) * x * x * x)));
                                       }),
                                       kernels::gelu_tanh_f32);
constexpr Kernels kSilu = with_f32(
    kernels<kFloats | kComplexes, 1>([]<class T>(T x) -> T { return x / (T(1) + std::exp(-x)); }), kernels::silu_f32);
constexpr Kernels kMish = with_f32(
    kernels<kFloats, 1>([]<class T>(T x) -> T { return x * std::tanh(std::log1p(std::exp(x))); }), kernels::mish_f32);
constexpr Kernels kSoftplus = with_f32(kernels_with<kFloats, 1, Params>([]<class T>(Params<T> p, T x) -> T {
                                         return x * p.a > p.b ? x : std::log1p(std::exp(x * p.a)) / p.a;
                                       }),
                                       kernels::softplus_f32);
constexpr Kernels kLogSigmoid = with_f32(
    kernels<kFloats, 1>([]<class T>(T x) -> T { return (x < 0 ? x : T(0)) - std::log1p(std::exp(-std::fabs(x))); }),
    kernels::log_sigmoid_f32);
constexpr Kernels kPrelu = kernels<kFloats, 2>([]<class T>(T x, T w) -> T { return x > 0 ? x : x * w; });

// By vectors; the result may overlap either input, so the gates are kept apart.
void glu_f32(void* const* p, int64_t n, const void*) {
  constexpr int64_t kPart = 256;
  float gates[kPart];
  for (int64_t i = 0; i < n; i += kPart) {
    const int64_t m = std::min(kPart, n - i);
    const auto at = [&](int k) -> void* { return static_cast<float*>(p[k]) + i; };
    void* const open[] = {gates, at(2)};
    kernels::sigmoid_f32(open, m, nullptr);
    void* const product[] = {at(0), at(1), gates};
    kernels::mul_f32(product, m, nullptr);
  }
}
constexpr Kernels kGlu =
    with_f32(kernels<kFloats, 2>([]<class T>(T a, T b) -> T { return a * (T(1) / (T(1) + std::exp(-b))); }), glu_f32);

}  // namespace

Tensor relu(const Tensor& self, Out out) {
  if (is_quantized(self)) return placed(quantized_relu(self), out);
  WICK_CHECK(self.dtype() != DType::kBool, kTypeMismatch, "Boolean inputs not supported for relu");
  return same_type("clamp_min_scalar_cpu", kRelu, self, out);
}

Tensor relu6(const Tensor& self, Out out) { return hardtanh(self, 0, 6, out); }

Tensor hardtanh(const Tensor& self, const Scalar& min, const Scalar& max, Out out) {
  if (is_quantized(self)) return placed(quantized_clamp(self, min, max), out);
  WICK_CHECK(self.dtype() != DType::kBool, kTypeMismatch, "Bool inputs not supported for hardtanh");
  if (self.dtype() == DType::kByte) {
    WICK_CHECK(min.to_double() >= 0 && max.to_double() >= 0, kInvalidArgument,
               "cannot do hardtanh on an unsigned type with negative limits");
  }
  if (min.to_double() != min.to_double() || max.to_double() != max.to_double()) return clamp(self, min, max, out);
  return with_params("hardtanh", kHardtanh, self, out, min, max);
}

Tensor hardswish(const Tensor& self, Out out) { return same_type("hardswish_cpu", kHardswish, self, out); }
Tensor hardsigmoid(const Tensor& self, Out out) {
  if (is_quantized(self)) return placed(quantized_hardsigmoid_fixed(self), out);
  return same_type("hardsigmoid_cpu", kHardsigmoid, self, out);
}
Tensor hardshrink(const Tensor& self, const Scalar& lambda, Out out) {
  return with_params("hardshrink_cpu", kHardshrink, self, out, lambda);
}

Tensor softshrink(const Tensor& self, const Scalar& lambda, Out out) {
  const double value = lambda.to_double();
  WICK_CHECK(value >= 0, kInvalidArgument, "lambda must be greater or equal to 0, but found to be ", value, ".");
  return with_params("softshrink_cpu", kSoftshrink, self, out, lambda);
}

Tensor threshold(const Tensor& self, const Scalar& threshold, const Scalar& value, Out out) {
  if (is_quantized(self)) return placed(quantized_threshold(self, threshold, value), out);
  return with_params("threshold_cpu", kThreshold, self, out, threshold, value);
}
Tensor leaky_relu(const Tensor& self, const Scalar& slope, Out out) {
  if (is_quantized(self)) {
    return placed(quantized_leaky_relu(self, slope, false, q_scale(self), q_zero_point(self)), out);
  }
  return with_params("leaky_relu_cpu", kLeakyRelu, self, out, slope);
}
Tensor elu(const Tensor& self, const Scalar& alpha, const Scalar& scale, const Scalar& input_scale, Out out) {
  return with_params("elu_cpu", kElu, self, out, alpha.to_double() * scale.to_double(), scale, input_scale);
}
Tensor selu(const Tensor& self, Out out) {
  return elu(self, 1.6732632423543772848170429916717, 1.0507009873554804934193349852946, 1, out);
}
Tensor celu(const Tensor& self, const Scalar& alpha, Out out) {
  WICK_CHECK(alpha.to_double() != 0, kInvalidArgument, "ZeroDivisionError: alpha cannot be 0 for CELU");
  return elu(self, alpha, 1, 1.0 / alpha.to_double(), out);
}

Tensor gelu(const Tensor& self, std::string_view approximate, Out out) {
  WICK_CHECK(approximate == "none" || approximate == "tanh", kInvalidArgument,
             "approximate argument must be either none or tanh.");
  if (is_quantized(self)) return placed(quantized_gelu(self, approximate), out);
  return same_type("GeluKernelImpl", approximate == "none" ? kGelu : kGeluTanh, self, out);
}

Tensor silu(const Tensor& self, Out out) { return same_type("silu_cpu", kSilu, self, out); }
Tensor mish(const Tensor& self, Out out) { return same_type("mish_cpu", kMish, self, out); }
Tensor softplus(const Tensor& self, const Scalar& beta, const Scalar& threshold, Out out) {
  return with_params("softplus_cpu", kSoftplus, self, out, beta, threshold);
}
// Row-major whatever self's strides, as PyTorch has it.
Tensor log_sigmoid(const Tensor& self, Out out) {
  const Tensor fresh = out ? *out.tensor : Tensor::empty(self.sizes(), self.dtype());
  if (!(fresh.sizes() == self.sizes())) resize(fresh, self.sizes());
  return same_type("log_sigmoid_cpu", kLogSigmoid, self, Out{&fresh});
}

std::tuple<Tensor, Tensor> log_sigmoid_forward(const Tensor& self) {
  static constexpr Kernels k = kernels<kFloats, 1>([]<class T>(T x) -> T { return std::exp(-std::fabs(x)); });
  const Tensor buffer = Tensor::empty(self.sizes(), self.dtype());
  return {log_sigmoid(self), same_type("log_sigmoid_cpu", k, self, Out{&buffer})};
}

Tensor prelu(const Tensor& self, const Tensor& weight) {
  if (is_quantized(self)) return quantized_prelu(self, weight, q_scale(self), q_zero_point(self));
  const int64_t count = weight.numel();
  IntVec sizes(static_cast<size_t>(self.dim()), 1), strides(static_cast<size_t>(self.dim()), 0);
  if (count != 1) {
    WICK_CHECK(self.dim() > 0, kInvalidArgument, "Not allow zero-dim input tensor.");
    const int64_t channels = self.dim() > 1 ? self.sizes()[1] : 1;
    WICK_CHECK(channels == count, kShapeMismatch,
               "Mismatch of parameter numbers and input channel size. Found parameter numbers = ", count,
               " and channel size = ", channels, ".");
    sizes[1] = count;
    strides[1] = 1;
  }
  WICK_CHECK(weight.dim() <= 1, kShapeMismatch,
             "prelu: Expected `weight` to be a scalar or 1D tensor, but got ndim = ", weight.dim());
  const Tensor w = contiguous(weight).as_strided(sizes, strides, contiguous(weight).storage_offset());
  const TileFn fn = kPrelu.of(self.dtype(), "prelu_cpu");
  const Tensor result = Tensor::empty(self.sizes(), self.dtype(), self.suggest_memory_format());
  return map(Out{&result}, self.dtype(), self.dtype(), fn, nullptr, self, w);
}

Tensor prelu_kernel(const Tensor& self, const Tensor& weight) {
  WICK_CHECK(weight.dtype() == self.dtype(), kTypeMismatch, "prelu: Type promoting not supported. Got ",
             name_of(self.dtype()), " and ", name_of(weight.dtype()));
  return map({}, self.dtype(), self.dtype(), kPrelu.of(self.dtype(), "prelu_cpu"), nullptr, self, weight);
}

Tensor glu(const Tensor& self, int64_t dim) {
  WICK_CHECK(self.dim() > 0, kInvalidArgument, "glu does not support 0-dimensional tensors");
  const int64_t d = wrap_dim(dim, self.dim());
  const int64_t size = self.sizes()[static_cast<size_t>(d)];
  WICK_CHECK(size % 2 == 0, kShapeMismatch, "Halving dimension must be even, but dimension ", d, " is size ", size);
  IntVec half(self.sizes());
  half[static_cast<size_t>(d)] = size / 2;
  const int64_t offset = self.storage_offset() + size / 2 * self.strides()[static_cast<size_t>(d)];
  const Tensor a = self.as_strided(half, self.strides(), self.storage_offset());
  const Tensor b = self.numel() == 0 ? a : self.as_strided(half, self.strides(), offset);
  return map({}, self.dtype(), self.dtype(), kGlu.of(self.dtype(), "glu_cpu"), nullptr, a, b);
}

}  // namespace wick::ops
