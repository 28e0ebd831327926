// Dead code elimination.
#include <unordered_map>
#include <unordered_set>

#include "ir/effects.h"
#include "passes/rewriter.h"
#include "passes/simplify.h"

namespace wick::passes {

namespace {

using ir::Block;
using ir::Node;
using ir::NodeKind;
using ir::Value;

class Sweeper {
 public:
  explicit Sweeper(ir::Graph& graph) : graph_(graph), aliases_(graph) {}

  void run() {
    find_roots(*graph_.body());
    for (const Value* result : graph_.body()->results) mark(result);
    while (!pending_.empty()) {
      const Value* value = pending_.back();
      pending_.pop_back();
      follow(*value);
    }
    sweep(*graph_.body());
  }

 private:
  void find_roots(const Block& block) {
    for (const Node* node : block.nodes) {
      for (const Block* inner : node->blocks) find_roots(*inner);
      if (has_effect(*node)) mark(*node);
      for (size_t i = 0; i < node->inputs.size(); ++i) {
        if (!changes_input(*node, i)) continue;
        const uint32_t set = aliases_.set_of(node->inputs[i]);
        if (aliases_.is_foreign(node->inputs[i]) || live_sets_.contains(set)) {
          mark(*node);
        } else {
          changers_[set].push_back(node);
        }
      }
    }
  }

  void mark(const Value* value) {
    if (live_.insert(value).second) pending_.push_back(value);
  }

  void mark(const Node& node) {
    if (!live_nodes_.insert(&node).second) return;
    if (node.block->owner) mark(*node.block->owner);
    if (node.kind == NodeKind::kLoop) {
      mark(node.inputs[0]);
      mark(node.inputs[1]);
      mark(node.blocks[0]->results[0]);
    } else {
      for (const Value* input : node.inputs) mark(input);
    }
  }

  // What a live value needs: what it is computed from, and every change of what it may be part of.
  void follow(const Value& value) {
    const uint32_t set = aliases_.set_of(&value);
    if (live_sets_.insert(set).second) {
      if (const auto it = changers_.find(set); it != changers_.end()) {
        for (const Node* node : it->second) mark(*node);
      }
    }
    const Node* owner = value.def ? value.def : value.block->owner;
    if (!owner) return;
    mark(*owner);
    if (owner->kind == NodeKind::kIf && value.def) {
      for (const Block* block : owner->blocks) mark(block->results[index_in(owner->outputs, value)]);
    } else if (owner->kind == NodeKind::kLoop) {
      const Block& body = *owner->blocks[0];
      const size_t i = value.def ? index_in(owner->outputs, value) + 1 : index_in(body.params, value);
      if (i == 0) return;
      mark(body.results[i]);
      mark(body.params[i]);
      mark(owner->inputs[i + 1]);
    }
  }

  static size_t index_in(const std::vector<Value*>& list, const Value& value) {
    size_t i = 0;
    while (list[i] != &value) ++i;
    return i;
  }

  void sweep(Block& block) {
    for (auto it = block.nodes.end(); it != block.nodes.begin();) {
      Node* node = *std::prev(it);
      if (!live_nodes_.contains(node)) {
        graph_.erase(node);
        continue;
      }
      --it;
      if (node->kind == NodeKind::kIf) {
        drop_branch_outputs(*node);
      } else if (node->kind == NodeKind::kLoop) {
        drop_carried(*node);
      }
    }
  }

  void drop_branch_outputs(Node& node) {
    for (size_t i = node.outputs.size(); i-- > 0;) {
      if (live_.contains(node.outputs[i])) continue;
      graph_.remove_output(&node, i);
      for (Block* inner : node.blocks) inner->results.erase(inner->results.begin() + static_cast<ptrdiff_t>(i));
    }
    for (Block* inner : node.blocks) sweep(*inner);
  }

  void drop_carried(Node& node) {
    Block& body = *node.blocks[0];
    std::vector<size_t> dead;
    for (size_t i = node.outputs.size(); i-- > 0;) {
      if (live_.contains(node.outputs[i]) || live_.contains(body.params[i + 1])) continue;
      dead.push_back(i);
      graph_.remove_output(&node, i);
      graph_.remove_input(&node, i + 2);
      body.results.erase(body.results.begin() + static_cast<ptrdiff_t>(i) + 1);
    }
    sweep(body);
    for (size_t i : dead) graph_.remove_param(&body, i + 1);
  }

  ir::Graph& graph_;
  ir::Aliases aliases_;
  std::unordered_set<const Value*> live_;
  std::unordered_set<const Node*> live_nodes_;
  std::unordered_set<uint32_t> live_sets_;
  std::unordered_map<uint32_t, std::vector<const Node*>> changers_;  // of sets that have not been read yet
  std::vector<const Value*> pending_;
};

}  // namespace

void remove_dead_code(ir::Graph& graph) { Sweeper(graph).run(); }

}  // namespace wick::passes
