// The classes' states and methods.
#include "ops/quantize/packed.h"

#include <algorithm>

#include "core/check.h"
#include "ops/nn/common.h"
#include "ops/quantize/quantize.h"

namespace wick::ops {

namespace {

IValue or_none(const OptTensor& t) { return has(t) ? IValue(*t) : IValue(); }

void check_bias(const OptTensor& bias, int64_t channels) {
  if (!has(bias)) return;
  WICK_CHECK(bias->dim() == 1, kShapeMismatch, "bias should be a vector (1D Tensor)");
  WICK_CHECK(bias->dtype() == DType::kFloat && bias->size(0) == channels, kShapeMismatch,
             "bias should have K elements: ", channels);
}

[[noreturn]] void bad_state(std::string_view class_name) {
  fail_with<ErrorCode::kCorruptFile>("the stored state of ", class_name, " is not as the class writes it");
}

// What every serialized version of a convolution holds.
struct ConvState {
  IntVec numbers;
  Tensor weight;
  OptTensor bias;
};

OptTensor optional_tensor(const IValue& v, std::string_view class_name) {
  if (v.is_none()) return std::nullopt;
  if (!v.is_tensor()) bad_state(class_name);
  return v.to_tensor();
}

int64_t first_number(const IValue& v, std::string_view class_name) {
  if (!v.is_tensor() || v.to_tensor().numel() < 1) bad_state(class_name);
  const Tensor t = contiguous(to_dtype(v.to_tensor(), DType::kLong));
  return t.data_ptr<int64_t>()[0];
}

// Lists of one-element tensors.
ConvState version_1(const std::vector<IValue>& items, size_t dims, std::string_view class_name) {
  if (items.size() != 6 || !items[5].is_tensor()) bad_state(class_name);
  ConvState s;
  s.numbers.push_back(static_cast<int64_t>(dims));
  for (size_t i = 2; i < 5; ++i) {
    if (!items[i].is_list() || items[i].to_list().items.size() != dims) bad_state(class_name);
    for (const IValue& v : items[i].to_list().items) s.numbers.push_back(first_number(v, class_name));
  }
  for (size_t i = 0; i < dims; ++i) s.numbers.push_back(0);
  s.numbers.push_back(first_number(items[5], class_name));
  s.numbers.push_back(0);
  s.weight = items[0].to_tensor();
  s.bias = optional_tensor(items[1], class_name);
  return s;
}

// ("2", [numbers, weight], [bias or None])
ConvState version_2(const std::vector<IValue>& items, std::string_view class_name) {
  if (items.size() != 3 || !items[1].is_list() || !items[2].is_list()) bad_state(class_name);
  const std::vector<IValue>&given = items[1].to_list().items, &optional = items[2].to_list().items;
  if (given.size() != 2 || optional.size() != 1 || !given[0].is_tensor() || !given[1].is_tensor()) {
    bad_state(class_name);
  }
  ConvState s;
  const Tensor numbers = contiguous(to_dtype(given[0].to_tensor(), DType::kLong));
  s.numbers = IntSpan(numbers.data_ptr<int64_t>(), static_cast<size_t>(numbers.numel()));
  s.weight = given[1].to_tensor();
  s.bias = optional_tensor(optional[0], class_name);
  return s;
}

// (3, numbers, [None, weight, bias or None])
ConvState version_3(const std::vector<IValue>& items, std::string_view class_name) {
  if (items.size() != 3 || !items[1].is_list() || !items[2].is_list()) bad_state(class_name);
  const std::vector<IValue>& tensors = items[2].to_list().items;
  if (tensors.size() != 3 || !tensors[1].is_tensor()) bad_state(class_name);
  return {items[1].to_int_vec(), tensors[1].to_tensor(), optional_tensor(tensors[2], class_name)};
}

Ref<CustomObject> conv_from_state(const IValue& state, size_t dims, std::string_view class_name) {
  if (!state.is_tuple() || state.to_tuple().items.empty()) bad_state(class_name);
  const std::vector<IValue>& items = state.to_tuple().items;
  ConvState s;
  if (items[0].is_tensor()) {
    s = version_1(items, dims, class_name);
  } else if (items[0].is_string() && items[0].to_string() == "2") {
    s = version_2(items, class_name);
  } else if (items[0].is_int() && items[0].to_int() == 3) {
    s = version_3(items, class_name);
  } else {
    bad_state(class_name);
  }
  if (s.numbers.size() != 4 * dims + 3 || s.numbers[0] != static_cast<int64_t>(dims)) bad_state(class_name);
  auto list = [&](size_t i) { return IntVec(IntSpan(s.numbers).subspan(1 + i * dims, dims)); };
  ConvParams params;
  params.stride = list(0);
  params.padding = list(1);
  params.dilation = list(2);
  params.output_padding = list(3);
  params.groups = s.numbers[4 * dims + 1];
  params.transposed = s.numbers[4 * dims + 2] != 0;
  if (s.weight.dim() != static_cast<int64_t>(dims) + 2) bad_state(class_name);
  return make_ref<ConvPacked>(s.weight, s.bias, std::move(params));
}

void check_int8(const Tensor& weight, const char* what) {
  WICK_CHECK(weight.dtype() == DType::kQInt8, kTypeMismatch, what, ": the weight should be qint8, got ",
             name_of(weight.dtype()));
}

}  // namespace

RowParams row_params(const Tensor& weight, int64_t axis, int64_t n) {
  const Quantizer& q = weight.quantizer();
  RowParams out;
  if (q.scheme == QScheme::kPerTensorAffine || q.scheme == QScheme::kPerTensorSymmetric) {
    out.scales.assign(static_cast<size_t>(n), static_cast<float>(q.scale));
    out.zeros.assign(static_cast<size_t>(n), static_cast<int32_t>(std::clamp<int64_t>(q.zero_point, -128, 127)));
    return out;
  }
  WICK_CHECK(q.scheme != QScheme::kPerChannelAffineFloatQParams && q.axis == axis && q.scales.defined() &&
                 q.zero_points.defined(),
             kUnsupported, "the weight's channels should be quantized along dim ", axis);
  const int64_t given = weight.size(axis);
  WICK_CHECK(q.scales.numel() == given && q.zero_points.numel() == given && given > 0, kShapeMismatch,
             "length of scales must equal to channel");
  const std::vector<float> scales = param_values<float>(q.scales, given, 1);
  const std::vector<int64_t> zeros = param_values<int64_t>(q.zero_points, given, 0);
  for (int64_t i = 0; i < n; ++i) {
    const auto k = static_cast<size_t>(i % given);
    out.scales.push_back(scales[k]);
    out.zeros.push_back(static_cast<int32_t>(std::clamp<int64_t>(zeros[k], -128, 127)));
  }
  return out;
}

LinearPacked::LinearPacked(const Tensor& weight, const OptTensor& bias) {
  WICK_CHECK(weight.dim() == 2, kShapeMismatch,
             "The weight tensor for quantized::linear_prepack should be 2-dimensional.");
  check_bias(bias, weight.size(0));
  if (weight.is_quantized()) {
    check_int8(weight, "quantized::linear_prepack");
    row_params(weight, 0, weight.size(0));
    weight_ = contiguous(weight);
    bias_ = Tensor::zeros({weight.size(0)});  // the mobile engine has no layers without
  } else {
    WICK_CHECK(is_floating(weight.dtype()), kTypeMismatch, "quantized::linear_prepack_fp16 needs a float weight");
    weight_ = contiguous(to_dtype(to_dtype(weight, DType::kHalf), DType::kFloat));
  }
  if (has(bias)) bias_ = contiguous(*bias);
}

IValue LinearPacked::unpack() const { return IValue::tuple({weight_, or_none(bias_)}); }

IValue LinearPacked::call(std::string_view method, std::vector<IValue> args) {
  if (method == "unpack" || method == "__getstate__") return unpack();
  if (method == "bias") return or_none(bias_);
  return CustomObject::call(method, std::move(args));
}

ConvPacked::ConvPacked(const Tensor& weight, const OptTensor& bias, ConvParams params) : params_(std::move(params)) {
  const size_t dims = static_cast<size_t>(weight.dim()) - 2;
  WICK_CHECK(weight.dim() == 4 || weight.dim() == 5, kShapeMismatch,
             "Weights are expected to have 4 or 5 dimensions, got ", weight.dim());
  check_int8(weight, "quantized::conv_prepack");
  for (const IntVec* list : {&params_.stride, &params_.padding, &params_.dilation, &params_.output_padding}) {
    WICK_CHECK(list->size() == dims, kInvalidArgument, "a quantized convolution takes ", dims,
               " numbers for stride, padding, output padding and dilation, got ", list->size());
  }
  constexpr int64_t kMost = int64_t{1} << 30;
  for (size_t i = 0; i < dims; ++i) {
    WICK_CHECK(params_.stride[i] > 0 && params_.dilation[i] > 0 && params_.padding[i] >= 0 &&
                   params_.output_padding[i] >= 0 && params_.stride[i] < kMost && params_.dilation[i] < kMost &&
                   params_.padding[i] < kMost && params_.output_padding[i] < kMost,
               kInvalidArgument,
               "stride and dilation of a quantized convolution should be positive, padding not "
               "negative");
  }
  WICK_CHECK(params_.groups > 0 && weight.numel() > 0 && weight.size(0) % params_.groups == 0, kInvalidArgument,
             "groups should divide the channels of the weight, got ", params_.groups, " and ", weight.sizes());
  weight_ = contiguous(weight, dims == 2 ? MemoryFormat::kChannelsLast : MemoryFormat::kChannelsLast3d);
  check_bias(bias, out_channels());
  bias_ = has(bias) ? contiguous(*bias) : Tensor::zeros({out_channels()});  // the mobile engine has no layers without
  row_params(weight_, params_.transposed ? 1 : 0, out_channels());
}

int64_t ConvPacked::out_channels() const {
  return params_.transposed ? weight_.size(1) * params_.groups : weight_.size(0);
}

IValue ConvPacked::unpack() const { return IValue::tuple({weight_, or_none(bias_)}); }

IValue ConvPacked::get_state() const {
  std::vector<int16_t> numbers{static_cast<int16_t>(weight_.dim() - 2)};
  for (const IntVec* list : {&params_.stride, &params_.padding, &params_.dilation, &params_.output_padding}) {
    for (int64_t n : *list) numbers.push_back(static_cast<int16_t>(n));
  }
  numbers.push_back(static_cast<int16_t>(params_.groups));
  numbers.push_back(params_.transposed ? 1 : 0);
  const Tensor packed = Tensor::from_values(Span<int16_t>(numbers.data(), numbers.size()));
  return IValue::tuple({IValue(std::string("2")), IValue::tensor_list({packed, weight_}),
                        IValue::list(types::optional(types::tensor()), {or_none(bias_)})});
}

IValue ConvPacked::call(std::string_view method, std::vector<IValue> args) {
  if (method == "unpack") return unpack();
  if (method == "__getstate__") return get_state();
  if (method == "weight") return weight_;
  if (method == "bias") return or_none(bias_);
  if (method == "stride") return IValue::int_list(params_.stride);
  if (method == "padding") return IValue::int_list(params_.padding);
  if (method == "output_padding") return IValue::int_list(params_.output_padding);
  if (method == "dilation") return IValue::int_list(params_.dilation);
  if (method == "groups") return params_.groups;
  if (method == "transpose") return params_.transposed;
  return CustomObject::call(method, std::move(args));
}

Ref<CustomObject> linear_packed_from_state(IValue state) {
  if (!state.is_tuple() || state.to_tuple().items.size() != 2) bad_state(LinearPacked::kClass);
  const std::vector<IValue>& items = state.to_tuple().items;
  if (!items[0].is_tensor()) bad_state(LinearPacked::kClass);
  return make_ref<LinearPacked>(items[0].to_tensor(), optional_tensor(items[1], LinearPacked::kClass));
}

Ref<CustomObject> conv2d_packed_from_state(IValue state) { return conv_from_state(state, 2, ConvPacked::kClass2d); }
Ref<CustomObject> conv3d_packed_from_state(IValue state) { return conv_from_state(state, 3, ConvPacked::kClass3d); }

const LinearPacked& linear_packed(const CustomObject& object) {
  const auto* packed = cast_to<const LinearPacked>(&object);
  WICK_CHECK(packed, kTypeMismatch, "Tried to convert an IValue of type ", object.class_name(),
             " to custom class type ", LinearPacked::kClass);
  return *packed;
}

const ConvPacked& conv_packed(const CustomObject& object, int64_t dims) {
  const auto* packed = cast_to<const ConvPacked>(&object);
  WICK_CHECK(packed && packed->weight().dim() == dims + 2, kTypeMismatch, "Tried to convert an IValue of type ",
             object.class_name(), " to custom class type ", dims == 3 ? ConvPacked::kClass3d : ConvPacked::kClass2d);
  return *packed;
}

}  // namespace wick::ops
