// Element types, with PyTorch's codes, and caffe2::TypeMeta, which names one.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>

#include <c10/macros/Macros.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/Half.h>
#include <c10/util/complex.h>

namespace c10 {

// name of the C++ type, enumerator
#define AT_FORALL_SCALAR_TYPES_WITH_COMPLEX_AND_QINTS(_) \
  _(uint8_t, Byte)                                       \
  _(int8_t, Char)                                        \
  _(int16_t, Short)                                      \
  _(int, Int)                                            \
  _(int64_t, Long)                                       \
  _(c10::Half, Half)                                     \
  _(float, Float)                                        \
  _(double, Double)                                      \
  _(c10::complex<c10::Half>, ComplexHalf)                \
  _(c10::complex<float>, ComplexFloat)                   \
  _(c10::complex<double>, ComplexDouble)                 \
  _(bool, Bool)                                          \
  _(c10::qint8, QInt8)                                   \
  _(c10::quint8, QUInt8)                                 \
  _(c10::qint32, QInt32)                                 \
  _(c10::BFloat16, BFloat16)                             \
  _(c10::quint4x2, QUInt4x2)                             \
  _(c10::quint2x4, QUInt2x4)
#define AT_FORALL_SCALAR_TYPES(_) \
  _(uint8_t, Byte)                \
  _(int8_t, Char)                 \
  _(int16_t, Short)               \
  _(int, Int)                     \
  _(int64_t, Long)                \
  _(float, Float)                 \
  _(double, Double)

enum class ScalarType : int8_t {
#define DEFINE_ENUM(_1, n) n,
  AT_FORALL_SCALAR_TYPES_WITH_COMPLEX_AND_QINTS(DEFINE_ENUM)
#undef DEFINE_ENUM
      Undefined,
  NumOptions
};

#define DEFINE_CONSTANT(_, name) constexpr ScalarType k##name = ScalarType::name;
AT_FORALL_SCALAR_TYPES_WITH_COMPLEX_AND_QINTS(DEFINE_CONSTANT)
#undef DEFINE_CONSTANT

template <class T>
struct CppTypeToScalarType;
#define SPECIALIZE(cpp_type, name)                        \
  template <>                                             \
  struct CppTypeToScalarType<cpp_type> {                  \
    static constexpr ScalarType value = ScalarType::name; \
  };
AT_FORALL_SCALAR_TYPES_WITH_COMPLEX_AND_QINTS(SPECIALIZE)
#undef SPECIALIZE
template <>
struct CppTypeToScalarType<std::complex<float>> {
  static constexpr ScalarType value = ScalarType::ComplexFloat;
};
template <>
struct CppTypeToScalarType<std::complex<double>> {
  static constexpr ScalarType value = ScalarType::ComplexDouble;
};
// long and long long are both 64 bits wide, and one of them is int64_t.
template <>
struct CppTypeToScalarType<std::conditional<std::is_same<int64_t, long>::value, long long, long>::type> {
  static constexpr ScalarType value = ScalarType::Long;
};

namespace impl {
template <ScalarType N>
struct ScalarTypeToCPPType;
#define SPECIALIZE(cpp_type, name)               \
  template <>                                    \
  struct ScalarTypeToCPPType<ScalarType::name> { \
    using type = cpp_type;                       \
  };
AT_FORALL_SCALAR_TYPES_WITH_COMPLEX_AND_QINTS(SPECIALIZE)
#undef SPECIALIZE
template <ScalarType N>
using ScalarTypeToCPPTypeT = typename ScalarTypeToCPPType<N>::type;
}  // namespace impl

inline const char* toString(ScalarType t) {
  switch (t) {
#define DEFINE_CASE(_, name) \
  case ScalarType::name:     \
    return #name;
    AT_FORALL_SCALAR_TYPES_WITH_COMPLEX_AND_QINTS(DEFINE_CASE)
#undef DEFINE_CASE
    default:
      return t == ScalarType::Undefined ? "Undefined" : "UNKNOWN_SCALAR";
  }
}
inline size_t elementSize(ScalarType t) {
  switch (t) {
#define DEFINE_CASE(type, name) \
  case ScalarType::name:        \
    return sizeof(type);
    AT_FORALL_SCALAR_TYPES_WITH_COMPLEX_AND_QINTS(DEFINE_CASE)
#undef DEFINE_CASE
    default:
      TORCH_CHECK(false, "Unknown ScalarType");
  }
}
inline bool isIntegralType(ScalarType t, bool include_bool) {
  return (t >= ScalarType::Byte && t <= ScalarType::Long) || (include_bool && t == ScalarType::Bool);
}
inline bool isIntegralType(ScalarType t) { return isIntegralType(t, false); }
inline bool isFloatingType(ScalarType t) {
  return t == ScalarType::Double || t == ScalarType::Float || t == ScalarType::Half || t == ScalarType::BFloat16;
}
inline bool isComplexType(ScalarType t) { return t >= ScalarType::ComplexHalf && t <= ScalarType::ComplexDouble; }
inline bool isQIntType(ScalarType t) {
  return (t >= ScalarType::QInt8 && t <= ScalarType::QInt32) || t == ScalarType::QUInt4x2 || t == ScalarType::QUInt2x4;
}
inline bool isBitsType(ScalarType) { return false; }
inline bool isSignedType(ScalarType t) { return t != ScalarType::Byte && t != ScalarType::Bool; }
inline bool isUnderlying(ScalarType type, ScalarType qtype) {
  return (type == ScalarType::Char && qtype == ScalarType::QInt8) ||
         (type == ScalarType::Byte && qtype == ScalarType::QUInt8) ||
         (type == ScalarType::Int && qtype == ScalarType::QInt32);
}
inline ScalarType toUnderlying(ScalarType t) {
  switch (t) {
    case ScalarType::QUInt8:
    case ScalarType::QUInt4x2:
    case ScalarType::QUInt2x4:
      return ScalarType::Byte;
    case ScalarType::QInt8:
      return ScalarType::Char;
    case ScalarType::QInt32:
      return ScalarType::Int;
    default:
      return t;
  }
}
// The dtype that an operation on both gives.
ScalarType promoteTypes(ScalarType a, ScalarType b);
inline bool canCast(ScalarType from, ScalarType to) {
  return !(isComplexType(from) && !isComplexType(to)) && !(isFloatingType(from) && isIntegralType(to, false)) &&
         !(from != ScalarType::Bool && to == ScalarType::Bool);
}
inline std::ostream& operator<<(std::ostream& out, ScalarType t) { return out << toString(t); }

}  // namespace c10

