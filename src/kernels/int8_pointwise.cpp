// Quantization, sums, products and reductions of 8-bit values.
#include "kernels/int8_pointwise.h"

#include <algorithm>

#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/int8_pointwise.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/int8-inl.h"

HWY_BEFORE_NAMESPACE();
namespace wick::kernels {
namespace HWY_NAMESPACE {
namespace {

using D = hn::ScalableTag<int32_t>;
using DF = hn::ScalableTag<float>;
using D8 = hn::Repartition<uint8_t, D>;
using V = hn::Vec<D>;
constexpr int64_t kLanes = HWY_LANES(int32_t);
constexpr int64_t kBytes = 4 * kLanes;

// Calls body(x, y, to) for kBytes elements at a time; the rest goes through copies of that size.
template <class In, class Out, class F>
HWY_INLINE void whole_vectors(const In* x, const In* y, int64_t n, Out* to, F&& body) {
  int64_t i = 0;
  for (; i + kBytes <= n; i += kBytes) body(x + i, y + i, to + i);
  if (i == n) return;
  In a[kBytes] = {}, b[kBytes] = {};
  Out c[kBytes];
  const auto rest = static_cast<size_t>(n - i);
  std::memcpy(a, x + i, rest * sizeof(In));
  std::memcpy(b, y + i, rest * sizeof(In));
  body(a, b, c);
  std::memcpy(to + i, c, rest * sizeof(Out));
}

// Sums in the order of elements, as bytes.
HWY_INLINE hn::Vec<D8> bytes_of(V v0, V v1, V v2, V v3, const Int8Result& r) {
  const D d;
  const D8 d8;
  const auto bytes = narrowed(v0, v1, v2, v3, r);
  if constexpr (kLanes == 4) return bytes;
  return hn::BitCast(d8, hn::TableLookupLanes(hn::BitCast(d, bytes), pieces_in_order<4, false>(d)));
}

HWY_INLINE V words_of(const uint8_t* x) { return hn::PromoteTo(D(), hn::LoadU(hn::Rebind<uint8_t, D>(), x)); }

// round(v); what is out of the range of bytes stays so, a NaN becomes very low.
HWY_INLINE V rounded(hn::Vec<DF> v) {
  const DF df;
  const auto low = hn::Set(df, -32768.0f);
  return rounded_value(hn::IfThenElse(hn::Gt(v, low), v, low));
}

Int8Result result_of(const Quantize& q) {
  Int8Result r;
  r.zero = q.zero;
  r.flip = q.flip;
  return r;
}

HWY_INLINE hn::Vec<D8> quantized(const float* x, hn::Vec<DF> inverse, const Int8Result& r) {
  const DF df;
  const auto q = [&](int j) HWY_ATTR { return rounded(hn::Mul(hn::LoadU(df, x + j * kLanes), inverse)); };
  return bytes_of(q(0), q(1), q(2), q(3), r);
}

void quantize(const Quantize& q, const float* x, int64_t n, uint8_t* y) {
  const auto inverse = hn::Set(DF(), q.inverse);
  const Int8Result r = result_of(q);
  whole_vectors(x, x, n, y, [&](const float* from, const float*, uint8_t* to) HWY_ATTR {
    hn::StoreU(quantized(from, inverse, r), D8(), to);
  });
}

void quantize_3(const Quantize& q, const float* x, int64_t plane, int64_t n, uint8_t* y) {
  const auto inverse = hn::Set(DF(), q.inverse);
  const Int8Result r = result_of(q);
  int64_t i = 0;
  for (; i + kBytes <= n; i += kBytes) {
    hn::StoreInterleaved3(quantized(x + i, inverse, r), quantized(x + plane + i, inverse, r),
                          quantized(x + 2 * plane + i, inverse, r), D8(), y + 3 * i);
  }
  for (int c = 0; c < 3 && i < n; ++c) {
    uint8_t rest[kBytes];
    quantize(q, x + c * plane + i, n - i, rest);
    for (int64_t k = i; k < n; ++k) y[3 * k + c] = rest[k - i];
  }
}

void dequantize(const uint8_t* x, int64_t n, float scale, int32_t zero, uint8_t flip, float* y) {
  const D d;
  const DF df;
  const V z = hn::Set(d, zero), sign = hn::Set(d, flip);
  const auto s = hn::Set(df, scale);
  whole_vectors(x, x, n, y, [&](const uint8_t* from, const uint8_t*, float* to) HWY_ATTR {
    for (int64_t j = 0; j < kBytes; j += kLanes) {
      hn::StoreU(hn::Mul(hn::ConvertTo(df, hn::Sub(hn::Xor(words_of(from + j), sign), z)), s), df, to + j);
    }
  });
}

void find_range(const float* x, int64_t n, float& low, float& high) {
  const DF df;
  auto lows = hn::Set(df, low), highs = hn::Set(df, high);
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const auto v = hn::LoadU(df, x + i);
    lows = hn::IfThenElse(hn::Lt(v, lows), v, lows);
    highs = hn::IfThenElse(hn::Gt(v, highs), v, highs);
  }
  low = hn::GetLane(hn::MinOfLanes(df, lows));
  high = hn::GetLane(hn::MaxOfLanes(df, highs));
  for (; i < n; ++i) {
    if (x[i] < low) low = x[i];
    if (x[i] > high) high = x[i];
  }
}

void add(const AddBytes& add, const uint8_t* x, const uint8_t* y, int64_t n, uint8_t* to) {
  const D d;
  const V a = hn::Set(d, add.a), b = hn::Set(d, add.b), offset = hn::Set(d, add.offset);
  const V mask = hn::Set(d, static_cast<int32_t>((uint32_t{1} << add.shift) - 1));
  const V half = hn::Set(d, static_cast<int32_t>(((uint32_t{1} << add.shift) - 1) >> 1));
  Int8Result r;
  r.zero = add.zero;
  r.low = add.low;
  r.high = add.high;
  whole_vectors(x, y, n, to, [&](const uint8_t* p, const uint8_t* q, uint8_t* out) HWY_ATTR {
    const auto sum = [&](int j) HWY_ATTR {
      const V s = hn::Add(hn::Add(hn::Mul(words_of(p + j * kLanes), a), offset), hn::Mul(words_of(q + j * kLanes), b));
      // The remainder, less one for a negative sum.
      const V rest = hn::Add(hn::And(s, mask), hn::ShiftRight<31>(s));
      return hn::Sub(hn::ShiftRightSame(s, add.shift), hn::VecFromMask(d, hn::Gt(rest, half)));
    };
    hn::StoreU(bytes_of(sum(0), sum(1), sum(2), sum(3), r), D8(), out);
  });
}

void multiply(const MultiplyBytes& m, const uint8_t* x, const uint8_t* y, int64_t n, uint8_t* to) {
  const D d;
  const DF df;
  const V xz = hn::Set(d, m.x_zero), yz = hn::Set(d, m.y_zero), sign = hn::Set(d, m.flip);
  const auto scale = hn::Set(df, m.scale);
  Int8Result r;
  r.zero = m.zero;
  r.low = m.low;
  r.high = m.high;
  r.flip = m.flip;
  whole_vectors(x, y, n, to, [&](const uint8_t* p, const uint8_t* q, uint8_t* out) HWY_ATTR {
    const auto product = [&](int j) HWY_ATTR {
      const V u = hn::Sub(hn::Xor(words_of(p + j * kLanes), sign), xz);
      const V v = hn::Sub(hn::Xor(words_of(q + j * kLanes), sign), yz);
      return scaled(hn::Mul(u, v), scale);
    };
    hn::StoreU(bytes_of(product(0), product(1), product(2), product(3), r), D8(), out);
  });
}

void max_into(const uint8_t* x, int64_t n, uint8_t* into) {
  const D8 d8;
  int64_t i = 0;
  for (; i + kBytes <= n; i += kBytes) {
    hn::StoreU(hn::Max(hn::LoadU(d8, x + i), hn::LoadU(d8, into + i)), d8, into + i);
  }
  for (; i < n; ++i) into[i] = std::max(into[i], x[i]);
}

void sum_into(const uint8_t* x, int64_t n, int32_t* into) {
  const D d;
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) hn::StoreU(hn::Add(hn::LoadU(d, into + i), words_of(x + i)), d, into + i);
  for (; i < n; ++i) into[i] += x[i];
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wick::kernels {

HWY_EXPORT(quantize);
HWY_EXPORT(quantize_3);
HWY_EXPORT(dequantize);
HWY_EXPORT(find_range);
HWY_EXPORT(add);
HWY_EXPORT(multiply);
HWY_EXPORT(max_into);
HWY_EXPORT(sum_into);

void quantize_bytes(const Quantize& q, const float* x, int64_t n, uint8_t* y) {
  HWY_DYNAMIC_DISPATCH(quantize)(q, x, n, y);
}
void quantize_pixels(const Quantize& q, const float* x, int64_t plane, int64_t n, uint8_t* y) {
  HWY_DYNAMIC_DISPATCH(quantize_3)(q, x, plane, n, y);
}
void dequantize_bytes(const uint8_t* x, int64_t n, float scale, int32_t zero, uint8_t flip, float* y) {
  HWY_DYNAMIC_DISPATCH(dequantize)(x, n, scale, zero, flip, y);
}
void range_of(const float* x, int64_t n, float& low, float& high) { HWY_DYNAMIC_DISPATCH(find_range)(x, n, low, high); }
void add_bytes(const AddBytes& a, const uint8_t* x, const uint8_t* y, int64_t n, uint8_t* to) {
  HWY_DYNAMIC_DISPATCH(add)(a, x, y, n, to);
}
void multiply_bytes(const MultiplyBytes& m, const uint8_t* x, const uint8_t* y, int64_t n, uint8_t* to) {
  HWY_DYNAMIC_DISPATCH(multiply)(m, x, y, n, to);
}
void max_bytes(const uint8_t* x, int64_t n, uint8_t* into) { HWY_DYNAMIC_DISPATCH(max_into)(x, n, into); }
void sum_bytes(const uint8_t* x, int64_t n, int32_t* into) { HWY_DYNAMIC_DISPATCH(sum_into)(x, n, into); }

void look_up_bytes(const uint8_t (&table)[256], const uint8_t* x, int64_t n, uint8_t* y) {
  for (int64_t i = 0; i < n; ++i) y[i] = table[x[i]];
}

}  // namespace wick::kernels
#endif
