// Walks over graphs.
#include "ir/walk.h"

namespace wick::ir {

namespace {

template <class BlockType, class NodeType>
void collect(BlockType* block, std::vector<NodeType*>& out) {
  for (NodeType* node : block->nodes) {
    out.push_back(node);
    for (BlockType* inner : node->blocks) collect<BlockType, NodeType>(inner, out);
  }
}

}  // namespace

std::vector<Node*> all_nodes(Block* block) {
  std::vector<Node*> out;
  collect(block, out);
  return out;
}

std::vector<const Node*> all_nodes(const Block* block) {
  std::vector<const Node*> out;
  collect(block, out);
  return out;
}

}  // namespace wick::ir