namespace caffe2 {

class TypeMeta final {
 public:
  TypeMeta() = default;
  constexpr TypeMeta(c10::ScalarType type) : type_(type) {}
  template <class T>
  static TypeMeta Make() {
    return TypeMeta(c10::CppTypeToScalarType<T>::value);
  }
  static TypeMeta fromScalarType(c10::ScalarType t) { return TypeMeta(t); }
  template <class T>
  bool Match() const {
    return type_ == c10::CppTypeToScalarType<T>::value;
  }
  size_t itemsize() const { return c10::elementSize(type_); }
  bool isScalarType() const { return type_ != c10::ScalarType::Undefined; }
  bool isScalarType(c10::ScalarType t) const { return type_ == t; }
  c10::ScalarType toScalarType() const { return type_; }
  c10::string_view name() const;
  friend bool operator==(TypeMeta a, TypeMeta b) { return a.type_ == b.type_; }
  friend bool operator!=(TypeMeta a, TypeMeta b) { return a.type_ != b.type_; }

 private:
  c10::ScalarType type_ = c10::ScalarType::Undefined;
};
inline std::ostream& operator<<(std::ostream& out, TypeMeta t) { return out << t.name(); }

}  // namespace caffe2

namespace c10 {
inline ScalarType typeMetaToScalarType(caffe2::TypeMeta t) { return t.toScalarType(); }
inline caffe2::TypeMeta scalarTypeToTypeMeta(ScalarType t) { return caffe2::TypeMeta(t); }
inline optional<ScalarType> optTypeMetaToScalarType(optional<caffe2::TypeMeta> t) {
  return t ? optional<ScalarType>(t->toScalarType()) : nullopt;
}
inline bool operator==(ScalarType a, caffe2::TypeMeta b) { return a == b.toScalarType(); }
inline bool operator==(caffe2::TypeMeta a, ScalarType b) { return a.toScalarType() == b; }
inline bool operator!=(ScalarType a, caffe2::TypeMeta b) { return a != b.toScalarType(); }
inline bool operator!=(caffe2::TypeMeta a, ScalarType b) { return a.toScalarType() != b; }

// What factories give when no dtype is said; kFloat at first.
void set_default_dtype(caffe2::TypeMeta dtype);
caffe2::TypeMeta get_default_dtype();
ScalarType get_default_dtype_as_scalartype();
caffe2::TypeMeta get_default_complex_dtype();
}  // namespace c10
namespace caffe2 {
using c10::scalarTypeToTypeMeta;
using c10::typeMetaToScalarType;
}  // namespace caffe2
