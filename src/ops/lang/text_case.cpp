// Classes of characters, case, padding and stripping.
#include <algorithm>

#include "core/check.h"
#include "core/lengths.h"
#include "core/limits.h"
#include "ops/lang/text.h"

namespace wick::ops::lang {

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_alpha(char c) { return is_upper(c) || is_lower(c); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_printable(char c) { return c >= ' ' && c <= '~'; }
char to_upper(char c) { return is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c; }
char to_lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

namespace {

template <class F>
std::string mapped(std::string_view s, F f) {
  std::string out(s);
  for (char& c : out) c = f(c);
  return out;
}
template <class F>
bool all_of(std::string_view s, F f) {
  return !s.empty() && std::all_of(s.begin(), s.end(), f);
}

size_t padding(std::string_view s, int64_t width) {
  if (width <= static_cast<int64_t>(s.size())) return 0;
  WICK_CHECK(static_cast<uint64_t>(width) <= limits::kMaxTextLength, kLimitExceeded, "a string of ", width,
             " characters is longer than the limit of ", limits::kMaxTextLength);
  check_text_length(static_cast<uint64_t>(width));
  return static_cast<size_t>(width) - s.size();
}
char fill_char(std::string_view fill) {
  WICK_CHECK(fill.size() == 1, kInvalidArgument, "TypeError: The fill character must be exactly one character long");
  return fill[0];
}
std::string padded(size_t left, std::string_view s, size_t right, char fill) {
  std::string out(left, fill);
  out += s;
  out.append(right, fill);
  return out;
}

}  // namespace

std::string capitalize(std::string_view s) {
  std::string out = lower(s);
  if (!out.empty()) out[0] = to_upper(out[0]);
  return out;
}

std::string title(std::string_view s) {
  bool in_word = false;
  return mapped(s, [&](char c) {
    const char out = in_word ? to_lower(c) : to_upper(c);
    in_word = is_alpha(c);
    return out;
  });
}

std::string swapcase(std::string_view s) {
  return mapped(s, [](char c) { return is_upper(c) ? to_lower(c) : to_upper(c); });
}
std::string upper(std::string_view s) { return mapped(s, to_upper); }
std::string lower(std::string_view s) { return mapped(s, to_lower); }

bool istitle(std::string_view s) {
  bool in_word = false, any = false;
  for (const char c : s) {
    if (in_word ? is_upper(c) : is_lower(c)) return false;
    in_word = is_alpha(c);
    any = any || in_word;
  }
  return any;
}

bool isupper(std::string_view s) {
  return std::none_of(s.begin(), s.end(), is_lower) && std::any_of(s.begin(), s.end(), is_upper);
}
bool islower(std::string_view s) {
  return std::none_of(s.begin(), s.end(), is_upper) && std::any_of(s.begin(), s.end(), is_lower);
}
bool isalnum(std::string_view s) {
  return all_of(s, [](char c) { return is_alpha(c) || is_digit(c); });
}
bool isalpha(std::string_view s) { return all_of(s, is_alpha); }
bool isdigit(std::string_view s) { return all_of(s, is_digit); }
bool isspace(std::string_view s) { return all_of(s, is_space); }
bool isidentifier(std::string_view s) { return isalnum(s) && !is_digit(s[0]); }
bool isprintable(std::string_view s) { return s.empty() || all_of(s, is_printable); }

std::string center(std::string_view s, int64_t width, std::string_view fill) {
  const char c = fill_char(fill);
  const size_t pad = padding(s, width);
  const size_t left = pad / 2 + (pad & static_cast<size_t>(width) & 1);
  return padded(left, s, pad - left, c);
}
std::string ljust(std::string_view s, int64_t width, std::string_view fill) {
  return padded(0, s, padding(s, width), fill_char(fill));
}
std::string rjust(std::string_view s, int64_t width, std::string_view fill) {
  return padded(padding(s, width), s, 0, fill_char(fill));
}
std::string zfill(std::string_view s, int64_t width) { return padded(padding(s, width), s, 0, '0'); }

// Columns are counted from the start of the string, not of the line.
std::string expandtabs(std::string_view s, int64_t tabsize) {
  std::string out;
  int64_t column = 0;
  for (const char c : s) {
    if (c == '\t') {
      if (tabsize <= 0) continue;
      const int64_t blanks = tabsize - column % tabsize;
      WICK_CHECK(static_cast<uint64_t>(blanks) <= limits::kMaxTextLength - std::min(out.size(), limits::kMaxTextLength),
                 kLimitExceeded, "a string with tabs of ", tabsize, " columns is too long");
      check_text_length(out.size() + static_cast<size_t>(blanks));
      out.append(static_cast<size_t>(blanks), ' ');
      column += blanks;
    } else {
      out += c;
      ++column;
    }
  }
  return out;
}

std::string lstrip(std::string_view s, std::string_view chars) {
  const size_t first = s.find_first_not_of(chars);
  return std::string(first == std::string_view::npos ? std::string_view() : s.substr(first));
}
std::string rstrip(std::string_view s, std::string_view chars) {
  return std::string(s.substr(0, s.find_last_not_of(chars) + 1));
}
std::string strip(std::string_view s, std::string_view chars) { return lstrip(rstrip(s, chars), chars); }

}  // namespace wick::ops::lang
