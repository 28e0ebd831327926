// Vectorized maximum, sum and division of rows, for pooling.
#include "kernels/rows.h"

#include <limits>

#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rows.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/doubles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace wick::kernels {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

struct MaxOp {
  static constexpr bool kIsMax = true;
  template <class V>
  static HWY_INLINE V vector(V a, V b) {
    return hn::IfThenElse(hn::Or(hn::Gt(b, a), hn::IsNaN(b)), b, a);
  }
  template <class T>
  static T one(T a, T b) {
    return b > a || b != b ? b : a;
  }
};
struct SumOp {
  static constexpr bool kIsMax = false;
  template <class V>
  static HWY_INLINE V vector(V a, V b) {
    return hn::Add(a, b);
  }
  template <class T>
  static T one(T a, T b) {
    return a + b;
  }
};

// dst[i] = f(dst[i], src[i]): whole vectors, then one by one.
template <class T, class F, class S>
HWY_INLINE void combine(T* dst, const T* src, int64_t n, F&& vector_op, S&& scalar_op) {
  const hn::ScalableTag<T> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(vector_op(hn::LoadU(d, dst + i), hn::LoadU(d, src + i)), d, dst + i);
  for (; i < n; ++i) dst[i] = scalar_op(dst[i], src[i]);
}

template <class T>
void max_rows(T* dst, const T* src, int64_t n) {
  combine(
      dst, src, n, [](auto a, auto b) HWY_ATTR { return MaxOp::vector(a, b); },
      [](T a, T b) { return MaxOp::one(a, b); });
}
template <class T>
void add_rows(T* dst, const T* src, int64_t n) {
  combine(
      dst, src, n, [](auto a, auto b) HWY_ATTR { return hn::Add(a, b); }, [](T a, T b) { return a + b; });
}
template <class T>
void divide_row(T* dst, T divisor, int64_t n) {
  const hn::ScalableTag<T> d;
  const auto by = hn::Set(d, divisor);
  combine(
      dst, dst, n, [by](auto a, auto) HWY_ATTR { return hn::Div(a, by); }, [divisor](T a, T) { return a / divisor; });
}

template <class F>
HWY_INLINE void for_window(const WindowWalk& w, F&& body) {
  for (int64_t i = 0; i < w.count[0]; ++i)
    for (int64_t j = 0; j < w.count[1]; ++j) {
      const int64_t at = i * w.step[0] + j * w.step[1];
      for (int64_t k = 0; k < w.count[2]; ++k) body(at + k * w.step[2]);
    }
}

// The results of kVectors vectors stay in registers while the window passes.
template <int kVectors, class Op, class T>
HWY_INLINE void window_vectors(T* dst, const T* src, const WindowWalk& walk, T start) {
  const hn::ScalableTag<T> d;
  constexpr int64_t kLanes = HWY_LANES(T);
  hn::Vec<decltype(d)> v[kVectors];
#if HWY_ARCH_X86
  // The second of equal numbers and of zeros is what this maximum gives, as it has to be. Whether there was a NaN is
  // told by the sums; those of infinities may tell so without need.
  if constexpr (Op::kIsMax) {
    hn::Vec<decltype(d)> sum[kVectors];
    WICK_UNROLL
    for (int u = 0; u < kVectors; ++u) {
      v[u] = hn::Set(d, start);
      sum[u] = hn::Zero(d);
    }
    for_window(walk, [&](int64_t at) HWY_ATTR {
      WICK_UNROLL
      for (int u = 0; u < kVectors; ++u) {
        const auto x = hn::LoadU(d, src + at + u * kLanes);
        v[u] = hn::Max(x, v[u]);
        sum[u] = hn::Add(sum[u], x);
      }
    });
    WICK_UNROLL
    for (int u = 1; u < kVectors; ++u) sum[0] = hn::Add(sum[0], sum[u]);
    if (hn::AllFalse(d, hn::IsNaN(sum[0]))) {
      WICK_UNROLL
      for (int u = 0; u < kVectors; ++u) hn::StoreU(v[u], d, dst + u * kLanes);
      return;
    }
  }
#endif
  WICK_UNROLL
  for (int u = 0; u < kVectors; ++u) v[u] = hn::Set(d, start);
  for_window(walk, [&](int64_t at) HWY_ATTR {
    WICK_UNROLL
    for (int u = 0; u < kVectors; ++u) v[u] = Op::vector(v[u], hn::LoadU(d, src + at + u * kLanes));
  });
  WICK_UNROLL
  for (int u = 0; u < kVectors; ++u) hn::StoreU(v[u], d, dst + u * kLanes);
}

