// The quantization range with the least error for few bits.
#include "ops/quantize/range_search.h"

#include <algorithm>
#include <cmath>

#include "ops/nn/common.h"

namespace wick::ops {

namespace {

// The norm of what rounding to `bits` bits changes.
float rounding_loss(const float* x, int64_t n, float low, float high, int64_t bits) {
  low = Half(low);
  const float range = high - low, most = static_cast<float>((int64_t{1} << bits) - 1);
  const float scale = range == 0 ? 1.0f : static_cast<float>(Half(range / most));
  const float inverse = scale == 0 ? 1.0f : 1.0f / scale;
  float sum = 0;
  for (int64_t i = 0; i < n; ++i) {
    const float level = std::max(0.0f, std::min(std::nearbyint((x[i] - low) * inverse), most));
    const float error = x[i] - (level * scale + low);
    sum += error * error;
  }
  return std::sqrt(sum);
}

}  // namespace

ValueRange range_of_values(const float* x, int64_t n) {
  const auto [low, high] = std::minmax_element(x, x + n);
  return {*low, *high};
}

ValueRange least_loss_range(const float* x, int64_t n, int64_t bins, double ratio, int64_t bits) {
  WICK_CHECK(bins > 0, kInvalidArgument, "choose_qparams_optimized: the number of bins should be positive, got ", bins);
  WICK_CHECK(bits > 0 && bits <= 16, kInvalidArgument, "choose_qparams_optimized: no range of ", bits, " bits");
  ValueRange best = range_of_values(x, n), now = best;
  const float step = (best.high - best.low) / static_cast<float>(bins);
  const double kept = std::floor(static_cast<double>(bins) * (1.0 - static_cast<float>(ratio)));
  const float least = static_cast<float>(kept) * step;
  float loss = rounding_loss(x, n, now.low, now.high, bits), best_loss = loss;
  // Steps that are lost in the rounding of large values would never end the loop.
  for (int64_t i = 0; i < bins && now.low + least < now.high; ++i) {
    const float above = rounding_loss(x, n, now.low + step, now.high, bits);
    const float below = rounding_loss(x, n, now.low, now.high - step, bits);
    if (loss < above && loss < below && loss < best_loss) {
      best_loss = loss;
      best = now;
    }
    if (above < below) {
      now.low += step;
      loss = above;
    } else {
      now.high -= step;
      loss = below;
    }
  }
  return best;
}

std::tuple<Tensor, Tensor> choose_qparams_optimized(const Tensor& input, int64_t numel, int64_t n_bins, double ratio,
                                                    int64_t bit_width) {
  WICK_CHECK(input.dtype() == DType::kFloat, kTypeMismatch, "expected scalar type Float but found ",
             name_of(input.dtype()));
  WICK_CHECK(numel <= input.numel(), kInvalidArgument, "numel ", numel, " greater than input_tensor.numel() ",
             input.numel());
  WICK_CHECK(numel > 0, kInvalidArgument, "choose_qparams_optimized needs at least one value");
  const Tensor x = contiguous(input);
  const ValueRange range = least_loss_range(x.data_ptr<float>(), numel, n_bins, ratio, bit_width);
  auto one = [](float value) {
    Tensor t = Tensor::empty({1}, DType::kFloat);
    t.data_ptr<float>()[0] = value;
    return t;
  };
  return {one(range.high), one(range.low)};
}

}  // namespace wick::ops
