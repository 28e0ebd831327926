// Weights of a layer as the quantized operators take them.
#pragma once

#include "quantize/layers.h"
#include "quantize/observer.h"

namespace wick::quantize {

// `means`: of each input channel, or empty; what rounding the weights adds to the results on average is then taken out
// of the bias. Throws kInvalidArgument for weights that are not finite.
IValue pack_weight(const Layer& layer, const QParams& input, const std::vector<double>& means, bool per_channel);

}  // namespace wick::quantize
