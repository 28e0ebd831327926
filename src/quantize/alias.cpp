#include "quantize/alias.h"

#include <algorithm>
#include <numeric>

#include "passes/effects.h"
#include "quantize/edit.h"

namespace wick::quantize {

using ir::Block;
using ir::Graph;
using ir::Node;
using ir::NodeKind;
using ir::Value;

namespace {

bool is_plain(const Type& type) {
  if (type.is(TypeKind::kList) || type.is(TypeKind::kOptional)) return is_plain(*type.element(0));
  return !passes::holds_others(type);
}

// "t[]" and "Dict(str, t)": what is put in or taken out stays as it is.
bool is_generic_container(const Type& type) {
  if (!type.is(TypeKind::kList) && !type.is(TypeKind::kDict)) return false;
  const TypeKind held = type.elements().back()->kind();
  return held == TypeKind::kVar || held == TypeKind::kAny || is_plain(*type.elements().back());
}

// An operator on tensors, perhaps in lists, whose results share nothing with its arguments.
bool gives_new_tensors(const Operator& op) {
  if (op.schema.is_vararg || op.schema.returns.empty() || !op.schema.name.starts_with("aten::") ||
      op.schema.name == "aten::__getitem__") {
    return false;
  }
  for (const Argument& a : op.schema.arguments) {
    if (a.is_mutated) return false;
  }
  return std::all_of(op.schema.returns.begin(), op.schema.returns.end(),
                     [](const Argument& r) { return r.type->is(TypeKind::kTensor) && !r.is_alias; });
}

}  // namespace

AliasSets::AliasSets(Graph& graph) : parent_(graph.value_count()), changed_(graph.value_count(), false) {
  foreign_ = changed_;
  results_ = block_results(graph);
  std::iota(parent_.begin(), parent_.end(), 0u);
  for (const Value* param : graph.body()->params) foreign_[find(param->id)] = true;
  visit(*graph.body());
}

uint32_t AliasSets::find(uint32_t id) const {
  while (parent_[id] != id) {
    parent_[id] = parent_[parent_[id]];
    id = parent_[id];
  }
  return id;
}

void AliasSets::join(const Value* a, const Value* b) {
  if (is_plain(*a->type) || is_plain(*b->type)) return;
  const uint32_t x = find(a->id), y = find(b->id);
  if (x == y) return;
  parent_[y] = x;
  changed_[x] = changed_[x] || changed_[y];
  foreign_[x] = foreign_[x] || foreign_[y];
}

void AliasSets::join_all(const Node& node) {
  const Value* first = nullptr;
  auto add = [&](const Value* v) {
    if (is_plain(*v->type)) return;
    if (first) join(first, v);
    first = first ? first : v;
  };
  for (const Value* v : node.inputs) add(v);
  for (const Value* v : node.outputs) add(v);
}

// A list that operators such as cat read, and nothing else.
bool AliasSets::only_read(const Node& list) const {
  if (results_.contains(list.outputs[0])) return false;
  return std::all_of(list.outputs[0]->users.begin(), list.outputs[0]->users.end(), [](const Node* user) {
    return user->kind == NodeKind::kOp && user->op && gives_new_tensors(*user->op);
  });
}

void AliasSets::visit(Block& block) {
  for (Node* node : block.nodes) {
    switch (node->kind) {
      case NodeKind::kConstant:
        foreign_[find(node->outputs[0]->id)] = true;
        break;
      case NodeKind::kUninitialized:
      case NodeKind::kIsInstance:
        break;
      case NodeKind::kOp:
        visit_op(*node);
        break;
      case NodeKind::kIf:
        for (Block* inner : node->blocks) {
          visit(*inner);
          for (size_t i = 0; i < node->outputs.size(); ++i) join(node->outputs[i], inner->results[i]);
        }
        break;
      case NodeKind::kLoop: {
        Block& body = *node->blocks[0];
        visit(body);
        for (size_t i = 0; i < node->outputs.size(); ++i) {
          join(node->outputs[i], node->inputs[i + 2]);
          join(node->outputs[i], body.params[i + 1]);
          join(node->outputs[i], body.results[i + 1]);
        }
        break;
      }
      case NodeKind::kGetAttr:
      case NodeKind::kSetAttr: {
        const Value* value = node->kind == NodeKind::kGetAttr ? node->outputs[0] : node->inputs[1];
        if (is_plain(*value->type)) break;
        attributes_ = attributes_ ? attributes_ : value;
        join(attributes_, value);
        foreign_[find(value->id)] = true;
        break;
      }
      case NodeKind::kListConstruct:
        if (!only_read(*node)) join_all(*node);
        break;
      case NodeKind::kTupleConstruct:
      case NodeKind::kTupleUnpack:
      case NodeKind::kTupleSlice:
      case NodeKind::kListUnpack:
      case NodeKind::kDictConstruct:
        join_all(*node);
        break;
      default:
        join_all(*node);
        for (const Value* v : node->inputs) changed_[find(v->id)] = foreign_[find(v->id)] = true;
        for (const Value* v : node->outputs) changed_[find(v->id)] = foreign_[find(v->id)] = true;
        for (Block* inner : node->blocks) visit(*inner);
    }
  }
}

void AliasSets::visit_op(const Node& node) {
  if (!node.op || node.op->schema.is_vararg || node.op->schema.is_varret) {
    join_all(node);
    for (const Value* v : node.inputs) changed_[find(v->id)] = true;
    return;
  }
  const std::vector<Argument>& arguments = node.op->schema.arguments;
  bool container = false;
  for (size_t i = 0; i < node.inputs.size() && i < arguments.size(); ++i) {
    if (arguments[i].is_mutated && !is_generic_container(*arguments[i].type)) {
      changed_[find(node.inputs[i]->id)] = true;
    }
    const TypeKind kind = arguments[i].type->kind();
    container = container || kind == TypeKind::kList || kind == TypeKind::kDict || kind == TypeKind::kVar ||
                kind == TypeKind::kAnyList || kind == TypeKind::kTuple || kind == TypeKind::kAny;
  }
  // Operators on containers give out and take in what they hold, whatever their schema says; those on tensors say it.
  if (container && !gives_new_tensors(*node.op)) {
    join_all(node);
    return;
  }
  for (size_t i = 0; i < node.inputs.size() && i < arguments.size(); ++i) {
    if (!arguments[i].is_alias && !arguments[i].is_mutated) continue;
    for (const Value* out : node.outputs) join(node.inputs[i], out);
  }
}

namespace {

class Functional {
 public:
  explicit Functional(Graph& graph) : graph_(graph) {}

