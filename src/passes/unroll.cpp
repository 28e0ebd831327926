// Loops that run a known number of times, written out: what depends on the index is then known, and what follows in one
// turn can be fused with what is in the next.
#include <unordered_map>

#include "passes/passes.h"
#include "passes/rewriter.h"

namespace wick::passes {

namespace {

using ir::Block;
using ir::Node;
using ir::NodeKind;
using ir::Value;

constexpr int64_t kMaxTurns = 128;
constexpr size_t kMaxNodes = 4096;        // of one loop, written out
constexpr uint32_t kMaxValues = 1 << 18;  // of a graph that is still made larger

class Unroller {
 public:
  explicit Unroller(ir::Graph& graph) : rewriter_(graph), graph_(graph) {}

  size_t run() {
    size_t count = 0;
    const std::vector<Node*> nodes = all_nodes(graph_.body());
    // Inner loops stand behind their outer ones.
    for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) {
      if ((*it)->kind == NodeKind::kLoop && !rewriter_.erased(*it) && unroll(**it)) ++count;
    }
    return count;
  }

 private:
  using Values = std::unordered_map<const Value*, Value*>;

  bool unroll(Node& loop) {
    const std::optional<int64_t> turns = known_int(loop.inputs[0]);
    Block& body = *loop.blocks[0];
    if (graph_.value_count() > kMaxValues || !turns || *turns < 0 || *turns > kMaxTurns ||
        known_bool(loop.inputs[1]) != true || known_bool(body.results[0]) != true) {
      return false;
    }
    if (all_nodes(&body).size() * static_cast<size_t>(*turns) > kMaxNodes) return false;
    std::vector<Value*> carried(loop.inputs.begin() + 2, loop.inputs.end());
    for (int64_t turn = 0; turn < *turns; ++turn) {
      Values values;
      values[body.params[0]] = rewriter_.constant_before(&loop, turn);
      for (size_t i = 0; i < carried.size(); ++i) values[body.params[i + 1]] = carried[i];
      for (const Node* node : body.nodes) copy(*node, graph_.insert_before(&loop, node->kind), values);
      for (size_t i = 0; i < carried.size(); ++i) carried[i] = mapped(values, body.results[i + 1]);
    }
    for (size_t i = 0; i < carried.size(); ++i) rewriter_.replace(loop.outputs[i], carried[i]);
    body.results.clear();
    rewriter_.erase(&loop);
    return true;
  }

  // Values from outside the loop are themselves.
  static Value* mapped(const Values& values, Value* value) {
    const auto it = values.find(value);
    return it == values.end() ? value : it->second;
  }

  void copy(const Node& from, Node* to, Values& values) {
    for (Value* input : from.inputs) graph_.add_input(to, mapped(values, input));
    copy_attributes(from, *to);
    to->call_site = from.call_site;
    for (const Value* output : from.outputs) values[output] = graph_.add_output(to, output->type, output->name);
    for (const Block* inner : from.blocks) {
      Block* made = graph_.add_block(to);
      for (const Value* param : inner->params) values[param] = graph_.add_param(made, param->type, param->name);
      for (const Node* node : inner->nodes) copy(*node, graph_.append(made, node->kind), values);
      std::vector<Value*> results;
      for (Value* result : inner->results) results.push_back(mapped(values, result));
      graph_.set_results(made, std::move(results));
    }
  }

  Rewriter rewriter_;
  ir::Graph& graph_;
};

}  // namespace

size_t unroll_loops(ir::Graph& graph) { return Unroller(graph).run(); }

}  // namespace wick::passes
