// Graph queries and edits that the quantizer's passes share.
#include "quantize/edit.h"

#include <algorithm>

#include "core/check.h"
#include "ir/effects.h"

namespace wick::quantize {

using ir::Block;
using ir::Graph;
using ir::Node;
using ir::NodeKind;
using ir::Value;

void each_node(Block& block, const std::function<void(Node&)>& visit) {
  const std::vector<Node*> nodes(block.nodes.begin(), block.nodes.end());
  for (Node* node : nodes) {
    const std::vector<Block*> inner = node->blocks;
    visit(*node);
    for (Block* b : inner) each_node(*b, visit);
  }
}

bool is_only_read(const Value& list) {
  for (const Node* user : list.users) {
    if (user->kind != NodeKind::kOp || !user->op || user->op->schema.is_vararg) return false;
    for (size_t i = 0; i < user->inputs.size() && i < user->op->schema.arguments.size(); ++i) {
      if (user->inputs[i] == &list && user->op->schema.arguments[i].is_mutated) return false;
    }
  }
  return true;
}

std::optional<IValue> known(const Value& value) {
  if (!value.def) return std::nullopt;
  const Node& def = *value.def;
  if (def.kind == NodeKind::kConstant) return def.constant;
  if (def.kind != NodeKind::kListConstruct && def.kind != NodeKind::kTupleConstruct) return std::nullopt;
  if (def.kind == NodeKind::kListConstruct && !is_only_read(value)) return std::nullopt;
  std::vector<IValue> items;
  for (const Value* input : def.inputs) {
    std::optional<IValue> item = known(*input);
    if (!item) return std::nullopt;
    items.push_back(std::move(*item));
  }
  if (def.kind == NodeKind::kTupleConstruct) return IValue::tuple(std::move(items));
  const bool typed = !def.types.empty() && def.types[0]->is(TypeKind::kList);
  return IValue::list(typed ? def.types[0]->element(0) : types::any(), std::move(items));
}

bool is_op(const Node& node, std::string_view full_name) {
  return node.kind == NodeKind::kOp && node.op && node.op_name == full_name;
}

std::string_view base_name(const Node& node) {
  const std::string_view name = node.op_name;
  return name.substr(0, name.find('.'));
}

namespace {

std::optional<size_t> position(const Node& node, std::string_view name) {
  if (!node.op) return std::nullopt;
  const std::vector<Argument>& arguments = node.op->schema.arguments;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].name == name) return i;
  }
  return std::nullopt;
}

}  // namespace

Value* argument_value(const Node& node, std::string_view name) {
  const std::optional<size_t> i = position(node, name);
  return i && *i < node.inputs.size() ? node.inputs[*i] : nullptr;
}

std::optional<IValue> argument(const Node& node, std::string_view name) {
  const std::optional<size_t> i = position(node, name);
  if (!i) return std::nullopt;
  if (*i < node.inputs.size()) return known(*node.inputs[*i]);
  const Argument& declared = node.op->schema.arguments[*i];
  return declared.has_default ? std::optional<IValue>(declared.default_value) : std::nullopt;
}

namespace {

void collect_results(const Block& block, std::unordered_set<const Value*>& out) {
  out.insert(block.results.begin(), block.results.end());
  for (const Node* node : block.nodes) {
    for (const Block* inner : node->blocks) collect_results(*inner, out);
  }
}

}  // namespace

std::unordered_set<const Value*> block_results(const Graph& graph) {
  std::unordered_set<const Value*> out;
  collect_results(*graph.body(), out);
  return out;
}

bool asks_shape(const Node& node) {
  return is_op(node, "aten::dim") || is_op(node, "aten::size") || is_op(node, "aten::size.int") ||
         is_op(node, "aten::len.Tensor") || is_op(node, "aten::numel");
}

Node* only_user(const Value& value, const std::unordered_set<const Value*>& results) {
  if (results.contains(&value)) return nullptr;
  Node* found = nullptr;
  for (Node* user : value.users) {
    if (asks_shape(*user)) continue;
    if (found) return nullptr;
    found = user;
  }
  return found;
}

Value* add_constant(Graph& graph, Block* block, Node* before, IValue value) {
  Node* node = before ? graph.insert_before(before, NodeKind::kConstant) : graph.append(block, NodeKind::kConstant);
  Value* out = graph.add_output(node, value.type());
  node->constant = std::move(value);
  return out;
}

Node* add_op(Graph& graph, Block* block, Node* before, std::string_view full_name, std::vector<Value*> inputs) {
  const Operator* op = find_operator(full_name);
  WICK_CHECK(op, kMissingOperator, "this build has no operator ", full_name);
  Node* node = before ? graph.insert_before(before, NodeKind::kOp, std::move(inputs))
                      : graph.append(block, NodeKind::kOp, std::move(inputs));
  node->op = op;
  node->op_name = op->schema.full_name();
  for (const Argument& ret : op->schema.returns) graph.add_output(node, ret.type);
  return node;
}

void splice_before(Node* before, Block& from) {
  Block* to = before->block;
  for (Node* node : from.nodes) {
    node->block = to;
    for (Value* out : node->outputs) out->block = to;
  }
  to->nodes.splice(std::find(to->nodes.begin(), to->nodes.end(), before), from.nodes);
}

bool has_no_effect(const Node& node) {
  switch (node.kind) {
    case NodeKind::kConstant:
    case NodeKind::kGetAttr:
    case NodeKind::kTupleConstruct:
    case NodeKind::kListConstruct:
    case NodeKind::kDictConstruct:
    case NodeKind::kUninitialized:
      return true;
    case NodeKind::kOp:
      return !ir::has_effect(node) && node.op && !node.op->mutates && !node.op->has_statistics &&
             !node.op->has(traits::nondeterministic_seeded);
    default:
      return false;
  }
}

namespace {

bool sweep(Graph& graph, Block& block, const std::unordered_set<const Value*>& results) {
  bool changed = false;
  const std::vector<Node*> nodes(block.nodes.begin(), block.nodes.end());
  for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) {
    Node& node = **it;
    for (Block* inner : node.blocks) changed = sweep(graph, *inner, results) || changed;
    auto unused = [&](const Value* v) { return v->users.empty() && !results.contains(v); };
    if (node.outputs.empty() || !has_no_effect(node) || !std::all_of(node.outputs.begin(), node.outputs.end(), unused))
      continue;
    graph.erase(&node);
    changed = true;
  }
  return changed;
}

}  // namespace

void remove_unused(Graph& graph) {
  while (sweep(graph, *graph.body(), block_results(graph))) {
  }
}

}  // namespace wick::quantize
