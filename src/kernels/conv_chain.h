// Two or three convolutions in a row (expand, depthwise, project: an inverted residual block, a network's first layers,
// or a separable convolution) in bands of rows, so that what lies between them stays in the second-level cache.
#pragma once

#include "kernels/conv2d.h"

namespace wick::kernels {

// Each is as run_conv takes it, but what lies between (expand.y, depthwise.x and y, project.x) is the chain's own and
// not read. The methods are kDirect (or kTurned or kPlanes), kDepthwise, kDirect; project is 1x1 with stride 1. The
// result may be the residual but not overlap the input otherwise. Without project the result is depthwise.y; one
// of the two is there.
struct ConvChain {
  Conv2d expand, depthwise, project;
  bool has_expand = true;  // else the image is depthwise.x
  bool has_project = true;
};

// Whether bands beat one convolution after the other: what the first gives does not fit half the second-level cache.
bool chain_pays(const ConvShape& first);
size_t chain_scratch_size(const ConvChain& chain, int workers);  // elements, 64-byte aligned
void run_chain(const ConvChain& chain, float* scratch, const Workers& workers);

}  // namespace wick::kernels
