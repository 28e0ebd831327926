// Per-target code: vectors of doubles where the instruction set has none (32-bit ARM), in Highway's names. Include
// after highway.h. They are the compiler's generic vectors, of two lanes as elsewhere with 128 bits, so that kernels of
// doubles are written once; elsewhere this header is empty.
#if defined(WICK_DOUBLES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WICK_DOUBLES_INL_H
#undef WICK_DOUBLES_INL_H
#else
#define WICK_DOUBLES_INL_H
#endif

#include <cmath>
#include <cstring>

#include "hwy/highway.h"

#if HWY_ARCH_ARM_V7 && !HWY_HAVE_FLOAT64
HWY_BEFORE_NAMESPACE();
namespace hwy {
namespace HWY_NAMESPACE {

template <size_t N>
class Vec128<double, N> {
 public:
  using PrivateT = double;
  static constexpr size_t kPrivateN = N;
  typedef double Raw __attribute__((vector_size(8 * N)));
  Vec128() = default;
  HWY_INLINE explicit Vec128(Raw r) : raw(r) {}
  Raw raw;
};
template <size_t N>
using Doubles = Vec128<double, N>;
template <size_t N>
using DoubleTag = Simd<double, N, 0>;

template <size_t N>
class Mask128<double, N> {
 public:
  typedef int64_t Raw __attribute__((vector_size(8 * N)));
  Mask128() = default;
  HWY_INLINE explicit Mask128(Raw r) : raw(r) {}
  Raw raw;
};
template <size_t N>
using DoubleMask = Mask128<double, N>;

template <size_t N>
HWY_API Doubles<N> Set(DoubleTag<N>, double x) {
  Doubles<N> v;
  for (size_t i = 0; i < N; ++i) v.raw[i] = x;
  return v;
}
template <size_t N>
HWY_API Doubles<N> Zero(DoubleTag<N>) {
  return Doubles<N>(typename Doubles<N>::Raw{});
}
template <size_t N>
HWY_API Doubles<N> LoadU(DoubleTag<N>, const double* p) {
  Doubles<N> v;
  std::memcpy(&v.raw, p, sizeof v.raw);
  return v;
}
template <size_t N>
HWY_API Doubles<N> Load(DoubleTag<N> d, const double* p) {
  return LoadU(d, p);
}
template <size_t N>
HWY_API void StoreU(Doubles<N> v, DoubleTag<N>, double* p) {
  std::memcpy(p, &v.raw, sizeof v.raw);
}
template <size_t N>
HWY_API void Store(Doubles<N> v, DoubleTag<N> d, double* p) {
  StoreU(v, d, p);
}
template <size_t N>
HWY_API double GetLane(Doubles<N> v) {
  return v.raw[0];
}

#define WICK_DOUBLES_BINARY(name, expression)           \
  template <size_t N>                                   \
  HWY_API Doubles<N> name(Doubles<N> a, Doubles<N> b) { \
    return Doubles<N>(expression);                      \
  }
WICK_DOUBLES_BINARY(Add, a.raw + b.raw)
WICK_DOUBLES_BINARY(Sub, a.raw - b.raw)
WICK_DOUBLES_BINARY(Mul, a.raw* b.raw)
WICK_DOUBLES_BINARY(Div, a.raw / b.raw)
WICK_DOUBLES_BINARY(Max, a.raw > b.raw ? a.raw : b.raw)
WICK_DOUBLES_BINARY(Min, a.raw < b.raw ? a.raw : b.raw)
#undef WICK_DOUBLES_BINARY

#define WICK_DOUBLES_COMPARE(name, op)                     \
  template <size_t N>                                      \
  HWY_API DoubleMask<N> name(Doubles<N> a, Doubles<N> b) { \
    return DoubleMask<N>(a.raw op b.raw);                  \
  }
WICK_DOUBLES_COMPARE(Gt, >)
WICK_DOUBLES_COMPARE(Ge, >=)
WICK_DOUBLES_COMPARE(Lt, <)
WICK_DOUBLES_COMPARE(Le, <=)
#undef WICK_DOUBLES_COMPARE

template <size_t N>
HWY_API Doubles<N> MulAdd(Doubles<N> mul, Doubles<N> x, Doubles<N> add) {
  return Doubles<N>(mul.raw * x.raw + add.raw);
}
template <size_t N>
HWY_API Doubles<N> MulSub(Doubles<N> mul, Doubles<N> x, Doubles<N> sub) {
  return Doubles<N>(mul.raw * x.raw - sub.raw);
}
template <size_t N>
HWY_API Doubles<N> NegMulAdd(Doubles<N> mul, Doubles<N> x, Doubles<N> add) {
  return Doubles<N>(add.raw - mul.raw * x.raw);
}
template <size_t N>
HWY_API Doubles<N> Neg(Doubles<N> v) {
  return Doubles<N>(-v.raw);
}

template <size_t N>
HWY_API DoubleMask<N> IsNaN(Doubles<N> v) {
  return DoubleMask<N>(v.raw != v.raw);
}
template <size_t N>
HWY_API DoubleMask<N> And(DoubleMask<N> a, DoubleMask<N> b) {
  return DoubleMask<N>(a.raw & b.raw);
}
template <size_t N>
HWY_API DoubleMask<N> Or(DoubleMask<N> a, DoubleMask<N> b) {
  return DoubleMask<N>(a.raw | b.raw);
}
template <size_t N>
HWY_API Doubles<N> Or(Doubles<N> a, Doubles<N> b) {
  using Bits = typename DoubleMask<N>::Raw;
  return Doubles<N>((typename Doubles<N>::Raw)((Bits)a.raw | (Bits)b.raw));
}
template <size_t N>
HWY_API Doubles<N> VecFromMask(DoubleTag<N>, DoubleMask<N> m) {
  return Doubles<N>((typename Doubles<N>::Raw)m.raw);
}
template <size_t N>
HWY_API DoubleMask<N> MaskFromVec(Doubles<N> v) {
  return DoubleMask<N>((typename DoubleMask<N>::Raw)v.raw);
}
template <size_t N>
HWY_API Doubles<N> IfThenElse(DoubleMask<N> m, Doubles<N> yes, Doubles<N> no) {
  return Doubles<N>(m.raw ? yes.raw : no.raw);
}
template <size_t N>
HWY_API bool AllFalse(DoubleTag<N>, DoubleMask<N> m) {
  int64_t any = 0;
  for (size_t i = 0; i < N; ++i) any |= m.raw[i];
  return any == 0;
}

template <size_t N>
HWY_API bool AllTrue(DoubleTag<N>, DoubleMask<N> m) {
  int64_t all = -1;
  for (size_t i = 0; i < N; ++i) all &= m.raw[i];
  return all == -1;
}
template <size_t N>
HWY_API DoubleMask<N> FirstN(DoubleTag<N>, size_t count) {
  DoubleMask<N> m;
  for (size_t i = 0; i < N; ++i) m.raw[i] = i < count ? -1 : 0;
  return m;
}
template <size_t N>
HWY_API void BlendedStore(Doubles<N> v, DoubleMask<N> m, DoubleTag<N>, double* p) {
  for (size_t i = 0; i < N; ++i) {
    if (m.raw[i] != 0) p[i] = v.raw[i];
  }
}

template <size_t N>
struct Indices128<double, N> {
  typename DoubleMask<N>::Raw raw;
};
template <size_t N>
HWY_API Indices128<double, N> IndicesFromVec(DoubleTag<N>, Vec128<int64_t, N> v) {
  Indices128<double, N> indices;
  std::memcpy(&indices.raw, &v.raw, sizeof indices.raw);
  return indices;
}
template <size_t N>
HWY_API Doubles<N> TableLookupLanes(Doubles<N> v, Indices128<double, N> indices) {
  Doubles<N> out;
  for (size_t i = 0; i < N; ++i) out.raw[i] = v.raw[static_cast<size_t>(indices.raw[i])];
  return out;
}

template <size_t N>
HWY_API Doubles<N> SumOfLanes(DoubleTag<N> d, Doubles<N> v) {
  double sum = v.raw[0];
  for (size_t i = 1; i < N; ++i) sum += v.raw[i];
  return Set(d, sum);
}
template <size_t N>
HWY_API Doubles<N> MaxOfLanes(DoubleTag<N> d, Doubles<N> v) {
  double most = v.raw[0];
  for (size_t i = 1; i < N; ++i) most = v.raw[i] > most ? v.raw[i] : most;
  return Set(d, most);
}
template <size_t N>
HWY_API Doubles<N> MinOfLanes(DoubleTag<N> d, Doubles<N> v) {
  double least = v.raw[0];
  for (size_t i = 1; i < N; ++i) least = v.raw[i] < least ? v.raw[i] : least;
  return Set(d, least);
}

template <size_t N>
HWY_API Doubles<N> PromoteTo(DoubleTag<N>, Vec128<float, N> v) {
  Doubles<N> wide;
  for (size_t i = 0; i < N; ++i) wide.raw[i] = static_cast<double>(v.raw[i]);
  return wide;
}
template <size_t N>
HWY_API Vec128<float, N> DemoteTo(Simd<float, N, 0> d, Doubles<N> v) {
  float narrow[N];
  for (size_t i = 0; i < N; ++i) narrow[i] = static_cast<float>(v.raw[i]);
  return LoadU(d, narrow);
}

HWY_API void LoadInterleaved2(DoubleTag<2>, const double* p, Doubles<2>& even, Doubles<2>& odd) {
  even.raw = Doubles<2>::Raw{p[0], p[2]};
  odd.raw = Doubles<2>::Raw{p[1], p[3]};
}
HWY_API Doubles<2> ZeroExtendVector(DoubleTag<2>, Doubles<1> v) { return Doubles<2>(Doubles<2>::Raw{v.raw[0], 0}); }
HWY_API Doubles<2> InterleaveLower(DoubleTag<2>, Doubles<2> a, Doubles<2> b) {
  return Doubles<2>(Doubles<2>::Raw{a.raw[0], b.raw[0]});
}
HWY_API Doubles<2> InterleaveUpper(DoubleTag<2>, Doubles<2> a, Doubles<2> b) {
  return Doubles<2>(Doubles<2>::Raw{a.raw[1], b.raw[1]});
}

}  // namespace HWY_NAMESPACE
}  // namespace hwy
HWY_AFTER_NAMESPACE();
#endif

#endif