template <class Op, class T>
void window(T* dst, const T* src, const WindowWalk& walk, int64_t n, T start) {
  constexpr int64_t kLanes = HWY_LANES(T);
  int64_t c = 0;
  for (; c + 4 * kLanes <= n; c += 4 * kLanes) window_vectors<4, Op>(dst + c, src + c, walk, start);
  for (; c + kLanes <= n; c += kLanes) window_vectors<1, Op>(dst + c, src + c, walk, start);
  for (; c < n; ++c) {
    T v = start;
    for_window(walk, [&](int64_t at) { v = Op::one(v, src[at + c]); });
    dst[c] = v;
  }
}

#define WICK_WINDOWS(T)                                                          \
  void max_window_##T(T* dst, const T* src, const WindowWalk& walk, int64_t n) { \
    window<MaxOp>(dst, src, walk, n, -std::numeric_limits<T>::infinity());       \
  }                                                                              \
  void sum_window_##T(T* dst, const T* src, const WindowWalk& walk, int64_t n) { \
    window<SumOp>(dst, src, walk, n, T(0));                                      \
  }
WICK_WINDOWS(float)
WICK_WINDOWS(double)
#undef WICK_WINDOWS

void max_rows_float(float* dst, const float* src, int64_t n) { max_rows(dst, src, n); }
void max_rows_double(double* dst, const double* src, int64_t n) { max_rows(dst, src, n); }
void add_rows_float(float* dst, const float* src, int64_t n) { add_rows(dst, src, n); }
void add_rows_double(double* dst, const double* src, int64_t n) { add_rows(dst, src, n); }
void divide_row_float(float* dst, float divisor, int64_t n) { divide_row(dst, divisor, n); }
void divide_row_double(double* dst, double divisor, int64_t n) { divide_row(dst, divisor, n); }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wick::kernels {

HWY_EXPORT(max_rows_float);
HWY_EXPORT(max_rows_double);
HWY_EXPORT(add_rows_float);
HWY_EXPORT(add_rows_double);
HWY_EXPORT(divide_row_float);
HWY_EXPORT(divide_row_double);
HWY_EXPORT(max_window_float);
HWY_EXPORT(max_window_double);
HWY_EXPORT(sum_window_float);
HWY_EXPORT(sum_window_double);

#define WICK_ROWS(T)                                                                \
  template <>                                                                       \
  void max_into<T>(T * dst, const T* src, int64_t n) {                              \
    HWY_DYNAMIC_DISPATCH(max_rows_##T)(dst, src, n);                                \
  }                                                                                 \
  template <>                                                                       \
  void add_into<T>(T * dst, const T* src, int64_t n) {                              \
    HWY_DYNAMIC_DISPATCH(add_rows_##T)(dst, src, n);                                \
  }                                                                                 \
  template <>                                                                       \
  void max_of_window<T>(T * dst, const T* src, const WindowWalk& walk, int64_t n) { \
    HWY_DYNAMIC_DISPATCH(max_window_##T)(dst, src, walk, n);                        \
  }                                                                                 \
  template <>                                                                       \
  void sum_of_window<T>(T * dst, const T* src, const WindowWalk& walk, int64_t n) { \
    HWY_DYNAMIC_DISPATCH(sum_window_##T)(dst, src, walk, n);                        \
  }                                                                                 \
  template <>                                                                       \
  void divide_by<T>(T * dst, T divisor, int64_t n) {                                \
    HWY_DYNAMIC_DISPATCH(divide_row_##T)(dst, divisor, n);                          \
  }
WICK_ROWS(float)
WICK_ROWS(double)
#undef WICK_ROWS

}  // namespace wick::kernels
#endif
