// Finds the last use of each value.
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

Liveness::Liveness(const ir::Graph& graph) : flags_(graph.value_count()) {
  Values added;
  visit(*graph.body(), added);
}

void Liveness::add_drop(const void* where, const Value* value) {
  uint64_t& place = drop_places_[where];
  drops_.push_back({place, reinterpret_cast<uintptr_t>(value)});
  place = drops_.size();
}

// Marks a use; true when it is the last one.
bool Liveness::use(const Value* v, Values& added) {
  const uint8_t before = flags_[v->id];
  flags_[v->id] = before | kUsed | kLive;
  if (before & kLive) return false;
  added.push_back(v);
  return true;
}

void Liveness::use_all(const void* user, const std::vector<Value*>& values, Values& added) {
  const size_t first = places_[user] = last_.size();
  for (size_t i = 0; i < values.size(); ++i) last_.push_back(0);
  for (size_t i = values.size(); i-- > 0;) last_[first + i] = use(values[i], added);
}

// Walks the block backwards; `added` collects the values that became live in it.
void Liveness::visit(const Block& block, Values& added) {
  use_all(&block, block.results, added);
  for (auto it = block.nodes.rbegin(); it != block.nodes.rend(); ++it) {
    const Node* node = *it;
    if (node->kind == NodeKind::kIf) visit_if(*node, added);
    if (node->kind == NodeKind::kLoop) visit_loop(*node, added);
    use_all(node, node->inputs, added);
  }
}

void Liveness::visit_if(const Node& node, Values& added) {
  Values lives[2];
  for (int s = 0; s < 2; ++s) {
    visit(*node.blocks[s], lives[s]);
    for (const Value* v : lives[s]) flags_[v->id] &= ~kLive;
  }
  for (int s = 0; s < 2; ++s) {
    for (const Value* v : lives[s]) {
      if (is_outer(v, node.blocks[s])) flags_[v->id] |= kSide << s;
    }
  }
  for (const Values& values : lives) {
    for (const Value* v : values) {
      const int mask = flags_[v->id] / kSide;
      if (mask == 0) continue;
      flags_[v->id] = kUsed | kLive;
      added.push_back(v);
      if (mask != 3) add_drop(node.blocks[2 - mask], v);
    }
  }
}

void Liveness::visit_loop(const Node& node, Values& added) {
  const Block& body = *node.blocks[0];
  Values outer;
  outer_uses(body, &body, outer);
  for (const Value* v : outer) {
    if (use(v, added)) add_drop(&node, v);
  }
  Values inside;  // values of the body itself; the outer ones are live already
  visit(body, inside);
  for (const Value* v : inside) flags_[v->id] &= ~kLive;
}

}  // namespace wick::runtime
