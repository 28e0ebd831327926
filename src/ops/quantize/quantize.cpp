// Quantization and dequantization of tensors, and the choice of scales.
#include "ops/quantize/quantize.h"

#include <cmath>
#include <limits>

#include "core/tensor_impl.h"
#include "kernels/int8_pointwise.h"
#include "ops/dtype_switch.h"
#include "ops/nn/common.h"
#include "ops/quantize/sub_byte.h"

namespace wick::ops {

QuantRange quant_range(DType dtype) {
  switch (dtype) {
    case DType::kQInt8:
      return {-128, 127};
    case DType::kQUInt8:
      return {0, 255};
    case DType::kQInt32:
      return {std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()};
    default:
      fail_with<ErrorCode::kUnsupported>("ScalarType ", name_of(dtype), " is not supported in new_qtensor.");
  }
}

namespace {

DType plain_dtype(DType dtype) {
  return dtype == DType::kQInt8 ? DType::kChar : dtype == DType::kQUInt8 ? DType::kByte : DType::kInt;
}

void check_quantized_dtype(DType dtype) {
  WICK_CHECK(is_quantized(dtype), kTypeMismatch,
             "Creation of quantized tensor requires quantized dtype like torch.quint8");
}

bool per_channel(const Quantizer& q) {
  return q.scheme == QScheme::kPerChannelAffine || q.scheme == QScheme::kPerChannelSymmetric ||
         q.scheme == QScheme::kPerChannelAffineFloatQParams;
}

// Scale and zero point of each channel, and how channels lie in a contiguous tensor.
struct Channels {
  std::vector<float> scale, zero;
  int64_t inner = 1;  // consecutive elements of one channel
};

Channels channels_of(const Tensor& t) {
  const Quantizer& q = t.quantizer();
  Channels c;
  if (!per_channel(q)) {
    c.scale = {static_cast<float>(q.scale)};
    c.zero = {static_cast<float>(q.zero_point)};
    c.inner = std::max<int64_t>(1, t.numel());
    return c;
  }
  const int64_t axis = wrap_dim(q.axis, t.dim());
  const DimSplit s = split_at(t.sizes(), axis);
  WICK_CHECK(
      q.scales.defined() && q.zero_points.defined() && q.scales.numel() == s.size && q.zero_points.numel() == s.size,
      kShapeMismatch, "length of scales must equal to channel");
  c.scale = param_values<float>(q.scales, s.size, 1);
  c.zero = param_values<float>(q.zero_points, s.size, 0);
  c.inner = std::max<int64_t>(1, s.inner);
  return c;
}

// Holds every Q and its sum with a zero point exactly.
template <class Q>
using Wide = std::conditional_t<sizeof(Q) == 4, double, float>;

// Keeps an integer inside the range; a NaN becomes the lowest.
template <class Q>
Q saturate(Wide<Q> x) {
  constexpr Wide<Q> low = static_cast<Wide<Q>>(std::numeric_limits<Q>::min());
  constexpr Wide<Q> high = static_cast<Wide<Q>>(std::numeric_limits<Q>::max());
  if (!(x > low)) return std::numeric_limits<Q>::min();
  return x >= high ? std::numeric_limits<Q>::max() : static_cast<Q>(x);
}

template <class Q>
void quantize_run(const float* x, Q* q, int64_t n, float scale, float zero, bool float_zero) {
  const float inverse = 1.0f / scale;
  if (float_zero) {
    for (int64_t i = 0; i < n; ++i) q[i] = saturate<Q>(std::nearbyint(x[i] * inverse + zero));
  } else {
    for (int64_t i = 0; i < n; ++i) q[i] = saturate<Q>(static_cast<Wide<Q>>(std::nearbyint(x[i] * inverse)) + zero);
  }
}

// Whether the loops over bytes take it: eight bits, one zero point that is one of them.
bool is_plain_8bit(const Tensor& t) {
  if (t.dtype() != DType::kQUInt8 && t.dtype() != DType::kQInt8) return false;
  const Quantizer& q = t.quantizer();
  const QuantRange range = quant_range(t.dtype());
  return !per_channel(q) && q.zero_point >= range.low && q.zero_point <= range.high;
}

// The float values of `self` into the quantized tensor `out`, both dense in the same order of dims.
void quantize_values(const Tensor& self, const Tensor& out, MemoryFormat format) {
  const Channels c = channels_of(out);
  const bool float_zero = out.quantizer().scheme == QScheme::kPerChannelAffineFloatQParams;
  if (c.scale.size() > 1 && format != MemoryFormat::kContiguous) {
    copy_into(out, self);
    return;
  }
  const Tensor x = contiguous(self, format);
  if (is_plain_8bit(out)) {
    const kernels::Quantize q = byte_quantizer(out.quantizer().scale, out.quantizer().zero_point, out.dtype());
    parallel_for(0, x.numel(), 32768, [&](int64_t begin, int64_t end) {
      kernels::quantize_bytes(q, x.data_ptr<float>() + begin, end - begin,
                              static_cast<uint8_t*>(out.raw_data()) + begin);
    });
    return;
  }
  quant_range(out.dtype());  // refuses others
  for_quantized_dtype(out.dtype(), "quantize", [&](auto zero) {
    using Q = decltype(zero);
    const float* in = x.data_ptr<float>();
    Q* to = static_cast<Q*>(out.raw_data());
    if (c.scale.size() <= 1) {
      if (c.scale.empty()) return;
      parallel_for(0, x.numel(), 32768, [&](int64_t begin, int64_t end) {
        quantize_run(in + begin, to + begin, end - begin, c.scale[0], c.zero[0], float_zero);
      });
      return;
    }
    for (int64_t i = 0; i * c.inner < x.numel(); ++i) {
      const size_t k = static_cast<size_t>(i) % c.scale.size();
      quantize_run(in + i * c.inner, to + i * c.inner, c.inner, c.scale[k], c.zero[k], float_zero);
    }
  });
}

}  // namespace

kernels::Quantize byte_quantizer(double scale, int64_t zero_point, DType dtype) {
  const QuantRange range = quant_range(dtype);
  return {1.0f / static_cast<float>(scale), static_cast<int32_t>(zero_point - range.low),
          static_cast<uint8_t>(range.low < 0 ? 0x80 : 0)};
}

QuantParams choose_quant_params(float min, float max, QuantRange range, bool reduce_range, bool symmetric) {
  WICK_CHECK(min <= max, kInvalidArgument, "In ChooseQuantizationParams, min should be less than or equal to max");
  int64_t qmin = range.low, qmax = range.high;
  if (reduce_range) {
    qmin /= 2;
    qmax /= 2;
  }
  const bool balanced = symmetric && min < 0 && max > 0;
  if (balanced) {
    const int64_t half = (qmax - qmin) / 2;
    const double step =
        std::max(std::fabs(min / static_cast<float>(-(half + 1))), std::fabs(max / static_cast<float>(half)));
    min = static_cast<float>(step * static_cast<double>(-(half + 1)));
    max = static_cast<float>(step * static_cast<double>(half));
  }
  min = std::min(min, 0.0f);
  max = std::max(max, 0.0f);
  WICK_CHECK(qmin < qmax, kInvalidArgument, "In ChooseQuantizationParams, qmin should be less than qmax");
  double scale = (static_cast<double>(max) - static_cast<double>(min)) / static_cast<double>(qmax - qmin);
  if (static_cast<float>(scale) == 0.0f || std::isinf(1.0f / static_cast<float>(scale))) scale = 0.1;
  constexpr float kSmallest = 6.1e-5f;  // smaller scales would be subnormal in half precision
  if (scale < static_cast<double>(kSmallest)) {
    const float before = static_cast<float>(scale);
    scale = static_cast<double>(kSmallest);
    if (min == 0.0f) {
      max = kSmallest * static_cast<float>(qmax - qmin);
    } else if (max == 0.0f) {
      min = -kSmallest * static_cast<float>(qmax - qmin);
    } else {
      min *= kSmallest / before;
      max *= kSmallest / before;
    }
  }
  const double from_min = static_cast<double>(qmin) - static_cast<double>(min) / scale;
  const double from_max = static_cast<double>(qmax) - static_cast<double>(max) / scale;
  const double min_error = std::abs(static_cast<double>(qmin)) - std::abs(static_cast<double>(min) / scale);
  const double max_error = std::abs(static_cast<double>(qmax)) - std::abs(static_cast<double>(max) / scale);
  const double zero = balanced ? static_cast<double>(qmin + qmax) / 2 : min_error < max_error ? from_min : from_max;
  const double clamped = std::min(static_cast<double>(qmax), std::max(static_cast<double>(qmin), zero));
  return {scale, static_cast<int64_t>(std::nearbyint(clamped))};
}

QuantParams choose_quant_params_of(const Tensor& t, QuantRange range, bool reduce_range) {
  const Tensor x = contiguous(to_dtype(t, DType::kFloat));
  float low = 0, high = 0;
  kernels::range_of(x.data_ptr<float>(), x.numel(), low, high);
  return choose_quant_params(low, high, range, reduce_range);
}

Tensor empty_quantized(IntSpan sizes, DType dtype, double scale, int64_t zero_point, MemoryFormat format) {
  check_quantized_dtype(dtype);
  quant_range(dtype);
  Tensor t = Tensor::empty(sizes, dtype, format);
  auto q = std::make_shared<Quantizer>();
  q->scale = scale;
  q->zero_point = zero_point;
  t.impl()->quantizer = std::move(q);
  return t;
}

Tensor empty_quantized_per_channel(IntSpan sizes, DType dtype, const Tensor& scales, const Tensor& zero_points,
                                   int64_t axis, MemoryFormat format) {
  check_quantized_dtype(dtype);
  quant_range(dtype);
  WICK_CHECK(scales.dim() == 1, kShapeMismatch, "scale tensor must have dimension 1");
  WICK_CHECK(zero_points.dim() == 1, kShapeMismatch, "zero_points tensor must have dimension 1");
  WICK_CHECK(scales.numel() == zero_points.numel(), kShapeMismatch,
             "number of elements in scales and zero_points must match");
  WICK_CHECK(axis >= 0 && axis < static_cast<int64_t>(sizes.size()), kIndexOutOfRange,
             "Channel axis out of range in per channel affine quantization. Got: ", axis, "Expected: [0, ",
             sizes.size(), ")");
  WICK_CHECK(scales.numel() == sizes[static_cast<size_t>(axis)], kShapeMismatch,
             "length of scales must equal to channel");
  Tensor t = Tensor::empty(sizes, dtype, format);
  auto q = std::make_shared<Quantizer>();
  const bool float_params = is_floating(zero_points.dtype());
  q->scheme = float_params ? QScheme::kPerChannelAffineFloatQParams : QScheme::kPerChannelAffine;
  q->scales = contiguous(to_dtype(scales, float_params ? DType::kFloat : DType::kDouble));
  q->zero_points = contiguous(to_dtype(zero_points, float_params ? DType::kFloat : DType::kLong));
  q->axis = axis;
  t.impl()->quantizer = std::move(q);
  return t;
}

Tensor quantize_per_tensor(const Tensor& self, double scale, int64_t zero_point, DType dtype) {
  if (is_sub_byte(dtype)) return pack_sub_byte(quantize_per_tensor(self, scale, zero_point, DType::kQUInt8), dtype);
  const QuantRange range = quant_range(dtype);
  WICK_CHECK(self.dtype() == DType::kFloat, kTypeMismatch, "Quantize only works on Float Tensor, got ",
             name_of(self.dtype()));
  WICK_CHECK(zero_point <= range.high, kInvalidArgument, "quantize_tensor_per_tensor_affine zero_point ", zero_point,
             " is above upper bound.");
  WICK_CHECK(zero_point >= range.low, kInvalidArgument, "quantize_tensor_per_tensor_affine zero_point ", zero_point,
             " is below lower bound.");
  const MemoryFormat format = self.suggest_memory_format();
  Tensor out = empty_quantized(self.sizes(), dtype, scale, zero_point, format);
  quantize_values(self, out, format);
  return out;
}

Tensor quantize_per_tensor_qparams(const Tensor& self, const Tensor& scale, const Tensor& zero_point, DType dtype) {
  return quantize_per_tensor(self, scale.item().to_double(), zero_point.item().to_int(), dtype);
}

TensorList quantize_per_tensor_list(const TensorList& tensors, const Tensor& scales, const Tensor& zero_points,
                                    DType dtype) {
  const int64_t n = static_cast<int64_t>(tensors.size());
  WICK_CHECK(scales.numel() >= n && zero_points.numel() >= n, kShapeMismatch,
             "quantize_per_tensor needs a scale and a zero point for each tensor");
  const std::vector<double> scale = param_values<double>(scales, n, 1);
  const std::vector<int64_t> zero = param_values<int64_t>(zero_points, n, 0);
  TensorList out;
  for (size_t i = 0; i < tensors.size(); ++i) out.push_back(quantize_per_tensor(tensors[i], scale[i], zero[i], dtype));
  return out;
}

Tensor quantize_per_channel(const Tensor& self, const Tensor& scales, const Tensor& zero_points, int64_t axis,
                            DType dtype) {
  WICK_CHECK(self.dtype() == DType::kFloat, kTypeMismatch, "Quantize only works on Float Tensor, got ",
             name_of(self.dtype()));
  if (is_sub_byte(dtype)) {
    check_dtype(is_floating(zero_points.dtype()), "quantize_tensor_per_channel_affine", dtype);
    return pack_sub_byte(quantize_per_channel(self, scales, zero_points, axis, DType::kQUInt8), dtype);
  }
  const MemoryFormat format = self.suggest_memory_format();
  Tensor out = empty_quantized_per_channel(self.sizes(), dtype, scales, zero_points, axis, format);
  quantize_values(self, out, format);
  return out;
}

// The mobile engine ignores reduce_range here and below: its products do not overflow.
Tensor quantize_per_tensor_dynamic(const Tensor& self, DType dtype, bool) {
  WICK_CHECK(dtype == DType::kQInt8 || dtype == DType::kQUInt8 || dtype == DType::kHalf, kUnsupported, "dtype ",
             name_of(dtype), "not supported");
  if (dtype == DType::kHalf) return to_dtype(self, DType::kHalf);
  const QuantParams p = choose_quant_params_of(self, quant_range(dtype), false);
  return quantize_per_tensor(contiguous(self), p.scale, p.zero_point, dtype);
}

std::tuple<double, int64_t> choose_qparams_per_tensor(const Tensor& self, bool) {
  const QuantParams p = choose_quant_params_of(self, quant_range(DType::kQUInt8), false);
  return {p.scale, p.zero_point};
}

Tensor dequantize(const Tensor& self) {
  if (!self.is_quantized()) return to_dtype(self, DType::kFloat);
  if (is_sub_byte(self.dtype())) return dequantize(unpack_sub_byte(self));
  quant_range(self.dtype());
  const MemoryFormat format = self.suggest_memory_format();
  Tensor out = Tensor::empty(self.sizes(), DType::kFloat, format);
  const Channels c = channels_of(self);
  if (c.scale.size() > 1 && format != MemoryFormat::kContiguous) {
    copy_into(out, self);
    return out;
  }
  const Tensor x = contiguous(self, format);
  if (is_plain_8bit(self)) {
    const Quantizer& q = self.quantizer();
    const kernels::Quantize k = byte_quantizer(q.scale, q.zero_point, self.dtype());
    parallel_for(0, x.numel(), 32768, [&](int64_t begin, int64_t end) {
      kernels::dequantize_bytes(static_cast<const uint8_t*>(x.raw_data()) + begin, end - begin,
                                static_cast<float>(q.scale), k.zero, k.flip, out.data_ptr<float>() + begin);
    });
    return out;
  }
  quant_range(self.dtype());  // refuses others
  for_quantized_dtype(self.dtype(), "dequantize", [&](auto zero) {
    using Q = decltype(zero);
    const Q* in = static_cast<const Q*>(x.raw_data());
    float* to = out.data_ptr<float>();
    for (int64_t i = 0; i * c.inner < x.numel(); ++i) {
      const size_t k = static_cast<size_t>(i) % c.scale.size();
      const float scale = c.scale[k], offset = c.zero[k];
      for (int64_t j = i * c.inner; j < (i + 1) * c.inner; ++j) to[j] = (static_cast<float>(in[j]) - offset) * scale;
    }
  });
  return out;
}

TensorList dequantize_list(const TensorList& tensors) {
  TensorList out;
  for (const Tensor& t : tensors) out.push_back(dequantize(t));
  return out;
}

IValue dequantize_any(const IValue& value) {
  std::vector<IValue> items;
  if (value.is_list()) {
    for (const IValue& item : value.to_list().items) items.push_back(dequantize(item.to_tensor()));
    return IValue::list(value.to_list().element_type, std::move(items));
  }
  WICK_CHECK(value.is_tuple(), kTypeMismatch,
             "Unsupported type in dequantize, only List[Tensor] and  Tuple[Tensor or other types] are supported");
  for (const IValue& item : value.to_tuple().items) {
    items.push_back(item.is_tensor() ? IValue(dequantize(item.to_tensor())) : item);
  }
  return IValue::tuple(std::move(items));
}

Tensor int_repr(const Tensor& self) {
  WICK_CHECK(self.is_quantized(), kTypeMismatch, "int_repr needs a quantized tensor, got ", name_of(self.dtype()));
  if (is_sub_byte(self.dtype())) return sub_byte_ints(self);
  quant_range(self.dtype());
  Tensor ints = self.alias();
  ints.impl()->dtype = plain_dtype(self.dtype());
  ints.impl()->quantizer = nullptr;
  return clone(ints, ints.suggest_memory_format());
}

namespace {

const Quantizer& per_tensor_quantizer(const Tensor& self) {
  const Quantizer& q = self.quantizer();
  WICK_CHECK(q.scheme == QScheme::kPerTensorAffine || q.scheme == QScheme::kPerTensorSymmetric, kTypeMismatch,
             "Expected quantizer->qscheme() == kPerTensorAffine to be true, but got false.");
  return q;
}

const Quantizer& per_channel_quantizer(const Tensor& self) {
  const Quantizer& q = self.quantizer();
  WICK_CHECK(per_channel(q), kTypeMismatch,
             "Expected quantizer->qscheme() == kPerChannelAffine || quantizer->qscheme() == "
             "kPerChannelAffineFloatQParams to be true, but got false.");
  return q;
}

// The plain integers under the quantized dtype that stores them.
DType quantized_dtype(const Tensor& self) {
  switch (self.dtype()) {
    case DType::kByte:
      return DType::kQUInt8;
    case DType::kChar:
      return DType::kQInt8;
    case DType::kInt:
      return DType::kQInt32;
    default:
      check_quantized_dtype(self.dtype());
      return self.dtype();
  }
}

void copy_ints(const Tensor& out, const Tensor& ints) {
  Tensor raw = out.alias();
  raw.impl()->dtype = ints.dtype();
  raw.impl()->quantizer = nullptr;
  copy_into(raw, ints);
}

}  // namespace

double q_scale(const Tensor& self) { return per_tensor_quantizer(self).scale; }
int64_t q_zero_point(const Tensor& self) { return per_tensor_quantizer(self).zero_point; }
Tensor q_per_channel_scales(const Tensor& self) { return per_channel_quantizer(self).scales; }
Tensor q_per_channel_zero_points(const Tensor& self) { return per_channel_quantizer(self).zero_points; }
int64_t q_per_channel_axis(const Tensor& self) { return per_channel_quantizer(self).axis; }
int64_t qscheme(const Tensor& self) { return static_cast<int64_t>(self.quantizer().scheme); }

Tensor make_per_tensor_quantized_tensor(const Tensor& self, double scale, int64_t zero_point) {
  Tensor out = empty_quantized(self.sizes(), quantized_dtype(self), scale, zero_point);
  copy_ints(out, self);
  return out;
}

Tensor make_per_channel_quantized_tensor(const Tensor& self, const Tensor& scale, const Tensor& zero_point,
                                         int64_t axis) {
  Tensor out = empty_quantized_per_channel(self.sizes(), quantized_dtype(self), scale, zero_point, axis);
  copy_ints(out, self);
  return out;
}

Tensor empty_affine_quantized(IntSpan size, TensorOptions options, double scale, int64_t zero_point,
                              std::optional<MemoryFormat> format) {
  return empty_quantized(size, options.dtype_or(kDefaultDType), scale, zero_point,
                         format.value_or(MemoryFormat::kContiguous));
}

Tensor empty_per_channel_affine_quantized(IntSpan size, const Tensor& scales, const Tensor& zero_points, int64_t axis,
                                          TensorOptions options, std::optional<MemoryFormat> format) {
  return empty_quantized_per_channel(size, options.dtype_or(kDefaultDType), scales, zero_points, axis,
                                     format.value_or(MemoryFormat::kContiguous));
}

}  // namespace wick::ops
