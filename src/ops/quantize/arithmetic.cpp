// Sums and products of quantized tensors, and joining them.
#include <algorithm>
#include <cmath>

#include "core/shape.h"
#include "core/tensor_impl.h"
#include "kernels/int8_pointwise.h"
#include "ops/nn/common.h"
#include "ops/quantize/integers.h"
#include "ops/quantize/layers.h"
#include "ops/quantize/products.h"
#include "ops/shape/join.h"

namespace wick::ops {

namespace {

struct Operand {
  Tensor values;  // dense, in the order of the result
  float scale;
  int32_t zero;
};

int32_t bounded(int64_t zero_point, DType dtype) {
  const QuantRange range = quant_range(dtype);
  return static_cast<int32_t>(std::clamp(zero_point, range.low, range.high));
}

// 32-bit integers wrap in PyTorch's loops.
int32_t wrapped_difference(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) - static_cast<uint32_t>(b));
}
int32_t wrapped_product(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) * static_cast<uint32_t>(b));
}

struct Pair {
  Operand a, b;
  Tensor out;
  int32_t zero, low, high;
};

Pair prepare(const Tensor& a, const Tensor& b, double scale, int64_t zero_point, bool relu, const char* op) {
  const Quantizer &qa = check_per_tensor(a, op), &qb = check_per_tensor(b, op);
  WICK_CHECK(a.dtype() == b.dtype(), kTypeMismatch, op, " operands should have same data type.");
  const IntVec sizes = broadcast_shapes(a.sizes(), b.sizes());
  const MemoryFormat wanted = a.suggest_memory_format();
  const MemoryFormat format = sizes.size() == static_cast<size_t>(a.dim()) ? wanted : MemoryFormat::kContiguous;
  Pair p;
  p.a = {contiguous(expand(a, sizes), format), static_cast<float>(qa.scale), bounded(qa.zero_point, a.dtype())};
  p.b = {contiguous(expand(b, sizes), format), static_cast<float>(qb.scale), bounded(qb.zero_point, b.dtype())};
  p.out = empty_quantized(sizes, a.dtype(), scale, zero_point, format);
  const QuantRange range = quant_range(a.dtype());
  p.zero = bounded(zero_point, a.dtype());
  p.low = relu ? p.zero : static_cast<int32_t>(range.low);
  p.high = static_cast<int32_t>(range.high);
  return p;
}

template <class Q, class F>
void each(const Pair& p, F&& f) {
  const Q *a = static_cast<const Q*>(p.a.values.raw_data()), *b = static_cast<const Q*>(p.b.values.raw_data());
  Q* to = static_cast<Q*>(p.out.raw_data());
  for (int64_t i = 0, numel = p.out.numel(); i < numel; ++i)
    to[i] = static_cast<Q>(std::clamp<int32_t>(f(a[i], b[i]), p.low, p.high));
}

// Calls f(a, b) for each pair of integers less their zero points; what it gives, in steps of the result, is rounded.
template <class F>
void each_difference(const Pair& p, F&& f) {
  if (p.out.dtype() == DType::kQUInt8) {
    each<uint8_t>(p, [&](int32_t x, int32_t y) { return round_to_int16(f(x - p.a.zero, y - p.b.zero)) + p.zero; });
  } else if (p.out.dtype() == DType::kQInt8) {
    each<int8_t>(p, [&](int32_t x, int32_t y) { return round_to_int16(f(x - p.a.zero, y - p.b.zero)) + p.zero; });
  } else {
    const auto low = static_cast<double>(p.low), high = static_cast<double>(p.high);
    each<int32_t>(p, [&](int32_t x, int32_t y) {
      const float steps = f(wrapped_difference(x, p.a.zero), wrapped_difference(y, p.b.zero));
      return static_cast<int32_t>(std::max(low, std::min(rounded(steps, p.zero, DType::kQInt32), high)));
    });
  }
}

// Calls f(a, b, count, to) for runs of the bytes.
template <class F>
void each_run(const Pair& p, F&& f) {
  const auto* a = static_cast<const uint8_t*>(p.a.values.raw_data());
  const auto* b = static_cast<const uint8_t*>(p.b.values.raw_data());
  auto* to = static_cast<uint8_t*>(p.out.raw_data());
  parallel_for(0, p.out.numel(), 65536,
               [&](int64_t begin, int64_t end) { f(a + begin, b + begin, end - begin, to + begin); });
}

bool in_fixed_point_range(float r) { return r >= 0x1.0p-14f && r < 0x1.0p+8f; }

