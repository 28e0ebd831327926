// Peephole simplifications, and the fixed point of the simplifying passes.
#include "ir/effects.h"
#include "passes/rewriter.h"
#include "passes/simplify.h"

namespace wick::passes {

namespace {

using ir::Node;
using ir::NodeKind;
using ir::Value;

class Peephole {
 public:
  explicit Peephole(ir::Graph& graph) : rewriter_(graph), aliases_(graph) {}

  bool run() {
    for (Node* node : all_nodes(rewriter_.graph().body())) {
      if (rewriter_.erased(node)) continue;
      switch (node->kind) {
        case NodeKind::kTupleUnpack:
          unpack(*node, NodeKind::kTupleConstruct);
          break;
        case NodeKind::kListUnpack:
          if (!aliases_.is_changed(node->inputs[0])) unpack(*node, NodeKind::kListConstruct);
          break;
        case NodeKind::kTupleSlice:
          slice(*node);
          break;
        case NodeKind::kOp:
          if (node->op) operation(*node);
          break;
        default:
          break;
      }
    }
    return changed_;
  }

 private:
  static Node* made_by(const Value* value, NodeKind kind) {
    return value->def && value->def->kind == kind ? value->def : nullptr;
  }

  void become(Node& node, size_t output, Value* instead) {
    if (rewriter_.is_unused(node.outputs[output])) return;
    rewriter_.replace(node.outputs[output], instead);
    changed_ = true;
  }
  void become_constant(Node& node, IValue value) {
    if (!rewriter_.is_unused(node.outputs[0])) {
      become(node, 0, rewriter_.constant_before(&node, std::move(value)));
    }
  }

  void unpack(Node& node, NodeKind maker) {
    const Node* made = made_by(node.inputs[0], maker);
    if (!made || made->inputs.size() != node.outputs.size()) return;
    for (size_t i = 0; i < node.outputs.size(); ++i) become(node, i, made->inputs[i]);
  }

  void slice(Node& node) {
    const Node* made = made_by(node.inputs[0], NodeKind::kTupleConstruct);
    if (!made || node.index < 0 || node.index + node.count > static_cast<int64_t>(made->inputs.size())) return;
    if (rewriter_.is_unused(node.outputs[0])) return;
    const auto begin = made->inputs.begin() + node.index;
    Node* tuple = rewriter_.graph().insert_before(&node, NodeKind::kTupleConstruct,
                                                  std::vector<Value*>(begin, begin + node.count));
    become(node, 0, rewriter_.graph().add_output(tuple, node.outputs[0]->type));
  }

  void operation(Node& node) {
    const std::string& name = node.op->schema.name;
    if (name == "prim::TupleIndex") {
      item(node, NodeKind::kTupleConstruct);
    } else if (node.op_name == "aten::__getitem__.t") {
      if (!aliases_.is_changed(node.inputs[0])) item(node, NodeKind::kListConstruct);
    } else if (node.op_name == "aten::len.t") {
      const Node* made = made_by(node.inputs[0], NodeKind::kListConstruct);
      if (made && !aliases_.is_changed(node.inputs[0])) {
        become_constant(node, static_cast<int64_t>(made->inputs.size()));
      }
    } else if (name == "aten::__is__" || name == "aten::__isnot__") {
      compare_with_none(node, name == "aten::__is__");
    } else if (name == "prim::unchecked_cast" || name == "prim::unchecked_unwrap_optional" ||
               name == "aten::_unwrap_optional") {
      Value* input = node.inputs[0];
      if (same_type(*input->type, *node.outputs[0]->type) || (known(input) && !is_none(input))) become(node, 0, input);
    } else if (name == "aten::Float" || name == "aten::Int" || name == "aten::Bool") {
      const TypeKind kind = name == "aten::Float" ? TypeKind::kFloat
                            : name == "aten::Int" ? TypeKind::kInt
                                                  : TypeKind::kBool;
      if (node.inputs.size() == 1 && node.inputs[0]->type->is(kind)) become(node, 0, node.inputs[0]);
    }
  }

  void item(Node& node, NodeKind maker) {
    const Node* made = made_by(node.inputs[0], maker);
    const std::optional<int64_t> index = known_int(node.inputs[1]);
    if (!made || !index) return;
    const int64_t count = static_cast<int64_t>(made->inputs.size());
    const int64_t at = *index < 0 ? *index + count : *index;
    if (at >= 0 && at < count) become(node, 0, made->inputs[static_cast<size_t>(at)]);
  }

  static bool cannot_be_none(const Type& type) {
    switch (type.kind()) {
      case TypeKind::kTensor:
      case TypeKind::kInt:
      case TypeKind::kFloat:
      case TypeKind::kBool:
      case TypeKind::kString:
      case TypeKind::kList:
      case TypeKind::kDict:
      case TypeKind::kTuple:
      case TypeKind::kClass:
        return true;
      default:
        return false;
    }
  }

  void compare_with_none(Node& node, bool is) {
    for (size_t side = 0; side < 2; ++side) {
      if (!is_none(node.inputs[side])) continue;
      const Value* other = node.inputs[1 - side];
      if (const IValue* value = known(other)) {
        become_constant(node, IValue(value->is_none() == is));
      } else if (cannot_be_none(*other->type) && is_made(other)) {
        become_constant(node, IValue(!is));
      }
      return;
    }
  }

  // A type that an operator or a container gives holds; that of a parameter may be what a file claims.
  static bool is_made(const Value* value) {
    const Node* def = value->def;
    return def && (def->kind == NodeKind::kOp || def->kind == NodeKind::kListConstruct ||
                   def->kind == NodeKind::kTupleConstruct || def->kind == NodeKind::kDictConstruct);
  }

  Rewriter rewriter_;
  const ir::Aliases aliases_;
  bool changed_ = false;
};

}  // namespace

bool apply_peepholes(ir::Graph& graph) { return Peephole(graph).run(); }

// Each round removes something; a graph that needs more rounds than this is left a little larger.
constexpr int kMaxRounds = 20;

void fold(ir::Graph& graph) {
  for (int round = 0; round < kMaxRounds; ++round) {
    remove_dead_code(graph);
    const bool peeped = apply_peepholes(graph) || replace_local_objects(graph);
    if (!fold_constants(graph) && !peeped) break;
  }
  remove_dead_code(graph);
}

void simplify(ir::Graph& graph) {
  for (int round = 0; round < kMaxRounds; ++round) {
    remove_dead_code(graph);
    merge_common_subexpressions(graph);
    const bool peeped = apply_peepholes(graph) || replace_local_objects(graph);
    if (!fold_constants(graph) && !peeped) break;
  }
  remove_dead_code(graph);
}

}  // namespace wick::passes
