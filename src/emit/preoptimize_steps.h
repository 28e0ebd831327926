// The steps of PyTorch's clean-up that preoptimize.cpp puts in order, and what they have in common.
#pragma once

#include "passes/rewriter.h"

namespace wick::emit {

// Replaced values, and whether there were any.
class GraphStep {
 public:
  explicit GraphStep(ir::Graph& graph) : rewriter_(graph), graph_(graph) {}

 protected:
  void become(ir::Value* value, ir::Value* instead) {
    rewriter_.replace(value, instead);
    changed_ = true;
  }
  void become(ir::Node& node, ir::Value* instead) { become(node.outputs[0], instead); }
  void become_constant(ir::Node& node, IValue value) { become(node, graph_.constant_before(&node, std::move(value))); }

  passes::Rewriter rewriter_;
  ir::Graph& graph_;
  bool changed_ = false;
};

// Constants through operators on values that cannot change. True: something was replaced.
bool propagate_constants(ir::Graph& graph);
// What the types of values answer. True: something was replaced.
bool answer_questions(ir::Graph& graph);

}  // namespace wick::emit
