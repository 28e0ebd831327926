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
// 1 / (1 + exp(-v)), within 3 units in the last place; below -87 it is 0.
template <class D, class V>
HWY_INLINE V quick_sigmoid(D d, V v) {
  const hn::RebindToUnsigned<D> du;
  const V one = hn::Set(d, 1.0f), bounded = clamp_to(hn::Set(d, -88.0f), hn::Set(d, 87.3f), v);
  // exp(-v) = 2^n exp(-u): adding 1.5 * 2^23 rounds to an integer, whose low bits then are those of the sum.
  const V magic = hn::Set(d, 12582912.0f);
  const V shifted = hn::MulAdd(bounded, hn::Set(d, -1.44269504f), magic), n = hn::Sub(shifted, magic);
  const V u = hn::MulAdd(n, hn::Set(d, -2.12194440e-4f), hn::MulAdd(n, hn::Set(d, 0.693359375f), bounded));
  // Fitted to (exp(-u) - 1 + u) / u^2 for |u| <= ln 2 / 2, within 4e-9.
  const V tail = horner(d, u, hn::Set(d, 1.381459823e-03f), -8.368717086e-03f, 4.166838807e-02f, -1.666652063e-01f,
                        4.999999345e-01f);
  const V p = hn::MulAdd(hn::Mul(u, u), tail, hn::Sub(one, u));
  const V e = hn::BitCast(d, hn::Add(hn::BitCast(du, p), hn::ShiftLeft<23>(hn::BitCast(du, shifted))));
  return reciprocal_of(d, hn::Add(one, e));
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

// Calls f with the activation as a constant, so that its loop has no choices.
template <Activation kActivation>
struct ActivationConstant {
  static constexpr Activation value = kActivation;
};
template <Activation kActivation, class F>
HWY_INLINE void with_selected(F&& f) {
  if constexpr (has_activation(kActivation)) f(ActivationConstant<kActivation>());
}
template <class F>
HWY_INLINE void with_activation(Activation activation, F&& f) {
  switch (activation) {
    case Activation::kNone:
      return f(ActivationConstant<Activation::kNone>());
    case Activation::kHardSwish:
      return with_selected<Activation::kHardSwish>(f);
    case Activation::kHardSigmoid:
      return with_selected<Activation::kHardSigmoid>(f);
    case Activation::kSilu:
      return with_selected<Activation::kSilu>(f);
    case Activation::kSigmoid:
      return with_selected<Activation::kSigmoid>(f);
    case Activation::kTanh:
      return with_selected<Activation::kTanh>(f);
    case Activation::kGelu:
      return with_selected<Activation::kGelu>(f);
    case Activation::kGeluTanh:
      return with_selected<Activation::kGeluTanh>(f);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();

#endif
