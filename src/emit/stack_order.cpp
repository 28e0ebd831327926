// Which values stay on the stack, and the last use of each register.
#include "emit/stack_order.h"

#include <algorithm>

namespace wick::emit {

namespace {

constexpr size_t kMaxNesting = 200;  // of expressions that stay on the stack

bool is_constant(const ir::Node& node) { return node.kind == ir::NodeKind::kConstant; }

const std::vector<const ir::Value*>& none() {
  static const std::vector<const ir::Value*> empty;
  return empty;
}

}  // namespace

StackOrder::StackOrder(const ir::Graph& graph) {
  count(*graph.body());
  scan(*graph.body());
}

size_t StackOrder::uses(const ir::Value& value) const {
  const auto it = uses_.find(&value);
  return it == uses_.end() ? 0 : it->second;
}

void StackOrder::count(const ir::Block& block) {
  for (const ir::Node* node : block.nodes) {
    for (const ir::Value* input : node->inputs) ++uses_[input];
    for (const ir::Block* inner : node->blocks) count(*inner);
  }
  for (const ir::Value* result : block.results) ++uses_[result];
}

void StackOrder::scan(const ir::Block& block) {
  const ir::Node* previous = nullptr;
  for (const ir::Node* node : block.nodes) {
    if (is_constant(*node)) continue;
    previous_[node] = previous;
    previous = node;
  }
  const ir::Node* next = scan_inputs(block.results, block, previous);
  while (next) {
    for (const ir::Block* inner : next->blocks) scan(*inner);
    next = scan_inputs(next->inputs, block, previous_[next]);
  }
}

// `last` is what runs just before the inputs are complete. Gives the node that runs before all of them.
const ir::Node* StackOrder::scan_inputs(const std::vector<ir::Value*>& inputs, const ir::Block& block,
                                        const ir::Node* last) {
  // Inputs of nodes computed at their use are scanned in turn.
  struct Place {
    const std::vector<ir::Value*>* inputs;
    size_t left;
  };
  std::vector<Place> open{{&inputs, inputs.size()}};
  while (!open.empty()) {
    Place& place = open.back();
    if (place.left == 0) {
      open.pop_back();
      continue;
    }
    const ir::Value* value = (*place.inputs)[--place.left];
    const ir::Node* def = value->def;
    // What follows a tuple taken apart may tell how many values it held: they are stored.
    if (!def || def != last || def->block != &block || def->outputs.size() != 1 || !def->blocks.empty() ||
        def->kind == ir::NodeKind::kTupleUnpack || uses(*value) != 1 || open.size() > kMaxNesting) {
      continue;
    }
    at_use_.insert(def);
    last = previous_[def];
    open.push_back({&def->inputs, def->inputs.size()});
  }
  return last;
}

LastUses::LastUses(const ir::Graph& graph, const StackOrder& order) : order_(order) { walk(*graph.body()); }

const std::vector<const ir::Value*>& LastUses::dead_at_start(const ir::Block& block) const {
  const auto it = dead_at_start_.find(&block);
  return it == dead_at_start_.end() ? none() : it->second;
}

const std::vector<const ir::Value*>& LastUses::dead_after(const ir::Node& loop) const {
  const auto it = dead_after_.find(&loop);
  return it == dead_after_.end() ? none() : it->second;
}

bool LastUses::use(const ir::Value* value, Log& log) {
  const bool last = live_.insert(value).second;
  if (last) log.push_back(value);
  return last;
}

bool LastUses::at_use(const ir::Value* value, Log& log) {
  if (!value->def || !order_.computed_at_use(*value->def)) return false;
  inputs(*value->def, log);
  return true;
}

void LastUses::inputs(const ir::Node& node, Log& log) {
  for (size_t i = node.inputs.size(); i-- > 0;) {
    if (!at_use(node.inputs[i], log) && use(node.inputs[i], log)) last_inputs_.insert({&node, i});
  }
}

void LastUses::forget(const Log& log) {
  for (const ir::Value* value : log) live_.erase(value);
}

LastUses::Log LastUses::walk(const ir::Block& block) {
  Log log;
  for (size_t i = block.results.size(); i-- > 0;) {
    if (!at_use(block.results[i], log) && use(block.results[i], log)) last_results_.insert({&block, i});
  }
  for (auto it = block.nodes.rbegin(); it != block.nodes.rend(); ++it) {
    const ir::Node& node = **it;
    if (order_.computed_at_use(node)) continue;
    if (node.kind == ir::NodeKind::kIf && node.blocks.size() == 2) {
      branch(node, log);
    } else if (!node.blocks.empty()) {
      loop(node, log);
    }
    inputs(node, log);
  }
  // What is defined in here is not visible outside.
  std::erase_if(log, [&](const ir::Value* value) {
    if (value->block != &block) return false;
    live_.erase(value);
    return true;
  });
  return log;
}

void LastUses::branch(const ir::Node& node, Log& log) {
  const Log first = walk(*node.blocks[0]);
  forget(first);
  const Log second = walk(*node.blocks[1]);
  const std::unordered_set<const ir::Value*> in_first(first.begin(), first.end());
  for (const ir::Value* value : second) {
    if (!in_first.contains(value)) dead_at_start_[node.blocks[0]].push_back(value);
  }
  for (const ir::Value* value : first) {
    if (!live_.contains(value)) dead_at_start_[node.blocks[1]].push_back(value);
  }
  log.insert(log.end(), second.begin(), second.end());
  for (const ir::Value* value : first) {
    if (live_.insert(value).second) log.push_back(value);
  }
}

// What the body uses from outside must outlive every turn: it is live throughout, and dead only after the loop.
void LastUses::loop(const ir::Node& node, Log& log) {
  Log outside;
  std::vector<const ir::Block*> blocks(node.blocks.begin(), node.blocks.end());
  for (size_t i = 0; i < blocks.size(); ++i) {
    for (const ir::Node* inner : blocks[i]->nodes) {
      blocks.insert(blocks.end(), inner->blocks.begin(), inner->blocks.end());
    }
  }
  const std::unordered_set<const ir::Block*> inside(blocks.begin(), blocks.end());
  auto note = [&](const ir::Value* value) {
    if (!inside.contains(value->block)) use(value, outside);
  };
  for (const ir::Block* block : blocks) {
    for (const ir::Node* inner : block->nodes) std::for_each(inner->inputs.begin(), inner->inputs.end(), note);
    std::for_each(block->results.begin(), block->results.end(), note);
  }
  for (const ir::Block* block : node.blocks) forget(walk(*block));
  dead_after_[&node] = outside;
  log.insert(log.end(), outside.begin(), outside.end());
}

}  // namespace wick::emit
