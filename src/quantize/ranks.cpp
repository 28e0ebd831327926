// Ranks of values that convolutions determine.
#include "quantize/ranks.h"

#include <algorithm>

#include "passes/ranks.h"
#include "quantize/calibration.h"
#include "quantize/edit.h"
#include "quantize/frozen.h"

namespace wick::quantize {

namespace {

using ir::Block;
using ir::Node;
using ir::NodeKind;
using ir::Value;

int64_t batch_rank(const Node& node) {
  if (node.kind != NodeKind::kOp || !node.op) return -1;
  const std::string_view name = base_name(node);
  if (name == "aten::conv1d" || name == "aten::conv_transpose1d") return 3;
  if (name == "aten::conv2d" || name == "aten::conv_transpose2d") return 4;
  return -1;
}

class Ranks {
 public:
  Ranks(ir::Function& function, std::unordered_map<const Value*, int64_t> ranks)
      : graph_(function.graph), ranks_(std::move(ranks)) {}
  void run() { block(*graph_.body()); }

 private:
  int64_t of(const Value* value) const {
    const auto it = ranks_.find(value);
    return it == ranks_.end() ? -1 : it->second;
  }

  void block(Block& b) {
    const std::vector<Node*> nodes(b.nodes.begin(), b.nodes.end());
    for (Node* node : nodes) {
      if (node->kind == NodeKind::kIf) {
        for (Block* inner : node->blocks) block(*inner);
        for (size_t i = 0; i < node->outputs.size(); ++i) {
          const int64_t a = of(node->blocks[0]->results[i]), c = of(node->blocks[1]->results[i]);
          if (a >= 0 && a == c) ranks_[node->outputs[i]] = a;
        }
      } else if (node->kind == NodeKind::kLoop) {
        block(*node->blocks[0]);
      } else if (node->kind == NodeKind::kOp && node->op && !node->inputs.empty()) {
        visit(*node);
      }
    }
  }

  void visit(Node& node) {
    const std::string_view name = base_name(node);
    if (name == "aten::dim" && of(node.inputs[0]) >= 0) {
      Value* rank = add_constant(graph_, node.block, &node, IValue(of(node.inputs[0])));
      graph_.replace_uses(node.outputs[0], rank);
      graph_.erase(&node);
    } else if (name == "aten::len" && node.inputs[0]->def && is_op(*node.inputs[0]->def, "aten::size") &&
               of(node.inputs[0]->def->inputs[0]) >= 0) {
      Value* rank = add_constant(graph_, node.block, &node, IValue(of(node.inputs[0]->def->inputs[0])));
      graph_.replace_uses(node.outputs[0], rank);
      graph_.erase(&node);
    } else if (node.outputs.size() == 1 && of(node.outputs[0]) < 0) {
      if (passes::keeps_rank(node)) {
        ranks_[node.outputs[0]] = of(node.inputs[0]);
      } else if (name == "aten::add" || name == "aten::mul" || name == "aten::sub") {
        const int64_t a = of(node.inputs[0]), b = of(node.inputs[1]);
        if (a >= 0 && b >= 0) ranks_[node.outputs[0]] = std::max(a, b);
      } else if (name == "aten::cat" && node.inputs[0]->def && node.inputs[0]->def->kind == NodeKind::kListConstruct) {
        for (const Value* item : node.inputs[0]->def->inputs) {
          if (of(item) >= 0) ranks_[node.outputs[0]] = of(item);
        }
      }
    }
  }

  ir::Graph& graph_;
  std::unordered_map<const Value*, int64_t> ranks_;
};

}  // namespace

void fix_ranks(const ir::Program& program, ir::Function& function, const std::vector<IValue>& args) {
  std::vector<Value*> results;
  each_node(*function.graph.body(), [&](Node& node) {
    if (batch_rank(node) > 0) results.push_back(node.outputs[0]);
  });
  if (results.empty()) return;
  const std::vector<int64_t> seen = ranks_of(program, function, results, args);
  constexpr int kRounds = 3;  // a branch that is taken gives its rank to what comes after
  for (int round = 0; round < kRounds; ++round) {
    std::unordered_map<const Value*, int64_t> ranks;
    each_node(*function.graph.body(), [&](Node& node) {
      for (size_t i = 0; batch_rank(node) > 0 && i < results.size(); ++i) {
        if (results[i] == node.outputs[0] && seen[i] == batch_rank(node)) ranks[results[i]] = seen[i];
      }
    });
    Ranks(function, std::move(ranks)).run();
    fold_branches(function);
  }
}

}  // namespace wick::quantize
