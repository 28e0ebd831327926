// FunctionSchema: printing and queries.
#include "core/schema.h"

#include "config/build.h"
#include "core/check.h"
#include "core/schema_text.h"

namespace wick {

size_t FunctionSchema::out_count() const {
  size_t n = 0;
  for (const Argument& a : arguments) n += a.is_out;
  return n;
}

namespace {

void append_argument(std::string& out, const Argument& a) {
  out += a.type->str();
  if (a.fixed_size >= 0) out += cat("<", a.fixed_size, ">");
  if (!a.name.empty()) out += cat(" ", a.name);
  if (!a.has_default) return;
  if constexpr (!build::kText) {
    out += "=...";
    return;
  }
  const char* quote = a.default_value.is_string() ? "\"" : "";
  out += cat("=", quote, repr(a.default_value), quote);
}

}  // namespace

std::string FunctionSchema::str() const { return schema_text(*this, full_name(), 0); }

std::string schema_text(const FunctionSchema& schema, std::string_view name, size_t first_argument) {
  std::string out = cat(name, "(");
  const char* separator = "";
  bool star = false;
  for (size_t i = first_argument; i < schema.arguments.size(); ++i) {
    out += separator;
    separator = ", ";
    if (schema.arguments[i].kwarg_only && !star) {
      out += "*, ";
      star = true;
    }
    append_argument(out, schema.arguments[i]);
  }
  if (schema.is_vararg) out += cat(separator, "...");
  out += ") -> ";
  const bool in_brackets = !schema.is_varret && schema.returns.size() != 1;
  if (in_brackets) out += "(";
  if (schema.is_varret) out += "...";
  for (size_t i = 0; i < schema.returns.size() && !schema.is_varret; ++i) {
    if (i) out += ", ";
    append_argument(out, schema.returns[i]);
  }
  if (in_brackets) out += ")";
  return out;
}

std::string_view schema_full_name(std::string_view text) { return text.substr(0, text.find('(')); }

}  // namespace wick
