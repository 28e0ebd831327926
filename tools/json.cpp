// A JSON writer: quoting, commas, numbers.
#include "json.h"

#include <cmath>
#include <cstdio>

namespace wick::tools {

void Json::separate() {
  if (!first_ && !after_key_) text_ += ", ";
  first_ = false;
  after_key_ = false;
}

Json& Json::open(char bracket) {
  separate();
  text_ += bracket;
  first_ = true;
  return *this;
}

Json& Json::close(char bracket) {
  text_ += bracket;
  first_ = false;
  return *this;
}

void Json::quote(std::string_view text) {
  text_ += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      text_ += '\\';
      text_ += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(c));
      text_ += escaped;
    } else {
      text_ += c;
    }
  }
  text_ += '"';
}

Json& Json::key(std::string_view name) {
  separate();
  quote(name);
  text_ += ": ";
  after_key_ = true;
  return *this;
}

Json& Json::string(std::string_view text) {
  separate();
  quote(text);
  return *this;
}

Json& Json::number(double value) {
  separate();
  char digits[40];
  std::snprintf(digits, sizeof digits, "%.6g", value);
  text_ += std::isfinite(value) ? digits : "null";
  return *this;
}

Json& Json::number(long value) {
  separate();
  text_ += std::to_string(value);
  return *this;
}

Json& Json::boolean(bool value) {
  separate();
  text_ += value ? "true" : "false";
  return *this;
}

}  // namespace wick::tools
