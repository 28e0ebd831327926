// PyTorch's constant propagation: operators, branches and loops that constants decide.
#include <algorithm>

#include "core/instance.h"
#include "core/stopped.h"
#include "emit/preoptimize_steps.h"
#include "ir/effects.h"
#include "passes/decided.h"

namespace wick::emit {

namespace {

using ir::Block;
using ir::Node;
using ir::NodeKind;
using ir::Value;
using passes::known;
using passes::known_bool;

// Whether values of the type may be changed in place.
bool is_mutable(const Type& type) {
  if (!ir::holds_others(type) || type.is(TypeKind::kEnum)) return false;
  if (!type.is(TypeKind::kOptional) && !type.is(TypeKind::kTuple) && !type.is(TypeKind::kUnion)) return true;
  return std::any_of(type.elements().begin(), type.elements().end(),
                     [](const TypePtr& element) { return is_mutable(*element); });
}

// Constants through operators on values that cannot change.
class Propagation : public GraphStep {
 public:
  using GraphStep::GraphStep;

  bool run() {
    visit(*graph_.body());
    return changed_;
  }

 private:
  void visit(Block& block) {
    for (auto it = block.nodes.begin(); it != block.nodes.end();) {
      Node& node = **it++;
      if (node.kind == NodeKind::kIf) {
        branch(node);
      } else if (node.kind == NodeKind::kLoop) {
        loop(node);
      } else {
        evaluate(node);
      }
    }
  }

  void branch(Node& node) {
    const std::optional<bool> taken = known_bool(node.inputs[0]);
    if (!taken) {
      for (Block* inner : node.blocks) visit(*inner);
      for (size_t i = node.outputs.size(); i-- > 0;) join(node, i);
      return;
    }
    const size_t branch = *taken ? 0 : 1;
    visit(*node.blocks[branch]);
    passes::take_branch(rewriter_, node, branch);
    changed_ = true;
  }

  // An output that both branches give alike.
  void join(Node& node, size_t i) {
    Value* first = node.blocks[0]->results[i];
    Value* second = node.blocks[1]->results[i];
    const IValue *a = known(first), *b = known(second);
    const bool simple = a && b && a->tag() == b->tag() && (a->is_none() || a->is_number() || a->is_string());
    if (first != second && !(simple && repr(*a) == repr(*b))) return;
    become(node.outputs[i], a ? graph_.constant_before(&node, *a) : first);
    graph_.remove_output(&node, i);
    for (Block* inner : node.blocks) inner->results.erase(inner->results.begin() + static_cast<ptrdiff_t>(i));
  }

  void loop(Node& node) {
    if (passes::never_runs(node)) {
      passes::drop_loop(rewriter_, node);
      changed_ = true;
      return;
    }
    Block& body = *node.blocks[0];
    visit(body);
    for (size_t i = node.outputs.size(); i-- > 0;) {
      Value* param = body.params[i + 1];
      if (body.results[i + 1] != param) continue;
      body.results.erase(body.results.begin() + static_cast<ptrdiff_t>(i) + 1);
      become(node.outputs[i], node.inputs[i + 2]);
      become(param, node.inputs[i + 2]);
      graph_.remove_output(&node, i);
      graph_.remove_input(&node, i + 2);
      graph_.remove_param(&body, i + 1);
    }
  }

  void evaluate(Node& node) {
    if (node.kind == NodeKind::kConstant || node.outputs.empty() || ir::has_effect(node)) return;
    std::vector<IValue> inputs;
    for (const Value* input : node.inputs) {
      const IValue* value = known(input);
      if (!value || is_mutable(*input->type)) return;
      inputs.push_back(*value);
    }
    for (const Value* output : node.outputs) {
      if (is_mutable(*output->type)) return;
    }
    std::vector<IValue> results(node.outputs.size());
    if (!compute(node, std::move(inputs), results)) return;
    for (size_t i = 0; i < results.size(); ++i) {
      Value* constant = graph_.constant_before(&node, results[i]);
      if (results[i].is_none()) constant->type = node.outputs[i]->type;
      become(node.outputs[i], constant);
    }
    rewriter_.erase(&node);
  }

  static bool compute(const Node& node, std::vector<IValue> inputs, std::vector<IValue>& results) {
    switch (node.kind) {
      case NodeKind::kTupleConstruct:
        results[0] = IValue::tuple(std::move(inputs));
        return true;
      case NodeKind::kTupleUnpack:
        if (!inputs[0].is_tuple() || inputs[0].to_tuple().items.size() != results.size()) return false;
        results = inputs[0].to_tuple().items;
        return true;
      case NodeKind::kIsInstance:
        results[0] = IValue(std::any_of(node.types.begin(), node.types.end(),
                                        [&](const TypePtr& type) { return is_instance(inputs[0], *type); }));
        return true;
      case NodeKind::kOp:
        break;
      default:
        return false;
    }
    const FunctionSchema& schema = node.op->schema;
    constexpr std::string_view kKept[] = {"aten::is_grad_enabled", "aten::is_autocast_enabled",
                                          "aten::is_autocast_cpu_enabled", "prim::unchecked_unwrap_optional"};
    if (schema.is_vararg || schema.is_varret || std::ranges::find(kKept, schema.name) != std::end(kKept)) return false;
    try {
      node.op->call(inputs.data(), inputs.size(), results.data());
    } catch (const Error& e) {
      rethrow_if_stopped(e);
      return false;
    }
    return true;
  }
};

}  // namespace

bool propagate_constants(ir::Graph& graph) { return Propagation(graph).run(); }

}  // namespace wick::emit
