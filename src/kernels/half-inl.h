// Per-target code: vectors of float16 on 64-bit ARM with FEAT_FP16, in Highway's names, so that kernels over an element
// type are written once. Include after highway.h and before those kernels, in files that are compiled for FEAT_FP16.
#if defined(WICK_HALF_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WICK_HALF_INL_H
#undef WICK_HALF_INL_H
#else
#define WICK_HALF_INL_H
#endif

#include <arm_neon.h>

#include <cstring>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace hwy {
namespace HWY_NAMESPACE {

struct HalfVec {
  float16x8_t raw;
};
struct HalfTag {
  using T = __fp16;
  using Half = HalfTag;
};
struct HalfMask {
  size_t count;  // of the first lanes
};

HWY_INLINE HalfVec Zero(HalfTag) { return {vdupq_n_f16(0)}; }
HWY_INLINE HalfVec Set(HalfTag, float v) { return {vdupq_n_f16(static_cast<__fp16>(v))}; }
HWY_INLINE HalfVec LoadU(HalfTag, const __fp16* p) { return {vld1q_f16(p)}; }
HWY_INLINE HalfVec Load(HalfTag, const __fp16* p) { return {vld1q_f16(p)}; }
HWY_INLINE void StoreU(HalfVec v, HalfTag, __fp16* p) { vst1q_f16(p, v.raw); }
HWY_INLINE void Store(HalfVec v, HalfTag, __fp16* p) { vst1q_f16(p, v.raw); }
HWY_INLINE HalfVec Add(HalfVec a, HalfVec b) { return {vaddq_f16(a.raw, b.raw)}; }
HWY_INLINE HalfVec Sub(HalfVec a, HalfVec b) { return {vsubq_f16(a.raw, b.raw)}; }
HWY_INLINE HalfVec Mul(HalfVec a, HalfVec b) { return {vmulq_f16(a.raw, b.raw)}; }
HWY_INLINE HalfVec MulAdd(HalfVec a, HalfVec b, HalfVec sum) { return {vfmaq_f16(sum.raw, a.raw, b.raw)}; }
HWY_INLINE HalfVec NegMulAdd(HalfVec a, HalfVec b, HalfVec sum) { return {vfmsq_f16(sum.raw, a.raw, b.raw)}; }

HWY_INLINE HalfMask FirstN(HalfTag, size_t count) { return {count}; }
HWY_INLINE HalfVec MaskedLoad(HalfMask mask, HalfTag d, const __fp16* p) {
  __fp16 edge[8] = {};
  std::memcpy(edge, p, mask.count * sizeof(__fp16));
  return LoadU(d, edge);
}
HWY_INLINE void BlendedStore(HalfVec v, HalfMask mask, HalfTag d, __fp16* p) {
  __fp16 edge[8];
  StoreU(v, d, edge);
  std::memcpy(p, edge, mask.count * sizeof(__fp16));
}

HWY_INLINE HalfVec ConcatEven(HalfTag, HalfVec high, HalfVec low) { return {vuzp1q_f16(low.raw, high.raw)}; }
HWY_INLINE HalfVec ConcatOdd(HalfTag, HalfVec high, HalfVec low) { return {vuzp2q_f16(low.raw, high.raw)}; }
// Kernels that take half a vector are for other targets.
HWY_INLINE HalfVec LowerHalf(HalfTag, HalfVec v) { return v; }

// As floats, the lower lanes and the upper ones, and back.
HWY_INLINE Vec128<float> WidenLower(HalfVec v) { return Vec128<float>(vcvt_f32_f16(vget_low_f16(v.raw))); }
HWY_INLINE Vec128<float> WidenUpper(HalfVec v) { return Vec128<float>(vcvt_high_f32_f16(v.raw)); }
HWY_INLINE HalfVec Narrow(Vec128<float> lower, Vec128<float> upper) {
  return {vcvt_high_f16_f32(vcvt_f16_f32(lower.raw), upper.raw)};
}

}  // namespace HWY_NAMESPACE
}  // namespace hwy
HWY_AFTER_NAMESPACE();

#endif
