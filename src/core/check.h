// Building error messages: cat("size ", n) and WICK_CHECK(cond, code, parts...).
#pragma once

#include <complex>
#include <string>
#include <string_view>

#include "wick/error.h"
#include "wick/span.h"

namespace wick {

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
}  // namespace text

// Concatenates the printed form of its arguments.
template <class... Parts>
std::string cat(const Parts&... parts) {
  std::string out;
  (text::append(out, parts), ...);
  return out;
}

[[noreturn]] void fail(ErrorCode code, std::string message);

}  // namespace wick

// Throws Error(code, cat(parts...)) unless the condition holds; the parts are evaluated only then.
#define WICK_CHECK(condition, code, ...)                               \
  do {                                                                 \
    if (!(condition)) [[unlikely]]                                     \
      ::wick::fail(::wick::ErrorCode::code, ::wick::cat(__VA_ARGS__)); \
  } while (false)
