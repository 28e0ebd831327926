// Activations of float vectors as epilogue.h names them; included once per instruction set.
#if defined(WICK_KERNELS_EPILOGUE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WICK_KERNELS_EPILOGUE_INL_H_
#undef WICK_KERNELS_EPILOGUE_INL_H_
#else
#define WICK_KERNELS_EPILOGUE_INL_H_
#endif

#include <type_traits>

#include "kernels/epilogue.h"
#include "kernels/math-inl.h"
#include "kernels/tag-inl.h"

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
#ifdef WICK_HALF_TYPE
HWY_INLINE float16x8_t limit(float16x8_t low, float16x8_t high, float16x8_t v) {
  return vminq_f16(high, vmaxq_f16(low, v));
}
#endif
template <class V>
HWY_INLINE V clamp_to(V low, V high, V v) {
  return V{limit(low.raw, high.raw, v.raw)};
}
// Either bound alone.
HWY_INLINE float32x4_t larger(float32x4_t a, float32x4_t b) { return vmaxq_f32(a, b); }
HWY_INLINE float32x4_t smaller(float32x4_t a, float32x4_t b) { return vminq_f32(a, b); }
HWY_INLINE float64x2_t larger(float64x2_t a, float64x2_t b) { return vmaxq_f64(a, b); }
HWY_INLINE float64x2_t smaller(float64x2_t a, float64x2_t b) { return vminq_f64(a, b); }
#ifdef WICK_HALF_TYPE
HWY_INLINE float16x8_t larger(float16x8_t a, float16x8_t b) { return vmaxq_f16(a, b); }
HWY_INLINE float16x8_t smaller(float16x8_t a, float16x8_t b) { return vminq_f16(a, b); }
#endif
template <class V>
HWY_INLINE V at_least(V low, V v) {
  return V{larger(low.raw, v.raw)};
}
template <class V>
HWY_INLINE V at_most(V high, V v) {
  return V{smaller(high.raw, v.raw)};
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

template <class D, class V>
HWY_INLINE V hardswish_of(D d, V v) {
#if HWY_TARGET <= HWY_AVX3
  // Both bounds in one instruction: min(|v|, 3) with the sign of v. A NaN comes back by the last factor.
  if constexpr (sizeof(V) == 64) {
    const V bounded{_mm512_range_ps(v.raw, hn::Set(d, 3.0f).raw, 2)};
    return hn::Mul(hn::Add(bounded, hn::Set(d, 3.0f)), hn::Mul(v, hn::Set(d, 1.0f / 6)));
  }
#endif
  return hn::Mul(v, hn::Mul(relu6_shifted(d, v), hn::Set(d, 1.0f / 6)));
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
// v within what exp(-v) has buffer for. Where NaN does not have to stay: what is made of it is multiplied by it.
constexpr float kLeastOfSigmoid = HWY_TARGET == HWY_NEON ? -88.4f : -88.0f;
template <class D, class V>
HWY_INLINE V bounded_or_nan(D d, V v) {
  return clamp_to(hn::Set(d, kLeastOfSigmoid), hn::Set(d, 87.3f), v);
}
template <class D, class V>
HWY_INLINE V bounded(D d, V v) {
#if HWY_TARGET <= HWY_AVX3
  // The smaller of two absolute values, with the first sign.
  if constexpr (sizeof(V) == 64) return V{_mm512_range_ps(v.raw, hn::Set(d, 88.0f).raw, 2)};
#endif
  return bounded_or_nan(d, v);
}
// exp(-v) of a bounded v; 1 and that are within 2 units in the last place.
template <class D, class V>
HWY_INLINE V exp_of_negated(D d, V v) {
#if HWY_TARGET == HWY_NEON && HWY_ARCH_ARM_A64
  // exp(-v) = 2^n 2^-s, where n is rounded and becomes an exponent by an instruction each. The polynomial is that of
  // AVX-512 below.
  const V whole = hn::Round(hn::Mul(v, hn::Set(d, -1.44269502f)));
  const V s = hn::MulAdd(v, hn::Set(d, 1.92596303e-8f), hn::MulAdd(v, hn::Set(d, 1.44269502f), whole));
  const V power =
      horner(d, s, hn::Set(d, -1.32647e-3f), 9.67151e-3f, -5.550734e-2f, 2.4022242e-1f, -6.9314698e-1f, 1.0f);
  return V{vreinterpretq_f32_s32(vaddq_s32(vreinterpretq_s32_f32(power.raw), vcvtq_n_s32_f32(whole.raw, 23)))};
#else
  // Adding 1.5 * 2^23 rounds to an integer, whose low bits then are those of the sum.
  const V magic = hn::Set(d, 12582912.0f);
  const V shifted = hn::MulAdd(v, hn::Set(d, -1.44269504f), magic), n = hn::Sub(shifted, magic);
#if HWY_TARGET <= HWY_AVX3
  if constexpr (sizeof(V) == 64) {
    // exp(-v) = 2^n 2^r, which is an instruction for the first. The polynomial was fitted to 2^r for |r| <= 1/2, within
    // 1e-7.
    const V r = hn::MulAdd(v, hn::Set(d, -1.92596303e-8f), hn::MulSub(v, hn::Set(d, -1.44269502f), n));
    const V p = horner(d, r, hn::Set(d, 1.32647e-3f), 9.67151e-3f, 5.550734e-2f, 2.4022242e-1f, 6.9314698e-1f, 1.0f);
    return V{_mm512_scalef_ps(p.raw, n.raw)};
  }
#endif
  // exp(-v) = 2^n exp(-u).
  const hn::RebindToUnsigned<D> du;
  const V u = hn::MulAdd(n, hn::Set(d, -2.12194440e-4f), hn::MulAdd(n, hn::Set(d, 0.693359375f), v));
  // Fitted to (exp(-u) - 1 + u) / u^2 for |u| <= ln 2 / 2, within 4e-9; in pairs, which is the shorter chain.
  const V z = hn::Mul(u, u);
  const V low = hn::MulAdd(u, hn::Set(d, -1.666652063e-01f), hn::Set(d, 4.999999345e-01f));
  const V high = hn::MulAdd(u, hn::Set(d, -8.368717086e-03f), hn::Set(d, 4.166838807e-02f));
  const V tail = hn::MulAdd(hn::MulAdd(z, hn::Set(d, 1.381459823e-03f), high), z, low);
  const V p = hn::MulAdd(z, tail, hn::Sub(hn::Set(d, 1.0f), u));
  return hn::BitCast(d, hn::Add(hn::BitCast(du, p), hn::ShiftLeft<23>(hn::BitCast(du, shifted))));
#endif
}
// 1 / (1 + exp(-v)) of a bounded v, within 3 units in the last place; below -87 it is 0.
template <class D, class V>
HWY_INLINE V quick_sigmoid(D d, V v) {
  return reciprocal_of(d, hn::Add(hn::Set(d, 1.0f), exp_of_negated(d, v)));
}
// x times that.
template <class D, class V>
HWY_INLINE V times_sigmoid(D d, V x, V v) {
#if HWY_TARGET == HWY_NEON
  // Twice the divisor is infinite for the least v, so that no x is too large for what is almost 0.
  const V two = hn::Set(d, 2.0f), half = hn::Div(x, hn::MulAdd(exp_of_negated(d, v), two, two));
  return hn::Add(half, half);
#else
  const V sigmoid = quick_sigmoid(d, v);
#if HWY_TARGET <= HWY_AVX3
  // Others have 0 for the least v; here it is a denormal number, which is not small enough for every x.
  if constexpr (sizeof(V) == 64) {
    return hn::Mul(x, hn::IfThenElseZero(hn::Gt(v, hn::Set(d, kLeastOfSigmoid)), sigmoid));
  }
#endif
  return hn::Mul(x, sigmoid);
#endif
}

// (1 + erf(v / sqrt 2)) / 2, the normal distribution, within 1.3e-7; 0 and 1 beyond 5.4.
template <class D, class V>
HWY_INLINE V quick_normal(D d, V v) {
  const V bounded = clamp_to(hn::Set(d, -5.4f), hn::Set(d, 5.4f), v);
  // Fitted to (f(v) - 1/2) / v in s = 2 v^2 / 5.4^2 - 1.
  const V s = hn::MulAdd(hn::Mul(bounded, bounded), hn::Set(d, 0.0685871056f), hn::Set(d, -1.0f));
  // Even and odd powers side by side: half the chain.
  const V z = hn::Mul(s, s);
  const V even = horner(d, z, hn::Set(d, 3.92858579e-4f), 8.74934427e-4f, 3.65892146e-3f, 9.65119619e-3f,
                        1.96451433e-2f, 3.21165957e-2f, 4.84995916e-2f, 1.30928114e-1f);
  const V odd = horner(d, z, hn::Set(d, -1.02836906e-3f), -1.18640950e-3f, -6.71533914e-3f, -1.39633194e-2f,
                       -2.57464573e-2f, -3.92068140e-2f, -6.53280541e-2f);
  const V p = hn::MulAdd(odd, s, even);
  // What is just below 0 at the end would be multiplied by any v.
  return hn::Max(hn::Zero(d), hn::MulAdd(bounded, p, hn::Set(d, 0.5f)));
}

template <class D, class V>
HWY_INLINE V activate_numbers(D d, Activation activation, V v) {
  switch (activation) {
    case Activation::kHardSwish:
      return hardswish_of(d, v);
    case Activation::kHardSigmoid:
      return hn::Mul(relu6_shifted(d, v), hn::Set(d, 1.0f / 6));
    case Activation::kSilu:
      return times_sigmoid(d, v, bounded(d, v));
    case Activation::kSigmoid:
      return quick_sigmoid(d, bounded_or_nan(d, v));
    case Activation::kTanh:
      return tanh_of(d, v);
    case Activation::kGelu:
      return hn::Mul(v, quick_normal(d, v));
    case Activation::kGeluTanh: {
      // (1 + tanh(y)) / 2 is the sigmoid of 2 y.
      const V cube = hn::Mul(hn::Mul(v, v), v), inner = hn::MulAdd(cube, hn::Set(d, 0.044715f), v);
      return times_sigmoid(d, v, bounded(d, hn::Mul(inner, hn::Set(d, 1.59576912f))));
    }
    case Activation::kMish:
      return mish_of(d, v);
    case Activation::kNone:
      break;
  }
  return v;
}

template <class D, class V>
HWY_INLINE V activate(D d, Activation activation, V v) {
#ifdef WICK_HALF_TYPE
  if constexpr (kIsHalfTag<D>) {
    // Products and ranges lose nothing in float16 that its own rounding would not; functions are computed in floats.
    if (activation == Activation::kHardSwish) return hn::Mul(v, hn::Mul(relu6_shifted(d, v), hn::Set(d, 1.0f / 6)));
    if (activation == Activation::kHardSigmoid) return hn::Mul(relu6_shifted(d, v), hn::Set(d, 1.0f / 6));
    const hn::ScalableTag<float> wide;
    return hn::Narrow(activate_numbers(wide, activation, hn::WidenLower(v)),
                      activate_numbers(wide, activation, hn::WidenUpper(v)));
  } else {
    return activate_numbers(d, activation, v);
  }
#else
  return activate_numbers(d, activation, v);
#endif
}

#if HWY_TARGET == HWY_NEON && HWY_ARCH_ARM_A64
// SiLU of four vectors as times_sigmoid computes it, each step of all four side by side, which compilers have not
// enough registers for. Of vector i: a its bounded value and then the polynomial, b the rest of its exponent, c the
// exponent.
#define WICK_EACH_OF_FOUR(step) \
  step(16, 20, 24, 28, 0) step(17, 21, 25, 29, 1) step(18, 22, 26, 30, 2) step(19, 23, 27, 31, 3)
#define WICK_AT_LEAST(a, b, c, d, i) "fmax v" #a ".4s, %[low].4s, %[x" #i "].4s\n\t"
#define WICK_AT_MOST(a, b, c, d, i) "fmin v" #a ".4s, v" #a ".4s, %[high].4s\n\t"
#define WICK_EXPONENT(a, b, c, d, i) "fmul v" #b ".4s, v" #a ".4s, %[factors].s[0]\n\t"
#define WICK_ROUND(a, b, c, d, i) "frintn v" #b ".4s, v" #b ".4s\n\t"
#define WICK_WHOLE(a, b, c, d, i) "fcvtzs v" #c ".4s, v" #b ".4s, #23\n\t"
#define WICK_REST(a, b, c, d, i) "fmla v" #b ".4s, v" #a ".4s, %[factors].s[1]\n\t"
#define WICK_MORE_OF_REST(a, b, c, d, i) "fmla v" #b ".4s, v" #a ".4s, %[factors].s[2]\n\t"
#define WICK_TERM5(a, b, c, d, i) "mov v" #a ".16b, %[c4].16b\n\tfmla v" #a ".4s, v" #b ".4s, %[factors].s[3]\n\t"
#define WICK_TERM(to, from, b, coefficient) \
  "mov v" #to ".16b, %[" coefficient "].16b\n\tfmla v" #to ".4s, v" #from ".4s, v" #b ".4s\n\t"
#define WICK_TERM4(a, b, c, d, i) WICK_TERM(d, a, b, "c3")
#define WICK_TERM3(a, b, c, d, i) WICK_TERM(a, d, b, "c2")
#define WICK_TERM2(a, b, c, d, i) WICK_TERM(d, a, b, "c1")
#define WICK_TERM1(a, b, c, d, i) WICK_TERM(a, d, b, "one")
#define WICK_POWER(a, b, c, d, i) "add v" #a ".4s, v" #a ".4s, v" #c ".4s\n\t"
#define WICK_DIVISOR(a, b, c, d, i) "mov v" #b ".16b, %[two].16b\n\tfmla v" #b ".4s, v" #a ".4s, %[two].4s\n\t"
#define WICK_HALF_OF_IT(a, b, c, d, i) "fdiv %[x" #i "].4s, %[x" #i "].4s, v" #b ".4s\n\t"
#define WICK_DOUBLED(a, b, c, d, i) "fadd %[x" #i "].4s, %[x" #i "].4s, %[x" #i "].4s\n\t"
HWY_INLINE void silu_of_four(hn::Vec128<float> (&x)[4]) {
  constexpr float kFactors[4] = {-1.44269502f, 1.44269502f, 1.92596303e-8f, -1.32647e-3f};
  const hn::ScalableTag<float> d;
  const auto set = [&](float v) HWY_ATTR { return hn::Set(d, v).raw; };
  __asm__(WICK_EACH_OF_FOUR(WICK_AT_LEAST) WICK_EACH_OF_FOUR(WICK_AT_MOST) WICK_EACH_OF_FOUR(WICK_EXPONENT)
              WICK_EACH_OF_FOUR(WICK_ROUND) WICK_EACH_OF_FOUR(WICK_WHOLE) WICK_EACH_OF_FOUR(WICK_REST)
                  WICK_EACH_OF_FOUR(WICK_MORE_OF_REST) WICK_EACH_OF_FOUR(WICK_TERM5) WICK_EACH_OF_FOUR(WICK_TERM4)
                      WICK_EACH_OF_FOUR(WICK_TERM3) WICK_EACH_OF_FOUR(WICK_TERM2) WICK_EACH_OF_FOUR(WICK_TERM1)
                          WICK_EACH_OF_FOUR(WICK_POWER) WICK_EACH_OF_FOUR(WICK_DIVISOR)
                              WICK_EACH_OF_FOUR(WICK_HALF_OF_IT) WICK_EACH_OF_FOUR(WICK_DOUBLED)
          : [x0] "+w"(x[0].raw), [x1] "+w"(x[1].raw), [x2] "+w"(x[2].raw), [x3] "+w"(x[3].raw)
          : [low] "w"(set(kLeastOfSigmoid)), [high] "w"(set(87.3f)), [factors] "w"(vld1q_f32(kFactors)),
            [c4] "w"(set(9.67151e-3f)), [c3] "w"(set(-5.550734e-2f)), [c2] "w"(set(2.4022242e-1f)),
            [c1] "w"(set(-6.9314698e-1f)), [one] "w"(set(1.0f)), [two] "w"(set(2.0f))
          : "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30",
            "v31");
}
#endif

// The activations of small networks are applied before sums leave the registers, where what surrounds the sums weighs
// most: the shortest everywhere, another where a build may be large and there are registers for its constants.
constexpr bool is_applied_in_registers(Activation activation) {
  if (activation == Activation::kHardSwish) return has_activation(activation);
  return activation == Activation::kSilu && has_activation(activation) && HWY_TARGET <= HWY_AVX3 && kAllTiles;
}
// Vectors side by side in a loop: of functions with a long chain, as far as a build may be large.
constexpr int64_t vectors_at_once(Activation activation) {
  const bool is_long = activation == Activation::kSilu || activation == Activation::kGelu ||
                       (activation == Activation::kHardSwish && HWY_TARGET == HWY_NEON);
  return is_long && (HWY_TARGET <= HWY_AVX3 || HWY_TARGET == HWY_NEON) && kAllTiles ? 4 : 1;
}
// The activation of so many vectors.
template <Activation kActivation, class D, class V, size_t kCount>
HWY_INLINE void activate_several(D d, V (&v)[kCount]) {
#if HWY_TARGET == HWY_NEON && HWY_ARCH_ARM_A64
  if constexpr (kActivation == Activation::kSilu && kCount == 4 && std::is_same_v<V, hn::Vec128<float>>)
    return silu_of_four(v);
#endif
  WICK_UNROLL
  for (size_t i = 0; i < kCount; ++i) v[i] = activate(d, kActivation, v[i]);
}
template <Activation kActivation, class D, class V, size_t kCount>
HWY_INLINE void activate_all_as(D d, V (&v)[kCount]) {
  if constexpr (is_applied_in_registers(kActivation)) {
    WICK_UNROLL
    for (size_t i = 0; i < kCount; ++i) v[i] = activate(d, kActivation, v[i]);
  }
}
// The same for all of some vectors; kNone: nothing.
template <class D, class V, size_t kCount>
HWY_INLINE void activate_in_registers(D d, Activation activation, V (&v)[kCount]) {
  if (activation == Activation::kHardSwish) activate_all_as<Activation::kHardSwish>(d, v);
  if (activation == Activation::kSilu) activate_all_as<Activation::kSilu>(d, v);
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
#define X(Name, kernel, flag) \
  case Activation::k##Name:   \
    return with_selected<Activation::k##Name>(f);
      WICK_FUSED_ACTIVATIONS(X)
#undef X
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();

#endif
