// Passes of the Vulkan and Metal backends: no mutation, transfers of tensors.
#include "passes/passes.h"
#include "passes/rewriter.h"

namespace wick::passes {

namespace {

using ir::Node;
using ir::Value;

// The operator that gives its result instead of writing it; null when there is none with the same arguments.
const Operator* functional_form(const Node& node) {
  const FunctionSchema& schema = node.op->schema;
  if (!schema.name.ends_with("_") || schema.name.ends_with("__") || schema.arguments.empty()) return nullptr;
  for (size_t i = 0; i < schema.arguments.size(); ++i) {
    if (schema.arguments[i].is_mutated != (i == 0)) return nullptr;
  }
  const Operator* op = find_operator(schema.name.substr(0, schema.name.size() - 1), schema.overload);
  if (!op || op->schema.arguments.size() != schema.arguments.size() || op->schema.returns.size() != 1) return nullptr;
  for (size_t i = 0; i < schema.arguments.size(); ++i) {
    if (op->schema.arguments[i].name != schema.arguments[i].name) return nullptr;
  }
  return op;
}

// A tensor without other references: an operator's own result.
bool is_fresh(const Value* value) {
  const Node* def = value->def;
  if (!def || def->kind != ir::NodeKind::kOp || !def->op || def->op->schema.returns.size() != 1) return false;
  for (const Argument& argument : def->op->schema.arguments) {
    if (argument.is_alias) return false;
  }
  return !is_op(def, {"aten::dropout", "aten::feature_dropout"});
}

}  // namespace

size_t remove_mutation(ir::Graph& graph) {
  Rewriter rewriter(graph);
  size_t count = 0;
  for (Node* node : all_nodes(graph.body())) {
    if (node->kind != ir::NodeKind::kOp || !node->op || node->inputs.empty()) continue;
    if (!is_fresh(node->inputs[0]) || rewriter.only_user(node->inputs[0]) != node) continue;
    const Operator* op = functional_form(*node);
    if (!op) continue;
    rewriter.replace(node->outputs[0],
                     rewriter.op_before(node, op->schema.full_name(), node->inputs, node)->outputs[0]);
    rewriter.erase(node);
    ++count;
  }
  return count;
}

// Tensors only, as PyTorch: what is in lists, tuples and dicts stays where it is.
size_t insert_vulkan_transfers(ir::Graph& graph) {
  Rewriter rewriter(graph);
  ir::Block* body = graph.body();
  size_t count = 0;
  if (body->nodes.empty()) return count;
  const Operator* to = find_operator("aten::to.prim_Device");
  for (Value* param : body->params) {
    if (!to || !param->type->is(TypeKind::kTensor) || param->users.empty()) continue;
    Node* first = body->nodes.front();
    Value* device = rewriter.constant_before(first, Device::parse("vulkan"));
    Node* moved = rewriter.op_before(first, "aten::to.prim_Device", {param, device}, first);
    rewriter.replace(param, moved->outputs[0]);
    graph.set_input(moved, 0, param);
    ++count;
  }
  std::vector<Value*> results = body->results;
  for (Value*& result : results) {
    if (!to || !result->type->is(TypeKind::kTensor)) continue;
    std::vector<Value*> inputs{result, graph.constant(body, Device::parse("cpu"))};
    while (inputs.size() < to->schema.arguments.size()) {
      inputs.push_back(graph.constant(body, to->schema.arguments[inputs.size()].default_value));
    }
    result = graph.call_op(body, to, std::move(inputs))->outputs[0];
    ++count;
  }
  graph.set_results(body, std::move(results));
  return count;
}

size_t insert_metal_copies(ir::Graph& graph) {
  ir::Block* body = graph.body();
  const Operator* copy = find_operator("metal::copy_to_host");
  size_t count = 0;
  std::vector<Value*> results = body->results;
  for (Value*& result : results) {
    if (!copy || !result->type->is(TypeKind::kTensor)) continue;
    result = graph.call_op(body, copy, {result})->outputs[0];
    ++count;
  }
  graph.set_results(body, std::move(results));
  return count;
}

}  // namespace wick::passes
