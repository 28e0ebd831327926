// One line an operator name; the macros spell out the overloads PyTorch has for each combination of number types.
#include "core/check.h"
#include "ops/families.h"
#include "ops/lang/number.h"

namespace wick {

namespace {

using namespace ops::lang;

// A unary function of the Scalar overload: PyTorch gives its result as a C float (or a C int).
Scalar narrow(double v) { return Scalar(static_cast<double>(static_cast<float>(v))); }
Scalar narrow(int64_t v) { return Scalar(static_cast<int64_t>(static_cast<int32_t>(v))); }

template <double (*F)(double)>
double real(double a) {
  return F(a);
}
template <Complex (*F)(const Complex&)>
Complex cplx(Complex a) {
  return F(a);
}
template <double (*F)(double)>
Scalar number(const Scalar& a) {
  return narrow(F(a.to_double()));
}
template <double (*F)(double), Complex (*G)(const Complex&)>
Scalar any_number(const Scalar& a) {
  return a.is_complex() ? Scalar(G(a.to_complex())) : narrow(F(a.to_double()));
}

template <int64_t (*I)(int64_t, int64_t), double (*F)(double, double)>
Scalar real_binary(const Scalar& a, const Scalar& b) {
  if (a.is_integral() && b.is_integral()) return Scalar(I(a.to_int(), b.to_int()));
  return Scalar(F(a.to_double(), b.to_double()));
}
template <int64_t (*I)(int64_t, int64_t), double (*F)(double, double), Complex (*C)(Complex, Complex)>
Scalar any_binary(const Scalar& a, const Scalar& b) {
  if (a.is_complex() || b.is_complex()) return Scalar(C(a.to_complex(), b.to_complex()));
  return real_binary<I, F>(a, b);
}
template <double (*F)(double, double)>
double float_binary(double a, double b) {
  return F(a, b);
}
template <double (*F)(double, double)>
double float_binary_scalar(const Scalar& a, const Scalar& b) {
  return F(a.to_double(), b.to_double());
}

struct Eq {
  template <class T>
  static bool of(const T& a, const T& b) {
    return a == b;
  }
};
struct Ne {
  template <class T>
  static bool of(const T& a, const T& b) {
    return a != b;
  }
};
struct Lt {
  template <class T>
  static bool of(const T& a, const T& b) {
    return a < b;
  }
};
struct Le {
  template <class T>
  static bool of(const T& a, const T& b) {
    return a <= b;
  }
};
struct Gt {
  template <class T>
  static bool of(const T& a, const T& b) {
    return a > b;
  }
};
struct Ge {
  template <class T>
  static bool of(const T& a, const T& b) {
    return a >= b;
  }
};

template <class Op>
bool compare_int(int64_t a, int64_t b) {
  return Op::of(a, b);
}
template <class Op>
bool compare_float(double a, double b) {
  return Op::of(a, b);
}
template <class Op>
bool compare_scalar(const Scalar& a, const Scalar& b) {
  if (a.is_integral() && b.is_integral()) return Op::of(a.to_int(), b.to_int());
  return Op::of(a.to_double(), b.to_double());
}
template <class Op>
bool compare_any_scalar(const Scalar& a, const Scalar& b) {
  if (a.is_complex() || b.is_complex()) return Op::of(a.to_complex(), b.to_complex());
  return compare_scalar<Op>(a, b);
}
bool eq_bool(bool a, bool b) { return a == b; }
bool ne_bool(bool a, bool b) { return a != b; }

// min and max keep the first operand unless the second is smaller or larger, as C++ does with NaN.
int64_t max_int(int64_t a, int64_t b) { return a > b ? a : b; }
int64_t min_int(int64_t a, int64_t b) { return a < b ? a : b; }
double max_float(double a, double b) { return a > b ? a : b; }
double min_float(double a, double b) { return a < b ? a : b; }

int64_t floor_float(double a) { return checked_int_of(std::floor(a)); }
int64_t ceil_float(double a) { return checked_int_of(std::ceil(a)); }
int64_t same_int(int64_t a) { return a; }
Scalar floor_scalar(const Scalar& a) { return narrow(a.is_integral() ? a.to_int() : floor_float(a.to_double())); }
Scalar ceil_scalar(const Scalar& a) { return narrow(a.is_integral() ? a.to_int() : ceil_float(a.to_double())); }
Scalar neg_scalar(const Scalar& a) {
  if (a.is_complex()) return Scalar(-a.to_complex());
  return a.is_integral() ? narrow(neg_int(a.to_int())) : narrow(-a.to_double());
}
Scalar abs_scalar(const Scalar& a) {
  if (a.is_complex()) return narrow(abs_complex(a.to_complex()));
  return a.is_integral() ? narrow(abs_int(a.to_int())) : narrow(std::fabs(a.to_double()));
}
Scalar angle_scalar(const Scalar& a) {
  return narrow(a.is_complex() ? angle_complex(a.to_complex()) : angle_float(a.to_double()));
}
Scalar polar_scalar(const Scalar& a, const Scalar& b) { return Scalar(polar_float(a.to_double(), b.to_double())); }

bool bool_of_int(int64_t a) { return a != 0; }
bool bool_of_float(double a) { return a != 0; }
int64_t int_of_bool(bool a) { return a; }
int64_t int_of_scalar(const Scalar& a) {
  WICK_CHECK(!a.is_complex(), kTypeMismatch, "value cannot be converted to type int without overflow");
  return a.to_int();
}
double float_of_int(int64_t a) { return static_cast<double>(a); }
double float_of_bool(bool a) { return a; }
bool is_nan(double a) { return std::isnan(a); }
bool is_inf(double a) { return std::isinf(a); }
bool is_finite(double a) { return std::isfinite(a); }

}  // namespace

#define REAL(name, fn)                                                                                        \
  OP("aten::" name ".int(int a) -> float", real<fn>), OP("aten::" name ".float(float a) -> float", real<fn>), \
      OP("aten::" name ".Scalar(Scalar a) -> Scalar", number<fn>)
#define REAL_AND_COMPLEX(name, fn)                                                                            \
  OP("aten::" name ".int(int a) -> float", real<fn>), OP("aten::" name ".float(float a) -> float", real<fn>), \
      OP("aten::" name ".complex(complex a) -> complex", cplx<fn>),                                           \
      OP("aten::" name ".Scalar(Scalar a) -> Scalar", (any_number<fn, fn>))
#define ARITHMETIC(name, op)                                                           \
  OP("aten::" name ".int(int a, int b) -> int", op##_int),                             \
      OP("aten::" name ".complex(complex a, complex b) -> complex", op##_complex),     \
      OP("aten::" name ".float(float a, float b) -> float", op##_float),               \
      OP("aten::" name ".int_complex(int a, complex b) -> complex", op##_complex),     \
      OP("aten::" name ".complex_int(complex a, int b) -> complex", op##_complex),     \
      OP("aten::" name ".float_complex(float a, complex b) -> complex", op##_complex), \
      OP("aten::" name ".complex_float(complex a, float b) -> complex", op##_complex), \
      OP("aten::" name ".int_float(int a, float b) -> float", op##_float),             \
      OP("aten::" name ".float_int(float a, int b) -> float", op##_float),             \
      OP("aten::" name "(Scalar a, Scalar b) -> Scalar", (any_binary<op##_int, op##_float, op##_complex>))
#define FLOORED(name, op)                                                  \
  OP("aten::" name ".int(int a, int b) -> int", op##_int),                 \
      OP("aten::" name ".float(float a, float b) -> float", op##_float),   \
      OP("aten::" name ".int_float(int a, float b) -> float", op##_float), \
      OP("aten::" name ".float_int(float a, int b) -> float", op##_float), \
      OP("aten::" name "(Scalar a, Scalar b) -> Scalar", (real_binary<op##_int, op##_float>))
#define FLOAT_BINARY(name, scalar_overload, fn)                                  \
  OP("aten::" name ".int(int a, int b) -> float", float_binary<fn>),             \
      OP("aten::" name ".float(float a, float b) -> float", float_binary<fn>),   \
      OP("aten::" name ".int_float(int a, float b) -> float", float_binary<fn>), \
      OP("aten::" name ".float_int(float a, int b) -> float", float_binary<fn>), \
      OP("aten::" name scalar_overload "(Scalar a, Scalar b) -> float", float_binary_scalar<fn>)
#define ORDER(name, Op)                                                          \
  OP("aten::" name ".int(int a, int b) -> bool", compare_int<Op>),               \
      OP("aten::" name ".float(float a, float b) -> bool", compare_float<Op>),   \
      OP("aten::" name ".int_float(int a, float b) -> bool", compare_float<Op>), \
      OP("aten::" name ".float_int(float a, int b) -> bool", compare_float<Op>), \
      OP("aten::" name "(Scalar a, Scalar b) -> bool", compare_scalar<Op>)
#define EQUALITY(name, op, Op)                                                      \
  OP("aten::" name ".bool(bool a, bool b) -> bool", op##_bool),                     \
      OP("aten::" name ".int(int a, int b) -> bool", compare_int<Op>),              \
      OP("aten::" name ".complex(complex a, complex b) -> bool", op##_complex),     \
      OP("aten::" name ".float(float a, float b) -> bool", compare_float<Op>),      \
      OP("aten::" name ".int_float(int a, float b) -> bool", compare_float<Op>),    \
      OP("aten::" name ".float_int(float a, int b) -> bool", compare_float<Op>),    \
      OP("aten::" name ".float_complex(float a, complex b) -> bool", op##_complex), \
      OP("aten::" name ".complex_float(complex a, float b) -> bool", op##_complex), \
      OP("aten::" name "(Scalar a, Scalar b) -> bool", compare_any_scalar<Op>)
#define EXTREME(name, op)                                                  \
  OP("prim::" name ".int(int a, int b) -> int", op##_int),                 \
      OP("prim::" name ".float(float a, float b) -> float", op##_float),   \
      OP("prim::" name ".int_float(int a, float b) -> float", op##_float), \
      OP("prim::" name ".float_int(float a, int b) -> float", op##_float), \
      OP("prim::" name "(Scalar a, Scalar b) -> Scalar", (real_binary<op##_int, op##_float>))

namespace {

constexpr OpEntry kEntries[] = {
    ARITHMETIC("add", add),
    ARITHMETIC("sub", sub),
    ARITHMETIC("mul", mul),
    FLOORED("floordiv", floordiv),
    FLOORED("remainder", remainder),
    OP("aten::div.int(int a, int b) -> float", div_float),
    OP("aten::div.complex(complex a, complex b) -> complex", div_complex),
    OP("aten::div.float(float a, float b) -> float", div_float),
    OP("aten::div(Scalar a, Scalar b) -> float", float_binary_scalar<div_float>),
    OP("aten::__round_to_zero_floordiv.int(int a, int b) -> int", truncdiv_int),
    OP("aten::divmod.int(int x, int y) -> (int, int)", divmod_int),
    OP("aten::divmod.float(float x, float y) -> (float, float)", divmod_float),
    OP("aten::divmod.int_float(int x, float y) -> (float, float)", divmod_int_float),
    OP("aten::divmod.float_int(float x, int y) -> (float, float)", divmod_float_int),
    OP("aten::pow.int(int a, int b) -> float", pow_float),
    OP("aten::pow.complex(complex a, complex b) -> complex", pow_complex),
    OP("aten::pow.float(float a, float b) -> float", pow_float),
    OP("aten::pow.int_float(int a, float b) -> float", pow_float),
    OP("aten::pow.float_int(float a, int b) -> float", pow_float),
    OP("aten::pow.float_complex(float a, complex b) -> complex", pow_complex),
    OP("aten::pow.complex_float(complex a, float b) -> complex", pow_complex),
    OP("aten::pow.Scalar_Scalar(Scalar a, Scalar b) -> float", float_binary_scalar<pow_float>),
    OP("aten::pow.int_to_int(int a, int b) -> int", pow_float),  // PyTorch gives a float in spite of the schema
    OP("aten::__and__.bool(bool a, bool b) -> bool", and_bool),
    OP("aten::__and__.int(int a, int b) -> int", and_int),
    OP("aten::__or__.bool(bool a, bool b) -> bool", or_bool),
    OP("aten::__or__.int(int a, int b) -> int", or_int),
    OP("aten::__xor__.bool(bool a, bool b) -> bool", xor_bool),
    OP("aten::__xor__.int(int a, int b) -> int", xor_int),
    OP("aten::__lshift__.int(int a, int b) -> int", lshift_int),
    OP("aten::__rshift__.int(int a, int b) -> int", rshift_int),
    OP("aten::gcd.int(int a, int b) -> int", gcd_int),
    OP("aten::factorial.int(int a) -> int", factorial),

    EQUALITY("eq", eq, Eq),
    EQUALITY("ne", ne, Ne),
    ORDER("lt", Lt),
    ORDER("le", Le),
    ORDER("gt", Gt),
    ORDER("ge", Ge),
    EXTREME("max", max),
    EXTREME("min", min),

    OP("aten::neg.int(int a) -> int", neg_int),
    OP("aten::neg.float(float a) -> float", neg_float),
    OP("aten::neg.complex(complex a) -> complex", neg_complex),
    OP("aten::neg.Scalar(Scalar a) -> Scalar", neg_scalar),
    OP("prim::abs.int(int a) -> int", abs_int),
    OP("prim::abs.float(float a) -> float", abs_float),
    OP("prim::abs.complex(complex a) -> float", abs_complex),
    OP("prim::abs.Scalar(Scalar a) -> Scalar", abs_scalar),
    OP("aten::floor.int(int a) -> int", same_int),
    OP("aten::floor.float(float a) -> int", floor_float),
    OP("aten::floor.Scalar(Scalar a) -> Scalar", floor_scalar),
    OP("aten::ceil.int(int a) -> int", same_int),
    OP("aten::ceil.float(float a) -> int", ceil_float),
    OP("aten::ceil.Scalar(Scalar a) -> Scalar", ceil_scalar),
    REAL("round", round_float),
    REAL("fabs", std::fabs),
    REAL("log1p", std::log1p),
    REAL("expm1", std::expm1),
    REAL("gamma", std::tgamma),
    REAL("lgamma", std::lgamma),
    REAL("erf", std::erf),
    REAL("erfc", std::erfc),
    REAL("degrees", degrees),
    REAL("radians", radians),
    REAL_AND_COMPLEX("exp", std::exp),
    REAL_AND_COMPLEX("log", std::log),
    REAL_AND_COMPLEX("log10", std::log10),
    REAL_AND_COMPLEX("sqrt", std::sqrt),
    REAL_AND_COMPLEX("sin", std::sin),
    REAL_AND_COMPLEX("cos", std::cos),
    REAL_AND_COMPLEX("tan", std::tan),
    REAL_AND_COMPLEX("asin", std::asin),
    REAL_AND_COMPLEX("acos", std::acos),
    REAL_AND_COMPLEX("atan", std::atan),
    REAL_AND_COMPLEX("sinh", std::sinh),
    REAL_AND_COMPLEX("cosh", std::cosh),
    REAL_AND_COMPLEX("tanh", std::tanh),
    REAL_AND_COMPLEX("asinh", std::asinh),
    REAL_AND_COMPLEX("acosh", std::acosh),
    REAL_AND_COMPLEX("atanh", std::atanh),
    OP("aten::log.int_int(int a, int b) -> float", log_base),
    OP("aten::log.float_float(float a, float b) -> float", log_base),
    OP("aten::log.complex_complex(complex a, complex b) -> complex", log_base_complex),
    OP("aten::log.int_float(int a, float b) -> float", log_base),
    OP("aten::log.float_int(float a, int b) -> float", log_base),
    OP("aten::log.int_complex(int a, complex b) -> complex", log_complex_base),
    OP("aten::log.complex_int(complex a, int b) -> complex", log_of_complex),
    OP("aten::log.float_complex(float a, complex b) -> complex", log_complex_base),
    OP("aten::log.complex_float(complex a, float b) -> complex", log_of_complex),
    OP("aten::log.Scalar_Scalar(Scalar a, Scalar b) -> float", float_binary_scalar<log_base>),
    FLOAT_BINARY("atan2", ".Scalar_Scalar", std::atan2),
    FLOAT_BINARY("fmod", "", std::fmod),
    FLOAT_BINARY("mathremainder", "", std::remainder),
    FLOAT_BINARY("copysign", "", std::copysign),
    OP("aten::angle.int(int a) -> float", angle_float),
    OP("aten::angle.float(float a) -> float", angle_float),
    OP("aten::angle.complex(complex a) -> float", angle_complex),
    OP("aten::angle.Scalar(Scalar a) -> Scalar", angle_scalar),
    OP("aten::polar.int(int a, int b) -> complex", polar_float),
    OP("aten::polar.float(float a, float b) -> complex", polar_float),
    OP("aten::polar.int_float(int a, float b) -> complex", polar_float),
    OP("aten::polar.float_int(float a, int b) -> complex", polar_float),
    OP("aten::polar.Scalar_Scalar(Scalar a, Scalar b) -> Scalar", polar_scalar),
    OP("aten::modf(float a) -> (float, float)", modf_float),
    OP("aten::frexp(float a) -> (float, int)", frexp_float),
    OP("aten::ldexp(float x, int i) -> float", ldexp_float),
    OP("aten::isnan.float(float a) -> bool", is_nan),
    OP("aten::isnan.complex(complex a) -> bool", isnan_complex),
    OP("aten::isinf.float(float a) -> bool", is_inf),
    OP("aten::isinf.complex(complex a) -> bool", isinf_complex),
    OP("aten::isfinite.float(float a) -> bool", is_finite),
    OP("aten::isfinite.complex(complex a) -> bool", isfinite_complex),

    OP("aten::Bool.Tensor(Tensor a) -> bool", bool_of_tensor),
    OP("aten::Bool.int(int a) -> bool", bool_of_int),
    OP("aten::Bool.float(float a) -> bool", bool_of_float),
    OP("aten::Int.Tensor(Tensor a) -> int", int_of_tensor),
    OP("aten::Int.bool(bool a) -> int", int_of_bool),
    OP("aten::Int.float(float a) -> int", int_of),
    OP("aten::Int.Scalar(Scalar a) -> int", int_of_scalar),
    OP("aten::Int.str(str a) -> int", int_of_str),
    OP("aten::Float.Tensor(Tensor a) -> float", float_of_tensor),
    OP("aten::Float.Scalar(Scalar a) -> float", float_of_scalar),
    OP("aten::Float.int(int a) -> float", float_of_int),
    OP("aten::Float.bool(bool a) -> float", float_of_bool),
    OP("aten::Float.str(str a) -> float", float_of_str),
    OP("aten::Complex.Scalar(Scalar a) -> complex", complex_of_scalar),
    OP("aten::Complex.Tensor_Tensor(Tensor a, Tensor b) -> complex", complex_of),
    OP("aten::Complex.int_bool(int x, bool y) -> complex", complex_of),
    OP("aten::Complex.bool_int(bool x, int y) -> complex", complex_of),
    OP("aten::Complex.float_bool(float x, bool y) -> complex", complex_of),
    OP("aten::Complex.bool_float(bool x, float y) -> complex", complex_of),
    OP("aten::Complex.float_int(float x, int y) -> complex", complex_of),
    OP("aten::Complex.int_float(int x, float y) -> complex", complex_of),
    OP("aten::Complex.int_int(int x, int y) -> complex", complex_of),
    OP("aten::Complex.bool_bool(bool x, bool y) -> complex", complex_of),
    OP("aten::Complex.float_float(float x, float y) -> complex", complex_of),
    OP("aten::Complex.Tensor_float(Tensor x, float y) -> complex", complex_of),
    OP("aten::Complex.float_Tensor(float x, Tensor y) -> complex", complex_of),
    OP("aten::Complex.Tensor_int(Tensor x, int y) -> complex", complex_of),
    OP("aten::Complex.int_Tensor(int x, Tensor y) -> complex", complex_of),
    OP("aten::Complex.Tensor_bool(Tensor x, bool y) -> complex", complex_of),
    OP("aten::Complex.bool_Tensor(bool x, Tensor y) -> complex", complex_of),
    OP("aten::IntImplicit(Tensor a) -> int", int_implicit),
    OP("aten::FloatImplicit(Tensor a) -> float", float_implicit),
    OP("aten::ComplexImplicit(Tensor a) -> complex", complex_implicit),
    OP("aten::ScalarImplicit(Tensor a) -> Scalar", scalar_implicit),

    OP("aten::__range_length(int lo, int hi, int step) -> int", range_length),
    OP("aten::__derive_index(int index, int start, int step) -> int", derive_index),
};

}  // namespace

WICK_OP_FAMILY(kNumberOps, kEntries)

}  // namespace wick
