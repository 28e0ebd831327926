// Several pointwise operators as one pass over the elements, tile by tile.
#pragma once

#include <array>
#include <memory>

#include "plan/half_layers.h"
#include "plan/steps/step.h"

namespace wick::plan {

// A kernel of kernels/math.h.
using TileKernel = void (*)(void* const* p, int64_t n, const void* params);

// One operator on tiles. Operands: inputs of the pass (0, 1, ...), then results of earlier instructions.
struct TileInstruction {
  TileKernel kernel = nullptr;
  std::array<float, 3> params{};
  std::array<uint32_t, 2> operands{};
  uint32_t operand_count = 1;
};

// An input of the pass: a slot (the step's reads, in order) with a stride for every dim, or a number.
struct TileInput {
  bool is_number = false;
  bool is_half = false;  // the slot is of float16
  float number = 0;
  IntVec strides;  // in elements; 0 where it is repeated; 0 or 1 in the last dim
};

struct TileProgram {
  IntVec sizes;  // of the result, which is contiguous in this order of dims
  std::vector<TileInput> inputs;
  std::vector<TileInstruction> instructions;  // the last one's result is the pass's
  bool gives_half = false;                    // the result is float16
  std::shared_ptr<HalfLayers> layers;         // where the result or an input is float16

  static constexpr size_t kMaxInstructions = 24;
  static constexpr size_t kMaxInputs = 16;
};

// Merges dims where that is possible for all inputs.
void coalesce(TileProgram& program);

std::unique_ptr<Step> pointwise_step(const ir::Node* node, TileProgram program, StepName name);

}  // namespace wick::plan
