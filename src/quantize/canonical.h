// Canonical forms of what models write in several ways.
#pragma once

#include "quantize/frozen.h"

namespace wick::quantize {

// Convolutions by their own operators, products with transposed weights and their sums as linear layers, no dropout,
// and weights that follow from constants computed. Names of weights are kept in the model's table.
void canonicalize(ir::Function& function, Frozen& model);

// A layer's name: that of the module its weight belongs to, or the module its code belongs to and the operator.
class LayerNames {
 public:
  explicit LayerNames(const Frozen& model) : model_(model) {}
  // Different for each call; `weight` may be null.
  std::string next(const ir::Node& node, const Tensor* weight);

 private:
  const Frozen& model_;
  std::unordered_map<std::string, int> used_;
};

// Whether `layer` is one of the names or lies in one of the modules; those that apply are noted.
class SkipList {
 public:
  explicit SkipList(std::vector<std::string> names) : names_(std::move(names)), met_(names_.size(), false) {}
  bool contains(const std::string& layer);
  // Throws kInvalidArgument when a name was never met.
  void check_all_met(const std::vector<std::string>& layers) const;

 private:
  std::vector<std::string> names_;
  std::vector<bool> met_;
};

// Throws kInvalidArgument when the program has quantized operators or weights.
void check_not_quantized(const ir::Program& program);

}  // namespace wick::quantize
