// Decimal text as doubles, as std::from_chars reads it, also with C++ libraries that lack it: that of Android's NDK and
// of Apple (LLVM's before version 20).
#pragma once

#include <charconv>

namespace wick {

// For other libraries and tests: the C library's reading, with a point whatever the locale.
std::from_chars_result parse_double_portably(const char* first, const char* last, double& out);

#ifdef __cpp_lib_to_chars
inline std::from_chars_result parse_double(const char* first, const char* last, double& out) {
  return std::from_chars(first, last, out);
}
#else
inline std::from_chars_result parse_double(const char* first, const char* last, double& out) {
  return parse_double_portably(first, last, out);
}
#endif

}  // namespace wick
