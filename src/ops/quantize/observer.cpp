// Observers: ranges of values followed over runs, and simulated quantization by them.
#include <cmath>

#include "ops/nn/common.h"
#include "ops/quantize/quantize.h"
#include "ops/reduce/reduce.h"
#include "ops/shape/view.h"

namespace wick::ops {

namespace {

void check_state(const Tensor& t, DType dtype, int64_t count, const char* what) {
  WICK_CHECK(t.dtype() == dtype && t.numel() == count && t.is_contiguous(), kShapeMismatch,
             "fused_moving_avg_obs_fake_quant: ", what, " should have ", count, " elements of type ", name_of(dtype),
             ", got ", t.numel(), " of ", name_of(t.dtype()));
}

// Moves the average towards the value; an infinite one is replaced.
void follow(float* running, float value, double rate) {
  const float average = *running + static_cast<float>(rate * static_cast<double>(value - *running));
  *running = std::isinf(*running) ? value : average;
}

// The channels' values in rows.
Tensor rows_of(const Tensor& self, int64_t axis) {
  if (self.dim() == 2) return self;
  IntVec order;
  for (int64_t d = 0; d < self.dim(); ++d) order.push_back(d);
  std::swap(order[0], order[static_cast<size_t>(axis)]);
  const Tensor y = contiguous(permute(self, order));
  return reshaped(y, {y.size(0), y.size(0) == 0 ? 0 : y.numel() / y.size(0)});
}

void observe(const Tensor& self, float* lows, float* highs, double rate, int64_t axis, bool per_row) {
  const Tensor x = contiguous(to_dtype(per_row ? rows_of(self, axis) : self, DType::kFloat));
  const int64_t rows = per_row ? x.size(0) : 1, each = rows == 0 ? 0 : x.numel() / rows;
  WICK_CHECK(each > 0, kInvalidArgument, "fused_moving_avg_obs_fake_quant: there are no values to observe");
  for (int64_t r = 0; r < rows; ++r) {
    const float* values = x.data_ptr<float>() + r * each;
    float low = values[0], high = values[0];
    kernels::range_of(values, each, low, high);
    follow(lows + r, low, rate);
    follow(highs + r, high, rate);
  }
}

Tensor rounded_zero_points(const Tensor& zero_point, int64_t quant_min, int64_t quant_max) {
  const std::vector<float> zeros = param_values<float>(zero_point, zero_point.numel(), 0);
  Tensor out = Tensor::empty(zero_point.sizes(), DType::kInt);
  for (size_t i = 0; i < zeros.size(); ++i) {
    // In double, which holds every bound: the largest int32 is no float.
    const double z = std::nearbyint(zeros[i]), low = static_cast<double>(quant_min);
    out.data_ptr<int32_t>()[i] = static_cast<int32_t>(!(z > low) ? low : std::min(z, static_cast<double>(quant_max)));
  }
  return out;
}

void check_int32(int64_t quant_min, int64_t quant_max) {
  WICK_CHECK(quant_min >= INT32_MIN && quant_max <= INT32_MAX && quant_min <= quant_max, kInvalidArgument,
             "`quant_min` should be less than or         equal to `quant_max`.");
}

}  // namespace

std::tuple<Tensor, Tensor> fused_moving_avg_obs_fq_helper(const Tensor& self, const Tensor& observer_on,
                                                          const Tensor& fake_quant_on, const Tensor& running_min,
                                                          const Tensor& running_max, const Tensor& scale,
                                                          const Tensor& zero_point, double averaging_const,
                                                          int64_t quant_min, int64_t quant_max, int64_t ch_axis,
                                                          bool per_row_fake_quant, bool symmetric_quant) {
  WICK_CHECK(ch_axis < self.dim() && (!per_row_fake_quant || ch_axis >= 0), kIndexOutOfRange,
             "Error in fused_moving_avg_obs_fake_quant_cpu: ch_axis must be < self.dim()");
  check_int32(quant_min, quant_max);
  const int64_t count = per_row_fake_quant ? self.size(ch_axis) : 1;
  check_state(running_min, DType::kFloat, count, "running_min");
  check_state(running_max, DType::kFloat, count, "running_max");
  float *lows = running_min.data_ptr<float>(), *highs = running_max.data_ptr<float>();
  if (observer_on.item().to_int() != 0) observe(self, lows, highs, averaging_const, ch_axis, per_row_fake_quant);
  if (fake_quant_on.item().to_int() == 0) {
    Tensor mask = Tensor::empty(self.sizes(), DType::kBool);
    fill(mask, true);
    return {clone(self), mask};
  }
  check_state(scale, DType::kFloat, count, "scale");
  check_state(zero_point, DType::kInt, count, "zero_point");
  for (int64_t i = 0; i < count; ++i) {
    const QuantParams p = choose_quant_params(lows[i], highs[i], {quant_min, quant_max}, false, symmetric_quant);
    scale.data_ptr<float>()[i] = static_cast<float>(p.scale);
    zero_point.data_ptr<int32_t>()[i] = static_cast<int32_t>(p.zero_point);
  }
  if (per_row_fake_quant) {
    return fake_quantize_per_channel_affine_cachemask(self, scale, zero_point, ch_axis, quant_min, quant_max);
  }
  return fake_quantize_cachemask_qparams(self, scale, zero_point, Tensor::scalar(true, DType::kBool), quant_min,
                                         quant_max);
}

Tensor fused_moving_avg_obs_fake_quant(const Tensor& self, const Tensor& observer_on, const Tensor& fake_quant_on,
                                       const Tensor& running_min, const Tensor& running_max, const Tensor& scale,
                                       const Tensor& zero_point, double averaging_const, int64_t quant_min,
                                       int64_t quant_max, int64_t ch_axis, bool per_row_fake_quant,
                                       bool symmetric_quant) {
  if (self.numel() == 0) return clone(self);
  return std::get<0>(fused_moving_avg_obs_fq_helper(self, observer_on, fake_quant_on, running_min, running_max, scale,
                                                    zero_point, averaging_const, quant_min, quant_max, ch_axis,
                                                    per_row_fake_quant, symmetric_quant));
}

Tensor fake_quantize_learnable_per_tensor_affine(const Tensor& self, const Tensor& scale, const Tensor& zero_point,
                                                 int64_t quant_min, int64_t quant_max, double) {
  check_int32(quant_min, quant_max);
  WICK_CHECK(zero_point.numel() == 1, kShapeMismatch, "zero_point should have one element");
  const int64_t zero = rounded_zero_points(zero_point, quant_min, quant_max).data_ptr<int32_t>()[0];
  return fake_quantize_per_tensor_affine(self, scale.item().to_double(), zero, quant_min, quant_max);
}

Tensor fake_quantize_learnable_per_channel_affine(const Tensor& self, const Tensor& scale, const Tensor& zero_point,
                                                  int64_t axis, int64_t quant_min, int64_t quant_max, double) {
  check_int32(quant_min, quant_max);
  return fake_quantize_per_channel_affine(self, scale, rounded_zero_points(zero_point, quant_min, quant_max), axis,
                                          quant_min, quant_max);
}

}  // namespace wick::ops
