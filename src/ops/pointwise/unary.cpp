// Unary operators that keep the element type: signs, rounding, parts of complex numbers.
#include <cmath>

#include "core/copy.h"
#include "core/tensor_impl.h"
#include "kernels/functions.h"
#include "kernels/math.h"
#include "ops/pointwise/kernels.h"
#include "ops/pointwise/math.h"
#include "ops/pointwise/pointwise.h"

namespace wick::ops {

namespace {

constexpr unsigned kNumbers = kReals | kComplexes;

Tensor same_type(const char* name, const Tensor& self, const Kernels& k, Out out) {
  return map_narrow(out, self.dtype(), self.dtype(), k, name, nullptr, self);
}

constexpr Kernels kIdentity = kernels<kReals | kBools | kComplexes, 1>([]<class T>(T a) -> T { return a; });

// Integers are whole already.
Tensor rounding(const char* name, const Tensor& self, const Kernels& k, Out out) {
  const bool whole = is_integral(self.dtype(), false);
  return same_type(name, self, whole ? kIdentity : k, out);
}

template <class T>
struct Decimals {
  double scale;
  bool divide;
};

template <class T>
struct Replacements {
  T nan, posinf, neginf;
};

// Complex in, real out.
template <class F>
Tensor complex_to_real(const Tensor& self, Out out, TileFn floats, F doubles) {
  const DType real = to_real(self.dtype());
  const TileFn fn = compute_dtype(self.dtype()) == DType::kComplexDouble ? tile<double(c128)>(doubles) : floats;
  return map(out, real, self.dtype(), fn, nullptr, self);
}

double largest(DType t) {
  switch (t) {
    case DType::kHalf:
      return 65504.0;
    case DType::kBFloat16:
      return 3.3895313892515355e38;
    case DType::kDouble:
      return std::numeric_limits<double>::max();
    default:
      return std::numeric_limits<float>::max();
  }
}

}  // namespace

Tensor neg(const Tensor& self, Out out) {
  static constexpr Kernels k = with_f32(kernels<kNumbers | kNarrow, 1>([]<class T>(T a) -> T {
                                          if constexpr (std::is_integral_v<T>)
                                            return wrap_sub(T(0), a);
                                          else
                                            return -a;
                                        }),
                                        kernels::neg_f32);
  WICK_CHECK(self.dtype() != DType::kBool, kTypeMismatch,
             "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use "
             "the `~` or `logical_not()` operator instead.");
  return same_type("neg_cpu", self, k, out);
}

Tensor positive(const Tensor& self) {
  WICK_CHECK(self.dtype() != DType::kBool, kTypeMismatch, "The `+` operator, on a bool tensor is not supported.");
  return self;
}

Tensor abs(const Tensor& self, Out out) {
  static constexpr Kernels k = with_f32(kernels<kReals | kNarrow | kBytes, 1>([]<class T>(T a) -> T {
                                          if constexpr (std::is_same_v<T, uint8_t>)
                                            return a;
                                          else if constexpr (std::is_integral_v<T>)
                                            return a < 0 ? wrap_sub(T(0), a) : a;
                                          else
                                            return std::fabs(a);
                                        }),
                                        kernels::abs_f32);
  if (is_complex(self.dtype())) {
    WICK_CHECK(!out || !out.tensor->is_same(self), kUnsupported, "In-place abs is not supported for complex tensors.");
    return complex_to_real(self, out, kernels::abs_c64, [](c128 z) { return std::hypot(z.real(), z.imag()); });
  }
  return same_type("abs_cpu", self, k, out);
}

Tensor sign(const Tensor& self, Out out) {
  static constexpr Kernels k =
      kernels<kReals | kBools, 1>([]<class T>(T a) -> T { return static_cast<T>((T(0) < a) - (a < T(0))); });
  WICK_CHECK(!is_complex(self.dtype()), kUnsupported,
             "Unlike NumPy, torch.sign doesn't support complex numbers. Use torch.sgn instead.");
  return same_type("sign_cpu", self, k, out);
}

Tensor sgn(const Tensor& self, Out out) {
  if (!is_complex(self.dtype())) return sign(self, out);
  static constexpr Kernels k = kernels<kComplexes, 1>([]<class T>(std::complex<T> z) -> std::complex<T> {
    return z == std::complex<T>(0) ? z : z / std::hypot(z.real(), z.imag());
  });
  return same_type("sgn_cpu", self, k, out);
}

Tensor signbit(const Tensor& self, Out out) {
  static constexpr Kernels k = kernels<kReals | kBools, 1, bool>([]<class T>(T a) -> bool {
    if constexpr (std::is_floating_point_v<T>)
      return std::signbit(a);
    else
      return a < T(0);
  });
  WICK_CHECK(!is_complex(self.dtype()), kUnsupported, "signbit is not implemented for complex tensors.");
  WICK_CHECK(!out || out.tensor->dtype() == DType::kBool, kTypeMismatch,
             "signbit does not support non-boolean outputs.");
  return map(out, DType::kBool, self.dtype(), k.of(self.dtype(), "signbit_cpu"), nullptr, self);
}

Tensor square(const Tensor& self, Out out) { return pow_scalar(self, 2, out); }

Tensor ceil(const Tensor& self, Out out) {
  static constexpr Kernels k =
      with_f32(kernels<kFloats, 1>([]<class T>(T a) -> T { return std::ceil(a); }), kernels::ceil_f32);
  return rounding("ceil", self, k, out);
}
Tensor floor(const Tensor& self, Out out) {
  static constexpr Kernels k =
      with_f32(kernels<kFloats, 1>([]<class T>(T a) -> T { return std::floor(a); }), kernels::floor_f32);
  return rounding("floor", self, k, out);
}
Tensor round(const Tensor& self, Out out) {
  static constexpr Kernels k =
      with_f64(with_f32(kernels<kFloats, 1>([]<class T>(T a) -> T { return std::nearbyint(a); }), kernels::round_f32),
               kernels::round_f64);
  return rounding("round_vml_cpu", self, k, out);
}
Tensor trunc(const Tensor& self, Out out) {
  static constexpr Kernels k =
      with_f32(kernels<kFloats, 1>([]<class T>(T a) -> T { return std::trunc(a); }), kernels::trunc_f32);
  return rounding("trunc", self, k, out);
}
Tensor frac(const Tensor& self, Out out) {
  static constexpr Kernels k =
      with_f32(kernels<kFloats, 1>([]<class T>(T a) -> T { return a - std::trunc(a); }), kernels::frac_f32);
  return same_type("frac", self, k, out);
}

Tensor round_decimals(const Tensor& self, int64_t decimals, Out out) {
  static constexpr Kernels k = kernels_with<kFloats, 1, Decimals>([]<class T>(Decimals<T> p, T a) -> T {
    const T scale = static_cast<T>(p.scale);
    return p.divide ? std::nearbyint(a / scale) * scale : std::nearbyint(a * scale) / scale;
  });
  if (decimals == 0) return round(self, out);
  check_dtype(is_floating(self.dtype()), "round_cpu", self.dtype());
  const double scale = std::pow(10.0, static_cast<double>(decimals < 0 ? -decimals : decimals));
  const Decimals<double> p64{scale, decimals < 0};
  const Decimals<float> p32{scale, decimals < 0};
  const void* p = self.dtype() == DType::kDouble ? static_cast<const void*>(&p64) : &p32;
  return map(out, self.dtype(), self.dtype(), k.of(self.dtype(), "round_cpu"), p, self);
}

Tensor conj_physical(const Tensor& self, Out out) {
  static constexpr Kernels k =
      kernels<kComplexes, 1>([]<class T>(std::complex<T> z) -> std::complex<T> { return std::conj(z); });
  if (is_complex(self.dtype())) return same_type("conj_cpu", self, k, out);
  const bool is_in_place = out && out.tensor->impl() == self.impl();
  return out && !is_in_place ? same_type("conj_cpu", self, kIdentity, out) : self;
}

Tensor angle(const Tensor& self, Out out) {
  if (is_complex(self.dtype())) {
    // PyTorch's result is row-major here, whatever self's strides.
    const Tensor fresh = out ? Tensor() : Tensor::empty(self.sizes(), to_real(self.dtype()));
    if (!out) out = Out{&fresh};
    return complex_to_real(self, out, kernels::angle_c64, [](c128 z) { return std::atan2(z.imag(), z.real()); });
  }
  static constexpr Kernels k = kernels<kFloats, 1>([]<class T>(T a) -> T {
    return a != a ? a : a < 0 ? static_cast<T>(3.141592653589793) : T(0);
  });
  const DType common = to_float_type(self.dtype());
  return map(out, common, common, k.of(common, "angle_cpu"), nullptr, self);
}

Tensor complex(const Tensor& real, const Tensor& imag, Out out) {
  const DType t = real.dtype();
  const auto ok = [](DType d) { return d == DType::kFloat || d == DType::kDouble || d == DType::kHalf; };
  WICK_CHECK(ok(t) && ok(imag.dtype()), kTypeMismatch,
             "Expected both inputs to be Half, Float or Double tensors but got ", name_of(t), " and ",
             name_of(imag.dtype()));
  WICK_CHECK(t == imag.dtype(), kTypeMismatch, "Expected object of scalar type ", name_of(t), " but got scalar type ",
             name_of(imag.dtype()), " for second argument");
  const TileFn fn = t == DType::kDouble ? tile<c128(double, double)>([](double a, double b) { return c128(a, b); })
                                        : tile<c64(float, float)>([](float a, float b) { return c64(a, b); });
  return map(out, to_complex(t), t, fn, nullptr, real, imag);
}

Tensor polar(const Tensor& abs, const Tensor& angle, Out out) {
  const DType t = abs.dtype();
  const auto ok = [](DType d) { return d == DType::kFloat || d == DType::kDouble || d == DType::kHalf; };
  WICK_CHECK(ok(t) && ok(angle.dtype()), kTypeMismatch,
             "Expected both inputs to be Half, Float or Double tensors but got ", name_of(t), " and ",
             name_of(angle.dtype()));
  WICK_CHECK(t == angle.dtype(), kTypeMismatch, "Expected object of scalar type ", name_of(t), " but got scalar type ",
             name_of(angle.dtype()), " for second argument");
  constexpr auto f = []<class T>(T r, T a) { return std::complex<T>(r * std::cos(a), r * std::sin(a)); };
  const TileFn fn = t == DType::kDouble ? tile<c128(double, double)>(f) : tile<c64(float, float)>(f);
  return map(out, to_complex(t), t, fn, nullptr, abs, angle);
}

Tensor nan_to_num(const Tensor& self, std::optional<double> nan, std::optional<double> posinf,
                  std::optional<double> neginf, Out out) {
  static constexpr Kernels k = kernels_with<kFloats, 1, Replacements>([]<class T>(Replacements<T> p, T a) -> T {
    if (a != a) return p.nan;
    if (a == std::numeric_limits<T>::infinity()) return p.posinf;
    if (a == -std::numeric_limits<T>::infinity()) return p.neginf;
    return a;
  });
  if (!is_floating(self.dtype())) return same_type("nan_to_num", self, kIdentity, out);
  const double big = largest(self.dtype());
  return with_compute_type(self.dtype(), [&]<class T>(T) {
    if constexpr (std::is_floating_point_v<T>) {
      const Replacements<T> p{static_cast<T>(nan.value_or(0)), static_cast<T>(posinf.value_or(big)),
                              static_cast<T>(neginf.value_or(-big))};
      return map(out, self.dtype(), self.dtype(), k.of(self.dtype(), "nan_to_num"), &p, self);
    } else {
      return Tensor();
    }
  });
}

std::tuple<Tensor, Tensor> frexp(const Tensor& self) {
  WICK_CHECK(is_floating(self.dtype()), kUnsupported, "torch.frexp() only supports floating-point dtypes");
  Iterator it;
  it.output({}, self.dtype()).output({}, DType::kInt).input(self, self.dtype());
  const auto run = [&]<class T>(T) {
    it.run([](void* const* p, int64_t n, const void*) {
      T* mantissa = static_cast<T*>(p[0]);
      int64_t* exponent = static_cast<int64_t*>(p[1]);
      const T* in = static_cast<const T*>(p[2]);
      for (int64_t i = 0; i < n; ++i) {
        int e = 0;
        mantissa[i] = std::frexp(in[i], &e);
        exponent[i] = e;
      }
    });
  };
  if (self.dtype() == DType::kDouble) {
    run(double{});
  } else {
    run(float{});
  }
  return {it.result(0), it.result(1)};
}

}  // namespace wick::ops
