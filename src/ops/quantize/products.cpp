#include "ops/quantize/products.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/check.h"
#include "ops/quantize/quantize.h"

namespace wick::ops {

namespace {

// Longest run of products of two values below 256 whose sum fits 32 bits.
constexpr int64_t kRun = 16384;

template <int kRows>
void dot(const int16_t* x, const int16_t* w, int64_t depth, int32_t* sums) {
  uint32_t total[kRows] = {};
  for (int64_t begin = 0; begin < depth; begin += kRun) {
    const int64_t end = std::min(depth, begin + kRun);
    int32_t part[kRows] = {};
    for (int64_t k = begin; k < end; ++k) {
      const int32_t value = x[k];
      for (int r = 0; r < kRows; ++r) part[r] += value * w[r * depth + k];
    }
    for (int r = 0; r < kRows; ++r) total[r] += static_cast<uint32_t>(part[r]);
  }
  for (int r = 0; r < kRows; ++r) sums[r] = static_cast<int32_t>(total[r]);
}

template <class Q>
void subtract_zero(const Q* x, int64_t n, int32_t zero, int16_t* to) {
  for (int64_t i = 0; i < n; ++i) to[i] = static_cast<int16_t>(x[i] - zero);
}

}  // namespace

void int_products(const int16_t* x, int64_t count, const IntWeights& w, int64_t first, int64_t last, int32_t* sums) {
  const int64_t width = last - first;
  for (int64_t r = first; r < last;) {
    const int16_t* rows = w.values.data() + r * w.depth;
    const bool four = r + 4 <= last;
    for (int64_t i = 0; i < count; ++i) {
      int32_t* to = sums + i * width + (r - first);
      if (four) {
        dot<4>(x + i * w.depth, rows, w.depth, to);
      } else {
        dot<1>(x + i * w.depth, rows, w.depth, to);
      }
    }
    r += four ? 4 : 1;
  }
}

int32_t round_to_int16(float value) {
  const float rounded = std::nearbyint(value);
  if (!(rounded > -32768.0f)) return -32768;
  return rounded > 32767.0f ? 32767 : static_cast<int32_t>(rounded);
}

int32_t Requantizer::operator()(int32_t sum, size_t channel) const {
  const int32_t biased = static_cast<int32_t>(static_cast<uint32_t>(sum) + static_cast<uint32_t>(bias[channel]));
  const float scaled =
      in_double
          ? static_cast<float>(std::nearbyint(static_cast<double>(biased) * static_cast<double>(multipliers[channel])))
          : static_cast<float>(biased) * multipliers[channel];
  const int32_t q = round_to_int16(scaled) + zero;
  return std::clamp(q, low, high);
}

Requantizer make_requantizer(const IntWeights& w, const std::vector<float>& bias, double input_scale,
                             double output_scale, int64_t output_zero, DType output, bool relu) {
  const QuantRange range = quant_range(output);
  Requantizer out;
  out.zero = static_cast<int32_t>(std::clamp(output_zero, range.low, range.high));
  out.low = relu ? out.zero : static_cast<int32_t>(range.low);
  out.high = static_cast<int32_t>(range.high);
  const float in = static_cast<float>(input_scale), inverse = 1.0f / static_cast<float>(output_scale);
  for (size_t r = 0; r < w.scales.size(); ++r) {
    const float product = w.scales[r] * in, multiplier = product * inverse;
    WICK_CHECK(multiplier > 0 && std::isnormal(multiplier), kInvalidArgument,
               "failed to create op with requantization scale: ", multiplier,
               ": requantization scale must be finite and positive");
    out.multipliers.push_back(multiplier);
    const double b = bias.empty() ? 0 : static_cast<double>(std::nearbyint(bias[r] * (1.0f / product)));
    constexpr double kLow = std::numeric_limits<int32_t>::min(), kHigh = std::numeric_limits<int32_t>::max();
    out.bias.push_back(!(b > kLow) ? std::numeric_limits<int32_t>::min() : static_cast<int32_t>(std::min(b, kHigh)));
  }
  return out;
}

void centered(const Tensor& x, int64_t begin, int64_t end, int16_t* to) {
  const Quantizer& q = x.quantizer();
  const QuantRange range = quant_range(x.dtype());
  const auto zero = static_cast<int32_t>(std::clamp(q.zero_point, range.low, range.high));
  if (x.dtype() == DType::kQUInt8) {
    subtract_zero(static_cast<const uint8_t*>(x.raw_data()) + begin, end - begin, zero, to);
  } else {
    subtract_zero(static_cast<const int8_t*>(x.raw_data()) + begin, end - begin, zero, to);
  }
}

}  // namespace wick::ops
