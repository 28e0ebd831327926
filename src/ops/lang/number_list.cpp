// One line an operator name; the macros spell out the overloads PyTorch has for each combination of number types.
#include "core/check.h"
#include "ops/families.h"
#include "ops/lang/number.h"

namespace wick {

namespace {

using namespace ops::lang;
using namespace traits;

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

#define REAL(name, fn)                                                       \
  OP("aten::" name ".int(int a) -> float", real<fn>, deterministic),         \
      OP("aten::" name ".float(float a) -> float", real<fn>, deterministic), \
      OP("aten::" name ".Scalar(Scalar a) -> Scalar", number<fn>, deterministic)
#define REAL_AND_COMPLEX(name, fn)                                                 \
  OP("aten::" name ".int(int a) -> float", real<fn>, deterministic),               \
      OP("aten::" name ".float(float a) -> float", real<fn>, deterministic),       \
      OP("aten::" name ".complex(complex a) -> complex", cplx<fn>, deterministic), \
      OP("aten::" name ".Scalar(Scalar a) -> Scalar", (any_number<fn, fn>), deterministic)
#define ARITHMETIC(name, op)                                                                               \
  OP("aten::" name ".int(int a, int b) -> int", op##_int, deterministic),                                  \
      OP("aten::" name ".complex(complex a, complex b) -> complex", op##_complex, deterministic),          \
      OP("aten::" name ".float(float a, float b) -> float", op##_float, deterministic),                    \
      OP("aten::" name ".int_complex(int a, complex b) -> complex", op##_complex, deterministic),          \
      OP("aten::" name ".complex_int(complex a, int b) -> complex", op##_complex, deterministic),          \
      OP("aten::" name ".float_complex(float a, complex b) -> complex", op##_complex, deterministic),      \
      OP("aten::" name ".complex_float(complex a, float b) -> complex", op##_complex, deterministic),      \
      OP("aten::" name ".int_float(int a, float b) -> float", op##_float, deterministic),                  \
      OP("aten::" name ".float_int(float a, int b) -> float", op##_float, deterministic),                  \
      OP("aten::" name "(Scalar a, Scalar b) -> Scalar", (any_binary<op##_int, op##_float, op##_complex>), \
         deterministic)
#define FLOORED(name, op)                                                                 \
  OP("aten::" name ".int(int a, int b) -> int", op##_int, deterministic),                 \
      OP("aten::" name ".float(float a, float b) -> float", op##_float, deterministic),   \
      OP("aten::" name ".int_float(int a, float b) -> float", op##_float, deterministic), \
      OP("aten::" name ".float_int(float a, int b) -> float", op##_float, deterministic), \
      OP("aten::" name "(Scalar a, Scalar b) -> Scalar", (real_binary<op##_int, op##_float>), deterministic)
#define FLOAT_BINARY(name, scalar_overload, fn)                                                 \
  OP("aten::" name ".int(int a, int b) -> float", float_binary<fn>, deterministic),             \
      OP("aten::" name ".float(float a, float b) -> float", float_binary<fn>, deterministic),   \
      OP("aten::" name ".int_float(int a, float b) -> float", float_binary<fn>, deterministic), \
      OP("aten::" name ".float_int(float a, int b) -> float", float_binary<fn>, deterministic), \
      OP("aten::" name scalar_overload "(Scalar a, Scalar b) -> float", float_binary_scalar<fn>, deterministic)
#define ORDER(name, Op)                                                                         \
  OP("aten::" name ".int(int a, int b) -> bool", compare_int<Op>, deterministic),               \
      OP("aten::" name ".float(float a, float b) -> bool", compare_float<Op>, deterministic),   \
      OP("aten::" name ".int_float(int a, float b) -> bool", compare_float<Op>, deterministic), \
      OP("aten::" name ".float_int(float a, int b) -> bool", compare_float<Op>, deterministic), \
      OP("aten::" name "(Scalar a, Scalar b) -> bool", compare_scalar<Op>, deterministic)
#define EQUALITY(name, op, Op)                                                                     \
  OP("aten::" name ".bool(bool a, bool b) -> bool", op##_bool, deterministic),                     \
      OP("aten::" name ".int(int a, int b) -> bool", compare_int<Op>, deterministic),              \
      OP("aten::" name ".complex(complex a, complex b) -> bool", op##_complex, deterministic),     \
      OP("aten::" name ".float(float a, float b) -> bool", compare_float<Op>, deterministic),      \
      OP("aten::" name ".int_float(int a, float b) -> bool", compare_float<Op>, deterministic),    \
      OP("aten::" name ".float_int(float a, int b) -> bool", compare_float<Op>, deterministic),    \
      OP("aten::" name ".float_complex(float a, complex b) -> bool", op##_complex, deterministic), \
      OP("aten::" name ".complex_float(complex a, float b) -> bool", op##_complex, deterministic), \
      OP("aten::" name "(Scalar a, Scalar b) -> bool", compare_any_scalar<Op>, deterministic)
#define EXTREME(name, op)                                                                 \
  OP("prim::" name ".int(int a, int b) -> int", op##_int, deterministic),                 \
      OP("prim::" name ".float(float a, float b) -> float", op##_float, deterministic),   \
      OP("prim::" name ".int_float(int a, float b) -> float", op##_float, deterministic), \
      OP("prim::" name ".float_int(float a, int b) -> float", op##_float, deterministic), \
      OP("prim::" name "(Scalar a, Scalar b) -> Scalar", (real_binary<op##_int, op##_float>), deterministic)

namespace {

constexpr OpEntry kEntries[] = {
    ARITHMETIC("add", add),
    ARITHMETIC("sub", sub),
    ARITHMETIC("mul", mul),
    FLOORED("floordiv", floordiv),
    FLOORED("remainder", remainder),
    OP("aten::div.int(int a, int b) -> float", div_float, deterministic),
    OP("aten::div.complex(complex a, complex b) -> complex", div_complex, deterministic),
    OP("aten::div.float(float a, float b) -> float", div_float, deterministic),
    OP("aten::div(Scalar a, Scalar b) -> float", float_binary_scalar<div_float>, deterministic),
    OP("aten::__round_to_zero_floordiv.int(int a, int b) -> int", truncdiv_int, deterministic),
    OP("aten::divmod.int(int x, int y) -> (int, int)", divmod_int, deterministic),
    OP("aten::divmod.float(float x, float y) -> (float, float)", divmod_float, deterministic),
    OP("aten::divmod.int_float(int x, float y) -> (float, float)", divmod_int_float, deterministic),
    OP("aten::divmod.float_int(float x, int y) -> (float, float)", divmod_float_int, deterministic),
    OP("aten::pow.int(int a, int b) -> float", pow_float, deterministic),
    OP("aten::pow.complex(complex a, complex b) -> complex", pow_complex, deterministic),
    OP("aten::pow.float(float a, float b) -> float", pow_float, deterministic),
    OP("aten::pow.int_float(int a, float b) -> float", pow_float, deterministic),
    OP("aten::pow.float_int(float a, int b) -> float", pow_float, deterministic),
    OP("aten::pow.float_complex(float a, complex b) -> complex", pow_complex, deterministic),
    OP("aten::pow.complex_float(complex a, float b) -> complex", pow_complex, deterministic),
    OP("aten::pow.Scalar_Scalar(Scalar a, Scalar b) -> float", float_binary_scalar<pow_float>, deterministic),
    OP("aten::pow.int_to_int(int a, int b) -> int", pow_float,
       deterministic),  // PyTorch gives a float in spite of the schema
    OP("aten::__and__.bool(bool a, bool b) -> bool", and_bool, deterministic),
    OP("aten::__and__.int(int a, int b) -> int", and_int, deterministic),
    OP("aten::__or__.bool(bool a, bool b) -> bool", or_bool, deterministic),
    OP("aten::__or__.int(int a, int b) -> int", or_int, deterministic),
    OP("aten::__xor__.bool(bool a, bool b) -> bool", xor_bool, deterministic),
    OP("aten::__xor__.int(int a, int b) -> int", xor_int, deterministic),
    OP("aten::__lshift__.int(int a, int b) -> int", lshift_int, deterministic),
    OP("aten::__rshift__.int(int a, int b) -> int", rshift_int, deterministic),
    OP("aten::gcd.int(int a, int b) -> int", gcd_int, deterministic),
    OP("aten::factorial.int(int a) -> int", factorial, deterministic),

    EQUALITY("eq", eq, Eq),
    EQUALITY("ne", ne, Ne),
    ORDER("lt", Lt),
    ORDER("le", Le),
    ORDER("gt", Gt),
    ORDER("ge", Ge),
    EXTREME("max", max),
    EXTREME("min", min),

    OP("aten::neg.int(int a) -> int", neg_int, deterministic),
    OP("aten::neg.float(float a) -> float", neg_float, deterministic),
    OP("aten::neg.complex(complex a) -> complex", neg_complex, deterministic),
    OP("aten::neg.Scalar(Scalar a) -> Scalar", neg_scalar, deterministic),
    OP("prim::abs.int(int a) -> int", abs_int, deterministic),
    OP("prim::abs.float(float a) -> float", abs_float, deterministic),
    OP("prim::abs.complex(complex a) -> float", abs_complex, deterministic),
    OP("prim::abs.Scalar(Scalar a) -> Scalar", abs_scalar, deterministic),
    OP("aten::floor.int(int a) -> int", same_int, deterministic),
    OP("aten::floor.float(float a) -> int", floor_float, deterministic),
    OP("aten::floor.Scalar(Scalar a) -> Scalar", floor_scalar, deterministic),
    OP("aten::ceil.int(int a) -> int", same_int, deterministic),
    OP("aten::ceil.float(float a) -> int", ceil_float, deterministic),
    OP("aten::ceil.Scalar(Scalar a) -> Scalar", ceil_scalar, deterministic),
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
    OP("aten::log.int_int(int a, int b) -> float", log_base, deterministic),
    OP("aten::log.float_float(float a, float b) -> float", log_base, deterministic),
    OP("aten::log.complex_complex(complex a, complex b) -> complex", log_base_complex, deterministic),
    OP("aten::log.int_float(int a, float b) -> float", log_base, deterministic),
    OP("aten::log.float_int(float a, int b) -> float", log_base, deterministic),
    OP("aten::log.int_complex(int a, complex b) -> complex", log_complex_base, deterministic),
    OP("aten::log.complex_int(complex a, int b) -> complex", log_of_complex, deterministic),
    OP("aten::log.float_complex(float a, complex b) -> complex", log_complex_base, deterministic),
    OP("aten::log.complex_float(complex a, float b) -> complex", log_of_complex, deterministic),
    OP("aten::log.Scalar_Scalar(Scalar a, Scalar b) -> float", float_binary_scalar<log_base>, deterministic),
    FLOAT_BINARY("atan2", ".Scalar_Scalar", std::atan2),
    FLOAT_BINARY("fmod", "", std::fmod),
    FLOAT_BINARY("mathremainder", "", std::remainder),
    FLOAT_BINARY("copysign", "", std::copysign),
    OP("aten::angle.int(int a) -> float", angle_float, deterministic),
    OP("aten::angle.float(float a) -> float", angle_float, deterministic),
    OP("aten::angle.complex(complex a) -> float", angle_complex, deterministic),
    OP("aten::angle.Scalar(Scalar a) -> Scalar", angle_scalar, deterministic),
    OP("aten::polar.int(int a, int b) -> complex", polar_float, deterministic),
    OP("aten::polar.float(float a, float b) -> complex", polar_float, deterministic),
    OP("aten::polar.int_float(int a, float b) -> complex", polar_float, deterministic),
    OP("aten::polar.float_int(float a, int b) -> complex", polar_float, deterministic),
    OP("aten::polar.Scalar_Scalar(Scalar a, Scalar b) -> Scalar", polar_scalar, deterministic),
    OP("aten::modf(float a) -> (float, float)", modf_float, deterministic),
    OP("aten::frexp(float a) -> (float, int)", frexp_float, deterministic),
    OP("aten::ldexp(float x, int i) -> float", ldexp_float, deterministic),
    OP("aten::isnan.float(float a) -> bool", is_nan, deterministic),
    OP("aten::isnan.complex(complex a) -> bool", isnan_complex, deterministic),
    OP("aten::isinf.float(float a) -> bool", is_inf, deterministic),
    OP("aten::isinf.complex(complex a) -> bool", isinf_complex, deterministic),
    OP("aten::isfinite.float(float a) -> bool", is_finite, deterministic),
    OP("aten::isfinite.complex(complex a) -> bool", isfinite_complex, deterministic),

    OP("aten::Bool.Tensor(Tensor a) -> bool", bool_of_tensor, data_dependent_output),
    OP("aten::Bool.int(int a) -> bool", bool_of_int, deterministic),
    OP("aten::Bool.float(float a) -> bool", bool_of_float, deterministic),
    OP("aten::Int.Tensor(Tensor a) -> int", int_of_tensor, data_dependent_output),
    OP("aten::Int.bool(bool a) -> int", int_of_bool, deterministic),
    OP("aten::Int.float(float a) -> int", int_of, deterministic),
    OP("aten::Int.Scalar(Scalar a) -> int", int_of_scalar, deterministic),
    OP("aten::Int.str(str a) -> int", int_of_str, deterministic),
    OP("aten::Float.Tensor(Tensor a) -> float", float_of_tensor, data_dependent_output),
    OP("aten::Float.Scalar(Scalar a) -> float", float_of_scalar, deterministic),
    OP("aten::Float.int(int a) -> float", float_of_int, deterministic),
    OP("aten::Float.bool(bool a) -> float", float_of_bool, deterministic),
    OP("aten::Float.str(str a) -> float", float_of_str, deterministic),
    OP("aten::Complex.Scalar(Scalar a) -> complex", complex_of_scalar, deterministic),
    OP("aten::Complex.Tensor_Tensor(Tensor a, Tensor b) -> complex", complex_of, data_dependent_output),
    OP("aten::Complex.int_bool(int x, bool y) -> complex", complex_of, deterministic),
    OP("aten::Complex.bool_int(bool x, int y) -> complex", complex_of, deterministic),
    OP("aten::Complex.float_bool(float x, bool y) -> complex", complex_of, deterministic),
    OP("aten::Complex.bool_float(bool x, float y) -> complex", complex_of, deterministic),
    OP("aten::Complex.float_int(float x, int y) -> complex", complex_of, deterministic),
    OP("aten::Complex.int_float(int x, float y) -> complex", complex_of, deterministic),
    OP("aten::Complex.int_int(int x, int y) -> complex", complex_of, deterministic),
    OP("aten::Complex.bool_bool(bool x, bool y) -> complex", complex_of, deterministic),
    OP("aten::Complex.float_float(float x, float y) -> complex", complex_of, deterministic),
    OP("aten::Complex.Tensor_float(Tensor x, float y) -> complex", complex_of, data_dependent_output),
    OP("aten::Complex.float_Tensor(float x, Tensor y) -> complex", complex_of, data_dependent_output),
    OP("aten::Complex.Tensor_int(Tensor x, int y) -> complex", complex_of, data_dependent_output),
    OP("aten::Complex.int_Tensor(int x, Tensor y) -> complex", complex_of, data_dependent_output),
    OP("aten::Complex.Tensor_bool(Tensor x, bool y) -> complex", complex_of, data_dependent_output),
    OP("aten::Complex.bool_Tensor(bool x, Tensor y) -> complex", complex_of, data_dependent_output),
    OP("aten::IntImplicit(Tensor a) -> int", int_implicit, data_dependent_output),
    OP("aten::FloatImplicit(Tensor a) -> float", float_implicit, data_dependent_output),
    OP("aten::ComplexImplicit(Tensor a) -> complex", complex_implicit, data_dependent_output),
    OP("aten::ScalarImplicit(Tensor a) -> Scalar", scalar_implicit, data_dependent_output),

    OP("aten::__range_length(int lo, int hi, int step) -> int", range_length, deterministic),
    OP("aten::__derive_index(int index, int start, int step) -> int", derive_index, deterministic),
};

}  // namespace

WICK_OP_FAMILY(kNumberOps, kEntries)

}  // namespace wick
