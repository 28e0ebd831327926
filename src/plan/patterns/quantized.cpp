// Quantized layers, sums and products, quantization and dequantization.
#include <algorithm>
#include <optional>

#include "core/selection.h"
#include "ops/quantize/layers.h"
#include "ops/quantize/quantize.h"
#include "plan/builder.h"
#include "plan/patterns/join.h"
#include "plan/patterns/patterns.h"
#include "plan/record/read.h"
#include "plan/steps/quantized_step.h"
#include "plan/steps/xnnpack_step.h"

namespace wick::plan {
namespace {

// Whether an argument says the scale of the result: "Y_scale_i" is what quantized::linear calls it.
bool sets_qparams(const Operator& op) {
  const std::vector<Argument>& arguments = op.schema.arguments;
  return !op.has(traits::may_alias) && std::any_of(arguments.begin(), arguments.end(), [](const Argument& a) {
    return (a.name == "output_scale" || a.name == "Y_scale_i") && a.type->is(TypeKind::kFloat);
  });
}

bool is_number(const TracedValue& v) { return v.kind == TracedValue::Kind::kStatic && v.value.is_number(); }

// A tensor of bytes without sign whose scale and zero point are the same in every run.
bool has_fixed_params(const Builder& b, TensorId id) {
  const TracedTensor& first = b.tensor(id);
  if (first.dtype != DType::kQUInt8 || !first.quantizer || first.quantizer->scheme != QScheme::kPerTensorAffine ||
      first.quantizer->zero_point < 0 || first.quantizer->zero_point > 255) {
    return false;
  }
  while (true) {
    const TracedTensor& t = b.tensor(id);
    // Inputs are guarded.
    if (t.origin != TracedTensor::Origin::kComputed) return true;
    const TracedStep& step = b.step(t.step);
    const std::string_view name = step.op->schema.name;
    if (sets_qparams(*step.op)) return true;
    if (name == "aten::quantize_per_tensor") return step.op->schema.overload.empty();
    if (name == "quantized::add" || name == "quantized::add_relu" || name == "quantized::mul" ||
        name == "quantized::mul_relu" || name == "quantized::cat" || name == "quantized::cat_relu") {
      return step.args.size() == 4 && is_number(step.args[2]) && is_number(step.args[3]);
    }
    if (!step.op->has(traits::keeps_qparams) || step.args.empty() || step.args[0].ids.empty()) return false;
    id = step.args[0].ids[0];
    if (id == kNoTensor || b.tensor(id).dtype != DType::kQUInt8) return false;
  }
}

bool is_tensor(const TracedValue& v) { return v.kind == TracedValue::Kind::kTensor && v.ids[0] != kNoTensor; }

// A layer's input, its weights, and what is asked of the result.
struct Call {
  TensorId input = kNoTensor, result = kNoTensor;
  size_t last = 0;
  IValue object;
  ops::LayerParams params;
};

// A relu that follows is part of the layer: it only raises the lowest integer.
void absorb_relu(Builder& b, Call& call) {
  const size_t user = b.only_user(call.result);
  if (user == SIZE_MAX || b.is_taken(user) || b.step(user).op->schema.name != "aten::relu") return;
  const TensorId result = b.result(user);
  if (!b.can_define_plain(result) || b.tensor(result).dtype != DType::kQUInt8 ||
      !(b.tensor(result).strides == b.tensor(call.result).strides)) {
    return;
  }
  b.take(user);
  call.last = user;
  call.result = result;
  call.params.relu = true;
}

std::optional<Call> read_call(Builder& b, size_t s, bool relu) {
  const TracedStep& step = b.step(s);
  Call call;
  call.result = b.result(s);
  call.last = s;
  if (step.args.size() != 4 || !is_tensor(step.args[0]) || !step.args[1].value.is_custom() ||
      !is_number(step.args[2]) || !is_number(step.args[3]) || call.result == kNoTensor ||
      !b.can_define_plain(call.result)) {
    return std::nullopt;
  }
  call.input = step.args[0].ids[0];
  if (!b.is_stable(call.input) || !has_fixed_params(b, call.input) || !has_fixed_params(b, call.result)) {
    return std::nullopt;
  }
  const Quantizer &in = *b.tensor(call.input).quantizer, &out = *b.tensor(call.result).quantizer;
  call.object = step.args[1].value;
  call.params = {in.scale, in.zero_point, out.scale, out.zero_point, DType::kQUInt8, relu};
  return call;
}

bool build_conv_layer(Builder& b, size_t s, bool relu) {
  std::optional<Call> call = read_call(b, s, relu);
  if (!call) return false;
  const auto* packed = cast_to<const ops::ConvPacked>(&call->object.to_custom());
  const TracedTensor& x = b.tensor(call->input);
  const TracedTensor& y = b.tensor(call->result);
  if (packed == nullptr || x.sizes.size() != 4 || y.sizes.size() != 4 || checked_numel(y.sizes) == 0) return false;
  const std::optional<kernels::ConvShape> shape = packed->image_shape(x.sizes, y.sizes);
  if (!shape) return false;
  b.take(s);
  absorb_relu(b, *call);
  b.emit_at(call->last, [&b, s, call = *call, packed, shape = *shape] {
    const bool depthwise = packed->layer().method() == ops::Int8Layer::Method::kDepthwise;
    StepName name("quantized conv ", shape.kernel[1], "x", shape.kernel[2], depthwise ? " depthwise" : "",
                  call.params.relu ? " relu" : "");
    const Slot from = b.channels_last(call.input);
    const Slot to = b.define_channels_last(call.result);
    const std::shared_ptr<const ops::LayerNumbers> numbers = packed->layer().numbers(call.params);
    std::unique_ptr<Step> step;
    if constexpr (kHasXnnpack) {
      if (b.is_in_arena(from)) step = xnnpack_byte_step(b.step(s).node, shape, packed->weight(), *numbers, name);
    }
    if (!step) {
      step = quantized_conv_step(b.step(s).node, packed->layer(), call.object, numbers, shape, std::move(name));
    }
    b.emit(std::move(step), {from}, {to});
  });
  return true;
}

bool build_linear_layer(Builder& b, size_t s, bool relu) {
  std::optional<Call> call = read_call(b, s, relu);
  if (!call) return false;
  const auto* packed = cast_to<const ops::LinearPacked>(&call->object.to_custom());
  const TracedTensor& x = b.tensor(call->input);
  const TracedTensor& y = b.tensor(call->result);
  if (packed == nullptr || !packed->is_int8() || !is_contiguous(x.sizes, x.strides) ||
      !is_contiguous(y.sizes, y.strides) || checked_numel(y.sizes) == 0) {
    return false;
  }
  const ops::Int8Layer& layer = packed->layer();
  if (layer.row_bytes() != layer.depth()) return false;
  b.take(s);
  absorb_relu(b, *call);
  b.emit_at(call->last, [&b, s, call = *call, packed, &layer, rows = checked_numel(y.sizes) / layer.channels()] {
    const Slot from = b.plain(call.input);
    const Slot to = b.define_plain(call.result);
    const std::shared_ptr<const ops::LayerNumbers> numbers = layer.numbers(call.params);
    StepName name = call.params.relu ? "quantized linear relu" : "quantized linear";
    std::unique_ptr<Step> step;
    if constexpr (kHasXnnpack) {
      kernels::ConvShape shape;
      shape.in_channels = layer.depth();
      shape.out_channels = layer.channels();
      shape.in[2] = shape.out[2] = rows;
      if (b.is_in_arena(from)) step = xnnpack_byte_step(b.step(s).node, shape, packed->weight(), *numbers, name);
    }
    if (!step) step = quantized_linear_step(b.step(s).node, layer, call.object, numbers, rows, std::move(name));
    b.emit(std::move(step), {from}, {to});
  });
  return true;
}

bool build_dynamic_linear(Builder& b, size_t s, bool relu) {
  const TracedStep& step = b.step(s);
  const TensorId result = b.result(s);
  if (step.args.size() < 2 || !is_tensor(step.args[0]) || !step.args[1].value.is_custom() || result == kNoTensor ||
      !b.can_define_plain(result)) {
    return false;
  }
  const TensorId input = step.args[0].ids[0];
  const auto* packed = cast_to<const ops::LinearPacked>(&step.args[1].value.to_custom());
  const TracedTensor& x = b.tensor(input);
  const TracedTensor& y = b.tensor(result);
  if (packed == nullptr || !packed->is_int8() || !b.is_float(input) || !b.is_float(result) || !b.is_stable(input) ||
      !is_contiguous(x.sizes, x.strides) || !is_contiguous(y.sizes, y.strides) || checked_numel(y.sizes) == 0) {
    return false;
  }
  const int64_t rows = checked_numel(y.sizes) / packed->float_layer().channels();
  const Slot from = b.plain(input);
  const Slot to = b.define_plain(result);
  b.emit(dynamic_linear_step(step.node, *packed, step.args[1].value, rows, relu,
                             relu ? "dynamic linear relu" : "dynamic linear"),
         {from}, {to});
  return true;
}

// Two tensors and a result of the same sizes, all in one layout.
struct SameLayout {
  bool channels_last;
};
std::optional<SameLayout> same_layout(const Builder& b, std::initializer_list<TensorId> inputs, TensorId result) {
  const TracedTensor& y = b.tensor(result);
  if (!b.can_define_plain(result) || checked_numel(y.sizes) == 0) return std::nullopt;
  bool plain = true, image = y.sizes.size() == 4, preferred = false;
  for (TensorId id : inputs) {
    const TracedTensor& x = b.tensor(id);
    if (!b.is_stable(id) || !(x.sizes == y.sizes)) return std::nullopt;
    plain = plain && x.strides == y.strides;
    preferred = preferred || b.prefers_channels_last(id);
  }
  if (image && preferred) return SameLayout{true};
  return plain ? std::optional(SameLayout{false}) : std::nullopt;
}

void emit_each(Builder& b, std::unique_ptr<Step> step, std::initializer_list<TensorId> inputs, TensorId result,
               SameLayout layout) {
  std::vector<Slot> reads;
  for (TensorId id : inputs) reads.push_back(layout.channels_last ? b.channels_last(id) : b.plain(id));
  const Slot to = layout.channels_last ? b.define_channels_last(result) : b.define_plain(result);
  b.emit(std::move(step), std::move(reads), {to});
}

// Of one result that both operands have the layout of: `make` gives null where it is not bytes in the kernels' range.
using MakeArithmetic = std::unique_ptr<Step> (*)(const ir::Node* node, const Quantizer& x, const Quantizer& y,
                                                 const Quantizer& result, bool relu, int64_t count);

bool build_arithmetic(Builder& b, size_t s, MakeArithmetic make, bool relu) {
  const TracedStep& step = b.step(s);
  const TensorId result = b.result(s);
  if (step.args.size() != 4 || !is_tensor(step.args[0]) || !is_tensor(step.args[1]) || !is_number(step.args[2]) ||
      result == kNoTensor) {
    return false;
  }
  const TensorId x = step.args[0].ids[0], y = step.args[1].ids[0];
  if (!has_fixed_params(b, x) || !has_fixed_params(b, y) || !has_fixed_params(b, result)) return false;
  const std::optional<SameLayout> layout = same_layout(b, {x, y}, result);
  if (!layout) return false;
  const Quantizer &qx = *b.tensor(x).quantizer, &qy = *b.tensor(y).quantizer, &q = *b.tensor(result).quantizer;
  std::unique_ptr<Step> made = make(step.node, qx, qy, q, relu, checked_numel(b.tensor(result).sizes));
  if (!made) return false;
  emit_each(b, std::move(made), {x, y}, result, *layout);
  return true;
}

bool build_sum(Builder& b, size_t s, bool relu) {
  constexpr MakeArithmetic kMake = [](const ir::Node* node, const Quantizer& x, const Quantizer& y, const Quantizer& q,
                                      bool with_relu, int64_t count) -> std::unique_ptr<Step> {
    const std::optional<kernels::AddBytes> sum = ops::byte_sum(x, y, q, with_relu);
    return sum ? quantized_sum_step(node, *sum, count) : nullptr;
  };
  return build_arithmetic(b, s, kMake, relu);
}

bool build_product(Builder& b, size_t s, bool relu) {
  constexpr MakeArithmetic kMake = [](const ir::Node* node, const Quantizer& x, const Quantizer& y, const Quantizer& q,
                                      bool with_relu, int64_t count) -> std::unique_ptr<Step> {
    const std::optional<kernels::MultiplyBytes> product = ops::byte_product(x, y, q, DType::kQUInt8, with_relu);
    return product ? quantized_product_step(node, *product, count) : nullptr;
  };
  return build_arithmetic(b, s, kMake, relu);
}

bool build_quantize(Builder& b, size_t s) {
  const TracedStep& step = b.step(s);
  const TensorId result = b.result(s);
  if (!step.op->schema.overload.empty() || !is_tensor(step.args[0]) || result == kNoTensor) return false;
  const TensorId input = step.args[0].ids[0];
  if (!b.is_float(input) || !b.is_stable(input) || !b.can_define_plain(result) || !has_fixed_params(b, result)) {
    return false;
  }
  const TracedTensor& x = b.tensor(input);
  const Quantizer& q = *b.tensor(result).quantizer;
  const kernels::Quantize how = ops::byte_quantizer(q.scale, q.zero_point, DType::kQUInt8);
  const int64_t count = checked_numel(x.sizes);
  const bool planes = x.sizes.size() == 4 && x.sizes[1] == 3 && count > 0 && is_contiguous(x.sizes, x.strides) &&
                      !is_channels_last(x.sizes, x.strides);
  if (planes && !b.prefers_channels_last(input)) {
    const Slot from = b.plain(input);
    const Slot to = b.define_channels_last(result);
    b.emit(quantize_pixels_step(step.node, how, x.sizes[0], x.sizes[2] * x.sizes[3]), {from}, {to});
    return true;
  }
  const std::optional<SameLayout> layout = same_layout(b, {input}, result);
  if (!layout) return false;
  emit_each(b, quantize_step(step.node, how, count), {input}, result, *layout);
  return true;
}

bool build_dequantize(Builder& b, size_t s) {
  const TracedStep& step = b.step(s);
  const TensorId result = b.result(s);
  if (step.args.size() != 1 || !is_tensor(step.args[0]) || result == kNoTensor || !b.is_float(result)) return false;
  const TensorId input = step.args[0].ids[0];
  if (!has_fixed_params(b, input)) return false;
  const std::optional<SameLayout> layout = same_layout(b, {input}, result);
  if (!layout) return false;
  const Quantizer& q = *b.tensor(input).quantizer;
  emit_each(b,
            dequantize_step(step.node, static_cast<float>(q.scale), static_cast<int32_t>(q.zero_point),
                            checked_numel(b.tensor(result).sizes)),
            {input}, result, *layout);
  return true;
}

// What an operator that works element by element makes of each byte: found once, by the operator itself. `make` puts
// its arguments around a tensor of all bytes with the quantizer given.
template <class Make>
std::optional<ByteTable> table_of(const Builder& b, size_t s, const Quantizer& in, const Make& make) {
  const Quantizer& out = *b.tensor(b.result(s)).quantizer;
  const Tensor all = ops::empty_quantized({256}, DType::kQUInt8, in.scale, in.zero_point);
  auto* const from = static_cast<uint8_t*>(all.raw_data());
  for (int k = 0; k < 256; ++k) from[k] = static_cast<uint8_t>(k);
  std::vector<IValue> args = make(IValue(all));
  IValue result;
  b.step(s).op->call(args.data(), args.size(), &result);
  if (!result.is_tensor()) return std::nullopt;
  const Tensor t = result.to_tensor();
  if (t.dtype() != DType::kQUInt8 || t.numel() != 256 || !t.is_contiguous() || t.quantizer().scale != out.scale ||
      t.quantizer().zero_point != out.zero_point) {
    return std::nullopt;
  }
  ByteTable table;
  std::copy_n(static_cast<const uint8_t*>(t.raw_data()), table.size(), table.begin());
  return table;
}

bool is_static(const TracedValue& v) { return v.kind == TracedValue::Kind::kStatic; }

bool build_table(Builder& b, size_t s, bool) {
  const TracedStep& step = b.step(s);
  const TensorId result = b.result(s);
  if (step.args.empty() || !is_tensor(step.args[0]) || result == kNoTensor ||
      !std::all_of(step.args.begin() + 1, step.args.end(), is_static)) {
    return false;
  }
  const TensorId input = step.args[0].ids[0];
  if (!has_fixed_params(b, input) || !has_fixed_params(b, result) ||
      b.tensor(input).storage == b.tensor(result).storage) {
    return false;
  }
  const std::optional<SameLayout> layout = same_layout(b, {input}, result);
  if (!layout) return false;
  const std::optional<ByteTable> table = table_of(b, s, *b.tensor(input).quantizer, [&](IValue bytes) {
    std::vector<IValue> args{std::move(bytes)};
    for (size_t k = 1; k < step.args.size(); ++k) args.push_back(step.args[k].value);
    return args;
  });
  if (!table) return false;
  std::string_view name = step.op->schema.name;
  name.remove_prefix(name.find("::") + 2);
  emit_each(b, byte_table_step(step.node, *table, checked_numel(b.tensor(result).sizes), StepName("quantized ", name)),
            {input}, result, *layout);
  return true;
}

// What is copied or looked up of each part, in rows; none where a part can't be.
std::optional<std::vector<BytePart>> parts_of(const Builder& b, size_t s, const TracedTensor& y, bool images,
                                              int64_t rows, bool relu) {
  const TracedStep& step = b.step(s);
  std::vector<BytePart> parts;
  for (const TensorId id : step.args[0].ids) {
    if (id == kNoTensor || !b.is_stable(id) || !has_fixed_params(b, id)) return std::nullopt;
    const TracedTensor& x = b.tensor(id);
    const int64_t numel = checked_numel(x.sizes);
    if (numel == 0 || x.sizes.size() != y.sizes.size()) return std::nullopt;
    if (!images && !is_contiguous(x.sizes, x.strides)) return std::nullopt;
    parts.push_back({numel / rows, std::nullopt});
    const Quantizer &from = *x.quantizer, &to = *y.quantizer;
    if (from.scale == to.scale && from.zero_point == to.zero_point && !relu) continue;
    parts.back().table = table_of(b, s, from, [&](IValue bytes) {
      return std::vector<IValue>{IValue::list(step.args[0].element_type, {std::move(bytes)}), IValue(int64_t{0}),
                                 step.args[2].value, step.args[3].value};
    });
    if (!parts.back().table) return std::nullopt;
  }
  return parts;
}

// Parts whose scale and zero point are the result's are copied, others looked up.
bool build_cat(Builder& b, size_t s, bool relu) {
  const TracedStep& step = b.step(s);
  const TensorId result = b.result(s);
  const std::optional<size_t> dim = joined_dim(b, step, result);
  if (!dim || step.args.size() != 4 || !has_fixed_params(b, result)) return false;
  const TracedTensor& y = b.tensor(result);
  // Images by channels, or whatever is dense in the order of the dims.
  const bool images = *dim == 1 && y.sizes.size() == 4 && is_channels_last(y.sizes, y.strides);
  if (!images && !is_contiguous(y.sizes, y.strides)) return false;
  int64_t rows = images ? y.sizes[0] * y.sizes[2] * y.sizes[3] : 1;
  for (size_t d = 0; d < *dim && !images; ++d) rows *= y.sizes[d];
  std::optional<std::vector<BytePart>> parts = parts_of(b, s, y, images, rows, relu);
  if (!parts) return false;
  std::vector<Slot> reads;
  for (const TensorId id : step.args[0].ids) reads.push_back(images ? b.channels_last(id) : b.plain(id));
  const Slot to = images ? b.define_channels_last(result) : b.define_plain(result);
  b.emit(join_bytes_step(step.node, rows, std::move(*parts)), std::move(reads), {to});
  return true;
}

// Layers of the namespace quantized::, and what builds their steps; null where the build lacks the operator.
struct LayerKind {
  using Build = bool (*)(Builder& b, size_t s, bool relu);
  std::string_view op;
  Build build;
  bool relu;
};
consteval LayerKind layer_kind(std::string_view op, LayerKind::Build build, bool relu) {
  return {op, selects_op(op) ? build : nullptr, relu};
}
constexpr LayerKind kLayerKinds[] = {
    layer_kind("quantized::conv2d", build_conv_layer, false),
    layer_kind("quantized::conv2d_relu", build_conv_layer, true),
    layer_kind("quantized::linear", build_linear_layer, false),
    layer_kind("quantized::linear_relu", build_linear_layer, true),
    layer_kind("quantized::linear_dynamic", build_dynamic_linear, false),
    layer_kind("quantized::linear_relu_dynamic", build_dynamic_linear, true),
    layer_kind("quantized::add", build_sum, false),
    layer_kind("quantized::add_relu", build_sum, true),
    layer_kind("quantized::mul", build_product, false),
    layer_kind("quantized::mul_relu", build_product, true),
    layer_kind("quantized::cat", build_cat, false),
    layer_kind("quantized::cat_relu", build_cat, true),
    layer_kind("quantized::hardswish", build_table, false),
    layer_kind("quantized::sigmoid", build_table, false),
    layer_kind("quantized::leaky_relu", build_table, false),
    layer_kind("quantized::elu", build_table, false),
    layer_kind("quantized::celu", build_table, false),
    layer_kind("aten::relu", build_table, false),
};

}  // namespace

bool build_quantized(Builder& b, size_t s) {
  const std::string_view name = b.step(s).op->schema.name;
  if (name == "aten::quantize_per_tensor") return build_quantize(b, s);
  if (name == "aten::dequantize") return build_dequantize(b, s);
  for (const LayerKind& kind : kLayerKinds) {
    if (kind.build != nullptr && kind.op == name) return kind.build(b, s, kind.relu);
  }
  return false;
}

}  // namespace wick::plan
