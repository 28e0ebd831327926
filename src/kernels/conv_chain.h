// Two or three convolutions in a row (expand, depthwise, project: an inverted residual block, a network's first layers,
// or a separable convolution) in row tiles, so that the intermediate rows stay in the second-level cache.
#pragma once

#include "kernels/conv2d.h"

namespace wick::kernels {

// Each is as run_conv takes it, but the intermediate images (expand.y, depthwise.x and y, project.x) are the chain's
// own and not read. The methods are kDirect (or kDirectNchw or kPlanes), kDepthwise, kDirect; project is 1x1 with
// stride 1. The result may be the residual but not overlap the input otherwise. Without project the result is
// depthwise.y; one of the two is there.
struct ConvChain {
  Conv2d expand, depthwise, project;
  bool has_expand = true;  // else the image is depthwise.x
  bool has_project = true;
};

// Whether row tiles beat separate convolutions: what the first gives does not fit half the second-level cache.
bool chain_pays(const ConvShape& first);
size_t chain_scratch_size(const ConvChain& chain, int workers);  // elements, 64-byte aligned
void run_chain(const ConvChain& chain, float* scratch, const Workers& workers);

}  // namespace wick::kernels
