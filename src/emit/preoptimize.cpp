// PyTorch's graph clean-up before inlining, which decides what export_opnames lists.
#include "emit/preoptimize.h"

#include <algorithm>

#include "emit/preoptimize_steps.h"
#include "ir/effects.h"
#include "ir/written_cast.h"
#include "passes/simplify.h"

namespace wick::emit {

namespace {

using ir::Block;
using ir::Node;
using ir::NodeKind;
using ir::Value;
using passes::known;
using passes::known_int;

Node* made_by(const Value* value, NodeKind kind) {
  return value->def && value->def->kind == kind ? value->def : nullptr;
}

// The item of a list or tuple made in the graph at a known index, which counts from the end below 0; null: another one.
Value* item_at(const Node& made, const Value* index) {
  const auto count = static_cast<int64_t>(made.inputs.size());
  int64_t at = known_int(index).value_or(count);
  if (at < 0) at += count;
  return at >= 0 && at < count ? made.inputs[static_cast<size_t>(at)] : nullptr;
}

// What follows a raise in its block is never reached.
class Unreached : public GraphStep {
 public:
  using GraphStep::GraphStep;

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
class SimpleTuples : public GraphStep {
 public:
  using GraphStep::GraphStep;

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
        if (Value* item = item_at(*made, node->inputs[1])) become(*node, item);
      }
    }
  }
};

// Reads of list literals that nothing changes.
class ListIdioms : public GraphStep {
 public:
  explicit ListIdioms(ir::Graph& graph) : GraphStep(graph), aliases_(graph) {}

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
        if (Value* item = item_at(*made, node->inputs[1])) become(*node, item);
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
class Shortcuts : public GraphStep {
 public:
  explicit Shortcuts(ir::Graph& graph) : GraphStep(graph), aliases_(graph) {}

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

void propagate(ir::Graph& graph) {
  if (propagate_constants(graph)) passes::remove_dead_code(graph);
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
  changed = answer_questions(graph) || changed;
  if (changed) passes::remove_dead_code(graph);
  propagate(graph);
}

}  // namespace wick::emit
