// The loop behind reductions. A reducer folds rows of elements into accumulators; the engine finds the rows:
// along the reduced dims when those are the fast ones, across outputs otherwise, so that memory is read in order.
#pragma once

#include <array>
#include <optional>

#include "core/shape.h"
#include "wick/tensor.h"

namespace wick::ops {

// Accumulators are opaque blocks of acc_size bytes. Elements come as n contiguous values of the tile dtype
// (compute_dtype of the dtype the reduction computes in).
struct Reducer {
  size_t acc_size;
  void (*init)(void* acc, int64_t n, const void* ctx);
  // acc[i] = fold(acc[i], x[i]); `index` is the elements' position along the reduced dim.
  void (*across)(void* acc, const void* x, int64_t n, int64_t index, const void* ctx);
  // *acc = fold(*acc, x[0], ..., x[n - 1]); `index` is the position of x[0].
  void (*along)(void* acc, const void* x, int64_t n, int64_t index, const void* ctx);
  // *acc = *acc joined with *other, which saw later elements. Null: one output is never split over threads.
  void (*merge)(void* acc, const void* other);
  // Writes n results from n accumulators; outs have the compute dtype of each output.
  void (*finish)(void* const* outs, const void* acc, int64_t n, const void* ctx);
};

// Which dims are reduced.
struct ReducedDims {
  IntVec dims;    // wrapped, ascending
  IntVec kept;    // sizes without (or with 1 for) the reduced dims
  int64_t count;  // elements per output
};
// An absent or empty list means all dims. Throws for dims out of range and repeated dims.
ReducedDims reduced_dims(const Tensor& t, const std::optional<IntVec>& dims, bool keepdim);

// Reduces t, converted to `common`, into the outputs: contiguous tensors of as many elements as there are outputs,
// in the order of the kept dims. Reducers that use `index` need a single reduced dim.
void run_reduction(const Tensor& t, DType common, IntSpan dims, const Reducer& reducer, const void* ctx,
                   std::initializer_list<Tensor> outputs);

}  // namespace wick::ops
