// Steps on rows of consecutive values.
#pragma once

#include "plan/builder.h"
#include "plan/record/read.h"

namespace wick::plan {

// Layer normalization of evenly spaced rows into dense ones; weight and bias may be undefined.
void emit_layer_norm(Builder& builder, const ir::Node* node, const Tensor& weight, const Tensor& bias, double epsilon,
                     const RowGrid& rows, Slot in, Slot out);

}  // namespace wick::plan
