// The part of YAML that operator lists are written in: block mappings and sequences, plain and quoted scalars,
// comments, and flow collections of scalars ([a, b], {}).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wick::select {

struct YamlMember;

struct YamlNode {
  enum class Kind { kNull, kScalar, kSequence, kMapping };
  Kind kind = Kind::kNull;
  size_t line = 0;  // from 1
  std::string scalar;
  std::vector<YamlNode> items;      // of a sequence
  std::vector<YamlMember> members;  // of a mapping, in order
};

struct YamlMember {
  std::string key;
  YamlNode value;
};

// Throws kInvalidArgument with the line.
YamlNode parse_yaml(std::string_view text);

// The scalar quoted when it would otherwise be read as something else.
std::string yaml_scalar(const std::string& text);

}  // namespace wick::select