Tensor add(const Tensor& a, const Tensor& b, double scale, int64_t zero_point, bool relu) {
  Pair p = prepare(a, b, scale, zero_point, relu, "Add");
  const float to = static_cast<float>(scale), ra = p.a.scale / to, rb = p.b.scale / to;
  if (a.dtype() == DType::kQUInt8 && a.sizes() == b.sizes() && in_fixed_point_range(ra) && in_fixed_point_range(rb)) {
    // The mobile engine adds in fixed point.
    if (const auto sum = byte_sum(a.quantizer(), b.quantizer(), p.out.quantizer(), relu)) {
      each_run(p, [&](const uint8_t* x, const uint8_t* y, int64_t n, uint8_t* out) {
        kernels::add_bytes(*sum, x, y, n, out);
      });
      return p.out;
    }
    const int shift = 21 - std::ilogb(std::max(ra, rb));
    const auto ma = static_cast<int32_t>(std::nearbyint(std::ldexp(ra, shift)));
    const auto mb = static_cast<int32_t>(std::nearbyint(std::ldexp(rb, shift)));
    const int64_t offset = -(int64_t{ma} * p.a.zero + int64_t{mb} * p.b.zero);
    const int64_t mask = (int64_t{1} << shift) - 1, half = mask >> 1;
    each<uint8_t>(p, [&](int32_t x, int32_t y) {
      const int64_t sum = offset + int64_t{ma} * x + int64_t{mb} * y;
      const int64_t rest = (sum & mask) - (sum < 0 ? 1 : 0);
      return static_cast<int32_t>(sum >> shift) + (rest > half ? 1 : 0) + p.zero;
    });
    return p.out;
  }
  const float inverse = 1.0f / to;
  each_difference(p, [&](int32_t x, int32_t y) {
    return (static_cast<float>(x) * p.a.scale + static_cast<float>(y) * p.b.scale) * inverse;
  });
  return p.out;
}

Tensor mul(const Tensor& a, const Tensor& b, double scale, int64_t zero_point, bool relu) {
  Pair p = prepare(a, b, scale, zero_point, relu, "Mul");
  const bool bytes = a.dtype() != DType::kQInt32;
  if (const auto product =
          bytes ? byte_product(a.quantizer(), b.quantizer(), p.out.quantizer(), a.dtype(), relu) : std::nullopt) {
    each_run(p, [&](const uint8_t* x, const uint8_t* y, int64_t n, uint8_t* out) {
      kernels::multiply_bytes(*product, x, y, n, out);
    });
    return p.out;
  }
  const float multiplier = p.a.scale * p.b.scale * (1.0f / static_cast<float>(scale));
  each_difference(p, [&](int32_t x, int32_t y) { return static_cast<float>(wrapped_product(x, y)) * multiplier; });
  return p.out;
}

// The same integers under other parameters.
Tensor relabeled(const Tensor& a, double scale, int64_t zero_point) {
  Tensor out = clone(a);
  auto q = std::make_shared<Quantizer>();
  q->scale = scale;
  q->zero_point = zero_point;
  out.impl()->quantizer = std::move(q);
  return out;
}

Tensor add_number(const Tensor& a, double c, bool relu) {
  const Quantizer& q = check_per_tensor(a, "qadd_scalar");
  const QuantRange range = quant_range(a.dtype());
  const double steps = std::nearbyint(c / q.scale);
  constexpr double kMost = 1 << 30;
  WICK_CHECK(std::abs(steps) <= kMost, kInvalidArgument, "quantized::add: the number ", c,
             " is too large for the scale ", q.scale);
  const auto shift = static_cast<int64_t>(steps);
  const int64_t zero = bounded(q.zero_point, a.dtype());
  const int64_t moved = zero - shift;
  const double span = static_cast<double>(range.high - range.low);
  if (moved >= range.low && moved <= range.high) {
    const Tensor y = relabeled(a, q.scale, moved);
    return relu ? quantized_relu(y) : y;
  }
  const bool below = moved < range.low;
  const double scale = static_cast<double>(below ? range.high - moved : moved - range.low) / span * q.scale;
  const int64_t to = below ? range.low : range.high;
  const auto multiplier = static_cast<float>(q.scale) * (1.0f / static_cast<float>(scale));
  return map_integers(a, scale, to, a.suggest_memory_format(), {relu ? to : range.low, range.high}, [&](int32_t x) {
    return rounded(static_cast<float>(x - zero + shift) * multiplier, to, a.dtype());
  });
}

