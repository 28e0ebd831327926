// Rewrites layers of a method to 8-bit integers.
#pragma once

#include <map>

#include "quantize/calibration.h"

namespace wick::quantize {

// Packed weights of layers, for the scale of the input they are packed for.
using PackedWeights = std::map<std::pair<size_t, double>, IValue>;

struct Converted {
  std::unique_ptr<ir::Function> function;
  // For each quantized layer: the operator it became, its result in float, and the result's parameters.
  std::map<size_t, std::string> ops;
  std::map<size_t, ir::Value*> results;
  std::map<size_t, QParams> params;
};

// `selected`: which layers are quantized; those it names have no reason not to. With `keep_results` every layer's float
// result is there to be looked at, used or not.
Converted convert(const ir::Function& function, const std::vector<Layer>& layers, const std::vector<bool>& selected,
                  const Calibration& calibration, const QuantizeOptions& options, PackedWeights& weights,
                  bool keep_results);

// Layers to quantize: all that have weights and are not in `excluded`, and between them what would only pass the
// numbers on as floats.
std::vector<bool> select_layers(const std::vector<Layer>& layers, const std::vector<bool>& excluded);

}  // namespace wick::quantize
