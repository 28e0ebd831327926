// Elementary functions of float vectors, within about 2 units in the last place. Included once per instruction set.
#if defined(WICK_KERNELS_MATH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WICK_KERNELS_MATH_INL_H_
#undef WICK_KERNELS_MATH_INL_H_
#else
#define WICK_KERNELS_MATH_INL_H_
#endif

#include <limits>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace wick::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// c[0] + c[1] x + ... by Horner's rule; coefficients from the highest power down.
template <class D, class V>
HWY_INLINE V horner(D d, V x, V acc) {
  return acc;
}
template <class D, class V, class... Rest>
HWY_INLINE V horner(D d, V x, V acc, float next, Rest... rest) {
  return horner(d, x, hn::MulAdd(acc, x, hn::Set(d, next)), rest...);
}

// 2^n for integers n in [-126, 127].
template <class D, class VI>
HWY_INLINE hn::Vec<D> power_of_two(D d, VI n) {
  const hn::RebindToSigned<D> di;
  return hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(n, hn::Set(di, 127))));
}

// x = n ln 2 + r with |r| <= ln 2 / 2; returns exp(r) - 1.
template <class D, class V, class VI>
HWY_INLINE V reduced_expm1(D d, V x, VI& n) {
  const hn::RebindToSigned<D> di;
  const V whole = hn::Round(hn::Mul(x, hn::Set(d, 1.44269504f)));
  n = hn::ConvertTo(di, whole);
  V r = hn::NegMulAdd(whole, hn::Set(d, 0.693359375f), x);
  r = hn::NegMulAdd(whole, hn::Set(d, -2.12194440e-4f), r);
  // Taylor's series; the first term left out is below 1e-8.
  const V tail = horner(d, r, hn::Set(d, 1.0f / 5040), 1.0f / 720, 1.0f / 120, 1.0f / 24, 1.0f / 6, 0.5f);
  return hn::MulAdd(hn::Mul(r, r), tail, r);
}

template <class D, class V>
HWY_INLINE V exp_of(D d, V x) {
  const V bounded = hn::Min(hn::Max(x, hn::Set(d, -104.0f)), hn::Set(d, 89.0f));
  hn::Vec<hn::RebindToSigned<D>> n;
  const V p = hn::Add(reduced_expm1(d, bounded, n), hn::Set(d, 1.0f));
  // In two steps: 2^n alone may be out of range while the product is not.
  const auto half = hn::ShiftRight<1>(n);
  const V result = hn::Mul(hn::Mul(p, power_of_two(d, half)), power_of_two(d, hn::Sub(n, half)));
  return hn::IfThenElse(hn::IsNaN(x), x, result);
}

// exp(x) - 1 for x <= 80.
template <class D, class V>
HWY_INLINE V expm1_of(D d, V x) {
  const V bounded = hn::Max(x, hn::Set(d, -80.0f));
  hn::Vec<hn::RebindToSigned<D>> n;
  const V p = reduced_expm1(d, bounded, n);
  const V scale = power_of_two(d, n);
  const V result = hn::MulAdd(p, scale, hn::Sub(scale, hn::Set(d, 1.0f)));
  // Near zero n is 0 and the result p itself, sign of zero included.
  return hn::IfThenElse(hn::Or(hn::IsNaN(x), hn::Eq(x, hn::Zero(d))), x, result);
}

template <class D, class V>
HWY_INLINE V sigmoid_of(D d, V x) {
  const V one = hn::Set(d, 1.0f);
  return hn::Div(one, hn::Add(one, exp_of(d, hn::Neg(x))));
}

template <class D, class V>
HWY_INLINE V tanh_of(D d, V x) {
  const V a = hn::Min(hn::Abs(x), hn::Set(d, 10.0f));
  const V e = expm1_of(d, hn::Add(a, a));
  const V t = hn::Div(e, hn::Add(e, hn::Set(d, 2.0f)));
  return hn::IfThenElse(hn::IsNaN(x), x, hn::CopySign(t, x));
}

template <class D, class V>
HWY_INLINE V log_of(D d, V x) {
  const hn::RebindToSigned<D> di;
  using VI = hn::Vec<decltype(di)>;
  const auto tiny = hn::Lt(x, hn::Set(d, std::numeric_limits<float>::min()));
  const V scaled = hn::IfThenElse(tiny, hn::Mul(x, hn::Set(d, 8388608.0f)), x);
  // x = m 2^n with m in [sqrt(1/2), sqrt(2))
  const VI bits = hn::BitCast(di, scaled);
  const VI shifted = hn::Sub(bits, hn::Set(di, 0x3f3504f3));
  const VI exponent = hn::ShiftRight<23>(shifted);
  const V m = hn::BitCast(d, hn::Sub(bits, hn::ShiftLeft<23>(exponent)));
  const V n = hn::Sub(hn::ConvertTo(d, exponent), hn::IfThenElseZero(tiny, hn::Set(d, 23.0f)));
  const V f = hn::Sub(m, hn::Set(d, 1.0f));
  // log(m) = 2 atanh(s) with s = f / (2 + f), written as f - s (f - 2 s^2 (1/3 + ...)) to keep f exact.
  const V s = hn::Div(f, hn::Add(f, hn::Set(d, 2.0f)));
  const V z = hn::Mul(s, s);
  const V tail = hn::Mul(hn::Add(z, z), horner(d, z, hn::Set(d, 1.0f / 11), 1.0f / 9, 1.0f / 7, 0.2f, 1.0f / 3));
  const V low = hn::MulAdd(n, hn::Set(d, -2.12194440e-4f), hn::Neg(hn::Mul(s, hn::Sub(f, tail))));
  V result = hn::MulAdd(n, hn::Set(d, 0.693359375f), hn::Add(f, low));
  const V inf = hn::Set(d, std::numeric_limits<float>::infinity());
  result = hn::IfThenElse(hn::Eq(x, inf), x, result);
  result = hn::IfThenElse(hn::Eq(x, hn::Zero(d)), hn::Neg(inf), result);
  const V nan = hn::Set(d, std::numeric_limits<float>::quiet_NaN());
  return hn::IfThenElse(hn::Or(hn::Lt(x, hn::Zero(d)), hn::IsNaN(x)), nan, result);
}

