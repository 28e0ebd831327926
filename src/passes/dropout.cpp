// REMOVE_DROPOUT: dropout is a no-op in evaluation mode.
#include "passes/passes.h"
#include "passes/rewriter.h"

namespace wick::passes {

size_t remove_dropout(ir::Graph& graph) {
  Rewriter rewriter(graph);
  size_t count = 0;
  for (ir::Node* node : all_nodes(graph.body())) {
    if (!is_op(node, {"aten::dropout", "aten::dropout_", "aten::feature_dropout", "aten::feature_dropout_"})) continue;
    if (node->inputs.size() != 3 || known_bool(node->inputs[2]) != false) continue;
    rewriter.replace(node->outputs[0], node->inputs[0]);
    rewriter.erase(node);
    ++count;
  }
  return count;
}

}  // namespace wick::passes
