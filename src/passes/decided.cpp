// Ifs and loops that constants decide: what constant folding and PyTorch's propagation of constants do with them.
#include "passes/decided.h"

namespace wick::passes {

void take_branch(Rewriter& rewriter, ir::Node& node, size_t branch) {
  ir::Block* block = node.blocks[branch];
  const std::vector<ir::Value*> results = block->results;
  rewriter.graph().move_nodes(block, &node);
  for (size_t i = 0; i < node.outputs.size(); ++i) rewriter.replace(node.outputs[i], results[i]);
  for (ir::Block* inner : node.blocks) inner->results.clear();
  rewriter.erase(&node);
}

bool never_runs(const ir::Node& loop) {
  return known_int(loop.inputs[0]).value_or(1) <= 0 || !known_bool(loop.inputs[1]).value_or(true);
}

void drop_loop(Rewriter& rewriter, ir::Node& loop) {
  for (size_t i = 0; i < loop.outputs.size(); ++i) rewriter.replace(loop.outputs[i], loop.inputs[i + 2]);
  loop.blocks[0]->results.clear();
  rewriter.erase(&loop);
}

}  // namespace wick::passes
