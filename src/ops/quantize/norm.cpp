// Batch normalization of quantized tensors, by fixed statistics.
#include <algorithm>
#include <cmath>

#include "ops/nn/common.h"
#include "ops/quantize/integers.h"
#include "ops/quantize/layers.h"
#include "ops/quantize/products.h"

namespace wick::ops {

namespace {

struct Statistics {
  const OptTensor &weight, &bias;
  const Tensor &mean, &var;
  double eps;
};

template <class Q>
Q rounded_to(float y, int32_t zero, int32_t low, int32_t high) {
  if constexpr (sizeof(Q) == 1) {
    return static_cast<Q>(std::clamp(round_to_int16(y) + zero, low, high));
  } else {  // a NaN becomes the lowest
    const double q = static_cast<double>(std::nearbyint(y)) + zero;
    return static_cast<Q>(std::max<double>(low, std::min<double>(q, high)));
  }
}

// Of [rows][channel], dense.
template <class Q>
void normalize_rows(const Q* from, Q* to, int64_t rows, const std::vector<float>& factors,
                    const std::vector<float>& offsets, int32_t in_zero, int32_t out_zero, int32_t low, int32_t high) {
  const size_t channels = factors.size();
  for (int64_t r = 0; r < rows; ++r) {
    for (size_t c = 0; c < channels; ++c) {
      const auto steps = static_cast<float>(static_cast<int64_t>(from[c]) - in_zero);
      to[c] = rounded_to<Q>(steps * factors[c] + offsets[c], out_zero, low, high);
    }
    from += channels;
    to += channels;
  }
}

// The tensor has at least two dims; the result's memory is in `format`, which puts the channels last.
Tensor normalize(const Tensor& self, const Statistics& s, double scale, int64_t zero_point, bool relu) {
  const Quantizer& q = check_per_tensor(self, "qbatch_norm");
  WICK_CHECK(has(s.weight), kInvalidArgument, "Weight must be provided");
  WICK_CHECK(has(s.bias), kInvalidArgument, "Bias must be provided");
  if (self.numel() == 0) return clone(self);
  const int64_t channels = self.size(1);
  for (const Tensor* t : {&*s.weight, &*s.bias, &s.mean, &s.var}) {
    WICK_CHECK(t->numel() == channels && t->dtype() == DType::kFloat, kShapeMismatch,
               "Expect weight, bias, mean and variance to be float and match C");
  }
  const std::vector<float> weight = param_values<float>(s.weight, channels, 1);
  const std::vector<float> bias = param_values<float>(s.bias, channels, 0);
  const std::vector<float> mean = param_values<float>(s.mean, channels, 0);
  const std::vector<float> var = param_values<float>(s.var, channels, 1);
  std::vector<float> factors, offsets;
  for (size_t c = 0; c < weight.size(); ++c) {
    const float inverse = 1.0f / std::sqrt(var[c] + static_cast<float>(s.eps));
    const float scaled = inverse * weight[c];
    factors.push_back(static_cast<float>(static_cast<double>(scaled) * (q.scale / scale)));
    offsets.push_back(static_cast<float>(static_cast<double>(bias[c] - mean[c] * scaled) / scale));
  }
  // Channels last for any rank: [batch][place][channel].
  const int64_t batch = self.size(0), places = self.numel() / (batch * channels);
  const Tensor flat = reshaped(contiguous(self), {batch, channels, 1, places});
  const Tensor x = contiguous(flat, MemoryFormat::kChannelsLast);
  Tensor y = empty_quantized(x.sizes(), self.dtype(), scale, zero_point, MemoryFormat::kChannelsLast);
  const QuantRange range = quant_range(self.dtype());
  const auto in_zero = static_cast<int32_t>(std::clamp(q.zero_point, range.low, range.high));
  const auto out_zero = static_cast<int32_t>(std::clamp(zero_point, range.low, range.high));
  const int32_t low = relu ? out_zero : static_cast<int32_t>(range.low), high = static_cast<int32_t>(range.high);
  if (self.dtype() == DType::kQUInt8) {
    normalize_rows(static_cast<const uint8_t*>(x.raw_data()), static_cast<uint8_t*>(y.raw_data()), batch * places,
                   factors, offsets, in_zero, out_zero, low, high);
  } else if (self.dtype() == DType::kQInt32) {
    normalize_rows(static_cast<const int32_t*>(x.raw_data()), static_cast<int32_t*>(y.raw_data()), batch * places,
                   factors, offsets, in_zero, out_zero, low, high);
  } else {
    normalize_rows(static_cast<const int8_t*>(x.raw_data()), static_cast<int8_t*>(y.raw_data()), batch * places,
                   factors, offsets, in_zero, out_zero, low, high);
  }
  const MemoryFormat format = self.dim() == 4   ? MemoryFormat::kChannelsLast
                              : self.dim() == 5 ? MemoryFormat::kChannelsLast3d
                                                : MemoryFormat::kContiguous;
  return contiguous(reshaped(contiguous(y), self.sizes()), format);
}

Tensor of_rank(const Tensor& self, int64_t low, int64_t high, const Statistics& s, double scale, int64_t zero_point,
               bool relu) {
  WICK_CHECK(self.numel() == 0 || (self.dim() >= low && self.dim() <= high), kShapeMismatch,
             "Expecting the input tensor of rank ", low, low == high ? "" : cat(" or ", high), ".");
  return normalize(self, s, scale, zero_point, relu);
}

}  // namespace

#define WICK_QUANTIZED_BATCH_NORM(name, low, high)                                                                \
  Tensor quantized_##name(const Tensor& self, const OptTensor& weight, const OptTensor& bias, const Tensor& mean, \
                          const Tensor& var, double eps, double scale, int64_t zero_point) {                      \
    return of_rank(self, low, high, {weight, bias, mean, var, eps}, scale, zero_point, false);                    \
  }                                                                                                               \
  Tensor quantized_##name##_relu(const Tensor& self, const OptTensor& weight, const OptTensor& bias,              \
                                 const Tensor& mean, const Tensor& var, double eps, double scale,                 \
                                 int64_t zero_point) {                                                            \
    return of_rank(self, low, high, {weight, bias, mean, var, eps}, scale, zero_point, true);                     \
  }
WICK_QUANTIZED_BATCH_NORM(batch_norm, 2, 5)
WICK_QUANTIZED_BATCH_NORM(batch_norm1d, 2, 3)
WICK_QUANTIZED_BATCH_NORM(batch_norm2d, 4, 4)
WICK_QUANTIZED_BATCH_NORM(batch_norm3d, 5, 5)

}  // namespace wick::ops
