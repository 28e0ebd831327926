// Objects that a function makes for itself: their attributes as plain values. What is left needs no classes, so that
// models that pass such objects around inside can be written as lite files, too.
#include <map>
#include <unordered_map>

#include "passes/rewriter.h"
#include "passes/simplify.h"

namespace wick::passes {

namespace {

using ir::Block;
using ir::Node;
using ir::NodeKind;
using ir::Value;

class LocalObjects {
 public:
  explicit LocalObjects(ir::Graph& graph) : rewriter_(graph) {}

  bool run() {
    bool changed = false;
    for (Node* node : all_nodes(rewriter_.graph().body())) {
      if (node->kind == NodeKind::kCreateObject && replace(*node)) changed = true;
    }
    return changed;
  }

 private:
  // The node of `block` that the node is or stands in; null when it is elsewhere.
  static Node* place_in(const Block* block, Node* node) {
    while (node && node->block != block) node = node->block->owner;
    return node;
  }

  bool replace(Node& made) {
    Value* object = made.outputs[0];
    if (rewriter_.is_result(object)) return false;
    std::map<int64_t, Node*> writers;
    std::vector<Node*> readers;
    for (Node* user : object->users) {
      if (user->kind == NodeKind::kSetAttr && user->inputs[0] == object && user->inputs[1] != object) {
        // Written once, where it is made: every read sees that value.
        if (user->block != made.block || !writers.emplace(user->index, user).second) return false;
      } else if (user->kind == NodeKind::kGetAttr) {
        readers.push_back(user);
      } else {
        return false;
      }
    }
    std::unordered_map<const Node*, size_t> order;
    for (const Node* node : made.block->nodes) order.emplace(node, order.size());
    for (Node* reader : readers) {
      const auto writer = writers.find(reader->index);
      const Node* place = place_in(made.block, reader);
      if (writer == writers.end() || !place || order[place] <= order[writer->second]) return false;
    }
    for (Node* reader : readers) {
      rewriter_.replace(reader->outputs[0], writers[reader->index]->inputs[1]);
      rewriter_.erase(reader);
    }
    for (const auto& [slot, writer] : writers) rewriter_.erase(writer);
    rewriter_.erase(&made);
    return true;
  }

  Rewriter rewriter_;
};

}  // namespace

bool replace_local_objects(ir::Graph& graph) { return LocalObjects(graph).run(); }

}  // namespace wick::passes
