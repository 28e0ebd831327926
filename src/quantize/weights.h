// Weights as 8-bit integers.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "core/tensor_impl.h"
#include "ir/graph.h"

namespace wick::quantize {

// Throws kInvalidArgument, naming the layer, when the weight has NaN or infinite values.
void check_finite(const Tensor& weight, const std::string& layer);

// Symmetric qint8: a scale for each index of `axis`, or (axis < 0) one. Scales have the least squared error among those
// that clip a little or nothing; they are at least `least_scales` (one for each index, or empty).
Tensor quantize_weight(const Tensor& weight, int64_t axis, const std::vector<double>& least_scales = {});

// Whether every value is within what half precision holds.
bool fits_half(const Tensor& weight);

// Constants in half precision with a cast to float behind them.
class HalfWeights {
 public:
  // The value to use in the place of the constant float tensor that the node defines; null when it does not fit.
  ir::Value* replacement(ir::Graph& graph, ir::Node& constant);

 private:
  std::unordered_map<const TensorImpl*, Tensor> halves_;
};

}  // namespace wick::quantize
