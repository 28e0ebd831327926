// Convolutions with constant weights: as products of pixels and weights, depthwise, or element by element.
#include <algorithm>
#include <bit>
#include <cmath>

#include "core/copy.h"
#include "gpu/lowering.h"
#include "ops/conv/gpu_contexts.h"
#include "plan/patterns/conv_layer.h"
#include "plan/record/read.h"

namespace wick::gpu {

using plan::TracedStep;

namespace {

using Layer = plan::ConvLayer;

bool read_context(const TracedStep& step, Layer& layer) {
  if (step.args.size() != 2 || !step.args[1].value.is_custom()) return false;
  const CustomObject* object = &step.args[1].value.to_custom();
  if (const auto* gpu = cast_to<const ops::GpuContext>(object)) object = &gpu->layer();
  const auto* context = cast_to<const ops::Conv2dContext>(object);
  if (context == nullptr) return false;
  layer = plan::conv_layer_of(*context);
  layer.input = plan::tensor_arg(step, 0);
  return layer.input != kNoTensor && layer.stride.size() == 2 && layer.padding.size() == 2 &&
         layer.dilation.size() == 2;
}

bool read_layer(const plan::Builder& b, const TracedStep& step, Layer& layer) {
  static constexpr std::string_view kPacked[] = {
      "prepacked::conv2d_clamp_run",        "prepacked::conv2d_transpose_clamp_run",
      "vulkan_prepack::run_conv2d_context", "vulkan_prepack::run_tconv2d_context",
      "vulkan_prepack::conv2d_clamp_run",   "metal_prepack::conv2d_run",
  };
  if (std::ranges::find(kPacked, step.op->schema.name) != std::end(kPacked)) return read_context(step, layer);
  std::optional<Layer> read = plan::read_conv(b, step);
  if (read) layer = std::move(*read);
  return read.has_value();
}

struct Shape {
  int64_t batch, inputs, outputs, groups;
  int64_t in[2], out[2], taps[2];
  int64_t pixels() const { return batch * out[0] * out[1]; }
  int64_t all_taps() const { return taps[0] * taps[1]; }
};

// An image of one spatial dim as one of two.
Value planar(const Value& v) {
  if (v.sizes.size() != 3) return v;
  Value out = v;
  out.sizes.insert(2, 1);
  out.strides.insert(2, v.strides[2] * v.sizes[2]);
  return out;
}

// The weights in row-major order as floats, and the layer's bias with a batch norm that follows.
struct Numbers {
  Tensor weight;
  std::vector<float> scale, bias;  // empty: none
};
Numbers numbers_of(const Layer& layer, const std::optional<ChannelAffine>& norm, int64_t outputs) {
  Numbers out;
  out.weight = plan::as_floats(layer.weight);
  if (norm) {
    out.scale = norm->scale;
    out.bias = norm->shift;
  }
  if (layer.bias.defined()) {
    const Tensor bias = plan::as_floats(layer.bias);
    if (out.bias.empty()) out.bias.resize(static_cast<size_t>(outputs));
    for (size_t c = 0; c < out.bias.size(); ++c) {
      const float scale = out.scale.empty() ? 1.0F : out.scale[c];
      out.bias[c] = static_cast<float>(static_cast<double>(bias.data_ptr<float>()[c]) * scale + out.bias[c]);
    }
  }
  return out;
}

enum class Form : int64_t { kProduct = 2, kDirect = 3 };

plan::PackKey key_of(const Layer& layer, const std::optional<ChannelAffine>& norm, Form form) {
  std::vector<Tensor> sources{layer.weight, layer.bias};
  if (norm) sources.insert(sources.end(), norm->sources.begin(), norm->sources.end());
  return plan::PackKey(std::move(sources), {static_cast<int64_t>(form), layer.groups, layer.transposed,
                                            norm.has_value(), std::bit_cast<int64_t>(norm ? norm->epsilon : 0.0)});
}

// [tap][input channel][output channel, `width` of them], then the bias. Transposed: output channels of a group.
Value pack(Lowering& g, const Layer& layer, const Shape& s, const std::optional<ChannelAffine>& norm, Form form,
           int64_t width) {
  const int64_t in = layer.transposed ? s.inputs : s.inputs / s.groups;
  const int64_t out = layer.transposed ? s.outputs / s.groups : s.outputs;
  const int64_t bias_width = form == Form::kProduct ? width : s.outputs;
  const int64_t elements = s.all_taps() * in * width + bias_width;
  return g.constant(key_of(layer, norm, form), static_cast<size_t>(elements), [&](float* to) {
    const Numbers numbers = numbers_of(layer, norm, s.outputs);
    const float* from = numbers.weight.data_ptr<float>();
    std::fill_n(to, elements, 0.0F);
    for (int64_t o = 0; o < out; ++o) {
      for (int64_t c = 0; c < in; ++c) {
        for (int64_t tap = 0; tap < s.all_taps(); ++tap) {
          // File order: [out][in][tap], or [in][out][tap] where it is transposed.
          const int64_t at = layer.transposed ? (c * out + o) * s.all_taps() + tap : (o * in + c) * s.all_taps() + tap;
          const int64_t channel = layer.transposed ? c / (s.inputs / s.groups) * out + o : o;
          const float scale = numbers.scale.empty() ? 1.0F : numbers.scale[static_cast<size_t>(channel)];
          to[(tap * in + c) * width + o] = from[at] * scale;
        }
      }
    }
    std::copy(numbers.bias.begin(), numbers.bias.end(), to + s.all_taps() * in * width);
  });
}

uint32_t pair_word(int64_t y, int64_t x) { return static_cast<uint32_t>(y << 16 | x); }

bool in_fours(const Value& v) {
  if (v.at % 4 != 0 || v.sizes[1] % 4 != 0 || v.strides[1] != 1) return false;
  for (size_t d = 0; d < v.sizes.size(); ++d) {
    if (d != 1 && v.sizes[d] != 1 && v.strides[d] % 4 != 0) return false;
  }
  return true;
}

void add_direct(Lowering& g, const Layer& layer, const Shape& s, const std::optional<ChannelAffine>& norm,
                const Value& x, const Value& y, const Finish& finish, bool has_bias, const ir::Node* node,
                std::string name) {
  const int64_t width = layer.transposed ? s.outputs / s.groups : s.outputs;
  const int64_t in = layer.transposed ? s.inputs : s.inputs / s.groups;
  const Value w = pack(g, layer, s, norm, Form::kDirect, width);
  Dispatch d;
  d.shader = Shader::k_conv;
  d.constants = {g.element_threads(), layer.transposed, static_cast<uint32_t>(finish.epilogue.activation), has_bias};
  const int64_t count = s.pixels() * s.outputs;
  d.push.all_of(count, s.outputs, s.inputs, s.groups, s.in[0], s.in[1], s.out[0], s.out[1],
                pair_word(s.taps[0], s.taps[1]), pair_word(layer.stride[0], layer.stride[1]),
                pair_word(layer.padding[0], layer.padding[1]), pair_word(layer.dilation[0], layer.dilation[1]), x.at,
                x.strides[0], x.strides[1], x.strides[2], x.strides[3], int64_t{0}, s.all_taps() * in * width, y.at,
                y.strides[0], y.strides[1], y.strides[2], y.strides[3], finish.epilogue.low, finish.epilogue.high);
  d.reads = {x.memory, w.memory, kNoMemory};
  d.write = y.memory;
  d.name = std::move(name);
  d.node = node;
  g.add(std::move(d), count);
}

void add_depthwise(Lowering& g, const Layer& layer, const Shape& s, const std::optional<ChannelAffine>& norm,
                   const Value& x, const Value& y, const Finish& finish, bool has_bias, const ir::Node* node,
                   std::string name) {
  const Value w = pack(g, layer, s, norm, Form::kDirect, s.outputs);
  Dispatch d;
  d.shader = Shader::k_depthwise;
  d.constants = {g.element_threads(), static_cast<uint32_t>(s.taps[0]), static_cast<uint32_t>(s.taps[1]),
                 static_cast<uint32_t>(finish.epilogue.activation), has_bias};
  const int64_t channels = s.outputs / 4, count = s.pixels() * channels;
  d.push.all_of(count, channels, s.in[0], s.in[1], s.out[0], s.out[1], layer.stride[0], layer.stride[1],
                layer.padding[0], layer.padding[1], layer.dilation[0], layer.dilation[1], x.at / 4, x.strides[0] / 4,
                x.strides[2] / 4, x.strides[3] / 4, int64_t{0}, s.all_taps() * channels, y.at / 4, channels,
                finish.epilogue.low, finish.epilogue.high);
  d.placing = {18, 19, -1, 4};
  d.reads = {x.memory, w.memory, kNoMemory};
  d.write = y.memory;
  d.name = std::move(name);
  d.node = node;
  g.add(std::move(d), count);
}

// Extents of the layer; none where there is no convolution like it on the GPU.
std::optional<Shape> shape_of(const Layer& layer, const plan::TracedTensor& in, const plan::TracedTensor& out) {
  const size_t dims = in.sizes.size();
  if ((dims != 3 && dims != 4) || out.sizes.size() != dims || layer.weight.dim() != static_cast<int64_t>(dims) ||
      layer.weight.dtype() == DType::kDouble || !is_floating(layer.weight.dtype())) {
    return std::nullopt;
  }
  Shape shape{in.sizes[0], in.sizes[1], out.sizes[1], layer.groups, {}, {}, {}};
  for (size_t k = 0; k < 2; ++k) {
    const bool is_there = dims == 4 || k == 1;
    const size_t d = dims - 2 + k;
    shape.in[k] = is_there ? in.sizes[d] : 1;
    shape.out[k] = is_there ? out.sizes[d] : 1;
    shape.taps[k] = is_there ? layer.weight.size(static_cast<int64_t>(d)) : 1;
  }
  constexpr int64_t kMost = 65535;
  for (size_t k = 0; k < 2; ++k) {
    if (layer.stride[k] < 1 || layer.stride[k] > kMost || layer.padding[k] < 0 || layer.padding[k] > kMost ||
        layer.dilation[k] < 1 || layer.dilation[k] > kMost || shape.taps[k] > kMost || shape.taps[k] < 1) {
      return std::nullopt;
    }
  }
  if (shape.groups < 1 || shape.inputs % shape.groups != 0 || shape.outputs % shape.groups != 0) return std::nullopt;
  return shape;
}

// The batch norm that is all that uses a convolution's result, which is then its own; the step is taken.
std::optional<ChannelAffine> absorb_batch_norm(Lowering& g, TensorId& result) {
  const plan::Builder& b = g.builder();
  const size_t user = b.only_user(result);
  if (user == SIZE_MAX || g.is_done(user) || !g.is_plain(user) || b.result(user) == kNoTensor) return std::nullopt;
  std::optional<ChannelAffine> norm = read_batch_norm(b, user);
  if (!norm || !b.can_define_plain(b.result(user)) || plan::tensor_arg(b.step(user), 0) != result) return std::nullopt;
  g.take_step(user);
  result = b.result(user);
  return norm;
}

// The range of a layer that has one of its own.
Finish range_of(const Layer& layer, TensorId result) {
  Finish out;
  out.result = result;
  if (layer.low.is_number()) out.epilogue.low = static_cast<float>(layer.low.to_scalar().to_double());
  if (layer.high.is_number()) out.epilogue.high = static_cast<float>(layer.high.to_scalar().to_double());
  return out;
}

}  // namespace

bool lower_conv(Lowering& g, size_t s) {
  const plan::Builder& b = g.builder();
  const TracedStep& step = b.step(s);
  Layer layer;
  const TensorId result = b.result(s);
  if (result == kNoTensor || !b.can_define_plain(result) || !read_layer(b, step, layer)) return false;
  const std::optional<Shape> found = shape_of(layer, b.tensor(layer.input), b.tensor(result));
  if (!found) return false;
  const Shape& shape = *found;
  const Value x = planar(g.value(layer.input));

  // A batch norm that follows, and what comes after it.
  const bool ranged = layer.low.is_number() || layer.high.is_number();
  TensorId last = result;
  std::optional<ChannelAffine> norm;
  if (!ranged) norm = absorb_batch_norm(g, last);
  const bool product = shape.groups == 1 && !layer.transposed;
  const Finish finish =
      ranged ? range_of(layer, result) : g.absorb(s, last, product ? Lowering::Sums::kImages : Lowering::Sums::kNone);
  const bool has_bias = layer.bias.defined() || norm.has_value();
  const Value whole = g.make_image(b.tensor(finish.result).sizes);
  const Value y = planar(whole);
  std::string name = "conv " + std::to_string(shape.taps[0]) + "x" + std::to_string(shape.taps[1]) +
                     (norm ? " batch_norm" : "") + finish.name;
  if (product) {
    const bool is_gather = shape.inputs < 8;
    const Value from = in_fours(x) || is_gather ? x : planar(g.as_image(g.value(layer.input), step.node));
    const int64_t width = (shape.outputs + 3) / 4 * 4;
    const Value w = pack(g, layer, shape, norm, Form::kProduct, width);
    add_product(g,
                {shape.batch,
                 shape.inputs,
                 shape.outputs,
                 {shape.in[0], shape.in[1]},
                 {shape.out[0], shape.out[1]},
                 {shape.taps[0], shape.taps[1]},
                 {layer.stride[0], layer.stride[1]},
                 {layer.padding[0], layer.padding[1]},
                 {layer.dilation[0], layer.dilation[1]},
                 from,
                 w,
                 has_bias,
                 y,
                 shape.outputs,
                 in_fours(from)},
                finish, step.node, std::move(name));
  } else if (!layer.transposed && shape.groups == shape.inputs && shape.outputs == shape.inputs &&
             shape.outputs % 4 == 0 && shape.all_taps() <= 121) {
    const Value from = in_fours(x) ? x : planar(g.as_image(g.value(layer.input), step.node));
    add_depthwise(g, layer, shape, norm, from, y, finish, has_bias, step.node, "depthwise " + name);
  } else {
    add_direct(g, layer, shape, norm, x, y, finish, has_bias, step.node, std::move(name));
  }
  g.set(finish.result, whole);
  return true;
}

std::optional<ChannelAffine> read_batch_norm(const plan::Builder& b, size_t s) {
  const TracedStep& step = b.step(s);
  Tensor weight, bias, mean, variance;
  if (step.op->schema.name != "aten::batch_norm" || step.args.size() != 9 || !step.args[5].value.is_bool() ||
      step.args[5].value.to_bool() || !step.args[7].value.is_double() ||
      !plan::read_constant(b, step.args[1], weight) || !plan::read_constant(b, step.args[2], bias) ||
      !plan::read_constant(b, step.args[3], mean) || !plan::read_constant(b, step.args[4], variance) ||
      !mean.defined() || !variance.defined()) {
    return std::nullopt;
  }
  ChannelAffine out;
  out.sources = {weight, bias, mean, variance};
  const auto channels = static_cast<size_t>(mean.numel());
  out.epsilon = step.args[7].value.to_double();
  const auto floats = [&](const Tensor& t, float missing) {
    std::vector<float> v(channels, missing);
    if (t.defined()) {
      const Tensor f = plan::as_floats(t);
      std::copy_n(f.data_ptr<float>(), std::min<size_t>(channels, static_cast<size_t>(f.numel())), v.begin());
    }
    return v;
  };
  const std::vector<float> m = floats(mean, 0), v = floats(variance, 1), w = floats(weight, 1), c = floats(bias, 0);
  for (size_t k = 0; k < channels; ++k) {
    out.scale.push_back(static_cast<float>(w[k] / std::sqrt(static_cast<double>(v[k]) + out.epsilon)));
    out.shift.push_back(static_cast<float>(c[k] - static_cast<double>(m[k]) * out.scale[k]));
  }
  return out;
}

}  // namespace wick::gpu
