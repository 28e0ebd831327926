// PyTorch's graph clean-up before inlining, which decides what export_opnames lists.
#include "emit/preoptimize.h"

#include <algorithm>

#include "core/check.h"
#include "core/instance.h"
#include "ir/effects.h"
#include "ir/written_cast.h"
#include "passes/rewriter.h"
#include "passes/simplify.h"

namespace wick::emit {

namespace {

using ir::Block;
using ir::Node;
using ir::NodeKind;
using ir::Value;
using passes::known;
using passes::known_bool;
using passes::known_int;

// Whether values of the type may be changed in place.
bool is_mutable(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kInt:
    case TypeKind::kFloat:
    case TypeKind::kBool:
    case TypeKind::kComplex:
    case TypeKind::kNumber:
    case TypeKind::kString:
    case TypeKind::kDevice:
    case TypeKind::kNone:
    case TypeKind::kEnum:
      return false;
    case TypeKind::kOptional:
    case TypeKind::kTuple:
    case TypeKind::kUnion:
      return std::any_of(type.elements().begin(), type.elements().end(),
                         [](const TypePtr& element) { return is_mutable(*element); });
    default:
      return true;
  }
}

bool may_be_none(const Type& type) {
  if (type.is(TypeKind::kNone) || type.is(TypeKind::kOptional)) return true;
  return type.is(TypeKind::kUnion) && std::any_of(type.elements().begin(), type.elements().end(),
                                                  [](const TypePtr& element) { return may_be_none(*element); });
}

bool must_be_none(const Value* value) { return value->type->is(TypeKind::kNone) || passes::is_none(value); }

Node* made_by(const Value* value, NodeKind kind) {
  return value->def && value->def->kind == kind ? value->def : nullptr;
}

// Common to the steps: replaced values, and whether there were any.
class Step {
 public:
  explicit Step(ir::Graph& graph) : rewriter_(graph), graph_(graph) {}

 protected:
  void become(Value* value, Value* instead) {
    rewriter_.replace(value, instead);
    changed_ = true;
  }
  void become(Node& node, Value* instead) { become(node.outputs[0], instead); }
  void become_constant(Node& node, IValue value) { become(node, graph_.constant_before(&node, std::move(value))); }

  passes::Rewriter rewriter_;
  ir::Graph& graph_;
  bool changed_ = false;
};

// What follows a raise in its block is never reached.
class Unreached : public Step {
 public:
  using Step::Step;

  void run() { visit(*graph_.body()); }

 private:
  void visit(Block& block) {
    for (Node* node : block.nodes) {
      for (Block* inner : node->blocks) visit(*inner);
      if (!passes::is_op(node, "prim::RaiseException")) continue;
      std::vector<Value*> results;
      for (const Value* result : block.results) {
        results.push_back(graph_.add_output(graph_.insert_before(node, NodeKind::kUninitialized), result->type));
      }
      graph_.set_results(&block, std::move(results));
      while (block.nodes.back() != node) graph_.erase(block.nodes.back());
      return;
    }
  }
};

// Items of tuples made in the graph, and values that a declaration gives a wider type.
class SimpleTuples : public Step {
 public:
  using Step::Step;

  void run() {
    for (Node* node : passes::all_nodes(graph_.body())) {
      if (passes::is_op(node, "prim::unchecked_cast") && !ir::is_written_cast(*node) &&
          is_subtype(*node->inputs[0]->type, *node->outputs[0]->type)) {
        become(*node, node->inputs[0]);
        continue;
      }
      const Node* made = node->inputs.empty() ? nullptr : made_by(node->inputs[0], NodeKind::kTupleConstruct);
      if (!made) continue;
      const auto count = static_cast<int64_t>(made->inputs.size());
      if (node->kind == NodeKind::kTupleUnpack && node->outputs.size() == made->inputs.size()) {
        for (size_t i = 0; i < node->outputs.size(); ++i) become(node->outputs[i], made->inputs[i]);
      } else if (node->kind == NodeKind::kTupleSlice && node->index >= 0 && node->index + node->count <= count) {
        const auto begin = made->inputs.begin() + node->index;
        Node* tuple = graph_.insert_before(node, NodeKind::kTupleConstruct, {begin, begin + node->count});
        become(*node, graph_.add_output(tuple, node->outputs[0]->type));
      } else if (passes::is_op(node, "prim::TupleIndex")) {
        const std::optional<int64_t> index = known_int(node->inputs[1]);
        const int64_t at = index && *index < 0 ? *index + count : index.value_or(-1);
        if (at >= 0 && at < count) become(*node, made->inputs[static_cast<size_t>(at)]);
      }
    }
  }
};

// Constants through operators on values that cannot change.
class Propagation : public Step {
 public:
  using Step::Step;

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
    Block* block = node.blocks[*taken ? 0 : 1];
    visit(*block);
    const std::vector<Value*> results = block->results;
    graph_.move_nodes(block, &node);
    for (size_t i = 0; i < node.outputs.size(); ++i) become(node.outputs[i], results[i]);
    for (Block* inner : node.blocks) inner->results.clear();
    rewriter_.erase(&node);
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
    Block& body = *node.blocks[0];
    if (known_int(node.inputs[0]).value_or(1) <= 0 || !known_bool(node.inputs[1]).value_or(true)) {
      for (size_t i = 0; i < node.outputs.size(); ++i) become(node.outputs[i], node.inputs[i + 2]);
      body.results.clear();
      rewriter_.erase(&node);
      changed_ = true;
      return;
    }
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
    } catch (const Error&) {
      return false;
    }
    return true;
  }
};

