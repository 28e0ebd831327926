// PyTorch's peephole step: comparisons with None, casts and sums that static types and constants answer.
#include <algorithm>

#include "emit/preoptimize_steps.h"

namespace wick::emit {

namespace {

using ir::Block;
using ir::Node;
using ir::NodeKind;
using ir::Value;
using passes::known_bool;
using passes::known_int;

bool may_be_none(const Type& type) {
  if (type.is(TypeKind::kNone) || type.is(TypeKind::kOptional)) return true;
  return type.is(TypeKind::kUnion) && std::any_of(type.elements().begin(), type.elements().end(),
                                                  [](const TypePtr& element) { return may_be_none(*element); });
}

bool must_be_none(const Value* value) { return value->type->is(TypeKind::kNone) || passes::is_none(value); }

// What the types of values answer.
class Questions : public GraphStep {
 public:
  using GraphStep::GraphStep;

  bool run() {
    visit(*graph_.body());
    return changed_;
  }

 private:
  void visit(Block& block) {
    for (auto it = block.nodes.begin(); it != block.nodes.end(); ++it) {
      Node& node = **it;
      for (Block* inner : node.blocks) visit(*inner);
      if (node.kind != NodeKind::kConstant) {
        for (Value* output : node.outputs) {
          if (output->type->is(TypeKind::kNone)) become(output, graph_.constant_before(&node, IValue()));
        }
      }
      if (node.kind == NodeKind::kIf) {
        branch(node);
      } else if (node.kind == NodeKind::kOp && node.op) {
        operation(node);
      }
    }
  }

  void branch(Node& node) {
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      const Value *first = node.blocks[0]->results[i], *second = node.blocks[1]->results[i];
      Value* output = node.outputs[i];
      if (output->type->is(TypeKind::kBool) && known_bool(first).value_or(false) &&
          !known_bool(second).value_or(true)) {
        become(output, node.inputs[0]);
      }
      const bool optional = first->type->is(TypeKind::kOptional) || second->type->is(TypeKind::kOptional);
      if (!output->type->is(TypeKind::kOptional) || optional) continue;
      if (is_subtype(*first->type, *second->type)) {
        output->type = second->type;
      } else if (is_subtype(*second->type, *first->type)) {
        output->type = first->type;
      } else {
        continue;
      }
      changed_ = true;
    }
  }

  void operation(Node& node) {
    if (node.inputs.empty()) return;
    const std::string& name = node.op->schema.name;
    Value* input = node.inputs[0];
    if (name == "aten::__is__" || name == "aten::__isnot__") {
      for (size_t side = 0; side < 2; ++side) {
        if (!must_be_none(node.inputs[side]) || must_be_none(node.inputs[1 - side])) continue;
        if (!may_be_none(*node.inputs[1 - side]->type)) become_constant(node, IValue(name == "aten::__isnot__"));
      }
    } else if (name == "aten::_unwrap_optional" || name == "prim::unchecked_unwrap_optional") {
      if (!must_be_none(input) && !may_be_none(*input->type)) become(node, input);
    } else if (name == "prim::unchecked_cast") {
      if (is_subtype(*input->type, *node.outputs[0]->type)) become(node, input);
    } else if (node.inputs.size() == 1 && input->type->is(TypeKind::kInt) &&
               (name == "aten::Int" || name == "aten::ceil")) {
      become(node, input);
    } else if (node.inputs.size() == 2) {
      arithmetic(node, name);
    }
  }

  static bool compares_plainly(const Type& type) {
    switch (type.kind()) {
      case TypeKind::kBool:
      case TypeKind::kInt:
      case TypeKind::kFloat:
      case TypeKind::kNone:
        return true;
      case TypeKind::kList:
      case TypeKind::kDict:
        return std::all_of(type.elements().begin(), type.elements().end(), [](const TypePtr& element) {
          return !element->is(TypeKind::kList) && !element->is(TypeKind::kDict) && compares_plainly(*element);
        });
      default:
        return false;
    }
  }

  // The number an integer is added to or multiplied by, as the second input.
  std::optional<int64_t> constant_of(Node& node, const std::string& name) {
    if (node.inputs.size() != 2 || !node.inputs[0]->type->is(TypeKind::kInt) ||
        !node.inputs[1]->type->is(TypeKind::kInt)) {
      return std::nullopt;
    }
    Value *first = node.inputs[0], *second = node.inputs[1];
    if ((name == "aten::mul" || name == "aten::add") && known_int(first)) {
      graph_.set_input(&node, 0, second);
      graph_.set_input(&node, 1, first);
    }
    return known_int(node.inputs[1]);
  }

  void arithmetic(Node& node, const std::string& name) {
    if (name == "aten::eq" || name == "aten::ne") {
      if (node.inputs[0] == node.inputs[1] && compares_plainly(*node.inputs[0]->type)) {
        become_constant(node, IValue(name == "aten::eq"));
      }
    } else if (name == "aten::mul" || name == "aten::floordiv" || name == "aten::div") {
      if (constant_of(node, name) == 1) become(node, node.inputs[0]);
    } else if (name == "aten::add" || name == "aten::sub") {
      sum(node, name);
    }
  }

  void sum(Node& node, const std::string& name) {
    const std::optional<int64_t> constant = constant_of(node, name);
    if (!constant) return;
    if (*constant == 0) return become(node, node.inputs[0]);
    Node* inner = node.inputs[0]->def;
    if (!inner || !passes::is_op(inner, {"aten::add", "aten::sub"})) return;
    const std::string& other = inner->op->schema.name;
    const std::optional<int64_t> delta = constant_of(*inner, other);
    if (!delta) return;
    // Numbers of a file: their sum may be anything.
    const auto a = static_cast<uint64_t>(*constant), b = static_cast<uint64_t>(*delta);
    const auto merged = static_cast<int64_t>(other == name ? a + b : a - b);
    if (merged == 0) return become(node, inner->inputs[0]);
    graph_.set_input(&node, 0, inner->inputs[0]);
    graph_.set_input(&node, 1, graph_.constant_before(&node, IValue(merged)));
    changed_ = true;
  }
};

}  // namespace

bool answer_questions(ir::Graph& graph) { return Questions(graph).run(); }

}  // namespace wick::emit