  void run() {
    bool changed = true;
    while (changed) {
      changed = false;
      number(*graph_.body());
      const AliasSets sets(graph_);
      for (Node* node : order_) {
        if (replace(*node, sets)) {
          changed = true;
          break;
        }
      }
      order_.clear();
      positions_.clear();
    }
    const AliasSets sets(graph_);
    each_node(*graph_.body(), [&](Node& node) {
      if (!is_op(node, "aten::view") || sets.is_changed(node.outputs[0])) return;
      node.op = find_operator("aten::reshape");
      node.op_name = "aten::reshape";
    });
  }

 private:
  void number(Block& block) {
    for (Node* node : block.nodes) {
      positions_[node] = order_.size();
      order_.push_back(node);
      for (Block* inner : node->blocks) number(*inner);
    }
  }

  static bool within(const Block* block, const Block* outer) {
    while (block && block != outer) block = block->owner ? block->owner->block : nullptr;
    return block != nullptr;
  }

  // The operator without the underscore: "aten::add_.Tensor" -> "aten::add.Tensor".
  static const Operator* functional_form(const Node& node) {
    if (node.kind != NodeKind::kOp || !node.op || node.inputs.empty() || node.outputs.size() != 1) return nullptr;
    const std::string& name = node.op->schema.name;
    if (!name.ends_with("_") || name.ends_with("__") || !node.op->schema.arguments[0].is_mutated) return nullptr;
    std::string full = name.substr(0, name.size() - 1);
    if (!node.op->schema.overload.empty()) full += "." + node.op->schema.overload;
    const Operator* op = find_operator(full);
    if (!op || op->schema.arguments.size() != node.op->schema.arguments.size() || op->schema.returns.size() != 1) {
      return nullptr;
    }
    // The functional form may promote its result to another type.
    for (size_t i = 1; i < node.inputs.size(); ++i) {
      if (node.op->schema.arguments[i].is_mutated) return nullptr;
    }
    return op;
  }

