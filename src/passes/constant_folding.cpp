// Constant folding.
#include "core/instance.h"
#include "core/stopped.h"
#include "core/visit_tensors.h"
#include "ir/effects.h"
#include "passes/decided.h"
#include "passes/rewriter.h"
#include "passes/simplify.h"

namespace wick::passes {

namespace {

using ir::Block;
using ir::Node;
using ir::NodeKind;
using ir::Value;

// A result larger than what it is made of by more than this is left to be computed when the model runs.
constexpr size_t kMaxGrowth = size_t{1} << 20;

size_t bytes_in(const IValue& value) {
  size_t total = 0;
  each_tensor(value, [&total](const Tensor& t) { total += t.nbytes(); });
  return total;
}

class Folder {
 public:
  explicit Folder(ir::Graph& graph) : rewriter_(graph), graph_(graph), aliases_(graph) {}

  bool run() {
    visit(*graph_.body());
    return changed_;
  }

 private:
  void visit(Block& block) {
    for (auto it = block.nodes.begin(); it != block.nodes.end();) {
      Node* node = *it;
      ++it;
      if (node->kind == NodeKind::kIf) {
        branch(*node, it);
      } else if (node->kind == NodeKind::kLoop) {
        loop(*node);
      } else {
        evaluate(*node);
      }
    }
  }

  void branch(Node& node, std::list<Node*>::iterator& next) {
    const std::optional<bool> taken = known_bool(node.inputs[0]);
    if (!taken) {
      for (Block* inner : node.blocks) visit(*inner);
      for (size_t i = 0; i < node.outputs.size(); ++i) {
        Value* first = node.blocks[0]->results[i];
        const bool same = same_result(first, node.blocks[1]->results[i]);
        // A value of an outer block, or a constant, whichever way is taken.
        if (!same || rewriter_.is_unused(node.outputs[i])) continue;
        const IValue* constant = known(first);
        Value* instead = constant ? rewriter_.constant_before(&node, *constant) : first;
        if (!constant && first->def && first->def->block->owner == &node) continue;
        rewriter_.replace(node.outputs[i], instead);
        changed_ = true;
      }
      return;
    }
    const size_t branch = *taken ? 0 : 1;
    const Block& block = *node.blocks[branch];
    if (!block.nodes.empty()) next = block.nodes.front()->place;
    take_branch(rewriter_, node, branch);
    changed_ = true;
  }

  // Constants that print alike and cannot be changed.
  static bool same_result(const Value* a, const Value* b) {
    if (a == b) return true;
    const IValue *x = known(a), *y = known(b);
    if (!x || !y || x->tag() != y->tag()) return false;
    return x->is_none() || ((x->is_bool() || x->is_int() || x->is_double()) && x->is_same(*y));
  }

  void loop(Node& node) {
    if (never_runs(node)) {
      drop_loop(rewriter_, node);
      changed_ = true;
      return;
    }
    visit(*node.blocks[0]);
    // Values the loop carries around unchanged.
    Block& body = *node.blocks[0];
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      Value* param = body.params[i + 1];
      if (body.results[i + 1] != param || (rewriter_.is_unused(node.outputs[i]) && param->users.empty())) continue;
      if (!same_type(*param->type, *node.inputs[i + 2]->type)) continue;
      rewriter_.replace(node.outputs[i], node.inputs[i + 2]);
      rewriter_.replace(param, node.inputs[i + 2]);
      body.results[i + 1] = param;
      changed_ = true;
    }
  }

  void evaluate(Node& node) {
    if (node.kind == NodeKind::kConstant || !is_pure(node) || node.outputs.empty()) return;
    std::vector<IValue> inputs;
    size_t bytes = kMaxGrowth;
    for (const Value* input : node.inputs) {
      const IValue* value = known(input);
      if (!value || aliases_.is_changed(input)) return;
      bytes += bytes_in(*value);
      inputs.push_back(*value);
    }
    for (const Value* output : node.outputs) {
      if (aliases_.is_changed(output)) return;
    }
    std::vector<IValue> results(node.outputs.size());
    if (!compute(node, std::move(inputs), results)) return;
    for (const IValue& result : results) {
      const size_t made = bytes_in(result);
      if (made > bytes) return;
      bytes -= made;
    }
    for (size_t i = 0; i < results.size(); ++i) {
      Value* constant = rewriter_.constant_before(&node, results[i]);
      if (results[i].is_none() || constant->type->is(TypeKind::kAny)) constant->type = node.outputs[i]->type;
      rewriter_.replace(node.outputs[i], constant);
    }
    rewriter_.erase(&node);
    changed_ = true;
  }

  bool compute(const Node& node, std::vector<IValue> inputs, std::vector<IValue>& results) const {
    switch (node.kind) {
      case NodeKind::kTupleConstruct: {
        IValue tuple = IValue::tuple(std::move(inputs));
        if (!node.types.empty() && !node.types[0]->name().empty()) tuple.to_tuple().named_type = node.types[0];
        results[0] = std::move(tuple);
        return true;
      }
      case NodeKind::kListConstruct:
        // A list that leaves the graph must be a new one each time.
        if (aliases_.escapes(node.outputs[0])) return false;
        results[0] = IValue::list(node.types[0]->element(0), std::move(inputs));
        return true;
      case NodeKind::kDictConstruct: {
        if (aliases_.escapes(node.outputs[0])) return false;
        auto dict = make_ref<DictImpl>();
        dict->key_type = node.types[0]->element(0);
        dict->value_type = node.types[0]->element(1);
        for (size_t i = 0; i + 1 < inputs.size(); i += 2) dict->set(std::move(inputs[i]), std::move(inputs[i + 1]));
        results[0] = IValue(std::move(dict));
        return true;
      }
      case NodeKind::kTupleUnpack:
        if (!inputs[0].is_tuple() || inputs[0].to_tuple().items.size() != results.size()) return false;
        results = inputs[0].to_tuple().items;
        return true;
      case NodeKind::kListUnpack:
        if (!inputs[0].is_list() || inputs[0].to_list().items.size() != results.size()) return false;
        results = inputs[0].to_list().items;
        return true;
      case NodeKind::kIsInstance: {
        bool is = false;
        for (const TypePtr& type : node.types) is = is || is_instance(inputs[0], *type);
        results[0] = IValue(is);
        return true;
      }
      case NodeKind::kOp:
        return call(node, std::move(inputs), results);
      default:
        return false;
    }
  }

  bool call(const Node& node, std::vector<IValue> inputs, std::vector<IValue>& results) const {
    const FunctionSchema& schema = node.op->schema;
    if (schema.is_varret || schema.name == "aten::dequantize") return false;
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      const bool container = node.outputs[i]->type->is(TypeKind::kList) || node.outputs[i]->type->is(TypeKind::kDict);
      if (container && aliases_.escapes(node.outputs[i])) return false;
    }
    try {
      node.op->call(inputs.data(), inputs.size(), results.data());
    } catch (const Error& e) {
      rethrow_if_stopped(e);
      // The error is the model's, for when it runs.
      return false;
    }
    for (IValue& result : results) {
      if (result.is_object() || result.is_future() || result.is_generator()) return false;
    }
    return true;
  }

  Rewriter rewriter_;
  ir::Graph& graph_;
  const ir::Aliases aliases_;
  bool changed_ = false;
};

}  // namespace

bool fold_constants(ir::Graph& graph) { return Folder(graph).run(); }

}  // namespace wick::passes
