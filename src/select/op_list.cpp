// Operator lists of selective builds: parsing, merging, printing.
#include "select/op_list.h"

#include <algorithm>

#include "archive/archive.h"
#include "archive/writer.h"
#include "core/check.h"
#include "select/yaml.h"

namespace wick::select {
namespace {

using Kind = YamlNode::Kind;

[[noreturn]] void refuse(const YamlNode& node, std::string_view what) {
  fail_with<ErrorCode::kInvalidArgument>("line ", node.line, ": ", what);
}

bool to_bool(const YamlNode& node, std::string_view key) {
  if (node.kind == Kind::kScalar) {
    for (const char* yes : {"true", "True", "TRUE"}) {
      if (node.scalar == yes) return true;
    }
    for (const char* no : {"false", "False", "FALSE"}) {
      if (node.scalar == no) return false;
    }
  }
  refuse(node, cat("'", key, "' is true or false"));
}

std::vector<std::string> to_strings(const YamlNode& node, std::string_view key) {
  std::vector<std::string> out;
  if (node.kind == Kind::kNull) return out;
  if (node.kind != Kind::kSequence) refuse(node, cat("'", key, "' is a list"));
  for (const YamlNode& item : node.items) {
    if (item.kind != Kind::kScalar) refuse(item, cat("'", key, "' is a list of names"));
    out.push_back(item.scalar);
  }
  return out;
}

// A mapping; an empty list stands for an empty one, because the original tracer writes it so.
const std::vector<YamlMember>& members(const YamlNode& node, std::string_view key) {
  if (node.kind == Kind::kNull || node.kind == Kind::kMapping || (node.kind == Kind::kSequence && node.items.empty())) {
    return node.members;
  }
  refuse(node, cat("'", key, "' is a mapping"));
}

void check_operator_name(const YamlNode& node, const std::string& name) {
  const size_t colons = name.find("::");
  if (colons == std::string::npos || colons == 0 || colons + 2 == name.size() ||
      name.find_first_of(" \t(") != std::string::npos) {
    refuse(node, cat("'", name, "' is not an operator (expected a name such as aten::add.Tensor)"));
  }
}

OperatorProperties to_properties(const YamlNode& node, const std::string& name) {
  OperatorProperties out;
  for (const auto& [key, value] : members(node, name)) {
    if (key == "is_root_operator") {
      out.is_root = to_bool(value, key);
    } else if (key == "is_used_for_training") {
      out.is_used_for_training = to_bool(value, key);
    } else if (key == "include_all_overloads") {
      out.include_all_overloads = to_bool(value, key);
    } else if (key == "debug_info") {
      out.debug_info = to_strings(value, key);
    } else if (key == "name") {
      if (value.scalar != name) refuse(value, cat("the name of ", name, " is given as '", value.scalar, "'"));
    } else {
      refuse(value, cat("'", key, "' is not a property of an operator"));
    }
  }
  return out;
}

void insert(std::set<std::string>& into, const std::vector<std::string>& names) {
  into.insert(names.begin(), names.end());
}

void append_names(std::string& out, std::string_view key, const std::set<std::string>& names) {
  if (names.empty()) {
    out += cat(key, ": []\n");
    return;
  }
  out += cat(key, ":\n");
  for (const std::string& name : names) out += cat("- ", yaml_scalar(name), "\n");
}

}  // namespace

bool OperatorList::selects(const std::string& full_name) const {
  if (include_all_operators || operators.contains(full_name)) return true;
  const auto base = operators.find(full_name.substr(0, full_name.find('.')));
  return base != operators.end() && base->second.include_all_overloads;
}

bool OperatorList::selects_root(const std::string& full_name) const {
  if (include_all_operators) return true;
  const auto own = operators.find(full_name);
  if (own != operators.end() && own->second.is_root) return true;
  const auto base = operators.find(full_name.substr(0, full_name.find('.')));
  return base != operators.end() && base->second.include_all_overloads && base->second.is_root;
}

bool OperatorList::selects_class(const std::string& name) const {
  return include_all_operators || include_all_else || custom_classes.contains(name.substr(name.rfind('.') + 1));
}

bool OperatorList::is_complete() const {
  return std::any_of(build_features.begin(), build_features.end(),
                     [](const std::string& f) { return f.starts_with("wick."); });
}

void OperatorList::merge(const OperatorList& other) {
  // What code does is known when that of both is; a list without operators and features is of no model.
  const auto hides_code = [](const OperatorList& list) {
    return !list.build_features.contains("wick.code") && !(list.operators.empty() && list.build_features.empty());
  };
  const bool tells_code = !hides_code(*this) && !hides_code(other);
  include_all_operators |= other.include_all_operators;
  include_all_else |= other.include_all_else;
  const auto append = [](std::vector<std::string>& to, const std::vector<std::string>& from) {
    for (const std::string& line : from) {
      if (std::find(to.begin(), to.end(), line) == to.end()) to.push_back(line);
    }
  };
  append(debug_info, other.debug_info);
  for (const auto& [name, theirs] : other.operators) {
    const auto [it, fresh] = operators.try_emplace(name, theirs);
    if (fresh) continue;
    OperatorProperties& ours = it->second;
    ours.is_root |= theirs.is_root;
    ours.is_used_for_training |= theirs.is_used_for_training;
    ours.include_all_overloads |= theirs.include_all_overloads;
    append(ours.debug_info, theirs.debug_info);
  }
  for (const auto& [tag, dtypes] : other.kernels) kernels[tag].insert(dtypes.begin(), dtypes.end());
  custom_classes.insert(other.custom_classes.begin(), other.custom_classes.end());
  build_features.insert(other.build_features.begin(), other.build_features.end());
  if (!tells_code) build_features.erase("wick.code");
}

OperatorList parse_op_list(std::string_view yaml) {
  const YamlNode document = parse_yaml(yaml);
  OperatorList list;
  if (document.kind == Kind::kSequence) {
    for (const YamlNode& item : document.items) {
      if (item.kind != Kind::kScalar) refuse(item, "a plain list holds names of operators");
      check_operator_name(item, item.scalar);
      list.operators[item.scalar];
    }
    list.include_all_else = true;
    return list;
  }
  WICK_CHECK(document.kind == Kind::kMapping, kInvalidArgument, "the operator list is empty");
  for (const auto& [key, value] : document.members) {
    if (key == "include_all_operators") {
      list.include_all_operators = to_bool(value, key);
    } else if (key == "include_all_non_op_selectives") {
      list.include_all_else = to_bool(value, key);
    } else if (key == "debug_info") {
      list.debug_info = to_strings(value, key);
    } else if (key == "operators") {
      for (const auto& [name, properties] : members(value, key)) {
        check_operator_name(properties, name);
        list.operators[name] = to_properties(properties, name);
      }
    } else if (key == "kernel_metadata") {
      for (const auto& [tag, dtypes] : members(value, key)) insert(list.kernels[tag], to_strings(dtypes, tag));
    } else if (key == "custom_classes") {
      insert(list.custom_classes, to_strings(value, key));
    } else if (key == "build_features") {
      insert(list.build_features, to_strings(value, key));
    } else if (key != "et_kernel_metadata") {
      refuse(value, cat("'", key, "' is not a key of an operator list"));
    }
  }
  return list;
}

OperatorList read_op_list(const std::string& path) {
  const Ref<ByteSource> source = ByteSource::open_file(path);
  const Bytes bytes = source->bytes();
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  try {
    return parse_op_list(text);
  } catch (const Error& e) {
    fail(e.code(), cat(path, ": ", e.message()));
  }
}

std::string to_yaml(const OperatorList& list) {
  const auto yes_no = [](bool b) { return b ? "true" : "false"; };
  std::string out;
  if (list.include_all_operators) out += "include_all_operators: true\n";
  out += cat("include_all_non_op_selectives: ", yes_no(list.include_all_else), "\n");
  if (!list.debug_info.empty()) {
    out += "debug_info:\n";
    for (const std::string& line : list.debug_info) out += cat("- ", yaml_scalar(line), "\n");
  }
  append_names(out, "build_features", list.build_features);
  out += list.operators.empty() ? "operators: {}\n" : "operators:\n";
  for (const bool roots : {true, false}) {
    for (const auto& [name, properties] : list.operators) {
      if (properties.is_root != roots) continue;
      out += cat("  ", yaml_scalar(name), ":\n    is_used_for_training: ", yes_no(properties.is_used_for_training),
                 "\n    is_root_operator: ", yes_no(roots),
                 "\n    include_all_overloads: ", yes_no(properties.include_all_overloads), "\n");
      if (!properties.debug_info.empty()) out += "    debug_info:\n";
      for (const std::string& line : properties.debug_info) out += cat("    - ", yaml_scalar(line), "\n");
    }
  }
  out += list.kernels.empty() ? "kernel_metadata: {}\n" : "kernel_metadata:\n";
  for (const auto& [tag, dtypes] : list.kernels) {
    out += cat("  ", yaml_scalar(tag), dtypes.empty() ? ": []\n" : ":\n");
    for (const std::string& dtype : dtypes) out += cat("  - ", yaml_scalar(dtype), "\n");
  }
  append_names(out, "custom_classes", list.custom_classes);
  return out;
}

void write_op_list(const OperatorList& list, const std::string& path) {
  const std::string text = to_yaml(list);
  write_file(path, {reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}

}  // namespace wick::select
