// Building error messages: cat("size ", n) and WICK_CHECK(cond, code, parts...).
#pragma once

#include <complex>
#include <cstdarg>
#include <string>
#include <string_view>
#include <type_traits>

#include "wick/error.h"
#include "wick/span.h"

namespace wick {

class Type;

namespace text {
void append(std::string& out, std::string_view s);
void append(std::string& out, const char* s);
void append(std::string& out, char c);
void append(std::string& out, bool b);  // True / False
void append(std::string& out, long long v);
void append(std::string& out, unsigned long long v);
void append(std::string& out, double v);      // shortest form, as C++ streams print it (6 digits)
void append(std::string& out, IntSpan ints);  // [1, 2, 3]
template <class T>
requires std::is_integral_v<T>
void append(std::string& out, T v) {
  if constexpr (std::is_signed_v<T>) {
    append(out, static_cast<long long>(v));
  } else {
    append(out, static_cast<unsigned long long>(v));
  }
}
inline void append(std::string& out, const std::string& s) { out += s; }
inline void append(std::string& out, float v) { append(out, static_cast<double>(v)); }

// Messages are put together by one function that takes the parts as they are, and four bits for the kind of each: a
// place that may fail costs its arguments and a call, no code of its own.
enum class Kind : uint64_t { kNone, kChars, kString, kView, kSigned, kUnsigned, kReal, kInts, kBool, kChar, kType };

// What a string_view and an IntSpan are passed as: only plain structs go through an ellipsis.
struct CharsWord {
  const char* data;
  size_t size;
};
struct IntsWord {
  const int64_t* data;
  size_t size;
};

template <class T>
constexpr Kind kind_of() {
  if constexpr (std::is_same_v<T, bool>) {
    return Kind::kBool;
  } else if constexpr (std::is_same_v<T, char>) {
    return Kind::kChar;
  } else if constexpr (std::is_integral_v<T>) {
    return std::is_signed_v<T> ? Kind::kSigned : Kind::kUnsigned;
  } else if constexpr (std::is_floating_point_v<T>) {
    return Kind::kReal;
  } else if constexpr (std::is_same_v<T, std::string>) {
    return Kind::kString;
  } else if constexpr (std::is_same_v<T, Type>) {
    return Kind::kType;
  } else if constexpr (std::is_convertible_v<const T&, const char*>) {
    return Kind::kChars;
  } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    return Kind::kView;
  } else {
    static_assert(std::is_convertible_v<const T&, IntSpan>, "parts are text, numbers, lists of ints and Types");
    return Kind::kInts;
  }
}
template <class T>
[[gnu::always_inline]] inline auto word_of(const T& v) {
  constexpr Kind kind = kind_of<T>();
  if constexpr (kind == Kind::kBool || kind == Kind::kChar) {
    return static_cast<int>(v);
  } else if constexpr (kind == Kind::kSigned) {
    return static_cast<long long>(v);
  } else if constexpr (kind == Kind::kUnsigned) {
    return static_cast<unsigned long long>(v);
  } else if constexpr (kind == Kind::kReal) {
    return static_cast<double>(v);
  } else if constexpr (kind == Kind::kString || kind == Kind::kType) {
    return &v;
  } else if constexpr (kind == Kind::kChars) {
    return static_cast<const char*>(v);
  } else if constexpr (kind == Kind::kView) {
    const std::string_view view = v;
    return CharsWord{view.data(), view.size()};
  } else {
    const IntSpan ints = v;
    return IntsWord{ints.data(), ints.size()};
  }
}
// The kinds of the parts, the first in the lowest bits above the `shift` ones.
template <class... Parts>
constexpr uint64_t kinds_of(unsigned shift) {
  static_assert(sizeof...(Parts) <= 15, "too many parts in one message");
  uint64_t kinds = 0;
  ((kinds |= static_cast<uint64_t>(kind_of<Parts>()) << shift, shift += 4), ...);
  return kinds;
}
std::string join(uint64_t kinds, ...);
std::string joined(uint64_t kinds, va_list parts);
[[noreturn, gnu::cold]] void raise(uint64_t code_and_kinds, ...);
}  // namespace text

// Concatenates the printed form of its arguments.
template <class... Parts>
[[gnu::always_inline]] inline std::string cat(const Parts&... parts) {
  return text::join(text::kinds_of<Parts...>(0), text::word_of<Parts>(parts)...);
}

[[noreturn, gnu::cold]] void fail(ErrorCode code, std::string message);

// fail(kCode, cat(parts...)), in less code.
template <ErrorCode kCode, class... Parts>
[[noreturn, gnu::always_inline]] inline void fail_with(const Parts&... parts) {
  text::raise(static_cast<uint64_t>(kCode) | text::kinds_of<Parts...>(4), text::word_of<Parts>(parts)...);
}

}  // namespace wick

// Throws Error(code, cat(parts...)) unless the condition holds; the parts are evaluated only then.
#define WICK_CHECK(condition, code, ...)                       \
  do {                                                         \
    if (!(condition)) [[unlikely]]                             \
      ::wick::fail_with<::wick::ErrorCode::code>(__VA_ARGS__); \
  } while (false)
