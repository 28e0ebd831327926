// Queries and replacements that graph passes share.
#pragma once

#include <initializer_list>
#include <unordered_set>

#include "ir/walk.h"

namespace wick::passes {

using ir::all_nodes;
using ir::known;
bool is_none(const ir::Value* value);
std::optional<int64_t> known_int(const ir::Value* value);
std::optional<double> known_number(const ir::Value* value);
std::optional<bool> known_bool(const ir::Value* value);
std::optional<IntVec> known_ints(const ir::Value* value);  // also of an integer list made of known items
const Tensor* known_tensor(const ir::Value* value);

// Whether the node is an operator of this base name ("aten::add"), of any overload.
bool is_op(const ir::Node* node, std::string_view base_name);
bool is_op(const ir::Node* node, std::initializer_list<std::string_view> base_names);
// The operator that defines the value, if it is of this base name; null otherwise.
ir::Node* def_of(const ir::Value* value, std::string_view base_name);
// The input an argument of the schema is given by; null when the operator has no such argument.
ir::Value* input_of(const ir::Node* node, std::string_view argument);

// Rewrites one graph. Knows which values are results of blocks, which the values themselves do not.
class Rewriter {
 public:
  explicit Rewriter(ir::Graph& graph);

  ir::Graph& graph() { return graph_; }
  bool is_result(const ir::Value* value) const { return results_.contains(value); }
  size_t use_count(const ir::Value* value) const { return value->users.size() + (is_result(value) ? 1 : 0); }
  bool is_unused(const ir::Value* value) const { return use_count(value) == 0; }
  // The one node that uses the value and stands in the same block; null when there are other uses.
  ir::Node* only_user(const ir::Value* value) const;

  // A new operator before `before`, with the place in the source of `origin`. Inputs are in the schema's order; missing
  // ones at the end take their defaults. Throws kMissingOperator.
  ir::Node* op_before(ir::Node* before, std::string_view full_name, std::vector<ir::Value*> inputs,
                      const ir::Node* origin);
  ir::Value* constant_before(ir::Node* before, IValue value) {
    return graph_.constant_before(before, std::move(value));
  }
  void replace(ir::Value* from, ir::Value* to);
  // The outputs must be unused.
  void erase(ir::Node* node);
  bool erased(const ir::Node* node) const { return erased_.contains(node); }

 private:
  ir::Graph& graph_;
  std::unordered_set<const ir::Value*> results_;
  std::unordered_set<const ir::Node*> erased_;
};

}  // namespace wick::passes
