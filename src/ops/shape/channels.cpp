// Scales and axes of views of tensors that are quantized per channel.
#include "ops/shape/channels.h"

#include "core/check.h"
#include "core/copy.h"
#include "ops/shape/view.h"

namespace wick::ops {

namespace {

void set_quantizer(const Tensor& view, Quantizer q) {
  view.impl()->quantizer = std::make_shared<const Quantizer>(std::move(q));
}

// One channel that is left is what a tensor quantized as a whole is.
Quantizer joined(const Tensor& scales, const Tensor& zero_points) {
  Quantizer q;
  q.scale = scales.item().to_double();
  q.zero_point = zero_points.item().to_int();
  return q;
}

const Quantizer& with_integer_zero_points(const Tensor& t, const char* op) {
  const Quantizer& q = t.quantizer();
  WICK_CHECK(q.scheme != QScheme::kPerChannelAffineFloatQParams, kUnsupported, op,
             ": zero points that are floats stay with the whole tensor; dequantize it first");
  return q;
}

}  // namespace

void refuse_channels(const Tensor& t, const char* op) {
  WICK_CHECK(!shares_bytes(t), kUnsupported, op, " of a ", name_of(t.dtype()),
             " tensor, whose elements share bytes: dequantize it first");
  fail_with<ErrorCode::kUnsupported>(op, " of a tensor of sizes ", t.sizes(), " that is quantized per channel (axis ",
                                     t.quantizer().axis,
                                     "): Setting strides is possible only on uniformly quantized tensor");
}

void move_axis(const Tensor& view, const Tensor& t, int64_t axis) {
  if (axis == t.quantizer().axis) return;
  Quantizer q = t.quantizer();
  q.axis = axis;
  set_quantizer(view, std::move(q));
}

void slice_channels(const Tensor& view, const Tensor& t, int64_t dim, int64_t first, int64_t count, int64_t step) {
  const Quantizer& q = with_integer_zero_points(t, "slice");
  Tensor scales = q.scales, zero_points = q.zero_points;
  if (dim == q.axis) {
    WICK_CHECK(count > 0, kInvalidArgument, "slice: no channel would be left of a tensor quantized per channel");
    scales = contiguous(slice(scales, 0, first, first + (count - 1) * step + 1, step));
    zero_points = contiguous(slice(zero_points, 0, first, first + (count - 1) * step + 1, step));
  }
  if (scales.numel() == 1) return set_quantizer(view, joined(scales, zero_points));
  if (dim != q.axis) return;
  set_quantizer(view, {q.scheme, q.scale, q.zero_point, std::move(scales), std::move(zero_points), q.axis});
}

void select_channel(const Tensor& view, const Tensor& t, int64_t dim, int64_t index) {
  const Quantizer& q = with_integer_zero_points(t, "select");
  if (dim == q.axis) return set_quantizer(view, joined(select(q.scales, 0, index), select(q.zero_points, 0, index)));
  if (q.scales.numel() == 1) return set_quantizer(view, joined(q.scales, q.zero_points));
  move_axis(view, t, dim < q.axis ? q.axis - 1 : q.axis);
}

}  // namespace wick::ops
