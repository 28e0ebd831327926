// Errors: their names, and messages put together of parts.
#include <algorithm>
#include <cstdio>
#include <iterator>

#include "core/check.h"
#include "wick/type.h"

namespace wick {

namespace {

// By code; the last is for codes there are not.
constexpr const char* kCodeNames[] = {
    "invalid_argument",
    "not_found",
    "io",
    "corrupt_file",
    "unsupported_version",
    "missing_operator",
    "unsupported",
    "type_mismatch",
    "shape_mismatch",
    "index_out_of_range",
    "model_exception",
    "out_of_memory",
    "limit_exceeded",
    "cancelled",
    "deadline_exceeded",
    "internal",
    "unknown",
};
static_assert(std::size(kCodeNames) == static_cast<size_t>(ErrorCode::kInternal) + 2);

}  // namespace

const char* to_string(ErrorCode code) {
  return kCodeNames[std::min(static_cast<size_t>(code), std::size(kCodeNames) - 1)];
}

void fail(ErrorCode code, std::string message) { throw Error(code, std::move(message)); }

namespace text {

void append(std::string& out, std::string_view s) { out.append(s); }
void append(std::string& out, const char* s) { out.append(s ? s : "(null)"); }
void append(std::string& out, char c) { out.push_back(c); }
void append(std::string& out, bool b) { out.append(b ? "True" : "False"); }
void append(std::string& out, long long v) {
  if (v < 0) out.push_back('-');
  append(out, v < 0 ? 0 - static_cast<unsigned long long>(v) : static_cast<unsigned long long>(v));
}
void append(std::string& out, unsigned long long v) {
  char buffer[24];
  char* first = buffer + sizeof buffer;
  do {
    *--first = static_cast<char>('0' + v % 10);
    v /= 10;
  } while (v != 0);
  out.append(first, static_cast<size_t>(buffer + sizeof buffer - first));
}
void append(std::string& out, double v) {
  char buffer[40];
  out.append(buffer, std::snprintf(buffer, sizeof buffer, "%g", v));
}
void append(std::string& out, IntSpan ints) {
  out.push_back('[');
  for (size_t i = 0; i < ints.size(); ++i) {
    if (i) out.append(", ");
    append(out, static_cast<long long>(ints[i]));
  }
  out.push_back(']');
}

namespace {

// A message and the parts it is still to be made of.
struct Message {
  std::string out;
  va_list parts;

  void add(Kind kind) {
    switch (kind) {
      case Kind::kChars:
        append(out, va_arg(parts, const char*));
        break;
      case Kind::kString:
        append(out, *va_arg(parts, const std::string*));
        break;
      case Kind::kView: {
        const CharsWord view = va_arg(parts, CharsWord);
        out.append(view.data, view.size);
        break;
      }
      case Kind::kSigned:
        append(out, va_arg(parts, long long));
        break;
      case Kind::kUnsigned:
        append(out, va_arg(parts, unsigned long long));
        break;
      case Kind::kReal:
        append(out, va_arg(parts, double));
        break;
      case Kind::kInts: {
        const IntsWord ints = va_arg(parts, IntsWord);
        append(out, IntSpan(ints.data, ints.size));
        break;
      }
      case Kind::kBool:
        append(out, va_arg(parts, int) != 0);
        break;
      case Kind::kChar:
        append(out, static_cast<char>(va_arg(parts, int)));
        break;
      case Kind::kType:
        append(out, va_arg(parts, const Type*)->str());
        break;
      case Kind::kNone:
        break;
    }
  }
};

}  // namespace

std::string joined(uint64_t kinds, va_list parts) {
  Message message;
  va_copy(message.parts, parts);
  for (; kinds; kinds >>= 4) message.add(static_cast<Kind>(kinds & 15));
  va_end(message.parts);
  return std::move(message.out);
}

std::string join(uint64_t kinds, ...) {
  va_list parts;
  va_start(parts, kinds);
  std::string out = joined(kinds, parts);
  va_end(parts);
  return out;
}

void raise(uint64_t code_and_kinds, ...) {
  va_list parts;
  va_start(parts, code_and_kinds);
  std::string message = joined(code_and_kinds >> 4, parts);
  va_end(parts);
  fail(static_cast<ErrorCode>(code_and_kinds & 15), std::move(message));
}

}  // namespace text
}  // namespace wick
