#include "kernels/rows.h"

#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rows.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace wick::kernels {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

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
      dst, src, n, [](auto a, auto b) HWY_ATTR { return hn::IfThenElse(hn::Or(hn::Gt(b, a), hn::IsNaN(b)), b, a); },
      [](T a, T b) { return b > a || b != b ? b : a; });
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

#define WICK_ROWS(T)                                       \
  template <>                                              \
  void max_into<T>(T * dst, const T* src, int64_t n) {     \
    HWY_DYNAMIC_DISPATCH(max_rows_##T)(dst, src, n);       \
  }                                                        \
  template <>                                              \
  void add_into<T>(T * dst, const T* src, int64_t n) {     \
    HWY_DYNAMIC_DISPATCH(add_rows_##T)(dst, src, n);       \
  }                                                        \
  template <>                                              \
  void divide_by<T>(T * dst, T divisor, int64_t n) {       \
    HWY_DYNAMIC_DISPATCH(divide_row_##T)(dst, divisor, n); \
  }
WICK_ROWS(float)
WICK_ROWS(double)
#undef WICK_ROWS

}  // namespace wick::kernels
#endif