Tensor mul_number(const Tensor& a, double c, bool relu) {
  const Quantizer& q = check_per_tensor(a, "qmul_scalar");
  const QuantRange range = quant_range(a.dtype());
  if (c > 0) {
    const Tensor y = relu ? quantized_relu(a) : a;
    return relabeled(y, c * q.scale, q.zero_point);
  }
  const MemoryFormat format = a.suggest_memory_format();
  if (c == 0) return map_integers(a, 1, 0, format, range, [](int32_t) { return 0; });
  const int64_t zero = range.high - (bounded(q.zero_point, a.dtype()) - range.low);
  return map_integers(a, std::abs(c) * q.scale, zero, format, {relu ? zero : range.low, range.high},
                      [&](int32_t x) { return range.high + range.low - x; });
}

Tensor join(const TensorList& tensors, int64_t dim, std::optional<double> given_scale,
            std::optional<int64_t> given_zero, bool relu) {
  WICK_CHECK(!tensors.empty(), kInvalidArgument, "quantized::cat needs at least one tensor");
  const Quantizer& first = check_per_tensor(tensors[0], "qcat");
  const DType dtype = tensors[0].dtype();
  const double scale = given_scale.value_or(first.scale);
  const int64_t zero_point = given_zero.value_or(first.zero_point);
  const QuantRange range = quant_range(dtype);
  const int32_t zero = bounded(zero_point, dtype);
  const float inverse = 1.0f / static_cast<float>(scale);
  TensorList parts;
  for (const Tensor& t : tensors) {
    WICK_CHECK(t.dtype() == dtype, kTypeMismatch, "All dtypes must be the same.");
    const Quantizer& q = check_per_tensor(t, "qcat");
    if (q.scale == scale && q.zero_point == zero_point && !relu) {
      parts.push_back(t);
      continue;
    }
    const int64_t from = bounded(q.zero_point, dtype);
    const auto step = static_cast<float>(q.scale);
    parts.push_back(
        map_integers(t, scale, zero_point, t.suggest_memory_format(), {relu ? zero : range.low, range.high},
                     [&](int32_t x) { return rounded(static_cast<float>(x - from) * step * inverse, zero, dtype); }));
  }
  return relabeled(concat(parts, dim), scale, zero_point);
}

// The result's integers and parameters in a tensor given for it, which says the parameters wanted.
Tensor into(const Tensor& out, const Tensor& result) {
  WICK_CHECK(out.dtype() == result.dtype(), kTypeMismatch, "Output scalar type should match the input's");
  WICK_CHECK(out.sizes() == result.sizes(), kShapeMismatch, "the quantized out tensor has sizes ", out.sizes(),
             ", the result ", result.sizes());
  copy_into(out, result);
  return out;
}

}  // namespace

std::optional<kernels::AddBytes> byte_sum(const Quantizer& a, const Quantizer& b, const Quantizer& out, bool relu) {
  const auto to = static_cast<float>(out.scale);
  const float ra = static_cast<float>(a.scale) / to, rb = static_cast<float>(b.scale) / to;
  if (!in_fixed_point_range(ra) || !in_fixed_point_range(rb)) return std::nullopt;
  constexpr int kMostShift = 30;
  kernels::AddBytes sum;
  sum.shift = 21 - std::ilogb(std::max(ra, rb));
  if (sum.shift > kMostShift) return std::nullopt;
  sum.a = static_cast<int32_t>(std::nearbyint(std::ldexp(ra, sum.shift)));
  sum.b = static_cast<int32_t>(std::nearbyint(std::ldexp(rb, sum.shift)));
  const int32_t zero_a = bounded(a.zero_point, DType::kQUInt8), zero_b = bounded(b.zero_point, DType::kQUInt8);
  sum.offset = static_cast<int32_t>(-(int64_t{sum.a} * zero_a + int64_t{sum.b} * zero_b));
  sum.zero = bounded(out.zero_point, DType::kQUInt8);
  sum.low = relu ? sum.zero : 0;
  return sum;
}

std::optional<kernels::MultiplyBytes> byte_product(const Quantizer& a, const Quantizer& b, const Quantizer& out,
                                                   DType dtype, bool relu) {
  kernels::MultiplyBytes m;
  m.scale = static_cast<float>(a.scale) * static_cast<float>(b.scale) * (1.0f / static_cast<float>(out.scale));
  if (!std::isfinite(m.scale)) return std::nullopt;
  const auto low = static_cast<int32_t>(quant_range(dtype).low);
  m.x_zero = bounded(a.zero_point, dtype) - low;
  m.y_zero = bounded(b.zero_point, dtype) - low;
  m.zero = bounded(out.zero_point, dtype) - low;
  m.low = relu ? m.zero : 0;
  m.flip = low < 0 ? 0x80 : 0;
  return m;
}

