// Writes one JSON text, piece by piece; commas and quoting are its business.
#pragma once

#include <string>
#include <string_view>

namespace wick::tools {

class Json {
 public:
  Json& begin_object() { return open('{'); }
  Json& end_object() { return close('}'); }
  Json& begin_array() { return open('['); }
  Json& end_array() { return close(']'); }
  Json& key(std::string_view name);
  Json& string(std::string_view text);
  Json& number(double value);  // null when it is not finite
  Json& number(long value);
  Json& boolean(bool value);
  const std::string& text() const { return text_; }

 private:
  Json& open(char bracket);
  Json& close(char bracket);
  void separate();
  void quote(std::string_view text);

  std::string text_;
  bool first_ = true;  // nothing was written at this level yet
  bool after_key_ = false;
};

}  // namespace wick::tools
