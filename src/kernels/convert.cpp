// Conversions between float, the 16-bit floats and integers, vectorized for each instruction set.
#include "kernels/cpu.h"

#include <cstring>
#include <limits>

#include "kernels/rounding.h"
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/convert.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace wick::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;
using DU = hn::RebindToUnsigned<D>;
using VU = hn::Vec<DU>;
using Halves = hn::Rebind<uint16_t, D>;

using DI = hn::RebindToSigned<D>;

// out[i] = op(x[i]), vectors of as many elements as a vector of floats has; `op` loads from and stores to memory.
template <class From, class To, class Op>
HWY_INLINE void convert_all(const From* x, To* out, int64_t n, const Op& op) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(D()));
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) op(x + i, out + i);
  if (i == n) return;
  HWY_ALIGN From in[hn::MaxLanes(D())] = {};
  HWY_ALIGN To rest[hn::MaxLanes(D())];
  std::memcpy(in, x + i, static_cast<size_t>(n - i) * sizeof(From));
  op(in, rest);
  std::memcpy(out + i, rest, static_cast<size_t>(n - i) * sizeof(To));
}

// Every 64-bit ARM has instructions for it, Intel's come with AVX2; elsewhere integer arithmetic does it.
#if HWY_ARCH_ARM_A64
HWY_INLINE V load_half(const uint16_t* x) { return V(vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(x)))); }
HWY_INLINE void store_half(V v, uint16_t* out) { vst1_u16(out, vreinterpret_u16_f16(vcvt_f16_f32(v.raw))); }
HWY_INLINE V half_of(V v) { return V(vcvt_f32_f16(vcvt_f16_f32(v.raw))); }
#elif HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
HWY_INLINE V load_half(const uint16_t* x) {
  const D d;
  const hn::Rebind<hwy::float16_t, D> h;
  return hn::PromoteTo(d, hn::LoadU(h, reinterpret_cast<const hwy::float16_t*>(x)));
}
HWY_INLINE void store_half(V v, uint16_t* out) {
  const hn::Rebind<hwy::float16_t, D> h;
  hn::StoreU(hn::DemoteTo(h, v), h, reinterpret_cast<hwy::float16_t*>(out));
}
HWY_INLINE V half_of(V v) {
  const hn::Rebind<hwy::float16_t, D> h;
  return hn::PromoteTo(D(), hn::DemoteTo(h, v));
}
#else
HWY_INLINE V widen_half(D d, VU h) {
  const DU u;
  const VU magnitude = hn::And(h, hn::Set(u, 0x7fff));
  // The bits in place have an exponent that is 112 too small; multiplying also normalizes subnormals.
  const V value = hn::Mul(hn::BitCast(d, hn::ShiftLeft<13>(magnitude)), hn::Set(d, 5.192296858534828e33f));
  const VU special = hn::IfThenElseZero(hn::Gt(magnitude, hn::Set(u, 0x7bff)), hn::Set(u, 0x7f800000));
  const VU sign = hn::ShiftLeft<16>(hn::And(h, hn::Set(u, 0x8000)));
  return hn::BitCast(d, hn::Or(hn::Or(hn::BitCast(u, value), special), sign));
}

HWY_INLINE VU narrow_half(D d, V x) {
  const DU u;
  const V a = hn::Abs(x);
  const VU bits = hn::BitCast(u, a);
  // Normal: the exponent rebased and 13 bits rounded away.
  const VU odd = hn::And(hn::ShiftRight<13>(bits), hn::Set(u, 1));
  const VU normal = hn::ShiftRight<13>(hn::Add(hn::Sub(bits, hn::Set(u, 112u << 23)), hn::Add(hn::Set(u, 0xfff), odd)));
  // Subnormal: adding 0.5 leaves the rounded result in the low bits.
  const VU small = hn::Sub(hn::BitCast(u, hn::Add(a, hn::Set(d, 0.5f))), hn::Set(u, 0x3f000000));
  const auto is_small = hn::RebindMask(u, hn::Lt(a, hn::Set(d, 6.103515625e-05f)));
  const auto is_large = hn::RebindMask(u, hn::Ge(a, hn::Set(d, 65520.0f)));
  VU result = hn::IfThenElse(is_small, small, normal);
  result = hn::IfThenElse(is_large, hn::Set(u, 0x7c00), result);
  result = hn::IfThenElse(hn::RebindMask(u, hn::IsNaN(x)), hn::Set(u, 0x7e00), result);
  const VU sign = hn::And(hn::ShiftRight<16>(hn::BitCast(u, x)), hn::Set(u, 0x8000));
  return hn::Or(result, sign);
}
HWY_INLINE V load_half(const uint16_t* x) { return widen_half(D(), hn::PromoteTo(DU(), hn::LoadU(Halves(), x))); }
HWY_INLINE void store_half(V v, uint16_t* out) {
  hn::StoreU(hn::DemoteTo(Halves(), hn::BitCast(DI(), narrow_half(D(), v))), Halves(), out);
}
HWY_INLINE V half_of(V v) { return widen_half(D(), narrow_half(D(), v)); }
#endif

