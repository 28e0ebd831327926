// Two or three convolutions in a row (expand, depthwise, project: an inverted residual block, or a network's first
// layers) in bands of rows, so that what lies between them stays in the second-level cache.
#pragma once

#include "kernels/conv2d.h"

namespace wick::kernels {

// Each is as run_conv takes it, but what lies between (expand.y, depthwise.x and y, project.x) is the chain's own and
// not read. The methods are kDirect (or kTurned or kPlanes), kDepthwise, kDirect; project is 1x1 with stride 1. The
// result may be the residual but not overlap the input otherwise. Without project the result is depthwise.y.
struct ConvChain {
  Conv2d expand, depthwise, project;
  bool has_project = true;
};

// Whether bands beat one convolution after the other: what is expanded does not fit half the second-level cache.
bool chain_pays(const ConvShape& expand);
size_t chain_scratch_size(const ConvChain& chain, int workers);  // elements, 64-byte aligned
void run_chain(const ConvChain& chain, float* scratch, const Workers& workers);

}  // namespace wick::kernels
