// A model made ready to be changed: the root's methods without calls, with the attributes that no code changes as
// constants.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include "core/tensor_impl.h"
#include "ir/program.h"

namespace wick::quantize {

struct Frozen {
  std::shared_ptr<ir::Program> program;
  // "layer1.0": the submodule whose code a node is; the root's own nodes have none.
  std::unordered_map<const ir::Node*, std::string> paths;
  // "layer1.0.conv.weight": where the module had a tensor that is a constant now.
  std::unordered_map<const TensorImpl*, std::string> names;
};

// A copy of the program in evaluation mode. The caller may change its functions; prune() afterwards.
Frozen freeze(const ir::Program& program);

// Computes what follows from constants that are not tensors, and takes the branches they decide.
void fold_branches(ir::Function& function);

// Takes out what no method uses: nodes without effect, attributes, submodules.
void prune(ir::Program& program);

}  // namespace wick::quantize
