// The code of a model's methods, as text and as data.
#include <unordered_set>

#include "api/module_access.h"
#include "core/check.h"
#include "ir/program.h"
#include "wick/inspect.h"

namespace wick {

namespace {

constexpr size_t kShownConstant = 60;

const ir::Function& find_method(const ir::Program& program, std::string_view name) {
  const ir::Function* method = program.find_method(name);
  WICK_CHECK(method, kNotFound, "the model has no method '", name, "'");
  return *method;
}

std::string name_of_value(const ir::Value* value) {
  return "%" + (value->name.empty() ? std::to_string(value->id) : value->name);
}

std::vector<std::string> names_of(const std::vector<ir::Value*>& values) {
  std::vector<std::string> out;
  for (const ir::Value* value : values) out.push_back(name_of_value(value));
  return out;
}

std::vector<std::string> types_of(const std::vector<ir::Value*>& values) {
  std::vector<std::string> out;
  for (const ir::Value* value : values) out.push_back(value->type->str());
  return out;
}

std::string detail_of(const ir::Node& node) {
  if (node.kind == ir::NodeKind::kConstant) {
    if (node.constant.is_tensor()) {
      const Tensor& t = node.constant.to_tensor();
      return cat(torch_name_of(t.dtype()), " ", t.sizes());
    }
    std::string text = repr(node.constant);
    if (text.size() > kShownConstant) text = text.substr(0, kShownConstant) + "...";
    return text;
  }
  return node.callee ? node.callee->name : node.name;
}

// "code/__torch__/m.py:12": the last indented line of what is known of the place.
std::string place_of(const ir::Program& program, const ir::Node& node) {
  if (node.source < 0 || !program.describe_source) return {};
  const std::string text = program.describe_source(node.source);
  const size_t line = text.starts_with("  ") ? 0 : text.rfind("\n  ") + 1;
  if (line == 0 && !text.starts_with("  ")) return {};
  const size_t end = text.find(": ", line);
  return end == std::string::npos ? std::string() : text.substr(line + 2, end - line - 2);
}

std::vector<GraphNode> nodes_of(const ir::Program& program, const ir::Block& block) {
  std::vector<GraphNode> out;
  for (const ir::Node* node : block.nodes) {
    GraphNode& made = out.emplace_back();
    made.name = ir::name_of(*node);
    made.inputs = names_of(node->inputs);
    made.outputs = names_of(node->outputs);
    made.types = types_of(node->outputs);
    made.detail = detail_of(*node);
    made.where = place_of(program, *node);
    for (const ir::Block* inner : node->blocks) made.blocks.push_back(nodes_of(program, *inner));
  }
  return out;
}

}  // namespace

MethodGraph method_graph(const Module& module, std::string_view method) {
  const std::shared_ptr<ir::Program> program = program_of(module);
  WICK_CHECK(program, kInvalidArgument, "the module is empty: assign it a loaded one");
  const ir::Function& function = find_method(*program, method);
  const ir::Block* body = function.graph.body();
  return {function.name, names_of(body->params), types_of(body->params), names_of(body->results),
          nodes_of(*program, *body)};
}

std::string graph_text(const Module& module, std::string_view method) {
  const std::shared_ptr<ir::Program> program = program_of(module);
  WICK_CHECK(program, kInvalidArgument, "the module is empty: assign it a loaded one");
  std::vector<const ir::Function*> order{&find_method(*program, method)};
  std::unordered_set<const ir::Function*> known{order[0]};
  std::string out;
  for (size_t i = 0; i < order.size(); ++i) {
    out += cat(i ? "\n" : "", order[i]->name, "\n", ir::to_text(*order[i], *program));
    for (const ir::Function* called : ir::functions_called(*program, *order[i])) {
      if (known.insert(called).second) order.push_back(called);
    }
  }
  return out;
}

}  // namespace wick
