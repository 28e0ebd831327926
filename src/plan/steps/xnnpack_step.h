// Convolutions and dense layers by XNNPACK, in builds with WICK_XNNPACK: where it was measured to be faster, or
// wherever it has a method (WICK_XNNPACK=ALWAYS).
#pragma once

#include "kernels/conv2d.h"
#include "ops/quantize/packed.h"
#include "plan/builder.h"
#include "plan/steps/linear_step.h"

namespace wick::plan {

#ifdef WICK_WITH_XNNPACK
inline constexpr bool kHasXnnpack = true;
#else
inline constexpr bool kHasXnnpack = false;
#endif

// Steps of XNNPACK's; null where Wick's own kernels are the faster ones by the figures of docs/performance.md, and
// where XNNPACK has nothing for the layer. They read a few bytes behind their input, which must be in the arena, and
// add no residual.

// Weights and scale as kernels::pack_conv takes them.
bool prefers_xnnpack(const kernels::ConvShape& shape, const kernels::Epilogue& epilogue);
std::unique_ptr<Step> xnnpack_conv_step(const ir::Node* node, const kernels::ConvShape& shape, const float* weight,
                                        const float* scale, const float* bias, const kernels::Epilogue& epilogue,
                                        StepName name);
std::unique_ptr<Step> xnnpack_dense_step(const ir::Node* node, const DenseLayer& layer, const DenseRows& rows,
                                         const float* bias, const kernels::Epilogue& epilogue, StepName name);
// Weights as quantized layers hold them: [out][tap][in]. The integers are those of Wick's own kernels.
std::unique_ptr<Step> xnnpack_byte_step(const ir::Node* node, const kernels::ConvShape& shape, const Tensor& weight,
                                        const ops::LayerNumbers& numbers, StepName name);

}  // namespace wick::plan
