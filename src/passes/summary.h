// Counts of a model's operators, layers, multiply-adds and weights.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ir/program.h"

namespace wick::passes {

struct ModelSummary {
  std::map<std::string, size_t> operators;  // of the methods, calls inlined: full name -> uses
  size_t layers = 0;                        // convolutions and dense layers
  size_t packed_layers = 0;                 // of these: with packed weights
  size_t clamped_layers = 0;                // of these: that clamp their result
  size_t norms = 0, dropouts = 0, activations = 0, add_relus = 0;
  uint64_t weight_bytes = 0;  // of distinct storages
  double multiply_adds = 0;   // of one run of forward
  std::string run_on;         // the inputs that run was on; empty when there was none

  size_t operator_count() const;
};

// Attributes nothing changes count as constants. Multiply-adds are counted on the first bundled input, the arguments
// given, or random ones of shapes that the model takes.
ModelSummary summarize(const ir::Program& program, const std::vector<std::string>& methods,
                       const std::vector<IValue>& arguments = {});

// These methods of the model in evaluation mode with its attributes read, as summarize looks at it.
std::shared_ptr<ir::Program> frozen_copy(const ir::Program& program, const std::vector<std::string>& methods);

// A convolution or a dense layer, packed or not.
bool is_layer(const ir::Node& node);

}  // namespace wick::passes