Tensor quantized_add_out(const Tensor& a, const Tensor& b, const Tensor& out) {
  return into(out, add(a, b, q_scale(out), q_zero_point(out), false));
}
Tensor quantized_add_relu_out(const Tensor& a, const Tensor& b, const Tensor& out) {
  return into(out, add(a, b, q_scale(out), q_zero_point(out), true));
}
Tensor quantized_mul_out(const Tensor& a, const Tensor& b, const Tensor& out) {
  return into(out, mul(a, b, q_scale(out), q_zero_point(out), false));
}
Tensor quantized_mul_relu_out(const Tensor& a, const Tensor& b, const Tensor& out) {
  return into(out, mul(a, b, q_scale(out), q_zero_point(out), true));
}
Tensor quantized_cat_out(const TensorList& tensors, int64_t dim, const Tensor& out) {
  return into(out, join(tensors, dim, q_scale(out), q_zero_point(out), false));
}
Tensor quantized_cat_relu_out(const TensorList& tensors, int64_t dim, const Tensor& out) {
  return into(out, join(tensors, dim, q_scale(out), q_zero_point(out), true));
}
Tensor quantized_scalar_add(const Scalar& b, const Tensor& a) { return add_number(a, b.to_double(), false); }
Tensor quantized_scalar_add_relu(const Scalar& b, const Tensor& a) { return add_number(a, b.to_double(), true); }
Tensor quantized_scalar_mul(const Scalar& b, const Tensor& a) { return mul_number(a, b.to_double(), false); }
Tensor quantized_scalar_mul_relu(const Scalar& b, const Tensor& a) { return mul_number(a, b.to_double(), true); }

Tensor quantized_add(const Tensor& a, const Tensor& b, double scale, int64_t zero_point) {
  return add(a, b, scale, zero_point, false);
}
Tensor quantized_add_relu(const Tensor& a, const Tensor& b, double scale, int64_t zero_point) {
  return add(a, b, scale, zero_point, true);
}
Tensor quantized_mul(const Tensor& a, const Tensor& b, double scale, int64_t zero_point) {
  return mul(a, b, scale, zero_point, false);
}
Tensor quantized_mul_relu(const Tensor& a, const Tensor& b, double scale, int64_t zero_point) {
  return mul(a, b, scale, zero_point, true);
}
Tensor quantized_add_scalar(const Tensor& a, const Scalar& b) { return add_number(a, b.to_double(), false); }
Tensor quantized_add_scalar_relu(const Tensor& a, const Scalar& b) { return add_number(a, b.to_double(), true); }
Tensor quantized_mul_scalar(const Tensor& a, const Scalar& b) { return mul_number(a, b.to_double(), false); }
Tensor quantized_mul_scalar_relu(const Tensor& a, const Scalar& b) { return mul_number(a, b.to_double(), true); }
// `relu_form` is what PyTorch runs for relu and a number in a tensor.
#define WICK_WITH_NUMBER(name, relu_form)                                                                    \
  Tensor quantized_##name##_number(const Tensor& a, const Tensor& b) {                                       \
    return quantized_##name##_scalar(a, b.item());                                                           \
  }                                                                                                          \
  Tensor quantized_##name##_number_relu(const Tensor& a, const Tensor& b) { return relu_form(a, b.item()); } \
  Tensor quantized_##name##_scalar_out(const Tensor& a, const Scalar& b, const Tensor& out) {                \
    return into(out, quantized_##name##_scalar(a, b));                                                       \
  }                                                                                                          \
  Tensor quantized_##name##_scalar_relu_out(const Tensor& a, const Scalar& b, const Tensor& out) {           \
    return into(out, quantized_##name##_scalar_relu(a, b));                                                  \
  }                                                                                                          \
  Tensor quantized_##name##_number_out(const Tensor& a, const Tensor& b, const Tensor& out) {                \
    return into(out, quantized_##name##_scalar(a, b.item()));                                                \
  }                                                                                                          \
  Tensor quantized_##name##_number_relu_out(const Tensor& a, const Tensor& b, const Tensor& out) {           \
    return into(out, relu_form(a, b.item()));                                                                \
  }
WICK_WITH_NUMBER(add, quantized_add_scalar)
WICK_WITH_NUMBER(mul, quantized_mul_scalar_relu)
#undef WICK_WITH_NUMBER

Tensor quantized_cat(const TensorList& tensors, int64_t dim, std::optional<double> scale,
                     std::optional<int64_t> zero_point) {
  return join(tensors, dim, scale, zero_point, false);
}
Tensor quantized_cat_relu(const TensorList& tensors, int64_t dim, std::optional<double> scale,
                          std::optional<int64_t> zero_point) {
  return join(tensors, dim, scale, zero_point, true);
}

}  // namespace wick::ops
