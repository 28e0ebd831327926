// The prepacked linear and convolution classes of optimize_for_mobile.
#include "ops/conv/prepacked.h"

#include <limits>

#include "config/build.h"
#include "core/check.h"
#include "core/copy.h"
#include "core/shapes_only.h"
#include "kernels/gemm.h"
#include "kernels/product.h"
#include "ops/workers.h"

namespace wick::ops {
namespace {

bool is_number_or_none(const IValue& v) { return v.is_none() || v.is_number(); }
double number_or(const IValue& v, double fallback) { return v.is_none() ? fallback : v.to_double(); }

bool is_valid_range(const OutputRange& range) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  return is_number_or_none(range.low) && is_number_or_none(range.high) &&
         number_or(range.low, -kInf) < number_or(range.high, kInf);
}

bool is_bias_for(const OptTensor& bias, int64_t channels) {
  return !bias || (bias->dim() == 1 && bias->dtype() == DType::kFloat && bias->size(0) == channels);
}

IValue or_none(const OptTensor& t) { return t ? IValue(*t) : IValue(); }
IValue sizes_or_none(const OptTensor& t) { return t ? IValue::int_list(t->sizes()) : IValue(); }

// Parts of a stored state, checked for number and type.
class State {
 public:
  State(const IValue& state, size_t count, std::string_view class_name) : state_(state), class_name_(class_name) {
    expect(state.is_tuple() && state.to_tuple().items.size() == count);
  }
  const Tensor& tensor(size_t i) const {
    expect(item(i).is_tensor());
    return item(i).to_tensor();
  }
  OptTensor optional_tensor(size_t i) const { return item(i).is_none() ? OptTensor() : OptTensor(tensor(i)); }
  IntVec ints(size_t i) const {
    expect(item(i).is_list());
    return item(i).to_int_vec();
  }
  int64_t integer(size_t i) const {
    expect(item(i).is_int());
    return item(i).to_int();
  }
  OutputRange range(size_t i) const {
    expect(is_number_or_none(item(i)) && is_number_or_none(item(i + 1)));
    return {item(i), item(i + 1)};
  }

 private:
  const IValue& item(size_t i) const { return state_.to_tuple().items[i]; }
  void expect(bool ok) const {
    WICK_CHECK(ok, kCorruptFile, "the stored state of ", class_name_, " is not as the class writes it");
  }
  const IValue& state_;
  std::string_view class_name_;
};

template <class T>
const T& context_of(const CustomObject& object, std::string_view expected) {
  const auto* context = cast_to<const T>(&object);
  WICK_CHECK(context != nullptr && context->class_name() == expected, kTypeMismatch,
             "Tried to convert an IValue of type ", object.class_name(), " to custom class type ", expected);
  return *context;
}

// By the planner's kernel, with weights packed for this run.
[[maybe_unused]] void multiply_as_planned(const Tensor& x, const Tensor& weight, const float* bias, const Clamp& clamp,
                                          const Tensor& out, const kernels::Workers& workers) {
  kernels::Product p;
  p.n = out.sizes().back();
  p.k = x.sizes().back();
  p.pixels = p.width = out.numel() / p.n;
  p.a = {x.data_ptr<float>(), 0, p.k};
  p.c = {out.data_ptr<float>(), 0, p.n};
  const kernels::Scratch<float> packed(kernels::packed_b_size<float>(p.n, p.k));
  kernels::pack_b(weight.data_ptr<float>(), 1, p.k, p.n, p.k, packed.data());
  p.b = packed.data();
  p.bias = bias;
  if (clamp.on) {
    p.epilogue.low = static_cast<float>(clamp.low);
    p.epilogue.high = static_cast<float>(clamp.high);
  }
  kernels::Segment segments[kernels::kRowSegments];
  p.segment_count = kernels::row_segments(p.k, segments);
  p.segments = segments;
  kernels::product(p, workers);
}

IValue make_conv(const Tensor& weight, const OptTensor& bias, IntSpan stride, IntSpan padding, IntSpan output_padding,
                 IntSpan dilation, int64_t groups, bool transposed, OutputRange range) {
  ConvParams params;
  WICK_CHECK(weight.dim() == 4, kShapeMismatch, "required rank 4 tensor to use channels_last format");
  params.stride = expand_param(stride, "stride", 2);
  params.padding = expand_param(padding, "padding", 2);
  params.dilation = expand_param(dilation, "dilation", 2);
  params.output_padding = expand_param(output_padding, "output_padding", 2);
  params.transposed = transposed;
  params.groups = groups;
  return IValue(Ref<CustomObject>(make_ref<Conv2dContext>(weight, bias, std::move(params), std::move(range))));
}

}  // namespace

Clamp OutputRange::clamp() const {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  return {!low.is_none() || !high.is_none(), number_or(low, -kInf), number_or(high, kInf)};
}