void from_half(const uint16_t* x, float* out, int64_t n) {
#if HWY_ARCH_ARM_A64
  for (; n >= 16; n -= 16, x += 16, out += 16) {
    const float16x8_t low = vreinterpretq_f16_u16(vld1q_u16(x)), high = vreinterpretq_f16_u16(vld1q_u16(x + 8));
    vst1q_f32(out, vcvt_f32_f16(vget_low_f16(low)));
    vst1q_f32(out + 4, vcvt_high_f32_f16(low));
    vst1q_f32(out + 8, vcvt_f32_f16(vget_low_f16(high)));
    vst1q_f32(out + 12, vcvt_high_f32_f16(high));
  }
#endif
  convert_all(x, out, n, [](const uint16_t* from, float* to) HWY_ATTR { hn::StoreU(load_half(from), D(), to); });
}
void to_half(const float* x, uint16_t* out, int64_t n) {
#if HWY_ARCH_ARM_A64
  for (; n >= 16; n -= 16, x += 16, out += 16) {
    const float16x8_t low = vcvt_high_f16_f32(vcvt_f16_f32(vld1q_f32(x)), vld1q_f32(x + 4));
    const float16x8_t high = vcvt_high_f16_f32(vcvt_f16_f32(vld1q_f32(x + 8)), vld1q_f32(x + 12));
    vst1q_u16(out, vreinterpretq_u16_f16(low));
    vst1q_u16(out + 8, vreinterpretq_u16_f16(high));
  }
#endif
  convert_all(x, out, n, [](const float* from, uint16_t* to) HWY_ATTR { store_half(hn::LoadU(D(), from), to); });
}

void from_bfloat16(const uint16_t* x, float* out, int64_t n) {
  convert_all(x, out, n, [](const uint16_t* from, float* to) HWY_ATTR {
    const VU bits = hn::ShiftLeft<16>(hn::PromoteTo(DU(), hn::LoadU(Halves(), from)));
    hn::StoreU(hn::BitCast(D(), bits), D(), to);
  });
}
// What is nearest to v in bfloat16, in the lower bits of each lane.
HWY_INLINE VU bfloat16_of(V v) {
  const DU u;
  const VU bits = hn::BitCast(u, v);
  const VU odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(u, 1));
  const VU rounded = hn::ShiftRight<16>(hn::Add(bits, hn::Add(odd, hn::Set(u, 0x7fff))));
  return hn::IfThenElse(hn::RebindMask(u, hn::IsNaN(v)), hn::Set(u, 0x7fc0), rounded);
}
void to_bfloat16(const float* x, uint16_t* out, int64_t n) {
  convert_all(x, out, n, [](const float* from, uint16_t* to) HWY_ATTR {
    const VU result = bfloat16_of(hn::LoadU(D(), from));
    hn::StoreU(hn::DemoteTo(Halves(), hn::BitCast(DI(), result)), Halves(), to);
  });
}

// Four vectors in each turn, which are not one after the other.
template <class Op>
HWY_INLINE void round_all(const float* x, float* out, int64_t n, const Op& op) {
  const D d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  for (; n >= 4 * lanes; n -= 4 * lanes, x += 4 * lanes, out += 4 * lanes) {
    const V a = op(hn::LoadU(d, x)), b = op(hn::LoadU(d, x + lanes));
    const V e = op(hn::LoadU(d, x + 2 * lanes)), f = op(hn::LoadU(d, x + 3 * lanes));
    hn::StoreU(a, d, out);
    hn::StoreU(b, d, out + lanes);
    hn::StoreU(e, d, out + 2 * lanes);
    hn::StoreU(f, d, out + 3 * lanes);
  }
  convert_all(x, out, n,
              [&op](const float* from, float* to) HWY_ATTR { hn::StoreU(op(hn::LoadU(D(), from)), D(), to); });
}
void through_half(const float* x, float* out, int64_t n) {
  round_all(x, out, n, [](V v) HWY_ATTR { return half_of(v); });
}
void through_bfloat16(const float* x, float* out, int64_t n) {
  round_all(x, out, n, [](V v) HWY_ATTR { return hn::BitCast(D(), hn::ShiftLeft<16>(bfloat16_of(v))); });
}

