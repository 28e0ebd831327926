// Comparisons and tests of elements.
#include <cmath>

#include "core/copy.h"
#include "ops/pointwise/kernels.h"
#include "ops/pointwise/pointwise.h"
#include "ops/quantize/layers.h"

namespace wick::ops {

namespace {

constexpr unsigned kOrdered = kReals | kBools, kCompared = kOrdered | kNarrow | kBytes;

Tensor compare(const char* name, const Kernels& k, const Arg& a, const Arg& b, Out out) {
  const DType common = result_type(a, b);
  return map_narrow(out, DType::kBool, common, k, name, nullptr, a, b);
}

Tensor test(const char* name, const Kernels& k, const Tensor& self, Out out) {
  return map(out, DType::kBool, self.dtype(), k.of(self.dtype(), name), nullptr, self);
}

template <class T>
bool finite(T v) {
  if constexpr (std::is_floating_point_v<T>)
    return std::fabs(v) <= std::numeric_limits<T>::max();
  else
    return true;
}

bool all_true(const Tensor& t) {
  const Tensor c = contiguous(t);
  const bool* p = c.data_ptr<bool>();
  for (int64_t i = 0, count = c.numel(); i < count; ++i) {
    if (!p[i]) return false;
  }
  return true;
}

template <class T>
struct Tolerance {
  double rtol, atol;
  bool equal_nan;
};

}  // namespace

#define WICK_COMPARISON(name, types, expression)                                                          \
  static constexpr Kernels name##_kernels =                                                               \
      kernels<types, 2, bool>([]<class T>(T a, T b) -> bool { return expression; });                      \
  Tensor name(const Tensor& self, const Tensor& other, Out out) {                                         \
    if (is_quantized(self) || is_quantized(other)) return name(dequantize(self), dequantize(other), out); \
    return compare(#name "_cpu", name##_kernels, self, other, out);                                       \
  }                                                                                                       \
  Tensor name##_scalar(const Tensor& self, const Scalar& other, Out out) {                                \
    if (is_quantized(self)) return name##_scalar(dequantize(self), other, out);                           \
    return compare(#name "_cpu", name##_kernels, self, other, out);                                       \
  }
WICK_COMPARISON(eq, kCompared | kComplexes, a == b)
WICK_COMPARISON(ne, kCompared | kComplexes, a != b)
WICK_COMPARISON(lt, kCompared, a < b)
WICK_COMPARISON(le, kCompared, a <= b)
WICK_COMPARISON(gt, kCompared, a > b)
WICK_COMPARISON(ge, kCompared, a >= b)
#undef WICK_COMPARISON

Tensor isnan(const Tensor& self) { return ne(self, self); }

Tensor isinf(const Tensor& self) {
  static constexpr Kernels k = kernels<kOrdered | kComplexes, 1, bool>([]<class T>(T a) -> bool {
    if constexpr (std::is_floating_point_v<T>)
      return std::isinf(a);
    else if constexpr (std::is_integral_v<T>)
      return false;
    else
      return std::isinf(a.real()) || std::isinf(a.imag());
  });
  return test("isinf", k, self, {});
}

Tensor isfinite(const Tensor& self) {
  static constexpr Kernels k = kernels<kOrdered | kComplexes, 1, bool>([]<class T>(T a) -> bool {
    if constexpr (std::is_arithmetic_v<T>)
      return finite(a);
    else
      return finite(a.real()) && finite(a.imag());
  });
  return test("isfinite", k, self, {});
}

Tensor isposinf(const Tensor& self, Out out) {
  static constexpr Kernels k = kernels<kOrdered, 1, bool>([]<class T>(T a) -> bool {
    if constexpr (std::is_floating_point_v<T>)
      return a == std::numeric_limits<T>::infinity();
    else
      return false;
  });
  WICK_CHECK(!is_complex(self.dtype()), kUnsupported, "isposinf does not support complex inputs.");
  WICK_CHECK(!out || out.tensor->dtype() == DType::kBool, kTypeMismatch,
             "isposinf does not support non-boolean outputs.");
  return test("isposinf_cpu", k, self, out);
}

Tensor isneginf(const Tensor& self, Out out) {
  static constexpr Kernels k = kernels<kOrdered, 1, bool>([]<class T>(T a) -> bool {
    if constexpr (std::is_floating_point_v<T>)
      return a == -std::numeric_limits<T>::infinity();
    else
      return false;
  });
  WICK_CHECK(!is_complex(self.dtype()), kUnsupported, "isneginf does not support complex inputs.");
  WICK_CHECK(!out || out.tensor->dtype() == DType::kBool, kTypeMismatch,
             "isneginf does not support non-boolean outputs.");
  return test("isneginf_cpu", k, self, out);
}

Tensor isreal(const Tensor& self) {
  static constexpr Kernels k = kernels<kOrdered | kComplexes, 1, bool>([]<class T>(T a) -> bool {
    if constexpr (std::is_arithmetic_v<T>)
      return true;
    else
      return a.imag() == 0;
  });
  return test("isreal", k, self, {});
}

Tensor isclose(const Tensor& self, const Tensor& other, double rtol, double atol, bool equal_nan) {
  WICK_CHECK(self.dtype() == other.dtype(), kTypeMismatch, name_of(self.dtype()), " did not match ",
             name_of(other.dtype()));
  WICK_CHECK(rtol >= 0, kInvalidArgument, "rtol must be greater than or equal to zero, but got ", rtol);
  WICK_CHECK(atol >= 0, kInvalidArgument, "atol must be greater than or equal to zero, but got ", atol);
  static constexpr Kernels k =
      kernels_with<kOrdered | kComplexes, 2, Tolerance, bool>([]<class T>(const Tolerance<T>& p, T a, T b) -> bool {
        if (a == b) return true;
        if constexpr (std::is_integral_v<T>) {
          const double x = static_cast<double>(a), y = static_cast<double>(b);
          return std::fabs(x - y) <= p.atol + std::fabs(p.rtol * y);
        } else {
          if (p.equal_nan && a != a && b != b) return true;
          using Real = decltype(std::abs(a));
          const Real allowed = static_cast<Real>(p.atol) + std::abs(static_cast<Real>(p.rtol) * b);
          const Real actual = std::abs(a - b);
          return finite(actual) && actual <= allowed;
        }
      });
  const DType t = self.dtype();
  return with_compute_type(t, [&]<class T>(T) {
    const Tolerance<T> p{rtol, atol, equal_nan};
    return map({}, DType::kBool, t, k.of(t, "isclose"), &p, self, other);
  });
}

bool allclose(const Tensor& self, const Tensor& other, double rtol, double atol, bool equal_nan) {
  return all_true(isclose(self, other, rtol, atol, equal_nan));
}

bool equal_tensors(const Tensor& self, const Tensor& other) {
  if (is_quantized(self) && other.is_quantized()) return quantized_equal(self, other);
  if (self.sizes() != other.sizes()) return false;
  return all_true(eq(self, other));
}

}  // namespace wick::ops
