// Liveness: where each value of a graph is used for the last time, so that a register gives up its value
// there: memory is freed as early as it can be.
#pragma once

#include <vector>

#include "core/word_map.h"
#include "ir/graph.h"

namespace wick::runtime {

class Liveness {
 public:
  explicit Liveness(ir::Graph& graph);

  // Whether input i of the node is the value's last use on this path.
  bool is_last_use(const ir::Node* node, size_t i) const { return is_last(node, i); }
  // Likewise for result i of the block.
  bool is_last_result(const ir::Block* block, size_t i) const { return is_last(block, i); }
  bool is_used(const ir::Value* value) const { return (flags_[value->id] & kUsed) != 0; }
  // Values to give up on entering the block, because only its sibling uses them. Null: none.
  const std::vector<const ir::Value*>* drops_at(const ir::Block* block) const { return drops(block); }
  // Values to give up after the loop, which used them in every trip. Null: none.
  const std::vector<const ir::Value*>* drops_after(const ir::Node* loop) const { return drops(loop); }

 private:
  using Values = std::vector<const ir::Value*>;

  bool is_last(const void* user, size_t i) const { return last_[*places_.find(user) + i] != 0; }
  void use_all(const void* user, const std::vector<ir::Value*>& values, Values& added);
  bool use(const ir::Value* value, Values& added);
  void visit(const ir::Block& block, Values& added);
  void visit_if(const ir::Node& node, Values& added);
  void visit_loop(const ir::Node& node, Values& added);
  const Values* drops(const void* where) const;
  void add_drop(const void* where, const ir::Value* value);

  // What is known of a value; while an If is looked at, kSide << s: side s makes it live.
  enum Flag : uint8_t { kLive = 1, kUsed = 2, kSide = 4 };
  std::vector<uint8_t> flags_;  // by value id
  std::vector<uint8_t> last_;   // one a use
  WordMap places_;              // in last_, of the first use by a node or block
  std::vector<Values> drops_;
  WordMap drop_places_;  // by block or loop: one more than the place in drops_
};

}  // namespace wick::runtime
