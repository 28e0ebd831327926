// What a recorded convolution of one or two spatial dims computes, however the model spells it.
#pragma once

#include <optional>

#include "ops/conv/prepacked.h"
#include "plan/builder.h"

namespace wick::plan {

struct ConvLayer {
  TensorId input = kNoTensor;
  Tensor weight, bias;               // bias may be undefined
  IntVec stride, padding, dilation;  // of two dims; the first of one dim is 1, 0 and 1
  int64_t groups = 1;
  bool transposed = false;
  IValue low, high;  // of a prepacked layer
};

// A call of aten::conv2d, conv1d, their transposed forms, convolution or _convolution with constant weights.
std::optional<ConvLayer> read_conv(const Builder& b, const TracedStep& step);

// The layer that was packed into `context`; its input is for the caller to say.
ConvLayer conv_layer_of(const ops::Conv2dContext& context);

}  // namespace wick::plan
