// Pointwise steps, and passes made of several of them.
#pragma once

#include <array>
#include <optional>

#include "plan/builder.h"
#include "plan/steps/pointwise_step.h"

namespace wick::plan {

// A tensor, or a number when `tensor` is kNoTensor.
struct PointwiseOperand {
  TensorId tensor;
  float number;
};
struct PointwiseOp {
  TileKernel kernel = nullptr;
  std::array<float, 3> params{};
  std::vector<PointwiseOperand> operands;
  bool has_relu = false;  // negative results become zero (_add_relu)
};
// What a step computes, when it is pointwise on floats.
std::optional<PointwiseOp> describe_pointwise(const Builder& builder, size_t s);

// The step as a multiplication of channels by factors; false when it is none, or a pass would do more.
bool emit_scaling(Builder& builder, size_t s);

// The pass that ends with step s; false when it can't be one.
bool emit_pointwise(Builder& builder, size_t s);

}  // namespace wick::plan
