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
bool fits_half(const float* x, int64_t n);

// What a convolution in float16 is packed of.
struct HalfConv {
  kernels::ConvShape shape;
  kernels::ConvMethod method;
  kernels::Epilogue epilogue;
  Packed weights, bias;  // halves; bias may be null
};
// Throws where a result in float16 is infinite and such results are looked for; `node`: the layer that gave it.
void find_overflow(const Workspace& w, const HalfLayers& layers, const ir::Node* node, const uint16_t* x, int64_t n);
// Throws where numbers that leave float16 are infinite, so that the plan looks for the layer that gave them.
void leave_half(const Workspace& w, const HalfLayers& layers, bool are_finite);
bool are_finite(const uint16_t* x, int64_t n);
bool are_finite(const float* x, int64_t n);

// As many floats as hold so many halves.
inline size_t floats_of_halves(size_t count) { return (count + 1) / 2; }

// Reads the image (of planes, where the method does) and the residual, if there is one; all of them float16.
std::unique_ptr<Step> half_conv_step(const ir::Node* node, const HalfConv& conv, std::shared_ptr<HalfLayers> layers,
                                     StepName name);
// A dense layer in float16: rows of k and n numbers, one after the other; reads them and the residual, if there is one.
struct HalfDense {
  int64_t rows, n, k;
  kernels::Epilogue epilogue;
  Packed weights, bias;  // halves; bias may be null
};
std::unique_ptr<Step> half_dense_step(const ir::Node* node, const HalfDense& dense, std::shared_ptr<HalfLayers> layers,
                                      StepName name);
// Between a tensor of floats and one of float16 of the same layout. `node`: the layer that wants float16; it is kept in
// float where a number is too large for that.
std::unique_ptr<Step> half_conversion(bool to_half, std::shared_ptr<HalfLayers> layers, const ir::Node* node);

}  // namespace wick::plan