// Reads of list literals that nothing changes.
class ListIdioms : public Step {
 public:
  explicit ListIdioms(ir::Graph& graph) : Step(graph), aliases_(graph) {}

  bool run() {
    for (Node* node : passes::all_nodes(graph_.body())) {
      const Node* made = node->inputs.empty() ? nullptr : literal(node->inputs[0]);
      if (!made) continue;
      const auto count = static_cast<int64_t>(made->inputs.size());
      if (node->kind == NodeKind::kListUnpack) {
        if (made->inputs.size() != node->outputs.size()) continue;
        for (size_t i = 0; i < node->outputs.size(); ++i) become(node->outputs[i], made->inputs[i]);
      } else if (passes::is_op(node, "aten::len")) {
        become_constant(*node, count);
      } else if (passes::is_op(node, "aten::__getitem__")) {
        const std::optional<int64_t> index = known_int(node->inputs[1]);
        const int64_t at = index && *index < 0 ? *index + count : index.value_or(-1);
        if (at >= 0 && at < count) become(*node, made->inputs[static_cast<size_t>(at)]);
      } else if (passes::is_op(node, "aten::add") && node->inputs.size() == 2) {
        const Node* other = literal(node->inputs[1]);
        if (!other) continue;
        std::vector<Value*> items = made->inputs;
        items.insert(items.end(), other->inputs.begin(), other->inputs.end());
        write_list(*node, std::move(items));
      } else if (passes::is_op(node, "aten::slice")) {
        slice(*node, *made);
      }
    }
    return changed_;
  }

 private:
  const Node* literal(const Value* value) const {
    return aliases_.is_changed(value) ? nullptr : made_by(value, NodeKind::kListConstruct);
  }

  void write_list(Node& node, std::vector<Value*> items) {
    Node* list = graph_.insert_before(&node, NodeKind::kListConstruct, std::move(items));
    list->types = {node.outputs[0]->type};
    become(node, graph_.add_output(list, node.outputs[0]->type));
  }

  void slice(Node& node, const Node& made) {
    for (size_t i = 1; i < 4; ++i) {
      if (i >= node.inputs.size() || !known(node.inputs[i])) return;
    }
    const auto count = static_cast<int64_t>(made.inputs.size());
    const int64_t step = known_int(node.inputs[3]).value_or(1);
    if (step <= 0) return;
    const auto bound = [&](const Value* value, int64_t missing) {
      const int64_t at = known_int(value).value_or(missing);
      return std::clamp<int64_t>(at < 0 ? at + count : at, 0, count);
    };
    std::vector<Value*> items;
    const int64_t end = bound(node.inputs[2], count);
    for (int64_t i = bound(node.inputs[1], 0); i < end; i += step) items.push_back(made.inputs[static_cast<size_t>(i)]);
    write_list(node, std::move(items));
  }

  const ir::Aliases aliases_;
};

// How many dimensions a convolution gives; numbers that were tensors for a moment.
class Shortcuts : public Step {
 public:
  explicit Shortcuts(ir::Graph& graph) : Step(graph), aliases_(graph) {}

  bool run() {
    for (Node* node : passes::all_nodes(graph_.body())) {
      if (node->inputs.size() != 1 || !node->inputs[0]->def) continue;
      const Node& maker = *node->inputs[0]->def;
      if (passes::is_op(
              node, {"aten::Float", "aten::Int", "aten::FloatImplicit", "aten::IntImplicit", "aten::ScalarImplicit"})) {
        if (passes::is_op(&maker, "prim::NumToTensor")) become(*node, maker.inputs[0]);
      } else if (passes::is_op(node, "aten::dim") && is_unchanged_at(*node, maker)) {
        const int64_t dims = passes::is_op(&maker, "aten::conv1d")   ? 3
                             : passes::is_op(&maker, "aten::conv2d") ? 4
                             : passes::is_op(&maker, "aten::conv3d") ? 5
                                                                     : 0;
        if (dims) become_constant(*node, dims);
      }
    }
    return changed_;
  }

 private:
  // Whether the result of `maker` is as it was when `node` reads it.
  bool is_unchanged_at(const Node& node, const Node& maker) const {
    const Value* made = maker.outputs[0];
    if (!aliases_.is_changed(made)) return true;
    if (node.block != maker.block) return false;
    for (auto it = std::next(maker.place); *it != &node; ++it) {
      if (!(*it)->blocks.empty()) return false;
      for (size_t i = 0; i < (*it)->inputs.size(); ++i) {
        const bool same = aliases_.set_of((*it)->inputs[i]) == aliases_.set_of(made);
        if (same && ir::changes_input(**it, i)) return false;
      }
    }
    return true;
  }

  const ir::Aliases aliases_;
};

// What the types of values answer.
class Questions : public Step {
 public:
  using Step::Step;

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

void propagate(ir::Graph& graph) {
  if (Propagation(graph).run()) passes::remove_dead_code(graph);
}

}  // namespace

void clean_up(ir::Graph& graph) {
  Unreached(graph).run();
  SimpleTuples(graph).run();
  passes::remove_dead_code(graph);
  propagate(graph);
}

void preoptimize(ir::Graph& graph) {
  bool changed = ListIdioms(graph).run();
  changed = Shortcuts(graph).run() || changed;
  changed = Questions(graph).run() || changed;
  if (changed) passes::remove_dead_code(graph);
  propagate(graph);
}

}  // namespace wick::emit
