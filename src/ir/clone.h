// Copies of graphs, node by node.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "ir/graph.h"

namespace wick::ir {

// What everybody who copies nodes into another graph has in common. Who derives from it says what values of the source
// are in the copy, and may put something else in a node's place.
class Cloner {
 protected:
  explicit Cloner(Graph& to) : to_(to) {}
  ~Cloner() = default;
  Cloner(const Cloner&) = delete;
  Cloner& operator=(const Cloner&) = delete;

  // Parameters, nodes and results of the block; its nodes alone; its results alone.
  void clone_block(const Block& from, Block* to);
  void clone_nodes(const Block& from, Block* to);
  void clone_results(const Block& from, Block* to);
  // The node with its blocks; its source and attributes are kept, its call site is not.
  Node* clone_node(const Node& from, Block* to);
  Graph& graph() { return to_; }
  // Blocks of the copy that the node at hand is nested in, without the outermost.
  size_t depth() const { return depth_; }

  // The value of the copy that stands for one of the source, and its setting.
  virtual Value* get(const Value* from) = 0;
  virtual void set(const Value* from, Value* to) = 0;
  // Copies a node of the source, or does what stands in its place.
  virtual void visit(const Node& node, Block* to) { clone_node(node, to); }
  // The type that values of the copy have.
  virtual TypePtr type_in_copy(const TypePtr& type) { return type; }

 private:
  Graph& to_;
  size_t depth_ = 0;
};

struct FunctionCopy {
  std::unique_ptr<Function> function;
  std::unordered_map<const Value*, Value*> values;  // of the copy, by those of the source
  std::unordered_map<const Node*, Node*> nodes;
};
FunctionCopy copy_function(const Function& function);

// A function without nodes that is called as the other.
std::unique_ptr<Function> function_like(const Function& function);

}  // namespace wick::ir
