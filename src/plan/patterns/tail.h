// The sum and activation after a layer, absorbed into its epilogue.
#pragma once

#include <string>

#include "core/callback.h"
#include "kernels/epilogue.h"
#include "plan/builder.h"

namespace wick::plan {

struct Tail {
  kernels::Epilogue epilogue;
  TensorId residual = kNoTensor;
  TensorId result = kNoTensor;  // of the last step absorbed
  size_t last = 0;              // that step
  StepName name;                // " relu add"
};

// Takes the pointwise steps that follow step s's result, each the only user of the one before: an activation or a
// range, and the sum with one other tensor of the same sizes. `fits` says whether the layer can read and write a
// tensor, `with_sum` whether the layer can add one.
Tail absorb_tail(Builder& builder, size_t s, const Callback<bool(TensorId)>& fits, bool with_sum = true);
// The same for a step of several results, of which this is the one.
Tail absorb_tail_of(Builder& builder, size_t s, TensorId result, const Callback<bool(TensorId)>& fits,
                    bool with_sum = true);

// Narrows the epilogue to a range given beside it, as prepacked layers have; `low`, `high` may be None.
void set_range(kernels::Epilogue& epilogue, const IValue& low, const IValue& high);

}  // namespace wick::plan
