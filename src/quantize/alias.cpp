// Alias sets, and in-place operators made functional.
#include "quantize/alias.h"

#include <algorithm>
#include <unordered_map>

#include "quantize/edit.h"

namespace wick::quantize {

using ir::Block;
using ir::Graph;
using ir::Node;
using ir::NodeKind;
using ir::Value;

ir::Aliases aliases_of(Graph& graph) {
  ir::Aliases out(graph);
  const Value* first = nullptr;
  each_node(*graph.body(), [&](Node& node) {
    if (node.kind != NodeKind::kGetAttr && node.kind != NodeKind::kSetAttr) return;
    const Value* value = node.kind == NodeKind::kGetAttr ? node.outputs[0] : node.inputs[1];
    if (!ir::holds_others(*value->type)) return;
    if (first) out.join(first, value);
    first = value;
  });
  return out;
}

namespace {

class Functional {
 public:
  explicit Functional(Graph& graph) : graph_(graph) {}

  void run() {
    bool changed = true;
    while (changed) {
      changed = false;
      number(*graph_.body());
      const ir::Aliases sets = aliases_of(graph_);
      for (Node* node : order_) {
        if (replace(*node, sets)) {
          changed = true;
          break;
        }
      }
      order_.clear();
      positions_.clear();
    }
    const ir::Aliases sets = aliases_of(graph_);
    each_node(*graph_.body(), [&](Node& node) {
      if (!is_op(node, "aten::view") || sets.is_written(node.outputs[0])) return;
      node.op = find_operator("aten::reshape");
      node.op_name = "aten::reshape";
    });
  }

 private:
  void number(Block& block) {
    for (Node* node : block.nodes) {
      positions_[node] = order_.size();
      order_.push_back(node);
      for (Block* inner : node->blocks) number(*inner);
    }
  }

  static bool within(const Block* block, const Block* outer) {
    while (block && block != outer) block = block->owner ? block->owner->block : nullptr;
    return block != nullptr;
  }

  // Whether the functional form gives what the one in place writes. Of several tensors it may promote to another dtype;
  // sums and products of layers are taken to be of one.
  static bool can_replace(const Operator& op, const Operator* functional) {
    if (!functional || !op.has(traits::pointwise) || op.has(traits::returns_bools)) return false;
    const auto tensors = std::count_if(op.schema.arguments.begin(), op.schema.arguments.end(),
                                       [](const Argument& a) { return a.type->is(TypeKind::kTensor); });
    static constexpr std::string_view kOfLayers[] = {"aten::add", "aten::sub", "aten::mul", "aten::div"};
    return tensors == 1 ||
           std::find(std::begin(kOfLayers), std::end(kOfLayers), functional->schema.name) != std::end(kOfLayers);
  }

  bool replace(Node& node, const ir::Aliases& sets) {
    if (node.kind != NodeKind::kOp || !node.op || node.outputs.size() != 1) return false;
    const Operator* op = functional_variant_of(*node.op);
    if (!can_replace(*node.op, op)) return false;
    Value* target = node.inputs[0];
    if (!target->def || target->block != node.block || sets.is_foreign(target)) return false;
    const size_t here = positions_[&node];
    // Every other name of the memory must be out of use by now.
    for (Node* other : order_) {
      for (Value* v : other->outputs) {
        if (v == target || v == node.outputs[0] || sets.set_of(v) != sets.set_of(target)) continue;
        const bool before = positions_[other] < here;
        if (!within(v->block, node.block)) return false;
        if (before && used_after(v, here, node)) return false;
      }
      for (Block* block : other->blocks) {
        for (Value* v : block->params) {
          if (sets.set_of(v) == sets.set_of(target)) return false;
        }
      }
    }
    Node* made = graph_.insert_before(&node, NodeKind::kOp, node.inputs);
    made->op = op;
    made->op_name = op->schema.full_name();
    made->source = node.source;
    Value* out = graph_.add_output(made, node.outputs[0]->type);
    graph_.replace_uses(node.outputs[0], out);
    redirect(target, out, here, *node.block);
    graph_.erase(&node);
    return true;
  }

  bool used_after(const Value* v, size_t position, const Node& node) const {
    for (const Node* user : v->users) {
      if (user != &node && positions_.at(user) > position) return true;
    }
    return is_result(*graph_.body(), v);
  }

  static bool is_result(const Block& block, const Value* v) {
    if (std::find(block.results.begin(), block.results.end(), v) != block.results.end()) return true;
    for (const Node* node : block.nodes) {
      for (const Block* inner : node->blocks) {
        if (is_result(*inner, v)) return true;
      }
    }
    return false;
  }

  // Later uses of the target see what was written to it.
  void redirect(Value* target, Value* out, size_t position, Block& block) {
    const std::vector<Node*> users = target->users;
    for (Node* user : users) {
      const auto at = positions_.find(user);
      if (at == positions_.end() || at->second <= position) continue;
      for (size_t i = 0; i < user->inputs.size(); ++i) {
        if (user->inputs[i] == target) graph_.set_input(user, i, out);
      }
    }
    redirect_results(block, target, out, position);
  }
  void redirect_results(Block& block, Value* target, Value* out, size_t position) {
    std::replace(block.results.begin(), block.results.end(), target, out);
    for (Node* node : block.nodes) {
      const auto at = positions_.find(node);
      if (at == positions_.end() || at->second <= position) continue;
      for (Block* inner : node->blocks) redirect_results(*inner, target, out, position);
    }
  }

  Graph& graph_;
  std::vector<Node*> order_;
  std::unordered_map<const Node*, size_t> positions_;
};

}  // namespace

void make_functional(Graph& graph) { Functional(graph).run(); }

}  // namespace wick::quantize
