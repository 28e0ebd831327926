// Which values stay on the stack, and where each register is used for the last time.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/graph.h"

namespace wick::emit {

// A node whose only result is consumed by the next node that runs need not be stored: it is computed where it is
// used. The order of evaluation stays that of the graph.
class StackOrder {
 public:
  explicit StackOrder(const ir::Graph& graph);

  // The node's result is taken from the stack: code for it stands where it is used.
  bool computed_at_use(const ir::Node& node) const { return at_use_.contains(&node); }
  size_t uses(const ir::Value& value) const;

 private:
  void count(const ir::Block& block);
  void scan(const ir::Block& block);
  const ir::Node* scan_inputs(const std::vector<ir::Value*>& inputs, const ir::Block& block, const ir::Node* last);

  std::unordered_map<const ir::Value*, size_t> uses_;
  std::unordered_map<const ir::Node*, const ir::Node*> previous_;  // in the block, constants left out
  std::unordered_set<const ir::Node*> at_use_;
};

// Registers hold a value until its last use, in the order in which `order` has the code run. In a loop, values from
// outside are kept for the next turn.
class LastUses {
 public:
  LastUses(const ir::Graph& graph, const StackOrder& order);

  // Input `index` of the node is the last use of that value on this path.
  bool is_last(const ir::Node& node, size_t index) const { return last_inputs_.contains({&node, index}); }
  // Result `index` of the block.
  bool is_last(const ir::Block& block, size_t index) const { return last_results_.contains({&block, index}); }
  // Values that are not needed from here on: at the start of a branch, after a loop.
  const std::vector<const ir::Value*>& dead_at_start(const ir::Block& block) const;
  const std::vector<const ir::Value*>& dead_after(const ir::Node& loop) const;

 private:
  struct Hash {
    template <class T>
    size_t operator()(const std::pair<T, size_t>& p) const {
      return std::hash<const void*>()(p.first) * 31 + p.second;
    }
  };
  using Log = std::vector<const ir::Value*>;

  // Walks backwards; `live_` holds what is needed later. Gives what became live.
  Log walk(const ir::Block& block);
  // True when it was not live.
  bool use(const ir::Value* value, Log& log);
  void inputs(const ir::Node& node, Log& log);
  // What is computed for its only use is not in a register; its own inputs are used there.
  bool at_use(const ir::Value* value, Log& log);
  void branch(const ir::Node& node, Log& log);
  void loop(const ir::Node& node, Log& log);
  void forget(const Log& log);

  const StackOrder& order_;
  std::unordered_set<const ir::Value*> live_;
  std::unordered_set<std::pair<const ir::Node*, size_t>, Hash> last_inputs_;
  std::unordered_set<std::pair<const ir::Block*, size_t>, Hash> last_results_;
  std::unordered_map<const ir::Block*, Log> dead_at_start_;
  std::unordered_map<const ir::Node*, Log> dead_after_;
};

}  // namespace wick::emit