  bool replace(Node& node, const AliasSets& sets) {
    const Operator* op = functional_form(node);
    if (!op) return false;
    constexpr std::string_view kKnown[] = {"aten::relu_", "aten::hardtanh_",   "aten::relu6_",       "aten::add_",
                                           "aten::mul_",  "aten::sub_",        "aten::div_",         "aten::clamp_",
                                           "aten::elu_",  "aten::leaky_relu_", "aten::silu_",        "aten::sigmoid_",
                                           "aten::tanh_", "aten::hardswish_",  "aten::hardsigmoid_", "aten::mish_",
                                           "aten::celu_", "aten::selu_",       "aten::threshold_",   "aten::clamp_min_",
                                           "aten::exp_"};
    if (std::find(std::begin(kKnown), std::end(kKnown), node.op->schema.name) == std::end(kKnown)) return false;
    Value* target = node.inputs[0];
    if (!target->def || target->block != node.block || sets.is_foreign(target)) return false;
    const size_t here = positions_[&node];
    // Every other name of the memory must be out of use by now.
    for (Node* other : order_) {
      for (Value* v : other->outputs) {
        if (v == target || v == node.outputs[0] || !sets.same(v, target)) continue;
        const bool before = positions_[other] < here;
        if (!within(v->block, node.block)) return false;
        if (before && used_after(v, here, node)) return false;
      }
      for (Block* block : other->blocks) {
        for (Value* v : block->params) {
          if (sets.same(v, target)) return false;
        }
      }
    }
    Node* made = graph_.insert_before(&node, NodeKind::kOp, node.inputs);
    made->op = op;
    made->op_name = op->schema.full_name();
    made->source = node.source;
    Value* out = graph_.add_output(made, node.outputs[0]->type);
    graph_.replace_uses(node.outputs[0], out);
    redirect(target, out, here, *node.block);
    graph_.erase(&node);
    return true;
  }

  bool used_after(const Value* v, size_t position, const Node& node) const {
    for (const Node* user : v->users) {
      if (user != &node && positions_.at(user) > position) return true;
    }
    return is_result(*graph_.body(), v);
  }

  static bool is_result(const Block& block, const Value* v) {
    if (std::find(block.results.begin(), block.results.end(), v) != block.results.end()) return true;
    for (const Node* node : block.nodes) {
      for (const Block* inner : node->blocks) {
        if (is_result(*inner, v)) return true;
      }
    }
    return false;
  }

  // Later uses of the target see what was written to it.
  void redirect(Value* target, Value* out, size_t position, Block& block) {
    const std::vector<Node*> users = target->users;
    for (Node* user : users) {
      const auto at = positions_.find(user);
      if (at == positions_.end() || at->second <= position) continue;
      for (size_t i = 0; i < user->inputs.size(); ++i) {
        if (user->inputs[i] == target) graph_.set_input(user, i, out);
      }
    }
    redirect_results(block, target, out, position);
  }
  void redirect_results(Block& block, Value* target, Value* out, size_t position) {
    std::replace(block.results.begin(), block.results.end(), target, out);
    for (Node* node : block.nodes) {
      const auto at = positions_.find(node);
      if (at == positions_.end() || at->second <= position) continue;
      for (Block* inner : node->blocks) redirect_results(*inner, target, out, position);
    }
  }

  Graph& graph_;
  std::vector<Node*> order_;
  std::unordered_map<const Node*, size_t> positions_;
};

}  // namespace

void make_functional(Graph& graph) { Functional(graph).run(); }

}  // namespace wick::quantize