LinearContext::LinearContext(Tensor weight, OptTensor bias, OutputRange range)
    : weight_(std::move(weight)), bias_(std::move(bias)), range_(std::move(range)) {
  WICK_CHECK(weight_.dim() == 2 && weight_.dtype() == DType::kFloat && is_bias_for(bias_, weight_.size(0)) &&
                 is_valid_range(range_),
             kInvalidArgument,
             "XNNPACK Linear not available! Reason: The provided (weight, bias, output_min, output_max) parameters are "
             "either invalid individually or their combination is not supported by XNNPACK.");
  weight_ = contiguous(weight_);
  if (bias_) bias_ = contiguous(*bias_);
}

IValue LinearContext::get_state() const { return IValue::tuple({weight_, or_none(bias_), range_.low, range_.high}); }
IValue LinearContext::sizes() const { return IValue::tuple({IValue::int_list(weight_.sizes()), sizes_or_none(bias_)}); }

Tensor LinearContext::run(const Tensor& input) const {
  WICK_CHECK(input.dim() >= 1 && input.dtype() == DType::kFloat, kInvalidArgument,
             "XNNPACK Linear not usable! Reason: The provided input tensor is either invalid or unsupported by "
             "XNNPACK.");
  const int64_t n = weight_.size(0), k = weight_.size(1);
  IntVec sizes = input.sizes();
  const int64_t rows = checked_numel(input.sizes().subspan(0, sizes.size() - 1));
  WICK_CHECK(sizes.back() == k, kShapeMismatch, "mat1 and mat2 shapes cannot be multiplied (", rows, "x", sizes.back(),
             " and ", k, "x", n, ")");
  sizes.back() = n;
  const Tensor x = contiguous(input), out = Tensor::empty(sizes);
  if (out.numel() == 0 || only_shapes()) return out;
  const Clamp clamp = range_.clamp();
  const kernels::Workers workers =
      workers_for(2.0 * static_cast<double>(rows) * static_cast<double>(n) * static_cast<double>(k));
  const float* const bias = bias_ ? bias_->data_ptr<float>() : nullptr;
  if constexpr (!build::kInterpreterKernels) {
    multiply_as_planned(x, weight_, bias, clamp, out, workers);
    return out;
  }
  kernels::Gemm<float> g;
  g.m = rows;
  g.n = n;
  g.k = k;
  g.a = x.data_ptr<float>();
  g.a_row = k;
  g.b = weight_.data_ptr<float>();
  g.b_row = 1;
  g.b_col = k;
  // A few rows read the weight once, from where it is.
  constexpr int64_t kFewRows = 4;
  if (rows > kFewRows) {
    packed_once_.call([&] {
      packed_.reserve(kernels::packed_b_size<float>(n, k));
      kernels::pack_b(weight_.data_ptr<float>(), 1, k, n, k, packed_.data());
    });
    g.b_packed = packed_.data();
  }
  g.c = out.data_ptr<float>();
  g.c_row = n;
  g.column_bias = bias;
  g.clamp = clamp.on;
  g.low = static_cast<float>(clamp.low);
  g.high = static_cast<float>(clamp.high);
  kernels::gemm(g, workers);
  return out;
}

Conv2dContext::Conv2dContext(Tensor weight, OptTensor bias, ConvParams params, OutputRange range)
    : weight_(std::move(weight)), bias_(std::move(bias)), params_(std::move(params)), range_(std::move(range)) {
  bool ok = weight_.dim() == 4 && weight_.dtype() == DType::kFloat && params_.groups > 0 && is_valid_range(range_);
  for (size_t d = 0; ok && d < 4; ++d) ok = weight_.sizes()[d] > 0;
  ok = ok && weight_.size(0) % params_.groups == 0 &&
       is_bias_for(bias_, params_.transposed ? weight_.size(1) * params_.groups : weight_.size(0));
  for (size_t i = 0; ok && i < 2; ++i)
    ok = params_.padding[i] >= 0 && params_.stride[i] > 0 && params_.dilation[i] > 0 && params_.output_padding[i] >= 0;
  WICK_CHECK(
      ok, kInvalidArgument,
      "xnnpack::convolution not available! Reason: The provided (weight, bias, padding, stride, dilation, groups, "
      "transposed, output_min, output_max) parameters are either invalid individually or their combination is "
      "not supported by XNNPACK.");
  if (bias_) bias_ = contiguous(*bias_);
}

IValue Conv2dContext::get_state() const {
  std::vector<IValue> items{weight_, or_none(bias_), IValue::int_list(params_.stride),
                            IValue::int_list(params_.padding)};
  if (params_.transposed) items.push_back(IValue::int_list(params_.output_padding));
  items.insert(items.end(), {IValue::int_list(params_.dilation), params_.groups, range_.low, range_.high});
  return IValue::tuple(std::move(items));
}

