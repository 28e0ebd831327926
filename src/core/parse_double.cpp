// Decimal text as doubles where the C++ library cannot read it.
#include "core/parse_double.h"

#include <locale.h>
#include <stdlib.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string>
#include <string_view>

namespace wick {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

const char* skip_digits(const char* at, const char* last) { return std::find_if_not(at, last, is_digit); }

// The end of what std::from_chars reads of an unsigned decimal number; `first` when there is none.
const char* end_of_number(const char* first, const char* last) {
  const char* at = skip_digits(first, last);
  bool has_digits = at != first;
  if (at != last && *at == '.') {
    const char* end = skip_digits(at + 1, last);
    has_digits = has_digits || end != at + 1;
    at = end;
  }
  if (!has_digits) return first;
  if (at == last || (*at | 0x20) != 'e') return at;
  const char* exponent = at + 1;
  if (exponent != last && (*exponent == '+' || *exponent == '-')) ++exponent;
  const char* end = skip_digits(exponent, last);
  return end == exponent ? at : end;
}

// The end of "inf", "infinity" or "nan" in any case; `first` when it is none of them.
const char* end_of_word(const char* first, const char* last) {
  for (const std::string_view word : {"infinity", "inf", "nan"}) {
    const auto same = [](char a, char b) { return (a | 0x20) == b; };
    if (static_cast<size_t>(last - first) >= word.size() &&
        std::equal(word.begin(), word.end(), first, [&](char w, char c) { return same(c, w); })) {
      return first + word.size();
    }
  }
  return first;
}

double read(const char* text) {
#ifdef __ANDROID__
  return strtod(text, nullptr);  // every locale of Android has a point
#elif defined(__APPLE__)
  return strtod_l(text, nullptr, nullptr);  // null: the "C" locale
#else
  static const locale_t locale = newlocale(LC_ALL_MASK, "C", nullptr);
  return strtod_l(text, nullptr, locale);
#endif
}

}  // namespace

std::from_chars_result parse_double_portably(const char* first, const char* last, double& out) {
  const char* digits = first != last && *first == '-' ? first + 1 : first;
  const char* end = end_of_number(digits, last);
  const bool is_number = end != digits;
  if (!is_number) end = end_of_word(digits, last);
  if (end == digits) return {first, std::errc::invalid_argument};
  const double value = read(std::string(first, end).c_str());
  // Too large, or too small while a digit is not zero.
  const char* mantissa_end = std::find_if(digits, end, [](char c) { return (c | 0x20) == 'e'; });
  const bool is_zero = std::none_of(digits, mantissa_end, [](char c) { return c >= '1' && c <= '9'; });
  if (is_number && (std::isinf(value) || (value == 0 && !is_zero))) return {end, std::errc::result_out_of_range};
  out = value;
  return {end, std::errc()};
}

}  // namespace wick
