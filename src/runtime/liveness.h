// Liveness: where each value of a graph is used for the last time, so that a register gives up its value
// there: memory is freed as early as it can be.
#pragma once

#include <string>
#include <vector>

#include "core/word_map.h"
#include "ir/graph.h"

namespace wick::runtime {

class Liveness {
 public:
  explicit Liveness(const ir::Graph& graph);

  // Whether input i of the node is the value's last use on this path.
  bool is_last_use(const ir::Node* node, size_t i) const { return is_last(node, i); }
  // Likewise for result i of the block.
  bool is_last_result(const ir::Block* block, size_t i) const { return is_last(block, i); }
  bool is_used(const ir::Value* value) const { return (flags_[value->id] & kUsed) != 0; }
  // Calls visit(value) for values to give up: on entering a block, because only its sibling uses them; after a loop,
  // which used them in every trip.
  template <class Visit>
  void each_drop(const void* block_or_loop, const Visit& visit) const {
    for (uint64_t at = drop_places_.get(reinterpret_cast<uintptr_t>(block_or_loop)); at != 0;) {
      const KeyedWord& drop = drops_[at - 1];
      visit(reinterpret_cast<const ir::Value*>(drop.word));
      at = drop.key;
    }
  }

 private:
  using Values = std::vector<const ir::Value*>;

  bool is_last(const void* user, size_t i) const { return last_[*places_.find(user) + i] != 0; }
  void use_all(const void* user, const std::vector<ir::Value*>& values, Values& added);
  bool use(const ir::Value* value, Values& added);
  void visit(const ir::Block& block, Values& added);
  void visit_if(const ir::Node& node, Values& added);
  void visit_loop(const ir::Node& node, Values& added);
  void add_drop(const void* where, const ir::Value* value);

  // What is known of a value; while an If is looked at, kSide << s: side s makes it live.
  enum Flag : uint8_t { kLive = 1, kUsed = 2, kSide = 4 };
  std::vector<uint8_t> flags_;    // by value id
  std::string last_;              // a byte a use
  WordMap places_;                // in last_, of the first use by a node or block
  std::vector<KeyedWord> drops_;  // one more than the place of another one of the same block or loop, or 0; a value
  WordMap drop_places_;           // by block or loop: one more than the place of the last in drops_
};

}  // namespace wick::runtime
