// Which values may share memory, and operators that write into their arguments made ones that do not.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/graph.h"

namespace wick::quantize {

// Sets of values that may share memory or hold one another. Cautious: what is not known is in one set.
class AliasSets {
 public:
  explicit AliasSets(ir::Graph& graph);
  bool same(const ir::Value* a, const ir::Value* b) const { return find(a->id) == find(b->id); }
  uint32_t set_of(const ir::Value* value) const { return find(value->id); }
  // Something in the value's set is written to by some node.
  bool is_changed(const ir::Value* value) const { return changed_[find(value->id)]; }
  // Something in the set comes from outside: an argument, an attribute, a call.
  bool is_foreign(const ir::Value* value) const { return foreign_[find(value->id)]; }

 private:
  uint32_t find(uint32_t id) const;
  void join(const ir::Value* a, const ir::Value* b);
  void join_all(const ir::Node& node);
  bool only_read(const ir::Node& list) const;
  void visit(ir::Block& block);
  void visit_op(const ir::Node& node);

  mutable std::vector<uint32_t> parent_;
  std::vector<bool> changed_, foreign_;
  std::unordered_set<const ir::Value*> results_;
  const ir::Value* attributes_ = nullptr;
};

// relu_, add_ and their like become relu, add where nothing else sees the memory they write to; views become
// reshapes, which do not mind the order of elements in memory.
void make_functional(ir::Graph& graph);

}  // namespace wick::quantize
