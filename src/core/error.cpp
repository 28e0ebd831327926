#include <algorithm>
#include <cstdio>

#include "core/check.h"
#include "core/packed_texts.h"
#include "wick/type.h"

namespace wick {

namespace {

struct CodeName {
  const char* name;
};
// By code.
constexpr CodeName kCodes[] = {
    {"invalid_argument"},
    {"not_found"},
    {"io"},
    {"corrupt_file"},
    {"unsupported_version"},
    {"missing_operator"},
    {"unsupported"},
    {"type_mismatch"},
    {"shape_mismatch"},
    {"index_out_of_range"},
    {"model_exception"},
    {"out_of_memory"},
    {"limit_exceeded"},
    {"internal"},
    {"unknown"},
};
static_assert(std::size(kCodes) == static_cast<size_t>(ErrorCode::kInternal) + 2);
constexpr auto kCodeNames = pack_texts<kCodes, &CodeName::name>();

}  // namespace

const char* to_string(ErrorCode code) { return kCodeNames[std::min(static_cast<size_t>(code), std::size(kCodes) - 1)]; }

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

#ifdef WICK_PACKED_TEXTS
// Of each packed character the two it stands for, and the recipes of messages; pack_texts.py fills them in.
extern const unsigned char kPairs[256];
[[gnu::used]] const unsigned char kPairs[256] = {1, 2, 3};
extern const unsigned char kRecipes[4];
[[gnu::used]] const unsigned char kRecipes[4] = {4, 5, 6};
#endif

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
      case Kind::kLiteral:
        add_literal(va_arg(parts, const char*));
        break;
      case Kind::kNone:
      case Kind::kRecipe:
        break;
    }
  }

#ifdef WICK_PACKED_TEXTS
  void add_literal(const char* literal) {
    add_packed(reinterpret_cast<const unsigned char*>(literal) - kLiteralOffset);
  }

  void add_packed(const unsigned char* text) {
    while (*text) add_packed(*text++);
  }
  void add_packed(unsigned char c) {
    for (; c >= 0x80; c = kPairs[2 * (c - 0x80) + 1]) add_packed(kPairs[2 * (c - 0x80)]);
    if (c == static_cast<unsigned char>(Kind::kLiteral)) {
      static_cast<void>(va_arg(parts, const char*));
    } else if (c < 16 && c != '\n' && c != '\t' && c != '\r') {
      add(static_cast<Kind>(c));
    } else {
      out.push_back(static_cast<char>(c));
    }
  }
#else
  void add_literal(const char* literal) { out.append(literal); }
#endif
};

}  // namespace

std::string joined(uint64_t kinds, va_list parts) {
  Message message;
  va_copy(message.parts, parts);
#ifdef WICK_PACKED_TEXTS
  asm("" : "+r"(kinds));  // they may be others than the compiler sees
  if (static_cast<Kind>(kinds & 15) == Kind::kRecipe) {
    message.add_packed(kRecipes + (kinds >> 4));
    kinds = 0;
  }
#endif
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
