// What the reader of bytecode will know of each value, told in the order in which the code is written.
#pragma once

#include <deque>
#include <unordered_map>
#include <vector>

#include "ir/graph.h"

namespace wick::emit {

// The writer's own view of the types in a graph does not matter to the reader, which infers its own (ir/typing.h) and
// forgets them at a cast. The calls here stand for what the reader does at each node.
class ReadTypes {
 public:
  void add_param(const ir::Value& value, const TypePtr& type);
  const Type& type(const ir::Value& value) { return *read(value).type; }

  // The reader would refuse the value in this place. Then a cast is to be written, and the reader knows no type of it
  // from here on. `op` as for ir::accepts.
  bool take(const ir::Node& node, const Operator* op, size_t i);
  // The same of the condition for another turn of a loop.
  bool take_condition(const ir::Value& value);

  // The node's outputs are there.
  void give(const ir::Node& node, const Operator* op);
  // A node that reads as a cast: its output is the value that it is given, of which no type is known.
  void give_cast(const ir::Node& node);
  // A tuple that reads as an unnamed one.
  void give_unnamed_tuple(const ir::Node& node);
  void give_if(const ir::Node& node);
  void begin_loop(const ir::Node& node);
  void end_loop(const ir::Node& node);

 private:
  ir::Value& read(const ir::Value& value);
  ir::Value& add(const ir::Value& value, const TypePtr& type);
  std::vector<ir::Value*> inputs_of(const ir::Node& node);
  static bool forget(ir::Value& value);

  std::deque<ir::Value> values_;  // as the reader has them; their definitions are nodes of the graph written
  std::unordered_map<const ir::Value*, ir::Value*> read_;
};

}  // namespace wick::emit