IValue Conv2dContext::sizes() const {
  return IValue::tuple({IValue::int_list(weight_.sizes()), sizes_or_none(bias_), IValue::int_list(params_.stride),
                        IValue::int_list(params_.padding), IValue::int_list(params_.dilation), params_.groups});
}

Tensor Conv2dContext::run(const Tensor& input) const {
  WICK_CHECK(input.dim() == 4, kShapeMismatch, "required rank 4 tensor to use channels_last format");
  WICK_CHECK(input.dtype() == DType::kFloat, kInvalidArgument,
             "XNNPACK Convolution not usable! Reason: The provided input tensor is either invalid or unsupported by "
             "XNNPACK.");
  check_conv(input, weight_, bias_, params_);
  const IntVec sizes = conv_output_sizes(input.sizes(), weight_.sizes(), params_);
  const MemoryFormat format = input.suggest_memory_format() == MemoryFormat::kChannelsLast ? MemoryFormat::kChannelsLast
                                                                                           : MemoryFormat::kContiguous;
  WICK_CHECK(sizes[2] > 0 && sizes[3] > 0, kShapeMismatch, "Given input size per channel: (", input.size(2), " x ",
             input.size(3), "). Calculated output size per channel: (", sizes[2], " x ", sizes[3],
             "). Output size is too small");
  if (input.numel() == 0) {
    WICK_CHECK(input.size(0) == 0, kShapeMismatch,
               "Only zero batch or zero channel inputs are supported, but got input shape: ", input.sizes());
    return Tensor::empty(sizes, DType::kFloat, format);
  }
  const bool packs =
      build::kInterpreterKernels && format == MemoryFormat::kChannelsLast && !params_.transposed && !only_shapes();
  if (packs) packed_once_.call([&] { packed_.data = pack_conv_weight(weight_, params_).data; });
  return compute_conv(input, weight_, bias_, params_, format, range_.clamp(), packs ? &packed_ : nullptr);
}

Ref<CustomObject> linear_context_from_state(IValue state) {
  const State s(state, 4, LinearContext::kClass);
  return make_ref<LinearContext>(s.tensor(0), s.optional_tensor(1), s.range(2));
}

Ref<CustomObject> conv2d_context_from_state(IValue state) {
  const State s(state, 8, Conv2dContext::kClass);
  const IValue made = make_conv(s.tensor(0), s.optional_tensor(1), s.ints(2), s.ints(3), {0}, s.ints(4), s.integer(5),
                                false, s.range(6));
  return Ref<CustomObject>(&made.to_custom());
}

Ref<CustomObject> transpose_conv2d_context_from_state(IValue state) {
  const State s(state, 9, Conv2dContext::kTransposedClass);
  const IValue made = make_conv(s.tensor(0), s.optional_tensor(1), s.ints(2), s.ints(3), s.ints(4), s.ints(5),
                                s.integer(6), true, s.range(7));
  return Ref<CustomObject>(&made.to_custom());
}

IValue linear_clamp_prepack(const Tensor& weight, const OptTensor& bias, const IValue& output_min,
                            const IValue& output_max) {
  return IValue(Ref<CustomObject>(make_ref<LinearContext>(weight, bias, OutputRange{output_min, output_max})));
}

Tensor linear_clamp_run(const Tensor& input, CustomObject& context) {
  return context_of<LinearContext>(context, LinearContext::kClass).run(input);
}

IValue conv2d_clamp_prepack(const Tensor& weight, const OptTensor& bias, IntSpan stride, IntSpan padding,
                            IntSpan dilation, int64_t groups, const IValue& output_min, const IValue& output_max) {
  return make_conv(weight, bias, stride, padding, {0}, dilation, groups, false, {output_min, output_max});
}

Tensor conv2d_clamp_run(const Tensor& input, CustomObject& context) {
  return context_of<Conv2dContext>(context, Conv2dContext::kClass).run(input);
}

IValue conv2d_transpose_clamp_prepack(const Tensor& weight, const OptTensor& bias, IntSpan stride, IntSpan padding,
                                      IntSpan output_padding, IntSpan dilation, int64_t groups,
                                      const IValue& output_min, const IValue& output_max) {
  return make_conv(weight, bias, stride, padding, output_padding, dilation, groups, true, {output_min, output_max});
}

Tensor conv2d_transpose_clamp_run(const Tensor& input, CustomObject& context) {
  return context_of<Conv2dContext>(context, Conv2dContext::kTransposedClass).run(input);
}

IValue unpack_prepacked_sizes_conv2d(const IValue& context) {
  return context_of<Conv2dContext>(context.to_custom(), Conv2dContext::kClass).sizes();
}

IValue unpack_prepacked_sizes_linear(const IValue& context) {
  return context_of<LinearContext>(context.to_custom(), LinearContext::kClass).sizes();
}

}  // namespace wick::ops
