// Common subexpression elimination.
#include <unordered_map>

#include "ir/effects.h"
#include "passes/rewriter.h"
#include "passes/simplify.h"

namespace wick::passes {

namespace {

using ir::Block;
using ir::Node;
using ir::NodeKind;
using ir::Value;

class Merger {
 public:
  explicit Merger(ir::Graph& graph) : rewriter_(graph), aliases_(graph) {}

  void run() { visit(*rewriter_.graph().body()); }

 private:
  static std::string plain_constant(const IValue& value) {
    switch (value.tag()) {
      case IValue::Tag::kNone:
        return "none";
      case IValue::Tag::kBool:
        return value.to_bool() ? "true" : "false";
      case IValue::Tag::kInt:
        return std::to_string(value.to_int());
      case IValue::Tag::kDouble: {
        const double number = value.to_double();
        uint64_t bits;
        std::memcpy(&bits, &number, sizeof bits);
        return "d" + std::to_string(bits);
      }
      case IValue::Tag::kString:
        return "s" + value.to_string();
      case IValue::Tag::kTensor:
        return "t" + std::to_string(reinterpret_cast<uintptr_t>(value.ref_or_null()));
      default:
        return {};
    }
  }

  // Equal texts: equal results. Empty when the node must stay as it is.
  std::string key_of(const Node& node) const {
    if (node.outputs.empty() || !is_pure(node)) return {};
    if (node.kind == NodeKind::kConstant) {
      const std::string text = plain_constant(node.constant);
      return text.empty() ? text : "constant " + text + " " + node.outputs[0]->type->str();
    }
    if (node.kind != NodeKind::kOp && node.kind != NodeKind::kTupleConstruct && node.kind != NodeKind::kTupleUnpack &&
        node.kind != NodeKind::kListConstruct) {
      return {};
    }
    std::string key = node.op_name + " " + std::to_string(static_cast<int>(node.kind));
    for (const TypePtr& type : node.types) key += " " + type->str();
    for (const Value* input : node.inputs) {
      if (aliases_.is_changed(input)) return {};
      key += " " + std::to_string(input->id);
    }
    for (const Value* output : node.outputs) {
      // Lists that leave the graph are told apart by who gets them.
      const bool container = output->type->is(TypeKind::kList) || output->type->is(TypeKind::kDict);
      if (aliases_.is_changed(output) || (container && aliases_.escapes(output))) return {};
      key += " " + output->type->str();
    }
    return key;
  }

  void visit(Block& block) {
    std::vector<std::string> added;
    for (auto it = block.nodes.begin(); it != block.nodes.end();) {
      Node* node = *it;
      ++it;
      for (Block* inner : node->blocks) visit(*inner);
      std::string key = key_of(*node);
      if (key.empty()) continue;
      const auto [known, fresh] = seen_.try_emplace(key, node);
      if (fresh) {
        added.push_back(std::move(key));
        continue;
      }
      for (size_t i = 0; i < node->outputs.size(); ++i) rewriter_.replace(node->outputs[i], known->second->outputs[i]);
      rewriter_.erase(node);
    }
    for (const std::string& key : added) seen_.erase(key);
  }

  Rewriter rewriter_;
  const ir::Aliases aliases_;
  std::unordered_map<std::string, Node*> seen_;  // of this block and those around it
};

}  // namespace

void merge_common_subexpressions(ir::Graph& graph) { Merger(graph).run(); }

}  // namespace wick::passes
