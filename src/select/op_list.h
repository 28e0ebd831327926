// Lists of what a selective build keeps, in PyTorch's selective-build YAML.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace wick::select {

// Defaults are those of a key the file leaves out.
struct OperatorProperties {
  bool is_root = true;  // a model calls it by name; otherwise it is only called from inside other operators
  bool is_used_for_training = true;
  bool include_all_overloads = true;
  std::vector<std::string> debug_info;
};

struct OperatorList {
  bool include_all_operators = false;
  bool include_all_else = false;  // "include_all_non_op_selectives": every dtype, class and feature
  std::vector<std::string> debug_info;
  std::map<std::string, OperatorProperties> operators;   // "aten::add.Tensor"; without overload: see selects()
  std::map<std::string, std::set<std::string>> kernels;  // "kernel_metadata": tag -> names of dtypes
  std::set<std::string> custom_classes;                  // last part of the name: "Conv2dOpContext"
  std::set<std::string> build_features;

  // Whether the operator is in a build of this list: it is listed, or its name without the overload is, with
  // include_all_overloads.
  bool selects(const std::string& full_name) const;
  // Whether a model may call it by name in such a build.
  bool selects_root(const std::string& full_name) const;
  bool selects_class(const std::string& name) const;
  // Whether it was written by Wick's tracer, which names frontends, kernels, and every operator there is. Other lists
  // leave out operators that bytecode has instructions for ("aten::dim"); a build of them has those anyway.
  bool is_complete() const;

  // Adds what `other` selects: lists are united, switches are on when one is.
  void merge(const OperatorList& other);
};

// Reads the mapping ("operators: ...") and the plain list ("- aten::add.Tensor"), whose operators are roots with every
// dtype and class. Throws kInvalidArgument with the line for anything else.
OperatorList parse_op_list(std::string_view yaml);
// Throws kNotFound when the file can't be read; other errors name the file.
OperatorList read_op_list(const std::string& path);

// The text the original tracer writes: roots first, each part sorted.
std::string to_yaml(const OperatorList& list);
void write_op_list(const OperatorList& list, const std::string& path);

}  // namespace wick::select
