// c10::Scalar: a number whose kind (bool, int, float, complex) is known when the program runs.
#pragma once

#include <c10/core/ScalarType.h>
#include <c10/core/SymInt.h>

namespace at {
class Tensor;
}

namespace c10 {

class Scalar {
 public:
  Scalar() : Scalar(int64_t(0)) {}
  template <class T, class = typename std::enable_if<std::is_integral<T>::value && !std::is_same<T, bool>::value>::type>
  Scalar(T v) : tag_(Tag::kInt), i_(static_cast<int64_t>(v)) {}
  Scalar(bool v) : tag_(Tag::kBool), i_(v) {}
  Scalar(float v) : tag_(Tag::kDouble), d_(v) {}
  Scalar(double v) : tag_(Tag::kDouble), d_(v) {}
  Scalar(Half v) : tag_(Tag::kDouble), d_(float(v)) {}
  Scalar(BFloat16 v) : tag_(Tag::kDouble), d_(float(v)) {}
  template <class T>
  Scalar(const complex<T>& v)
      : tag_(Tag::kComplex), d_(static_cast<double>(v.real())), imag_(static_cast<double>(v.imag())) {}
  template <class T>
  Scalar(const std::complex<T>& v) : tag_(Tag::kComplex), d_(v.real()), imag_(v.imag()) {}
  Scalar(const SymInt& v) : Scalar(v.expect_int()) {}

  bool isFloatingPoint() const { return tag_ == Tag::kDouble; }
  bool isIntegral(bool include_bool) const { return tag_ == Tag::kInt || (include_bool && tag_ == Tag::kBool); }
  bool isIntegral() const { return isIntegral(false); }
  bool isComplex() const { return tag_ == Tag::kComplex; }
  bool isBoolean() const { return tag_ == Tag::kBool; }
  bool isSymInt() const { return false; }
  bool isSymFloat() const { return false; }
  bool isSymbolic() const { return false; }
  SymInt toSymInt() const { return SymInt(toLong()); }
  // The dtype this number has by itself.
  ScalarType type() const {
    return isBoolean() ? kBool : isComplex() ? kComplexDouble : isFloatingPoint() ? kDouble : kLong;
  }

  // Throw when the value does not fit.
  bool toBool() const { return isComplex() ? d_ || imag_ : isFloatingPoint() ? d_ != 0 : i_ != 0; }
  uint8_t toByte() const { return static_cast<uint8_t>(integer(-255, 255, "uint8_t")); }
  int8_t toChar() const { return static_cast<int8_t>(integer(INT8_MIN, INT8_MAX, "int8_t")); }
  int16_t toShort() const { return static_cast<int16_t>(integer(INT16_MIN, INT16_MAX, "int16_t")); }
  int toInt() const { return static_cast<int>(integer(INT32_MIN, INT32_MAX, "int")); }
  int64_t toLong() const { return integer(INT64_MIN, INT64_MAX, "int64_t"); }
  double toDouble() const {
    if (isComplex() && imag_ != 0) overflow("double");
    return isIntegral(true) ? static_cast<double>(i_) : d_;
  }
  float toFloat() const;
  Half toHalf() const {
    const double d = toDouble();
    if ((d > 65504 || d < -65504) && d - d == 0) overflow("at::Half");
    return Half(static_cast<float>(d));
  }
  BFloat16 toBFloat16() const { return BFloat16(static_cast<float>(toDouble())); }
  complex<double> toComplexDouble() const {
    return isComplex() ? complex<double>(d_, imag_) : complex<double>(toDouble(), 0);
  }
  complex<float> toComplexFloat() const { return complex<float>(toComplexDouble()); }
  complex<Half> toComplexHalf() const {
    return complex<Half>(Half(static_cast<float>(d_)), Half(static_cast<float>(imag_)));
  }
  template <class T>
  T to() const;

  Scalar operator-() const;
  Scalar conj() const { return isComplex() ? Scalar(complex<double>(d_, -imag_)) : *this; }
  Scalar log() const;
  template <class T, class = typename std::enable_if<std::is_arithmetic<T>::value>::type>
  bool equal(T v) const {
    if (isComplex()) return d_ == static_cast<double>(v) && imag_ == 0;
    if (isFloatingPoint()) return d_ == static_cast<double>(v);
    if (isBoolean()) return std::is_same<T, bool>::value && (i_ != 0) == static_cast<bool>(v);
    return !std::is_same<T, bool>::value && static_cast<double>(i_) == static_cast<double>(v) &&
           i_ == static_cast<int64_t>(v);
  }
  template <class T>
  bool equal(const complex<T>& v) const {
    const complex<double> own = toComplexDouble();
    return !isBoolean() && own.real() == v.real() && own.imag() == v.imag();
  }
  bool equal(bool v) const { return isBoolean() && (i_ != 0) == v; }

 private:
  enum class Tag : uint8_t { kBool, kInt, kDouble, kComplex };
  int64_t integer(int64_t low, int64_t high, const char* type) const;
  [[noreturn]] static void overflow(const char* type);
  Tag tag_;
  union {
    int64_t i_;
    double d_;
  };
  double imag_ = 0;
};

#define WICK_SCALAR_TO(type, name)       \
  template <>                            \
  inline type Scalar::to<type>() const { \
    return to##name();                   \
  }
WICK_SCALAR_TO(bool, Bool)
WICK_SCALAR_TO(uint8_t, Byte)
WICK_SCALAR_TO(int8_t, Char)
WICK_SCALAR_TO(int16_t, Short)
WICK_SCALAR_TO(int, Int)
WICK_SCALAR_TO(int64_t, Long)
WICK_SCALAR_TO(float, Float)
WICK_SCALAR_TO(double, Double)
WICK_SCALAR_TO(Half, Half)
WICK_SCALAR_TO(BFloat16, BFloat16)
WICK_SCALAR_TO(complex<double>, ComplexDouble)
WICK_SCALAR_TO(complex<float>, ComplexFloat)
#undef WICK_SCALAR_TO
#define WICK_SCALAR_TO_INTEGER(type)     \
  template <>                            \
  inline type Scalar::to<type>() const { \
    return static_cast<type>(toLong());  \
  }
WICK_SCALAR_TO_INTEGER(uint16_t)
WICK_SCALAR_TO_INTEGER(uint32_t)
WICK_SCALAR_TO_INTEGER(unsigned long)
WICK_SCALAR_TO_INTEGER(unsigned long long)
#ifdef __APPLE__
WICK_SCALAR_TO_INTEGER(long)
#else
WICK_SCALAR_TO_INTEGER(long long)
#endif
#undef WICK_SCALAR_TO_INTEGER
template <>
inline std::complex<double> Scalar::to<std::complex<double>>() const {
  return toComplexDouble();
}
template <>
inline std::complex<float> Scalar::to<std::complex<float>>() const {
  return toComplexFloat();
}

std::ostream& operator<<(std::ostream& out, const Scalar& v);

}  // namespace c10