// log(1 + e) for e in [0, inf]; exact for small e.
template <class D, class V>
HWY_INLINE V log1p_of(D d, V e) {
  const V one = hn::Set(d, 1.0f);
  const V u = hn::Add(one, e);
  // The rounding error of 1 + e is put back in proportion.
  const V corrected = hn::Mul(log_of(d, u), hn::Div(e, hn::Sub(u, one)));
  const auto large = hn::Gt(e, hn::Set(d, 1e10f));
  return hn::IfThenElse(hn::Eq(u, one), e, hn::IfThenElse(large, log_of(d, e), corrected));
}

// x tanh(log(1 + exp(x))) is x n / (n + 2) with n = e (e + 2), e = exp(x): no logarithm, and nothing cancels. Beyond 20
// the quotient is 1.
template <class D, class V>
HWY_INLINE V mish_of(D d, V x) {
  const V two = hn::Set(d, 2.0f), e = exp_of(d, hn::Min(hn::Set(d, 20.0f), x)), n = hn::Mul(e, hn::Add(e, two));
  return hn::Mul(x, hn::Div(n, hn::Add(n, two)));
}

template <class D, class V>
HWY_INLINE V erf_of(D d, V x) {
  const V a = hn::Abs(x), one = hn::Set(d, 1.0f);
  // Up to 1: x plus x times 2 / sqrt(pi) the series of x^(2k) / (k! (2k+1)) less one.
  const V z = hn::Mul(x, x);
  const V series =
      horner(d, z, hn::Set(d, 1.48071928e-08f), -1.63658447e-07f, 1.64621144e-06f, -1.49256504e-05f, 0.00012055333f,
             -0.000854832702f, 0.00522397763f, -0.0268661706f, 0.112837917f, -0.376126389f, 0.128379167f);
  const V near = hn::MulAdd(x, series, x);
  // Beyond: 1 - exp(-x^2) g(1 / (x + 1.5)), g fitted to erfc(x) exp(x^2) on [1, 4.2].
  const V far_x = hn::Min(a, hn::Set(d, 4.2f));
  const V t = hn::Div(one, hn::Add(far_x, hn::Set(d, 1.5f)));
  const V g = horner(d, t, hn::Set(d, 2.42786468f), -4.73921977f, 2.34121982f, 0.59633286f, 0.89893467f, 0.56028878f,
                     1.23064851e-4f);
  const V far = hn::CopySign(hn::Sub(one, hn::Mul(exp_of(d, hn::Neg(hn::Mul(far_x, far_x))), g)), x);
  const V result = hn::IfThenElse(hn::Lt(a, one), near, far);
  return hn::IfThenElse(hn::IsNaN(x), x, result);
}

// sin (quadrant 0) or cos (quadrant 1) for |x| <= kTrigonometricLimit.
inline constexpr float kTrigonometricLimit = 8192.0f;
template <int kQuadrant, class D, class V>
HWY_INLINE V sin_of(D d, V x) {
  const hn::RebindToSigned<D> di;
  const V whole = hn::Round(hn::Mul(x, hn::Set(d, 0.636619772f)));
  const auto q = hn::Add(hn::ConvertTo(di, whole), hn::Set(di, kQuadrant));
  // pi / 2 in four parts, all but the last with few enough bits that their products are exact.
  V r = hn::NegMulAdd(whole, hn::Set(d, 1.5703125f), x);
  r = hn::NegMulAdd(whole, hn::Set(d, 4.837512969970703e-4f), r);
  r = hn::NegMulAdd(whole, hn::Set(d, 7.549533620476723e-8f), r);
  r = hn::NegMulAdd(whole, hn::Set(d, 2.5632829192545614e-12f), r);
  const V z = hn::Mul(r, r);
  const V s = hn::MulAdd(
      hn::Mul(z, r),
      horner(d, z, hn::Set(d, -2.5052108e-8f), 2.7557319e-6f, -1.9841270e-4f, 8.3333333e-3f, -0.16666667f), r);
  const V c = horner(d, z, hn::Set(d, 2.0876757e-9f), -2.7557319e-7f, 2.4801587e-5f, -1.3888889e-3f, 4.1666667e-2f,
                     -0.5f, 1.0f);
  const auto odd = hn::RebindMask(d, hn::Ne(hn::And(q, hn::Set(di, 1)), hn::Zero(di)));
  const V sign = hn::BitCast(d, hn::ShiftLeft<30>(hn::And(q, hn::Set(di, 2))));
  const V result = hn::Xor(hn::IfThenElse(odd, c, s), sign);
  if constexpr (kQuadrant != 0) return result;
  return hn::IfThenElse(hn::Eq(x, hn::Zero(d)), x, result);  // zero keeps its sign
}

}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();

#endif
