// Steps that compute in float16, where the processor can.
#pragma once

#include "kernels/conv2d.h"
#include "plan/builder.h"
#include "plan/half_layers.h"

namespace wick::plan {

// Whether a layer's weights, multiplied by their channels' scales (empty: by nothing), and its bias (null: none) fit
// float16.
bool fits_half(const kernels::ConvShape& shape, const float* weight, const std::vector<float>& scale,
               const float* bias);

// What a convolution in float16 is packed of.
struct HalfConv {
  kernels::ConvShape shape;
  kernels::ConvMethod method;
  kernels::Epilogue epilogue;
  Packed weights, bias;  // halves; bias may be null
};
// As many floats as hold so many halves.
inline size_t floats_of_halves(size_t count) { return (count + 1) / 2; }

// Reads the image (of planes, where the method does) and the residual, if there is one; all of them float16.
std::unique_ptr<Step> half_conv_step(const ir::Node* node, const HalfConv& conv, std::shared_ptr<HalfLayers> layers,
                                     StepName name);
// Between a tensor of floats and one of float16 of the same layout.
std::unique_ptr<Step> half_conversion(bool to_half, std::shared_ptr<HalfLayers> layers);

}  // namespace wick::plan
