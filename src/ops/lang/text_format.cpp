// Numbers as text, and the two kinds of format strings.
#include <cstdio>

#include "core/check.h"
#include "core/lengths.h"
#include "core/limits.h"
#include "ops/lang/number.h"
#include "ops/lang/text.h"

namespace wick::ops::lang {

namespace {

std::string digits(int64_t v, const char* prefix, unsigned bits) {
  uint64_t magnitude = static_cast<uint64_t>(abs_int(v));
  std::string out;
  do {
    out.insert(out.begin(), "0123456789abcdef"[magnitude & ((1u << bits) - 1)]);
    magnitude >>= bits;
  } while (magnitude != 0);
  return cat(v < 0 ? "-" : "", prefix, out);
}

void append_text(std::string& out, const IValue& v) {
  if (v.is_string()) {
    out += v.to_string();
  } else {
    out += repr(v);
  }
  check_text_length(out.size());
}

[[noreturn]] void wrong_argument(char specifier, const char* wanted, const IValue& v) {
  fail_with<ErrorCode::kTypeMismatch>("%", specifier, " requires ", wanted, " for formatting, but got ", v.tag_name());
}

void append_formatted(std::string& out, char specifier, const IValue& v) {
  char text[400];
  switch (specifier) {
    case 'd':
    case 'i':
      if (v.is_int()) {
        text::append(out, v.to_int());
      } else if (v.is_double()) {
        // A C int: what does not fit becomes the smallest one.
        const double d = v.to_double();
        text::append(out, d > -2147483649.0 && d < 2147483648.0 ? static_cast<int32_t>(d) : INT32_MIN);
      } else {
        wrong_argument(specifier, "a number", v);
      }
      return;
    case 'f':
    case 'F':
    case 'e':
    case 'E': {
      if (!v.is_int() && !v.is_double()) wrong_argument(specifier, "a number", v);
      const double rounded = static_cast<float>(v.to_double());
      std::snprintf(text, sizeof text, specifier == 'e' ? "%e" : specifier == 'E' ? "%E" : "%f", rounded);
      out += text;
      return;
    }
    case 'c':
      if (v.is_int()) {
        out += static_cast<char>(v.to_int());
      } else if (v.is_string() && v.to_string().size() == 1) {
        out += v.to_string();
      } else {
        wrong_argument(specifier, "an int or char", v);
      }
      return;
    case 's':
      append_text(out, v);
      return;
    default:
      fail_with<ErrorCode::kInvalidArgument>("The specifier %", specifier,
                                             " is not supported in TorchScript format strings");
  }
}

}  // namespace

std::string hex(int64_t v) { return digits(v, "0x", 4); }
std::string oct(int64_t v) { return digits(v, "0o", 3); }
std::string bin(int64_t v) { return digits(v, "0b", 1); }

std::string chr(int64_t v) {
  WICK_CHECK(v >= 0 && v < 0x110000, kInvalidArgument, "chr() arg not in range(0x110000), found ", v);
  return std::string(1, static_cast<char>(v));
}

int64_t ord(std::string_view s) {
  WICK_CHECK(s.size() == 1, kInvalidArgument, "String for ord() must be 1 character, found ", s.size());
  return static_cast<uint8_t>(s[0]);
}

std::string format(Args args) {
  WICK_CHECK(args.count > 0, kInvalidArgument, "format() needs a format string");
  const std::string& pattern = args[0].to_string();
  std::string out;
  size_t used = 1, at = 0;
  for (size_t next = pattern.find("{}"); next != std::string::npos; next = pattern.find("{}", at)) {
    WICK_CHECK(used < args.count, kInvalidArgument, "Too few arguments for format string: ", pattern);
    out.append(pattern, at, next - at);
    append_text(out, args[used++]);
    at = next + 2;
  }
  out.append(pattern, at);
  return out;
}

std::string percent_format(Args args) {
  WICK_CHECK(args.count > 0, kInvalidArgument, "% needs a format string");
  const std::string& pattern = args[0].to_string();
  // "%d %s" % (1, "a") gives the values as one tuple.
  Args given{args.values + 1, args.count - 1};
  if (given.count == 1 && given[0].is_tuple()) {
    std::vector<IValue>& items = given[0].to_tuple().items;
    given = {items.data(), items.size()};
  }
  std::string out;
  size_t used = 0, at = 0;
  for (size_t next = pattern.find('%'); next != std::string::npos; next = pattern.find('%', at)) {
    WICK_CHECK(next + 1 < pattern.size(), kInvalidArgument, "Incomplete format specifier");
    out.append(pattern, at, next - at);
    const char specifier = pattern[next + 1];
    at = next + 2;
    if (specifier == '%') {
      out += '%';
      continue;
    }
    WICK_CHECK(used < given.count, kInvalidArgument, "Too few arguments for format string");
    append_formatted(out, specifier, given[used++]);
  }
  WICK_CHECK(used == given.count, kInvalidArgument, "Too many arguments for format string");
  out.append(pattern, at);
  return out;
}

}  // namespace wick::ops::lang
