// Walks over graphs, and what is known of their values.
#pragma once

#include <vector>

#include "ir/graph.h"

namespace wick::ir {

// All nodes of the block and below it, a node before those of its blocks.
std::vector<Node*> all_nodes(Block* block);
std::vector<const Node*> all_nodes(const Block* block);

// The value when it is a constant of the graph; null otherwise.
inline const IValue* known(const Value* value) {
  const Node* def = value->def;
  return def && def->kind == NodeKind::kConstant ? &def->constant : nullptr;
}

}  // namespace wick::ir
