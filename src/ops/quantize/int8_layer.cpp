// A quantized layer in the form of the 8-bit kernels: packed weights and requantization parameters.
#include "ops/quantize/int8_layer.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "config/build.h"
#include "core/check.h"
#include "ops/quantize/quantize.h"

namespace wick::ops {

using kernels::Int8Form;
using kernels::Int8Order;

namespace {

// Weights less their zero points, by row of `depth` values in the order they lie.
std::vector<int16_t> centered_weights(const Tensor& weight, const RowParams& params) {
  const auto* from = static_cast<const int8_t*>(weight.raw_data());
  const int64_t depth = weight.numel() / std::max<int64_t>(1, weight.size(0));
  std::vector<int16_t> out(static_cast<size_t>(weight.numel()));
  for (size_t i = 0; i < out.size(); ++i) {
    out[i] = static_cast<int16_t>(from[i] - params.zeros[i / static_cast<size_t>(depth)]);
  }
  return out;
}

int32_t wrapped(int64_t value) { return static_cast<int32_t>(static_cast<uint32_t>(static_cast<uint64_t>(value))); }

}  // namespace

void Int8Layer::choose_form(const std::vector<int16_t>& values) {
  const bool fits = std::all_of(values.begin(), values.end(), [](int16_t v) { return v >= -128 && v <= 127; });
  form_ = fits ? kernels::best_int8_form() : Int8Form::kPairs;
}

// Rows of row_bytes() values.
void Int8Layer::pack(const std::vector<int16_t>& rows) {
  const int64_t per_group = channels() / groups_;
  const size_t bytes = kernels::int8_weights_size(per_group, words_, form_);
  weights_.reserve(std::max<size_t>(1, bytes * static_cast<size_t>(groups_)));
  for (int64_t g = 0; g < groups_; ++g) {
    kernels::pack_int8_weights(rows.data() + g * per_group * row_bytes(), per_group, words_, form_, order_,
                               weights_.data() + static_cast<size_t>(g) * bytes);
  }
}

std::shared_ptr<const Int8Layer> Int8Layer::dense(const Tensor& weight, const std::vector<float>& bias,
                                                  bool to_floats) {
  auto layer = std::make_shared<Int8Layer>();
  const int64_t rows = weight.size(0), depth = weight.size(1);
  RowParams params = row_params(weight, 0, rows);
  const std::vector<int16_t> values = centered_weights(weight, params);
  layer->depth_ = depth;
  layer->words_ = kernels::int8_words(depth);
  layer->order_ = to_floats ? Int8Order::kPlain : Int8Order::kNarrowing;
  layer->scales_ = std::move(params.scales);
  layer->bias_ = bias;
  layer->choose_form(values);
  std::vector<int16_t> padded(static_cast<size_t>(rows * layer->row_bytes()));
  for (int64_t r = 0; r < rows; ++r) {
    const int16_t* from = values.data() + r * depth;
    std::copy_n(from, depth, padded.data() + r * layer->row_bytes());
    int64_t sum = 0;
    for (int64_t k = 0; k < depth; ++k) sum += from[k];
    layer->sums_.push_back(wrapped(sum));
  }
  layer->pack(padded);
  if (to_floats) {
    layer->column_sums_ = layer->by_column(layer->sums_);
    layer->column_scales_ = layer->by_column(layer->scales_);
    layer->column_bias_ = layer->by_column(bias.empty() ? std::vector<float>(static_cast<size_t>(rows), 0.0f) : bias);
  }
  return layer;
}

std::shared_ptr<const Int8Layer> Int8Layer::conv(const Tensor& weight, const std::vector<float>& bias,
                                                 const ConvParams& p) {
  auto layer = std::make_shared<Int8Layer>();
  const int64_t groups = p.groups, rows = p.transposed ? weight.size(1) * groups : weight.size(0);
  const int64_t per_group = rows / groups, channels = p.transposed ? weight.size(0) / groups : weight.size(1);
  const int64_t taps = weight.numel() / (weight.size(0) * weight.size(1));
  RowParams params = row_params(weight, p.transposed ? 1 : 0, rows);
  kernels::ConvShape& s = layer->shape_;
  s.in_channels = channels * groups;
  s.out_channels = rows;
  s.groups = groups;
  if (weight.dim() == 4) {
    for (size_t d = 0; d < 2; ++d) {
      s.kernel[d + 1] = weight.size(static_cast<int64_t>(d) + 2);
      s.stride[d + 1] = p.stride[d];
      s.pad[d + 1] = p.padding[d];
      s.dilation[d + 1] = p.dilation[d];
    }
  }
  const bool image = weight.dim() == 4 && !p.transposed;
  layer->method_ = !image ? Method::kPatches : kernels::is_int8_depthwise(s) ? Method::kDepthwise : Method::kImage;
  layer->depth_ = taps * channels;
  layer->taps_ = taps;
  layer->groups_ = groups;
  layer->order_ = Int8Order::kNarrowing;
  layer->words_ = layer->method_ == Method::kImage ? kernels::int8_conv_words(s) : kernels::int8_words(layer->depth_);
  layer->scales_ = std::move(params.scales);
  layer->bias_ = bias;
  const auto* from = static_cast<const int8_t*>(weight.raw_data());  // [dim 0][tap][dim 1]
  const bool depthwise = layer->method_ == Method::kDepthwise;
  const int64_t row = depthwise ? taps : layer->row_bytes();
  std::vector<int16_t> values(static_cast<size_t>(rows * row));
  for (int64_t r = 0; r < rows; ++r) {
    const int64_t group = r / per_group, within = r % per_group;
    int64_t sum = 0;
    for (int64_t t = 0; t < taps; ++t) {
      for (int64_t c = 0; c < channels; ++c) {
        const int64_t place =
            p.transposed ? ((group * channels + c) * taps + t) * per_group + within : (r * taps + t) * channels + c;
        const int64_t to = layer->method_ == Method::kImage ? kernels::int8_conv_place(s, t, c) : t * channels + c;
        const int32_t value = from[place] - params.zeros[static_cast<size_t>(r)];
        values[static_cast<size_t>(r * row + to)] = static_cast<int16_t>(value);
        sum += value;
      }
    }
    layer->sums_.push_back(wrapped(sum));
  }
  layer->choose_form(values);
  if (depthwise) {
    layer->weights_.reserve(kernels::int8_depthwise_size(s, layer->form_));
    kernels::pack_int8_depthwise(values.data(), s, layer->form_, layer->weights_.data());
  } else {
    layer->pack(values);
  }
  return layer;
}

template <class T>
std::vector<T> Int8Layer::by_column(const std::vector<T>& values) const {
  if (method_ == Method::kDepthwise) {
    std::vector<T> out(static_cast<size_t>(kernels::int8_depthwise_columns(channels())));
    kernels::pack_int8_depthwise_columns(values.data(), channels(), out.data());
    return out;
  }
  const int64_t per_group = channels() / groups_, columns = kernels::int8_columns(per_group);
  std::vector<T> out(static_cast<size_t>(columns * groups_));
  for (int64_t g = 0; g < groups_; ++g) {
    kernels::pack_int8_columns(values.data() + g * per_group, per_group, order_, out.data() + g * columns);
  }
  return out;
}

// What takes the input's zero point out of the sums.
std::vector<int32_t> Int8Layer::start(int64_t in_zero) const {
  std::vector<int32_t> out;
  out.reserve(sums_.size());
  for (int32_t sum : sums_) out.push_back(wrapped(-(in_zero - kernels::int8_input_offset(form_)) * sum));
  return out;
}

std::shared_ptr<const LayerNumbers> Int8Layer::numbers(const LayerParams& p) const {
  const std::lock_guard lock(mutex_);
  if (last_numbers_ && last_ == p) return last_numbers_;
  const QuantRange range = quant_range(p.dtype);
  const int64_t sign = range.low;  // -128 or 0
  auto out = std::make_shared<LayerNumbers>();
  out->in_zero = static_cast<uint8_t>(std::clamp(p.in_zero, range.low, range.high) - sign);
  std::vector<int32_t> starts = start(out->in_zero);
  const float in = static_cast<float>(p.in_scale), inverse = 1.0f / static_cast<float>(p.out_scale);
  for (size_t r = 0; r < scales_.size(); ++r) {
    const float product = scales_[r] * in, multiplier = product * inverse;
    WICK_CHECK(multiplier > 0 && std::isnormal(multiplier), kInvalidArgument,
               "failed to create op with requantization scale: ", multiplier,
               ": requantization scale must be finite and positive");
    out->multipliers.push_back(multiplier);
    const double b = bias_.empty() ? 0 : static_cast<double>(std::nearbyint(bias_[r] * (1.0f / product)));
    constexpr double kLow = std::numeric_limits<int32_t>::min(), kHigh = std::numeric_limits<int32_t>::max();
    const auto rounded = !(b > kLow) ? std::numeric_limits<int32_t>::min() : static_cast<int32_t>(std::min(b, kHigh));
    out->biases.push_back(rounded);
    starts[r] = wrapped(int64_t{starts[r]} + rounded);
  }
  out->start = by_column(starts);
  out->scale = by_column(out->multipliers);
  kernels::Int8Result& r = out->result;
  r.start = out->start.data();
  r.scale = out->scale.data();
  r.zero = static_cast<int32_t>(std::clamp(p.out_zero, range.low, range.high) - sign);
  r.low = p.relu ? r.zero : 0;
  r.high = 255;
  r.flip = sign < 0 ? 0x80 : 0;
  last_ = p;
  last_numbers_ = out;
  return out;
}

kernels::Int8Result Int8Layer::float_result(double in_scale, int64_t in_zero, bool relu, int32_t* start,
                                            float* scale) const {
  const auto zero = static_cast<uint32_t>(kernels::int8_input_offset(form_) - in_zero);
  const auto factor = static_cast<float>(in_scale);
  for (size_t c = 0; c < column_scales_.size(); ++c) {
    start[c] = static_cast<int32_t>(zero * static_cast<uint32_t>(column_sums_[c]));
    scale[c] = column_scales_[c] * factor;
  }
  kernels::Int8Result out;
  out.start = start;
  out.scale = scale;
  out.bias = column_bias_.data();
  out.relu = relu;
  return out;
}

kernels::Int8Product Int8Layer::product(const uint8_t* rows, int64_t count, int64_t step,
                                        const kernels::Int8Result& result, int64_t group,
                                        const kernels::Int8Segment& segment) const {
  const int64_t per_group = channels() / groups_, columns = kernels::int8_columns(per_group);
  kernels::Int8Product p;
  p.form = form_;
  p.order = order_;
  p.pixels = count;
  p.width = std::max<int64_t>(1, count);
  p.a = {rows, 0, step};
  p.segments = &segment;
  p.segment_count = 1;
  p.weights = weights_.data() + static_cast<size_t>(group) * kernels::int8_weights_size(per_group, words_, form_);
  p.n = per_group;
  p.words = words_;
  p.result = result;
  p.result.start += group * columns;
  p.result.scale += group * columns;
  return p;
}

void Int8Layer::multiply(const uint8_t* rows, int64_t count, int64_t step, const LayerNumbers& numbers, int64_t group,
                         uint8_t* to, int64_t to_step, const kernels::Workers& workers) const {
  const kernels::Int8Segment segment{0, words_};
  kernels::Int8Product p = product(rows, count, step, numbers.result, group, segment);
  p.bytes = {to, 0, to_step};
  kernels::int8_product(p, workers);
}

void Int8Layer::multiply(const uint8_t* rows, int64_t count, const kernels::Int8Result& result, float* to,
                         const kernels::Workers& workers) const {
  WICK_CHECK(build::kInt8Floats, kUnsupported, "layers that quantize at run time are not in this build");
  const kernels::Int8Segment segment{0, words_};
  kernels::Int8Product p = product(rows, count, row_bytes(), result, 0, segment);
  p.floats = {to, 0, channels()};
  kernels::int8_product(p, workers);
}

int64_t Int8Layer::place(int64_t tap) const {
  return method_ == Method::kImage ? kernels::int8_conv_place(shape_, tap, 0) : tap * (depth_ / taps_);
}

size_t Int8Layer::scratch_size(const kernels::ConvShape& shape) const {
  return method_ == Method::kDepthwise ? static_cast<size_t>(shape.in_channels) : kernels::int8_conv_scratch(shape);
}

void Int8Layer::convolve(const kernels::ConvShape& shape, const LayerNumbers& numbers, const uint8_t* x, uint8_t* y,
                         uint8_t* scratch, const kernels::Workers& workers) const {
  kernels::Int8Conv conv;
  conv.shape = shape;
  conv.form = form_;
  conv.x = x;
  conv.x_zero = numbers.in_zero;
  conv.weights = weights_.data();
  conv.result = numbers.result;
  conv.y = y;
  if (method_ == Method::kDepthwise) {
    kernels::int8_depthwise(conv, scratch, workers);
  } else {
    kernels::int8_conv(conv, scratch, workers);
  }
}

}  // namespace wick::ops
