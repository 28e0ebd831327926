// Graph: creates, changes, releases and restores blocks, nodes and values.
#include "ir/graph.h"

#include <algorithm>

#include "core/check.h"

namespace wick::ir {

void copy_attributes(const Node& from, Node& to) {
  to.op = from.op;
  to.op_name = from.op_name;
  to.constant = from.constant;
  to.types = from.types;
  to.name = from.name;
  to.index = from.index;
  to.count = from.count;
  to.callee = from.callee;
  to.source = from.source;
}

namespace {

template <class T>
T* add_to(std::vector<std::unique_ptr<T>>& all) {
  all.emplace_back();
  all.back().reset(new T);
  return all.back().get();
}

}  // namespace

Graph::Graph() { body_ = new_block(nullptr); }

void Graph::set_remake(std::function<std::unique_ptr<Function>()> remake) {
  remake_ = std::move(remake);
  stays_ = false;
}

void Graph::keep() {
  const std::lock_guard lock(mutex_);
  restore();
  remake_ = nullptr;
  stays_.store(true, std::memory_order_release);
}

const Block* Graph::restored() {
  const std::lock_guard lock(mutex_);
  restore();
  return body_;
}

void Graph::release() {
  const std::lock_guard lock(mutex_);
  if (!remake_) return;
  body_ = nullptr;
  decltype(blocks_)().swap(blocks_);
  decltype(nodes_)().swap(nodes_);
  decltype(values_)().swap(values_);
}

void Graph::restore() {
  if (body_) return;
  const std::unique_ptr<Function> made = remake_();
  Graph& from = made->graph;
  WICK_CHECK(from.next_value_ == next_value_, kInternal, made->name, " was not made again as it was");
  blocks_.swap(from.blocks_);
  nodes_.swap(from.nodes_);
  values_.swap(from.values_);
  std::swap(body_, from.body_);
  for (const auto& block : blocks_) block->graph = this;
}

Block* Graph::new_block(Node* owner) {
  Block* block = add_to(blocks_);
  block->graph = this;
  block->owner = owner;
  return block;
}

Value* Graph::new_value(const TypePtr& type, std::string_view name, Node* def, Block* block) {
  Value* value = add_to(values_);
  value->id = next_value_++;
  value->type = type;
  value->def = def;
  value->block = block;
  value->name = name;
  return value;
}

Node* Graph::new_node(Block* block, NodeKind kind, std::span<Value* const> inputs) {
  Node* node = add_to(nodes_);
  node->kind = kind;
  node->block = block;
  for (Value* input : inputs) add_input(node, input);
  return node;
}

Value* Graph::add_param(Block* block, const TypePtr& type, std::string_view name) {
  block->params.push_back(new_value(type, name, nullptr, block));
  return block->params.back();
}

Block* Graph::add_block(Node* owner) {
  owner->blocks.push_back(new_block(owner));
  return owner->blocks.back();
}

Node* Graph::append(Block* block, NodeKind kind, std::span<Value* const> inputs) {
  Node* node = new_node(block, kind, inputs);
  node->place = block->nodes.insert(block->nodes.end(), node);
  return node;
}

Node* Graph::insert_before(Node* before, NodeKind kind, const std::vector<Value*>& inputs) {
  Block* block = before->block;
  Node* node = new_node(block, kind, inputs);
  node->place = block->nodes.insert(before->place, node);
  return node;
}

Value* Graph::add_output(Node* node, const TypePtr& type, std::string_view name) {
  node->outputs.push_back(new_value(type, name, node, node->block));
  return node->outputs.back();
}

void Graph::add_input(Node* node, Value* value) {
  node->inputs.push_back(value);
  value->users.push_back(node);
}

void Graph::set_input(Node* node, size_t i, Value* value) {
  std::vector<Node*>& users = node->inputs[i]->users;
  users.erase(std::find(users.begin(), users.end(), node));
  node->inputs[i] = value;
  value->users.push_back(node);
}

void Graph::set_results(Block* block, std::vector<Value*> results) { block->results = std::move(results); }

void Graph::replace_uses(Value* from, Value* to) {
  std::vector<Node*> users;
  users.swap(from->users);
  for (Node* user : users) {
    std::replace(user->inputs.begin(), user->inputs.end(), from, to);
    to->users.push_back(user);
  }
  for (const auto& block : blocks_) std::replace(block->results.begin(), block->results.end(), from, to);
}

void Graph::erase(Node* node) {
  for (Block* block : node->blocks) {
    while (!block->nodes.empty()) {
      Node* inner = block->nodes.back();
      block->results.clear();
      erase(inner);
    }
  }
  for (Value* out : node->outputs) {
    WICK_CHECK(out->users.empty(), kInternal, "erasing a node whose output %", out->id, " is still used");
  }
  for (Value* in : node->inputs) {
    in->users.erase(std::find(in->users.begin(), in->users.end(), node));
  }
  node->inputs.clear();
  node->block->nodes.erase(node->place);
}

void Graph::remove_output(Node* node, size_t i) {
  WICK_CHECK(node->outputs[i]->users.empty(), kInternal, "removing output %", node->outputs[i]->id, ", which is used");
  node->outputs.erase(node->outputs.begin() + static_cast<ptrdiff_t>(i));
}

void Graph::remove_input(Node* node, size_t i) {
  std::vector<Node*>& users = node->inputs[i]->users;
  users.erase(std::find(users.begin(), users.end(), node));
  node->inputs.erase(node->inputs.begin() + static_cast<ptrdiff_t>(i));
}

void Graph::remove_param(Block* block, size_t i) {
  WICK_CHECK(block->params[i]->users.empty(), kInternal, "removing parameter %", block->params[i]->id,
             ", which is used");
  block->params.erase(block->params.begin() + static_cast<ptrdiff_t>(i));
}

void Graph::move_nodes(Block* from, Node* before) {
  for (Node* node : from->nodes) {
    node->block = before->block;
    for (Value* out : node->outputs) out->block = before->block;
  }
  before->block->nodes.splice(before->place, from->nodes);
}

Value* Graph::set_constant(Node* node, IValue value) {
  Value* out = add_output(node, value.type());
  node->constant = std::move(value);
  return out;
}

Value* Graph::constant(Block* block, IValue value) {
  return set_constant(append(block, NodeKind::kConstant), std::move(value));
}

Value* Graph::constant_before(Node* before, IValue value) {
  return set_constant(insert_before(before, NodeKind::kConstant), std::move(value));
}

Node* Graph::set_op(Node* node, const Operator* op) {
  node->op = op;
  node->op_name = op->schema.full_name();
  for (const Argument& ret : op->schema.returns) add_output(node, ret.type);
  return node;
}

Node* Graph::call_op(Block* block, const Operator* op, std::vector<Value*> inputs) {
  return set_op(append(block, NodeKind::kOp, std::move(inputs)), op);
}

Node* Graph::call_op_before(Node* before, const Operator* op, std::vector<Value*> inputs) {
  return set_op(insert_before(before, NodeKind::kOp, std::move(inputs)), op);
}

}  // namespace wick::ir
