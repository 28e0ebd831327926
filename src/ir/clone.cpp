// Copies blocks, nodes and functions.
#include "ir/clone.h"

#include "core/stack.h"

namespace wick::ir {

void Cloner::clone_block(const Block& from, Block* to) {
  for (const Value* param : from.params) set(param, to_.add_param(to, type_in_copy(param->type), param->name));
  clone_nodes(from, to);
  clone_results(from, to);
}

void Cloner::clone_nodes(const Block& from, Block* to) {
  check_stack("calls, ifs and loops");
  for (const Node* node : from.nodes) visit(*node, to);
}

void Cloner::clone_results(const Block& from, Block* to) {
  std::vector<Value*> results;
  results.reserve(from.results.size());
  for (const Value* result : from.results) results.push_back(get(result));
  to_.set_results(to, std::move(results));
}

Node* Cloner::clone_node(const Node& from, Block* to) {
  std::vector<Value*> inputs;
  inputs.reserve(from.inputs.size());
  for (const Value* input : from.inputs) inputs.push_back(get(input));
  Node* node = to_.append(to, from.kind, inputs);
  copy_attributes(from, *node);
  for (TypePtr& type : node->types) type = type_in_copy(type);
  for (const Value* output : from.outputs) set(output, to_.add_output(node, type_in_copy(output->type), output->name));
  ++depth_;
  for (const Block* block : from.blocks) clone_block(*block, to_.add_block(node));
  --depth_;
  return node;
}

std::unique_ptr<Function> function_like(const Function& function) {
  auto out = std::make_unique<Function>();
  out->name = function.name;
  out->schema = function.schema;
  out->has_schema = function.has_schema;
  return out;
}

namespace {

class FunctionCloner final : Cloner {
 public:
  explicit FunctionCloner(FunctionCopy& out) : Cloner(out.function->graph), out_(out) {}
  void run(const Function& from) { clone_block(*from.graph.body(), graph().body()); }

 private:
  Value* get(const Value* from) override { return out_.values.at(from); }
  void set(const Value* from, Value* to) override { out_.values[from] = to; }
  void visit(const Node& node, Block* to) override { out_.nodes[&node] = clone_node(node, to); }

  FunctionCopy& out_;
};

}  // namespace

FunctionCopy copy_function(const Function& function) {
  FunctionCopy out{function_like(function), {}, {}};
  FunctionCloner(out).run(function);
  return out;
}

}  // namespace wick::ir
