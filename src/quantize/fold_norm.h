// Batch norms with fixed statistics folded into the layer before them.
#pragma once

#include <unordered_set>

#include "quantize/frozen.h"

namespace wick::quantize {

// Into convolutions, transposed ones too, whose result nothing else uses; and into linear layers whose result is in
// `matrices`: only there are the layer's columns the norm's channels.
void fold_batch_norms(ir::Function& function, Frozen& model, const std::unordered_set<const ir::Value*>& matrices);

// Results of linear layers that go into a batch norm only.
std::vector<ir::Value*> linears_before_norms(ir::Function& function);

}  // namespace wick::quantize
