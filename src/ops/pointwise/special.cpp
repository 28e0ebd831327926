// The torch.special functions that have no other name.
#include "ops/pointwise/special.h"

#include "ops/pointwise/kernels.h"
#include "ops/pointwise/special_math.h"

namespace wick::ops {

namespace {

// One kernel for both widths: the function is the context.
using UnaryFn = double (*)(double);
using PolynomialFn = double (*)(double, double);

template <class T>
struct Function {
  UnaryFn fn;
};
template <class T>
struct Polynomial {
  PolynomialFn fn;
};

Tensor unary_special(const char* name, UnaryFn fn, const Tensor& self, Out out) {
  static constexpr Kernels k = kernels_with<kFloats, 1, Function>(
      []<class T>(Function<T> p, T x) -> T { return static_cast<T>(p.fn(static_cast<double>(x))); });
  const DType common = to_float_type(self.dtype());
  const Function<double> p{fn};
  return map(out, common, common, k.of(common, name), &p, self);
}

Tensor polynomial(const char* name, PolynomialFn fn, const Arg& x, const Arg& n, Out out) {
  static constexpr Kernels k = kernels_with<kFloats, 2, Polynomial>([]<class T>(Polynomial<T> p, T x, T n) -> T {
    return static_cast<T>(p.fn(static_cast<double>(x), static_cast<double>(n)));
  });
  const DType common = to_float_type(result_type(x, n));
  const Polynomial<double> p{fn};
  return map(out, common, common, k.of(common, name), &p, x, n);
}

// The degree as an integer; beyond any useful degree the recurrences have long left the finite numbers.
int64_t degree(double n) { return n <= -1 || n != n ? -1 : n > 1e6 ? 1000000 : static_cast<int64_t>(n); }

using namespace special;
double shifted_chebyshev_t(double x, int64_t n) { return chebyshev_t(2 * x - 1, n); }
double shifted_chebyshev_u(double x, int64_t n) { return chebyshev_u(2 * x - 1, n); }
double shifted_chebyshev_v(double x, int64_t n) { return chebyshev_v(2 * x - 1, n); }
double shifted_chebyshev_w(double x, int64_t n) { return chebyshev_w(2 * x - 1, n); }

}  // namespace

#define X(name) \
  Tensor special_##name(const Tensor& self, Out out) { return unary_special(#name "_cpu", &special::name, self, out); }
WICK_BESSEL_FUNCTIONS(X)
#undef X

#define X(name)                                                                          \
  Tensor special_##name(const Tensor& x, const Tensor& n, Out out) {                     \
    return polynomial(                                                                   \
        #name "_cpu", [](double a, double d) { return name(a, degree(d)); }, x, n, out); \
  }                                                                                      \
  Tensor special_##name##_x_scalar(const Scalar& x, const Tensor& n, Out out) {          \
    return polynomial(                                                                   \
        #name "_cpu", [](double a, double d) { return name(a, degree(d)); }, x, n, out); \
  }                                                                                      \
  Tensor special_##name##_n_scalar(const Tensor& x, const Scalar& n, Out out) {          \
    return polynomial(                                                                   \
        #name "_cpu", [](double a, double d) { return name(a, degree(d)); }, x, n, out); \
  }
WICK_POLYNOMIALS(X)
#undef X

}  // namespace wick::ops
