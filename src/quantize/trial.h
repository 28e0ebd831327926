// Instrumented copies of a method whose values are observed.
#pragma once

#include <functional>
#include <vector>

#include "api/run.h"
#include "ir/clone.h"
#include "ir/program.h"

namespace wick::quantize {

// The place right after the value comes to be: a node to insert before, or null for the end of the block.
ir::Node* after_definition(ir::Value* value);

// Makes the function tell values[i] to the watcher, by its number i, whenever it comes to be.
void add_taps(ir::Graph& graph, const std::vector<ir::Value*>& values);

using Watcher = std::function<void(size_t index, const IValue& value)>;

// Runs of a function as a method of the program's root, which tell its values; it is compiled once. Program and
// function must outlive it.
class WatchedRuns {
 public:
  WatchedRuns(const ir::Program& program, const ir::Function& function);
  // What the function changes in the module and in tensors it is given is changed in copies. Throws what the model
  // throws.
  IValue run(const std::vector<IValue>& args, const Watcher& watcher) const;

 private:
  const ir::Program& program_;
  const ir::Function& function_;
  const api::FunctionRunner runner_;
};

}  // namespace wick::quantize
