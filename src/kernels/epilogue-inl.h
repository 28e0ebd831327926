// Activations of float vectors as epilogue.h names them; included once per instruction set.
#if defined(WICK_KERNELS_EPILOGUE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WICK_KERNELS_EPILOGUE_INL_H_
#undef WICK_KERNELS_EPILOGUE_INL_H_
#else
#define WICK_KERNELS_EPILOGUE_INL_H_
#endif

#include "kernels/epilogue.h"
#include "kernels/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace wick::kernels {
namespace HWY_NAMESPACE {

// NaN stays NaN. The value comes second: x86 gives the second operand when either is NaN. Highway's Min and Max on NEON
// would give the number instead.
#if HWY_TARGET == HWY_NEON && HWY_ARCH_ARM_A64
HWY_INLINE float32x4_t limit(float32x4_t low, float32x4_t high, float32x4_t v) {
  return vminq_f32(high, vmaxq_f32(low, v));
}
HWY_INLINE float64x2_t limit(float64x2_t low, float64x2_t high, float64x2_t v) {
  return vminq_f64(high, vmaxq_f64(low, v));
}
template <class V>
HWY_INLINE V clamp_to(V low, V high, V v) {
  return V(limit(low.raw, high.raw, v.raw));
}
#elif HWY_TARGET == HWY_NEON
template <class V>
HWY_INLINE V clamp_to(V low, V high, V v) {
  const V raised = hn::IfThenElse(hn::Lt(v, low), low, v);
  return hn::IfThenElse(hn::Lt(high, raised), high, raised);
}
#else
template <class V>
HWY_INLINE V clamp_to(V low, V high, V v) {
  return hn::Min(high, hn::Max(low, v));
}
#endif

template <class D, class V>
HWY_INLINE V relu6_shifted(D d, V v) {
  return clamp_to(hn::Zero(d), hn::Set(d, 6.0f), hn::Add(v, hn::Set(d, 3.0f)));
}

// 1 / v for v >= 1, within 2 units in the last place.
template <class D, class V>
HWY_INLINE V reciprocal_of(D d, V v) {
#if HWY_TARGET == HWY_NEON
  return hn::Div(hn::Set(d, 1.0f), v);
#else
  const V r = hn::ApproximateReciprocal(v);
  return hn::Mul(r, hn::NegMulAdd(v, r, hn::Set(d, 2.0f)));
#endif
}
// 1 / (1 + exp(-v)); below -87 it is 0.
template <class D, class V>
HWY_INLINE V quick_sigmoid(D d, V v) {
  const V bounded = clamp_to(hn::Set(d, -87.3f), hn::Set(d, 88.0f), hn::Neg(v));
  hn::Vec<hn::RebindToSigned<D>> n;
  const V one = hn::Set(d, 1.0f), p = hn::Add(reduced_expm1(d, bounded, n), one);
  return reciprocal_of(d, hn::MulAdd(p, power_of_two(d, n), one));
}

template <class D, class V>
HWY_INLINE V activate(D d, Activation activation, V v) {
  switch (activation) {
    case Activation::kHardSwish:
      return hn::Mul(v, hn::Mul(relu6_shifted(d, v), hn::Set(d, 1.0f / 6)));
    case Activation::kHardSigmoid:
      return hn::Mul(relu6_shifted(d, v), hn::Set(d, 1.0f / 6));
    case Activation::kSilu:
      return hn::Mul(v, quick_sigmoid(d, v));
    case Activation::kSigmoid:
      return quick_sigmoid(d, v);
    case Activation::kTanh:
      return tanh_of(d, v);
    case Activation::kGelu: {
      const V half = hn::Mul(v, hn::Set(d, 0.5f));
      return hn::MulAdd(half, erf_of(d, hn::Mul(v, hn::Set(d, 0.70710678f))), half);
    }
    case Activation::kGeluTanh: {
      const V half = hn::Mul(v, hn::Set(d, 0.5f)), cube = hn::Mul(hn::Mul(v, v), v);
      const V inner = hn::MulAdd(cube, hn::Set(d, 0.044715f), v);
      return hn::MulAdd(half, tanh_of(d, hn::Mul(inner, hn::Set(d, 0.79788456f))), half);
    }
    case Activation::kNone:
      break;
  }
  return v;
}

}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();

#endif
