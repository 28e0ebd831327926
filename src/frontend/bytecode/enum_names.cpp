// Finds the names of enum members in the code records of a file.
#include "frontend/bytecode/enum_names.h"

#include <algorithm>
#include <cstdlib>

#include "core/check.h"

namespace wick::lite {

namespace {

bool is_literal_of(const std::string& literal, const IValue& value) {
  if (value.is_string()) return literal == cat("\"", value.to_string(), "\"");
  if (value.is_int()) return literal == cat(value.to_int());
  return value.is_double() && std::strtod(literal.c_str(), nullptr) == value.to_double();
}

}  // namespace

std::string EnumNames::name_of(const std::string& type_name, const IValue& value) {
  auto found = classes_.find(type_name);
  if (found == classes_.end()) found = classes_.emplace(type_name, read(type_name)).first;
  for (const Member& member : found->second) {
    if (is_literal_of(member.literal, value)) return member.name;
  }
  return {};
}

// The text is "class Color(Enum):" and one line "  RED = 1" a member.
std::vector<EnumNames::Member> EnumNames::read(const std::string& type_name) const {
  const size_t dot = type_name.rfind('.');
  if (dot == std::string::npos) return {};
  std::string record = "code/" + type_name.substr(0, dot) + ".py";
  std::replace(record.begin() + 5, record.end() - 3, '.', '/');
  if (!zip_.has(record)) return {};
  const std::string text = zip_.read_text(record);
  const std::string head = cat("class ", type_name.substr(dot + 1), "(Enum):\n");
  size_t at = text.find(head);
  if (at == std::string::npos) return {};
  std::vector<Member> out;
  for (at += head.size(); text.compare(at, 2, "  ") == 0;) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const size_t equals = text.find(" = ", at);
    if (equals >= end) break;
    out.push_back({text.substr(at + 2, equals - at - 2), text.substr(equals + 3, end - equals - 3)});
    at = std::min(end + 1, text.size());
  }
  return out;
}

}  // namespace wick::lite
