// Convolutions of one or two dims with constant weights, transposed ones too, with the batch norm, activation and sum
// that follow them.
#include <bit>
#include <cmath>
#include <optional>

#include "core/copy.h"
#include "core/pages.h"
#include "core/selection.h"
#include "kernels/conv_choose.h"
#include "kernels/winograd.h"
#include "ops/workers.h"
#include "plan/patterns/conv_layer.h"
#include "plan/patterns/patterns.h"
#include "plan/patterns/tail.h"
#include "plan/record/read.h"
#include "plan/steps/conv_step.h"
#include "plan/steps/half_step.h"
#include "plan/steps/linear_step.h"
#include "plan/steps/xnnpack_step.h"

namespace wick::plan {
namespace {

using Layer = ConvLayer;

std::optional<Layer> read_prepacked(const TracedStep& step) {
  if (step.args.size() != 2 || !step.args[1].value.is_custom()) return std::nullopt;
  const auto* context = cast_to<const ops::Conv2dContext>(&step.args[1].value.to_custom());
  if (context == nullptr || context->params().transposed) return std::nullopt;
  Layer layer = conv_layer_of(*context);
  layer.input = tensor_arg(step, 0);
  return layer.input == kNoTensor ? std::nullopt : std::optional(std::move(layer));
}

std::optional<Layer> read_layer(const Builder& b, const TracedStep& step) {
  const bool prepacked =
      selects_op("prepacked::conv2d_clamp_run") && step.op->schema.name == "prepacked::conv2d_clamp_run";
  return prepacked ? read_prepacked(step) : read_conv(b, step);
}

std::optional<kernels::ConvShape> shape_of(const Builder& b, const Layer& layer, TensorId result) {
  const TracedTensor& x = b.tensor(layer.input);
  const TracedTensor& y = b.tensor(result);
  const auto dims = static_cast<size_t>(layer.weight.dim());
  if (x.sizes.size() != dims || y.sizes.size() != dims || x.dtype != DType::kFloat ||
      !is_floating(layer.weight.dtype()) || layer.weight.dtype() == DType::kDouble || checked_numel(x.sizes) == 0 ||
      checked_numel(y.sizes) == 0) {
    return std::nullopt;
  }
  kernels::ConvShape shape;
  shape.batch = x.sizes[0];
  shape.in_channels = x.sizes[1];
  shape.out_channels = y.sizes[1];
  shape.groups = layer.groups;
  // One spatial dim is the second of two, the first of extent 1.
  for (size_t d = 0; d < 2; ++d) {
    if (d + dims < 4) continue;
    const size_t at = d + dims - 2;
    shape.in[d + 1] = x.sizes[at];
    shape.out[d + 1] = y.sizes[at];
    shape.kernel[d + 1] = layer.weight.size(static_cast<int64_t>(at));
    shape.stride[d + 1] = layer.stride[d];
    shape.pad[d + 1] = layer.padding[d];
    shape.dilation[d + 1] = layer.dilation[d];
  }
  if (layer.transposed) {
    const bool fits =
        layer.groups == 1 && layer.weight.size(0) == shape.in_channels && layer.weight.size(1) == shape.out_channels;
    return fits ? std::optional(shape) : std::nullopt;
  }
  return kernels::is_conv2d(shape) ? std::optional(shape) : std::nullopt;
}

// A batch norm in evaluation that follows: y = x * scale + shift, by channel. Where it is written as a product and a
// sum (torchvision's FrozenBatchNorm2d), weight and bias are the factors and the summands, and there is no variance.
struct Norm {
  Tensor weight, bias, mean, variance;
  double eps = 0;
};
constexpr bool kHasFrozenNorm = selects_op("aten::mul") && selects_op("aten::add") && selects_op("aten::rsqrt");
constexpr bool kHasNorm = selects_op("aten::batch_norm") || kHasFrozenNorm;
std::optional<Norm> read_norm(const Builder& b, size_t s, TensorId input) {
  const TracedStep& step = b.step(s);
  if (step.op->schema.name != "aten::batch_norm" || step.args.size() != 9 ||
      step.args[0].kind != TracedValue::Kind::kTensor || step.args[0].ids[0] != input) {
    return std::nullopt;
  }
  Norm norm;
  if (!step.args[5].value.is_bool() || step.args[5].value.to_bool() || !step.args[7].value.is_double() ||
      !read_constant(b, step.args[1], norm.weight) || !read_constant(b, step.args[2], norm.bias) ||
      !read_constant(b, step.args[3], norm.mean) || !read_constant(b, step.args[4], norm.variance) ||
      !norm.mean.defined() || !norm.variance.defined()) {
    return std::nullopt;
  }
  norm.eps = step.args[7].value.to_double();
  return norm;
}

// Whether a constant has one element for each channel of an image, and is spread over its pixels.
bool is_by_channel(const Builder& b, TensorId id, const TracedTensor& image) {
  if (id == kNoTensor || !b.is_constant(id) || !b.is_float(id)) return false;
  const IntVec& sizes = b.tensor(id).sizes;
  const size_t rank = image.sizes.size();
  if (sizes.size() > rank || sizes.size() + 1 < rank) return false;
  for (size_t k = 0; k < sizes.size(); ++k) {
    if (sizes[sizes.size() - 1 - k] != (k == rank - 2 ? image.sizes[1] : 1)) return false;
  }
  return true;
}

// x * factor + summand, constants of a channel each; `last` is the step of the sum.
std::optional<Norm> read_frozen_norm(const Builder& b, size_t s, TensorId input, size_t& last) {
  if constexpr (!kHasFrozenNorm) return std::nullopt;
  const TracedStep& mul = b.step(s);
  if (mul.op->schema.name != "aten::mul" || mul.args.size() != 2) return std::nullopt;
  const TensorId factor = tensor_arg(mul, tensor_arg(mul, 0) == input ? 1 : 0), product = b.result(s);
  const size_t user = b.only_user(product);
  if (user == SIZE_MAX || b.is_taken(user) || !is_by_channel(b, factor, b.tensor(input))) return std::nullopt;
  const TracedStep& add = b.step(user);
  if (add.op->schema.name != "aten::add" || add.args.size() != 3 || number_arg(add, 2) != 1.0) return std::nullopt;
  const TensorId summand = tensor_arg(add, tensor_arg(add, 0) == product ? 1 : 0);
  const TensorId sum = b.result(user);
  if (sum == kNoTensor || !is_by_channel(b, summand, b.tensor(input)) || !b.is_float(sum) || !b.can_define_plain(sum) ||
      b.tensor(sum).sizes != b.tensor(input).sizes) {
    return std::nullopt;
  }
  last = user;
  return Norm{b.constant(factor), b.constant(summand), {}, {}, 0};
}

// Few elements of a constant in row-major order.
std::vector<float> values(const Tensor& t) {
  std::vector<float> out(static_cast<size_t>(t.numel()));
  if (out.empty()) return out;
  copy_into(Tensor::from_blob(out.data(), t.sizes()), t);
  return out;
}

void emit_transposed(Builder& b, size_t s, const Layer& layer, const kernels::ConvShape& shape, const Tail& tail) {
  kernels::Transposed2d conv;
  conv.shape = shape;
  conv.epilogue = tail.epilogue;
  constexpr int64_t kTaps = -6;  // the form a key names
  const Packed weights =
      b.packed(PackKey({layer.weight}, {kTaps}), kernels::packed_transposed_size(shape),
               [&](float* dst) { kernels::pack_transposed(shape, as_floats(layer.weight).data_ptr<float>(), dst); });
  const Packed bias = b.packed_vector(layer.bias);
  StepName name("conv transposed ", shape.kernel[1], "x", shape.kernel[2], tail.name.text());
  const Slot in = b.channels_last(layer.input);
  const Slot out = b.define_channels_last(tail.result);
  b.emit(std::make_unique<ConvStep<kernels::Transposed2d>>(b.step(s).node, conv, weights, bias, std::move(name)), {in},
         {out});
}

// Whether the image exists as NCHW only: a network's input.
bool is_of_planes(const Builder& b, TensorId image) {
  const TracedTensor& t = b.tensor(image);
  return t.sizes.size() == 4 && is_contiguous(t.sizes, t.strides) && !b.has_channels_last(image) &&
         (b.deferred_producer(image) == SIZE_MAX || b.half_source(image) != kNoTensor);
}

bool is_scaled(const std::optional<Norm>& norm) { return kHasNorm && norm; }

// The factors of a batch norm, by channel; empty when there is none.
std::vector<float> scales_of(const std::optional<Norm>& norm) {
  if (!is_scaled(norm)) return {};
  if (!norm->variance.defined()) return values(norm->weight);
  const std::vector<float> variance = values(norm->variance);
  std::vector<float> out = norm->weight.defined() ? values(norm->weight) : std::vector<float>(variance.size(), 1);
  for (size_t c = 0; c < out.size(); ++c) {
    out[c] = static_cast<float>(out[c] / std::sqrt(static_cast<double>(variance[c]) + norm->eps));
  }
  return out;
}

// What the packed weights and the bias are made of; `numbers` name the form.
PackKey key_of(const Layer& layer, const std::optional<Norm>& norm, std::vector<Tensor> more,
               std::vector<int64_t> numbers) {
  std::vector<Tensor> sources{layer.weight};
  if (is_scaled(norm) && norm->variance.defined()) {
    sources.insert(sources.end(), {norm->weight, norm->bias, norm->mean, norm->variance});
    numbers.push_back(std::bit_cast<int64_t>(norm->eps));
  } else if (is_scaled(norm)) {
    // Computed in every recording anew: what counts is not where they are.
    for (const Tensor& t : {norm->weight, norm->bias}) {
      for (const float x : values(t)) numbers.push_back(std::bit_cast<int32_t>(x));
    }
  }
  sources.insert(sources.end(), more.begin(), more.end());
  return {std::move(sources), std::move(numbers)};
}

PackKey key_of_weights(const Layer& layer, const std::optional<Norm>& norm, kernels::ConvMethod method) {
  return key_of(layer, norm, {}, {static_cast<int64_t>(method), layer.groups});
}

// The forms that large weights have for other shapes of the image.
uint32_t packed_forms(const Builder& b, const Layer& layer, const std::optional<Norm>& norm) {
  constexpr size_t kLarge = size_t{256} << 10;
  uint32_t forms = 0;
  if constexpr (!build::kWinograd2 && !build::kWinograd4) return forms;
  if (layer.weight.nbytes() < kLarge || layer.weight.dim() != 4 || layer.weight.size(3) != 3) return forms;
  for (const auto method :
       {kernels::ConvMethod::kDirect, kernels::ConvMethod::kWinograd2, kernels::ConvMethod::kWinograd4}) {
    if (b.has_packed(key_of_weights(layer, norm, method))) forms |= kernels::bit_of(method);
  }
  return forms;
}

kernels::ConvMethod method_for(const Builder& b, const Layer& layer, const std::optional<Norm>& norm,
                               const kernels::ConvShape& shape) {
  const kernels::ConvMethod method =
      kernels::choose_conv_form(shape, b.is_exact(), ops::workers_for(1e12).count, packed_forms(b, layer, norm));
  if (method != kernels::ConvMethod::kDirect || !kernels::supports_nchw_input(shape) || !is_of_planes(b, layer.input)) {
    return method;
  }
  return kernels::takes_planes(shape) ? kernels::ConvMethod::kPlanes : kernels::ConvMethod::kDirectNchw;
}

// The bias, with the batch norm's shift; null when there is neither.
Packed packed_bias(Builder& b, const Layer& layer, const std::optional<Norm>& norm, size_t channels) {
  const bool scaled = is_scaled(norm);
  if (!layer.bias.defined() && !scaled) return nullptr;
  constexpr int64_t kBias = -1;  // the form a key names; those of weights are methods
  return b.packed(key_of(layer, norm, {layer.bias}, {kBias}), channels, [&](float* dst) {
    const std::vector<float> own = layer.bias.defined() ? values(layer.bias) : std::vector<float>(channels, 0);
    const std::vector<float> scale = scaled ? scales_of(norm) : std::vector<float>(channels, 1);
    const bool has_mean = scaled && norm->mean.defined();
    const std::vector<float> mean = has_mean ? values(norm->mean) : std::vector<float>(channels, 0);
    const std::vector<float> shift =
        scaled && norm->bias.defined() ? values(norm->bias) : std::vector<float>(channels, 0);
    for (size_t c = 0; c < channels; ++c) {
      dst[c] = static_cast<float>((static_cast<double>(own[c]) - mean[c]) * scale[c] + shift[c]);
    }
  });
}

// Images of one pixel are rows of a dense layer.
void emit_pixels(Builder& b, size_t s, const Layer& layer, const kernels::ConvShape& shape, const Tail& tail, Slot in,
                 StepName name) {
  DenseLayer dense;
  dense.weight =
      layer.weight.as_strided({shape.out_channels, shape.in_channels}, {layer.weight.stride(0), layer.weight.stride(1)},
                              layer.weight.storage_offset());
  dense.bias = layer.bias;
  DenseRows rows;
  rows.in = dense_rows(shape.batch, shape.in_channels);
  rows.out = rows.residual = dense_rows(shape.batch, shape.out_channels);
  const Slot residual = tail.residual == kNoTensor ? kNoSlot : b.channels_last(tail.residual);
  emit_dense(b, b.step(s).node, dense, rows, in, residual, b.define_channels_last(tail.result), tail.epilogue,
             std::move(name));
}

// Whether the layer computes in float16: narrow ones lose more by the lanes that are left over than they gain, unless
// there is a single pixel, which is float16 already.
bool suits_half(const Builder& b, size_t s, const Layer& layer, const kernels::Conv2d& conv) {
  const kernels::ConvShape& shape = conv.shape;
  if (!kernels::kHasHalfKernels || !b.is_half(b.step(s).node) || conv.method == kernels::ConvMethod::kGrouped)
    return false;
  constexpr int64_t kLanes = 8;
  const bool is_pixel = shape.batch * shape.in_pixels() * shape.out_pixels() * shape.groups == 1;
  return shape.group_out() % kLanes == 0 || (is_pixel && b.is_half_image(layer.input)) ||
         (shape.groups == shape.out_channels && shape.out_channels >= kLanes);
}

// The layer in float16; false, and nothing done, where its weights do not fit that.
bool emit_half_conv(Builder& b, size_t s, const Layer& layer, const kernels::Conv2d& conv,
                    const std::optional<Norm>& norm, const Tail& tail, const StepName& name) {
  const kernels::ConvShape& shape = conv.shape;
  kernels::ConvMethod method = conv.method;
  const auto channels = static_cast<size_t>(shape.out_channels);
  if (method == kernels::ConvMethod::kDirectNchw) method = kernels::ConvMethod::kDirect;
  // With long sums tiles of 4x4 round too much for float16: results are off by hundredths.
  if (method == kernels::ConvMethod::kWinograd4 && !kernels::winograd4_suits_half(shape)) {
    method = build::kWinograd2 ? kernels::ConvMethod::kWinograd2 : kernels::ConvMethod::kDirect;
  }
  const Packed bias = packed_bias(b, layer, norm, channels);
  const std::vector<float> scale = scales_of(norm);
  const Tensor weight = as_floats(layer.weight);
  if (!fits_half(shape, weight.data_ptr<float>(), scale, bias.get())) return false;
  constexpr int64_t kHalf = -16;  // the form a key names
  const auto halves_of = [&](const PackKey& key, size_t count, const auto& pack) {
    return b.packed(key, floats_of_halves(count), [&](float* dst) { pack(reinterpret_cast<kernels::Half*>(dst)); });
  };
  HalfConv half;
  half.shape = shape;
  half.method = method;
  half.epilogue = tail.epilogue;
  half.weights = halves_of(key_of(layer, norm, {}, {kHalf, static_cast<int64_t>(method), shape.groups}),
                           kernels::packed_conv_size<kernels::Half>(shape, method), [&](kernels::Half* dst) {
                             kernels::pack_conv_half(shape, method, weight.data_ptr<float>(),
                                                     scale.empty() ? nullptr : scale.data(), dst);
                           });
  if (bias) {
    half.bias = halves_of(key_of(layer, norm, {layer.bias}, {kHalf}), channels, [&](kernels::Half* dst) {
      kernels::float_to_half(bias.get(), reinterpret_cast<uint16_t*>(dst), shape.out_channels);
    });
  }
  const ir::Node* const node = b.step(s).node;
  const Slot in = method == kernels::ConvMethod::kPlanes ? b.half_planes(layer.input, node) : b.half(layer.input, node);
  std::vector<Slot> reads{in};
  if (tail.residual != kNoTensor) reads.push_back(b.half(tail.residual, node));
  const Slot out = b.define_half(tail.result);
  b.emit(half_conv_step(node, half, b.half_layers(), name), std::move(reads), {out});
  if (kernels::kPrefetches) {
    const size_t halves = kernels::packed_conv_size<kernels::Half>(shape, method);
    b.note_weights(half.weights, floats_of_halves(halves), shape.batch * shape.out_pixels() == 1);
  }
  return true;
}

void emit_conv(Builder& b, size_t s, const Layer& layer, const kernels::ConvShape& shape,
               const std::optional<Norm>& norm, const Tail& tail) {
  kernels::Conv2d conv;
  conv.shape = shape;
  conv.method = method_for(b, layer, norm, shape);
  conv.epilogue = tail.epilogue;
  const bool planes = kernels::reads_planes(conv.method), scaled = is_scaled(norm);
  StepName name("conv ", shape.kernel[1], "x", shape.kernel[2], " ", kernels::method_name(conv.method),
                scaled ? " batch_norm" : "", tail.name.text());
  if constexpr (kernels::kHasHalfKernels) {
    if (suits_half(b, s, layer, conv) && emit_half_conv(b, s, layer, conv, norm, tail, name)) return;
  }
  const Slot in = planes ? b.plain(layer.input) : b.channels_last(layer.input);
  const bool is_pixel = shape.in_pixels() * shape.taps() * shape.out_pixels() * shape.groups == 1;
  if (kHasLinear && is_pixel && !scaled && !planes) {
    return emit_pixels(b, s, layer, shape, tail, in, std::move(name));
  }
  const Packed bias = packed_bias(b, layer, norm, static_cast<size_t>(shape.out_channels));
  if constexpr (kHasXnnpack) {
    if (tail.residual == kNoTensor && !planes && b.is_in_arena(in) && prefers_xnnpack(shape, tail.epilogue)) {
      const std::vector<float> scale = scales_of(norm);
      std::unique_ptr<Step> step = xnnpack_conv_step(b.step(s).node, shape, as_floats(layer.weight).data_ptr<float>(),
                                                     scaled ? scale.data() : nullptr, bias.get(), tail.epilogue, name);
      if (step) return b.emit(std::move(step), {in}, {b.define_channels_last(tail.result)});
    }
  }
  const PackKey key = key_of_weights(layer, norm, conv.method);
  const Packed weights = b.packed(key, kernels::packed_conv_size(shape, conv.method), [&](float* dst) {
    const Tensor weight = as_floats(layer.weight);
    const std::vector<float> scale = scales_of(norm);
    kernels::pack_conv(shape, conv.method, weight.data_ptr<float>(), scaled ? scale.data() : nullptr, dst,
                       &release_file_pages);
  });
  std::vector<Slot> reads{in};
  if (tail.residual != kNoTensor) reads.push_back(b.channels_last(tail.residual));
  const Slot out = b.define_channels_last(tail.result);
  b.emit(std::make_unique<ConvStep<kernels::Conv2d>>(b.step(s).node, conv, weights, bias, std::move(name)),
         std::move(reads), {out});
  if (kernels::kPrefetches) b.note_weights(weights, kernels::packed_conv_size(shape, conv.method), false);
}

}  // namespace

bool build_conv(Builder& b, size_t s) {
  const TensorId result = b.result(s);
  if (result == kNoTensor || !b.is_float(result) || !b.can_define_plain(result)) return false;
  std::optional<Layer> layer = read_layer(b, b.step(s));
  if (!layer || !b.is_stable(layer->input)) return false;
  const std::optional<kernels::ConvShape> shape = shape_of(b, *layer, result);
  if (!shape) return false;
  if (!build::kTransposedConv && layer->transposed) return false;
  b.take(s);
  if (build::kTransposedConv && layer->transposed) {
    const Tail tail = absorb_tail(
        b, s, [](TensorId) { return true; }, false);
    b.emit_at(tail.last, [&b, s, layer = *layer, shape = *shape, tail] { emit_transposed(b, s, layer, shape, tail); });
    return true;
  }
  size_t at = s;
  std::optional<Norm> norm;
  const size_t user = b.only_user(result);
  const bool ranged = layer->low.is_number() || layer->high.is_number();
  if (kHasNorm && user != SIZE_MAX && !b.is_taken(user) && !ranged && b.can_define_plain(b.result(user))) {
    norm = read_norm(b, user, result);
    at = user;
    if (!norm) norm = read_frozen_norm(b, user, result, at);
    if (norm) {
      b.take(user);
      b.take(at);
    } else {
      at = s;
    }
  }
  Tail tail;
  if (ranged) {
    tail.last = at;
    tail.result = result;
    set_range(tail.epilogue, layer->low, layer->high);
  } else {
    // These methods add nothing.
    const kernels::ConvMethod method = kernels::choose_conv(*shape, b.is_exact(), 1);
    const bool with_sum = method != kernels::ConvMethod::kDepthwise && method != kernels::ConvMethod::kGrouped;
    tail = absorb_tail(
        b, at, [](TensorId) { return true; }, with_sum);
  }
  const size_t last = tail.last;
  b.emit_at(last, [&b, s, layer = std::move(*layer), shape = *shape, norm = std::move(norm), tail = std::move(tail)] {
    emit_conv(b, s, layer, shape, norm, tail);
  });
  return true;
}

}  // namespace wick::plan
