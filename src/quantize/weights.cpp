// Rounds weights to int8 with the least squared error, or to half.
#include "quantize/weights.h"

#include <algorithm>
#include <cmath>

#include "core/check.h"
#include "core/copy.h"
#include "core/operator.h"
#include "core/tensor_impl.h"
#include "quantize/edit.h"

namespace wick::quantize {

namespace {

constexpr double kLeastScale = 1.1920928955078125e-07;
constexpr int kCandidates = 12;
constexpr double kStep = 0.02;  // of the largest value, clipped more at each candidate

// Elements of one channel: `outer` runs of `inner` elements, `stride` apart.
struct Channel {
  const float* first;
  int64_t outer, inner, stride;

  template <class Visit>
  void each(const Visit& visit) const {
    for (int64_t o = 0; o < outer; ++o) {
      const float* run = first + o * stride;
      for (int64_t i = 0; i < inner; ++i) visit(run[i]);
    }
  }
};

double squared_error(const Channel& channel, float scale) {
  const float inverse = 1 / scale;
  double sum = 0;
  channel.each([&](float w) {
    const float q = std::clamp(std::nearbyint(w * inverse), -128.0f, 127.0f);
    const float error = q * scale - w;
    sum += static_cast<double>(error) * error;
  });
  return sum;
}

double best_scale(const Channel& channel, double least) {
  float largest = 0;
  channel.each([&](float w) { largest = std::max(largest, std::fabs(w)); });
  double best = std::max(largest / 127.5, kLeastScale), best_error = INFINITY;
  for (int k = 0; k < kCandidates; ++k) {
    const double scale = std::max(largest * (1 - kStep * k) / 127.5, kLeastScale);
    const double error = squared_error(channel, static_cast<float>(scale));
    if (error < best_error) {
      best = scale;
      best_error = error;
    }
  }
  return static_cast<float>(std::max(best, least));
}

// Zero points that are zero: all weights of a file share the one number.
Tensor zeros(int64_t n) {
  static const Tensor zero = Tensor::zeros({1}, DType::kLong);
  return zero.as_strided({n}, {0}, 0);
}

}  // namespace

void check_finite(const Tensor& weight, const std::string& layer) {
  const Tensor w = contiguous(to_dtype(weight, DType::kFloat));
  const float* values = w.data_ptr<float>();
  for (int64_t i = 0, count = w.numel(); i < count; ++i) {
    WICK_CHECK(std::isfinite(values[i]), kInvalidArgument, "the weight of ", layer, " has a ",
               std::isnan(values[i]) ? "NaN" : "infinite value", ": it cannot be quantized");
  }
}

Tensor quantize_weight(const Tensor& weight, int64_t axis, const std::vector<double>& least_scales) {
  const Tensor w = contiguous(to_dtype(weight, DType::kFloat));
  const float* values = w.data_ptr<float>();
  auto least = [&](int64_t i) { return least_scales.empty() ? 0 : least_scales[static_cast<size_t>(i)]; };
  if (axis < 0) {
    const double floor = least_scales.empty() ? 0 : *std::max_element(least_scales.begin(), least_scales.end());
    const double scale = best_scale({values, 1, w.numel(), 0}, floor);
    return call_operator("aten::quantize_per_tensor", {w, scale, 0, static_cast<int64_t>(DType::kQInt8)})[0]
        .to_tensor();
  }
  const int64_t channels = w.size(axis);
  int64_t inner = 1;
  for (int64_t d = axis + 1; d < w.dim(); ++d) inner *= w.size(d);
  const int64_t outer = channels * inner == 0 ? 0 : w.numel() / (channels * inner);
  const Tensor scales = Tensor::empty({channels}, DType::kDouble);
  for (int64_t c = 0; c < channels; ++c) {
    scales.data_ptr<double>()[c] = best_scale({values + c * inner, outer, inner, channels * inner}, least(c));
  }
  const Tensor out = call_operator("aten::quantize_per_channel", {w, scales, Tensor::zeros({channels}, DType::kLong),
                                                                  axis, static_cast<int64_t>(DType::kQInt8)})[0]
                         .to_tensor();
  auto small = std::make_shared<Quantizer>(out.quantizer());
  small->scales = to_dtype(scales, DType::kFloat);
  small->zero_points = zeros(channels);
  out.impl()->quantizer = std::move(small);
  return out;
}

bool fits_half(const Tensor& weight) {
  constexpr float kLargestHalf = 65504;
  constexpr float kLeastNormalHalf = 6.1e-5f;
  const Tensor t = contiguous(weight);
  const float *values = t.data_ptr<float>(), *end = values + t.numel();
  // Variances are divided by: the least must keep their digits.
  if (t.dim() < 2 && std::all_of(values, end, [](float v) { return v >= 0; }) &&
      std::any_of(values, end, [](float v) { return v > 0 && v < kLeastNormalHalf; })) {
    return false;
  }
  return std::all_of(values, values + t.numel(), [](float v) { return std::fabs(v) <= kLargestHalf; });
}

ir::Value* HalfWeights::replacement(ir::Graph& graph, ir::Node& constant) {
  const Tensor weight = constant.constant.to_tensor();
  const auto [it, fresh] = halves_.try_emplace(weight.impl());
  if (fresh && fits_half(weight)) it->second = to_dtype(weight, DType::kHalf);
  if (!it->second.defined()) return nullptr;
  ir::Block* block = constant.block;
  auto place = std::find(block->nodes.begin(), block->nodes.end(), &constant);
  ir::Node* before = ++place == block->nodes.end() ? nullptr : *place;
  auto add = [&](IValue value) { return add_constant(graph, block, before, std::move(value)); };
  return add_op(graph, block, before, "aten::to.dtype",
                {add(it->second), add(static_cast<int64_t>(DType::kFloat)), add(false), add(false), add(IValue())})
      ->outputs[0];
}

}  // namespace wick::quantize
