// Dense layers as steps.
#pragma once

#include "kernels/epilogue.h"
#include "plan/builder.h"
#include "plan/record/read.h"

namespace wick::plan {

inline constexpr bool kHasLinear =
    selects_any_op("aten::linear", "aten::addmm", "aten::matmul", "aten::mm", "prepacked::linear_clamp_run");

struct DenseLayer {
  Tensor weight, bias;     // two dims; one or undefined
  bool transposed = true;  // weight is [out][in], else [in][out]

  int64_t inputs() const { return weight.size(transposed ? 1 : 0); }
  int64_t outputs() const { return weight.size(transposed ? 0 : 1); }
  // Whether the tensors have the dtype and sizes of a layer.
  bool is_sound() const;
};

// Where the rows of the input, of the result and of what is added to it lie; the latter two with one distance between
// all rows.
struct DenseRows {
  RowGrid in, out, residual;
};

// Emits the step, its weights packed. `residual` may be kNoSlot.
void emit_dense(Builder& builder, const ir::Node* node, const DenseLayer& layer, const DenseRows& rows, Slot in,
                Slot residual, Slot out, const kernels::Epilogue& epilogue, StepName name);

// Rows of a dense matrix.
RowGrid dense_rows(int64_t rows, int64_t length);

}  // namespace wick::plan
