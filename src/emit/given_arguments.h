// How many arguments of each operator bytecode pushes, and which defaults it leaves out.
#pragma once

#include <string>
#include <unordered_map>

#include "emit/codegen.h"

namespace wick::emit {

class GivenArguments {
 public:
  // Throws as generate does.
  GivenArguments(const ir::Function& function, const CodegenOptions& options);

  // Arguments that each call of the node's operator pushes: the most that any call in the function needs.
  size_t count(const ir::Node& node) const { return most_.at(node.op_name); }
  // Of these the last ones, which are given though defaults before them are left out.
  size_t outs(const ir::Node& node) const;

 private:
  void scan(const ir::Block& block);
  size_t needed(const ir::Node& node) const;
  bool is_plain_gelu(const ir::Node& node) const;

  const ir::Function& function_;
  const CodegenOptions& options_;
  std::unordered_map<std::string, size_t> most_;  // by full name
};

}  // namespace wick::emit