// One vector to integers. Numbers that int32 cannot hold are rare: their vector goes element by element.
template <class To, class Wide, class Op>
HWY_INLINE void float_to_int(const float* x, To* out, int64_t n, const Op& store) {
  convert_all(x, out, n, [&store](const float* from, To* to) HWY_ATTR {
    const D d;
    const V v = hn::LoadU(d, from);
    if (HWY_LIKELY(hn::AllTrue(d, hn::Lt(hn::Abs(v), hn::Set(d, 2147483648.0f))))) {
      return store(hn::ConvertTo(DI(), v), to);
    }
    for (size_t i = 0; i < hn::Lanes(d); ++i) {
      const float f = from[i];
      constexpr float kLow = static_cast<float>(std::numeric_limits<Wide>::min());
      to[i] = static_cast<To>(f >= kLow && f < -kLow ? static_cast<Wide>(f) : std::numeric_limits<Wide>::min());
    }
  });
}
using VI = hn::Vec<DI>;
void to_int32(const float* x, int32_t* out, int64_t n) {
  float_to_int<int32_t, int32_t>(x, out, n, [](VI v, int32_t* to) HWY_ATTR { hn::StoreU(v, DI(), to); });
}
void to_int64(const float* x, int64_t* out, int64_t n) {
  float_to_int<int64_t, int64_t>(x, out, n, [](VI v, int64_t* to) HWY_ATTR {
    const hn::Repartition<int64_t, DI> wide;
    const hn::Half<DI> half;
    hn::StoreU(hn::PromoteTo(wide, hn::LowerHalf(half, v)), wide, to);
    hn::StoreU(hn::PromoteTo(wide, hn::UpperHalf(half, v)), wide, to + hn::Lanes(wide));
  });
}
HWY_INLINE void store_bytes(VI v, uint8_t* to) {
  const hn::Rebind<uint8_t, DI> bytes;
  hn::StoreU(hn::DemoteTo(bytes, hn::And(v, hn::Set(DI(), 0xff))), bytes, to);
}
void to_int8(const float* x, int8_t* out, int64_t n) {
  float_to_int<uint8_t, int32_t>(x, reinterpret_cast<uint8_t*>(out), n,
                                 [](VI v, uint8_t* to) HWY_ATTR { store_bytes(v, to); });
}
void to_uint8(const float* x, uint8_t* out, int64_t n) {
  float_to_int<uint8_t, int64_t>(x, out, n, [](VI v, uint8_t* to) HWY_ATTR { store_bytes(v, to); });
}

}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wick::kernels {

HWY_EXPORT(from_half);
HWY_EXPORT(to_half);
HWY_EXPORT(from_bfloat16);
HWY_EXPORT(to_bfloat16);
HWY_EXPORT(through_half);
HWY_EXPORT(through_bfloat16);
HWY_EXPORT(to_int64);
HWY_EXPORT(to_int32);
HWY_EXPORT(to_int8);
HWY_EXPORT(to_uint8);
void half_to_float(const uint16_t* x, float* out, int64_t n) { HWY_DYNAMIC_DISPATCH(from_half)(x, out, n); }
void float_to_half(const float* x, uint16_t* out, int64_t n) { HWY_DYNAMIC_DISPATCH(to_half)(x, out, n); }
void bfloat16_to_float(const uint16_t* x, float* out, int64_t n) { HWY_DYNAMIC_DISPATCH(from_bfloat16)(x, out, n); }
void float_to_bfloat16(const float* x, uint16_t* out, int64_t n) { HWY_DYNAMIC_DISPATCH(to_bfloat16)(x, out, n); }
void round_to_half(const float* x, float* out, int64_t n) { HWY_DYNAMIC_DISPATCH(through_half)(x, out, n); }
void round_to_bfloat16(const float* x, float* out, int64_t n) { HWY_DYNAMIC_DISPATCH(through_bfloat16)(x, out, n); }
void float_to_int64(const float* x, int64_t* out, int64_t n) { HWY_DYNAMIC_DISPATCH(to_int64)(x, out, n); }
void float_to_int32(const float* x, int32_t* out, int64_t n) { HWY_DYNAMIC_DISPATCH(to_int32)(x, out, n); }
void float_to_int8(const float* x, int8_t* out, int64_t n) { HWY_DYNAMIC_DISPATCH(to_int8)(x, out, n); }
void float_to_uint8(const float* x, uint8_t* out, int64_t n) { HWY_DYNAMIC_DISPATCH(to_uint8)(x, out, n); }

}  // namespace wick::kernels
#endif
