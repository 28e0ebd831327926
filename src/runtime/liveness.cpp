#include "runtime/liveness.h"

namespace wick::runtime {

using ir::Block;
using ir::Node;
using ir::NodeKind;
using ir::Value;

namespace {

// True for a value defined outside `block` and the blocks in it.
bool is_outer(const Value* v, const Block* block) {
  for (const Block* b = v->block; b; b = b->owner ? b->owner->block : nullptr) {
    if (b == block) return false;
  }
  return true;
}

void outer_uses(const Block& block, const Block* body, std::vector<const Value*>& out) {
  const auto note = [&](const Value* v) {
    if (is_outer(v, body)) out.push_back(v);
  };
  for (const Value* v : block.results) note(v);
  for (const Node* node : block.nodes) {
    for (const Value* v : node->inputs) note(v);
    for (const Block* inner : node->blocks) outer_uses(*inner, body, out);
  }
}

}  // namespace

Liveness::Liveness(ir::Graph& graph) : live_(graph.value_count(), false), used_(graph.value_count(), false) {
  Values added;
  visit(*graph.body(), added);
}

const Liveness::Values* Liveness::drops(const void* where) const {
  const auto it = drops_.find(where);
  return it == drops_.end() ? nullptr : &it->second;
}

// Marks a use; true when it is the last one.
bool Liveness::use(const Value* v, Values& added) {
  used_[v->id] = true;
  if (live_[v->id]) return false;
  live_[v->id] = true;
  added.push_back(v);
  return true;
}

// Walks the block backwards; `added` collects the values that became live in it.
void Liveness::visit(const Block& block, Values& added) {
  for (size_t i = block.results.size(); i-- > 0;) {
    if (use(block.results[i], added)) last_.insert({&block, i});
  }
  for (auto it = block.nodes.rbegin(); it != block.nodes.rend(); ++it) {
    const Node* node = *it;
    if (node->kind == NodeKind::kIf) visit_if(*node, added);
    if (node->kind == NodeKind::kLoop) visit_loop(*node, added);
    for (size_t i = node->inputs.size(); i-- > 0;) {
      if (use(node->inputs[i], added)) last_.insert({node, i});
    }
  }
}

void Liveness::visit_if(const Node& node, Values& added) {
  std::unordered_map<const Value*, int> sides;  // bit s: side s makes it live
  for (int s = 0; s < 2; ++s) {
    Values side;
    visit(*node.blocks[s], side);
    for (const Value* v : side) {
      live_[v->id] = false;
      if (is_outer(v, node.blocks[s])) sides[v] |= 1 << s;
    }
  }
  for (const auto& [v, mask] : sides) {
    live_[v->id] = true;
    added.push_back(v);
    if (mask == 1) drops_[node.blocks[1]].push_back(v);
    if (mask == 2) drops_[node.blocks[0]].push_back(v);
  }
}

void Liveness::visit_loop(const Node& node, Values& added) {
  const Block& body = *node.blocks[0];
  Values outer;
  outer_uses(body, &body, outer);
  for (const Value* v : outer) {
    if (use(v, added)) drops_[&node].push_back(v);
  }
  Values inside;  // values of the body itself; the outer ones are live already
  visit(body, inside);
  for (const Value* v : inside) live_[v->id] = false;
}

}  // namespace wick::runtime
