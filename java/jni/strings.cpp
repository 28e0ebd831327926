// Text between Java's UTF-16 and UTF-8; JNI's own functions use another encoding for supplementary characters.
#include <vector>

#include "jvm.h"

namespace wick::java {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

void append_utf8(std::string& out, char32_t c) {
  if (c < 0x80) {
    out += static_cast<char>(c);
    return;
  }
  const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  constexpr unsigned char kLead[] = {0, 0xC0, 0xE0, 0xF0};
  out += static_cast<char>(kLead[more] | (c >> (6 * more)));
  for (int i = more - 1; i >= 0; --i) out += static_cast<char>(0x80 | ((c >> (6 * i)) & 0x3F));
}

// One character of well-formed UTF-8 at text[at], or U+FFFD for the longest part that cannot begin one; moves on.
char32_t next_character(std::string_view text, size_t& at) {
  const auto lead = static_cast<unsigned char>(text[at++]);
  if (lead < 0x80) return lead;
  const int more = lead >= 0xC2 && lead < 0xE0   ? 1
                   : lead >= 0xE0 && lead < 0xF0 ? 2
                   : lead >= 0xF0 && lead < 0xF5 ? 3
                                                 : 0;
  if (more == 0) return kReplacement;
  char32_t c = lead & (0x3F >> more);
  for (int i = 0; i < more; ++i, ++at) {
    // The second byte of the shortest form, without surrogates and within Unicode.
    unsigned char low = 0x80, high = 0xBF;
    if (i == 0 && lead == 0xE0) low = 0xA0;
    if (i == 0 && lead == 0xED) high = 0x9F;
    if (i == 0 && lead == 0xF0) low = 0x90;
    if (i == 0 && lead == 0xF4) high = 0x8F;
    const unsigned char byte = at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
    if (byte < low || byte > high) return kReplacement;
    c = c << 6 | (byte & 0x3F);
  }
  return c;
}

}  // namespace

std::string to_utf8(JNIEnv* env, jstring text, const char* what) {
  if (!text) fail_null(what);
  const jsize size = env->GetStringLength(text);
  std::vector<jchar> units(static_cast<size_t>(size));
  env->GetStringRegion(text, 0, size, units.data());
  check(env);
  std::string out;
  out.reserve(units.size());
  for (size_t i = 0; i < units.size(); ++i) {
    char32_t c = units[i];
    if (c >= 0xD800 && c < 0xE000) {
      const bool is_pair = c < 0xDC00 && i + 1 < units.size() && units[i + 1] >= 0xDC00 && units[i + 1] < 0xE000;
      c = is_pair ? 0x10000 + ((c - 0xD800) << 10) + (units[++i] - 0xDC00) : kReplacement;
    }
    append_utf8(out, c);
  }
  return out;
}

jstring new_string(JNIEnv* env, std::string_view utf8) {
  std::vector<jchar> units;
  units.reserve(utf8.size());
  for (size_t at = 0; at < utf8.size();) {
    const char32_t c = next_character(utf8, at);
    if (c < 0x10000) {
      units.push_back(static_cast<jchar>(c));
    } else {
      units.push_back(static_cast<jchar>(0xD800 + ((c - 0x10000) >> 10)));
      units.push_back(static_cast<jchar>(0xDC00 + ((c - 0x10000) & 0x3FF)));
    }
  }
  if (units.size() > INT32_MAX) fail_argument("a string of the model is longer than Java allows");
  return checked(env, env->NewString(units.data(), static_cast<jsize>(units.size())));
}

}  // namespace wick::java
