#include "core/schema.h"

#include "core/check.h"

namespace wick {

size_t FunctionSchema::out_count() const {
  size_t n = 0;
  for (const Argument& a : arguments) n += a.is_out;
  return n;
}

namespace {

std::string default_text(const IValue& v) {
  if (v.is_string()) return cat("\"", v.to_string(), "\"");
  return repr(v);
}

std::string argument_text(const Argument& a) {
  std::string out = a.type->str();
  if (a.fixed_size >= 0) out += cat("<", a.fixed_size, ">");
  if (!a.name.empty()) out += " " + a.name;
  if (a.has_default) out += "=" + default_text(a.default_value);
  return out;
}

}  // namespace

std::string FunctionSchema::str() const {
  std::string out = full_name() + "(";
  bool star = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (i) out += ", ";
    if (arguments[i].kwarg_only && !star) {
      out += "*, ";
      star = true;
    }
    out += argument_text(arguments[i]);
  }
  if (is_vararg) out += arguments.empty() ? "..." : ", ...";
  out += ") -> ";
  if (is_varret) return out + "...";
  if (returns.size() == 1) return out + argument_text(returns[0]);
  out += "(";
  for (size_t i = 0; i < returns.size(); ++i) {
    if (i) out += ", ";
    out += argument_text(returns[i]);
  }
  return out + ")";
}

std::string_view schema_full_name(std::string_view text) { return text.substr(0, text.find('(')); }

}  // namespace wick
