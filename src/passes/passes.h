// The passes of the mobile optimizer, on graphs whose modules are frozen (see freeze.h). Each gives how many places it
// changed. None changes what the graph computes but for rounding.
#pragma once

#include <functional>
#include <string>

#include "ir/graph.h"

namespace wick::passes {

enum class Backend : uint8_t { kCpu, kVulkan, kMetal };

// aten::_convolution whose arguments are known as the convolution it is (conv1d ... conv_transpose3d).
size_t name_convolutions(ir::Graph& graph);
// conv1d as conv2d of height one.
size_t convert_conv1d(ir::Graph& graph);

// Batch norm in evaluation mode after a layer: into its weights. `extended`: also after transposed and 1-d convolutions
// and dense layers; otherwise conv2d and conv3d, as PyTorch.
struct FoldBatchNormOptions {
  bool extended = true;
  // Which results of dense layers are matrices: only there are the layer's columns the norm's channels. When it is not
  // given, and the graph does not tell, a branch that asks while running is written.
  std::function<bool(const ir::Value*)> is_matrix;
  // Told of each weight and what it became.
  std::function<void(const Tensor& before, const Tensor& after)> on_fold;
};
size_t fold_batch_norm(ir::Graph& graph, const FoldBatchNormOptions& options = {});

// addmm and matmul by a constant matrix, with the sum that follows, as aten::linear.
size_t name_linear(ir::Graph& graph);

// Layers with known weights as calls on packed weights, with the clamp that follows. `extended`: clamps that PyTorch
// leaves (after dense layers and transposed convolutions; relu6, clamp, hardsigmoid).
struct PrepackOptions {
  Backend backend = Backend::kCpu;
  bool extended = true;
};
struct PrepackCounts {
  size_t layers = 0;
  size_t clamps = 0;
};
PrepackCounts prepack(ir::Graph& graph, const PrepackOptions& options = {});

// Loops that run a known, small number of times, written out.
size_t unroll_loops(ir::Graph& graph);
// Dropout in evaluation mode.
size_t remove_dropout(ir::Graph& graph);
// relu of a sum as aten::_add_relu.
size_t fuse_add_relu(ir::Graph& graph);
// In-place operators made functional where that is not observable: GPU backends have no in-place operators.
size_t remove_mutation(ir::Graph& graph);
// Parameters to the GPU and results from it: aten::to.
size_t insert_vulkan_transfers(ir::Graph& graph);
// Tensors that forward gives, through metal::copy_to_host.
size_t insert_metal_copies(ir::Graph& graph);

}  // namespace wick::passes
