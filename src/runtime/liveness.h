// Liveness: where each value of a graph is used for the last time, so that a register gives up its value
// there: memory is freed as early as it can be.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/graph.h"

namespace wick::runtime {

class Liveness {
 public:
  explicit Liveness(ir::Graph& graph);

  // Whether input i of the node is the value's last use on this path.
  bool is_last_use(const ir::Node* node, size_t i) const { return last_.contains({node, i}); }
  // Likewise for result i of the block.
  bool is_last_result(const ir::Block* block, size_t i) const { return last_.contains({block, i}); }
  bool is_used(const ir::Value* value) const { return used_[value->id]; }
  // Values to give up on entering the block, because only its sibling uses them. Null: none.
  const std::vector<const ir::Value*>* drops_at(const ir::Block* block) const { return drops(block); }
  // Values to give up after the loop, which used them in every trip. Null: none.
  const std::vector<const ir::Value*>* drops_after(const ir::Node* loop) const { return drops(loop); }

 private:
  using Values = std::vector<const ir::Value*>;
  using Use = std::pair<const void*, size_t>;
  struct UseHash {
    size_t operator()(const Use& use) const { return std::hash<const void*>()(use.first) * 31 + use.second; }
  };

  bool use(const ir::Value* value, Values& added);
  void visit(const ir::Block& block, Values& added);
  void visit_if(const ir::Node& node, Values& added);
  void visit_loop(const ir::Node& node, Values& added);
  const Values* drops(const void* where) const;

  std::vector<bool> live_, used_;  // by value id
  std::unordered_set<Use, UseHash> last_;
  std::unordered_map<const void*, Values> drops_;
};

}  // namespace wick::runtime
