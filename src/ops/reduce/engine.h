// The loop behind reductions. A reducer folds rows of elements into accumulators; the engine finds the rows:
// along the reduced dims when those are the fast ones, across outputs otherwise, so that memory is read in order.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

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

// What a reducer is told, the same for all elements: an address, or null.
struct ReduceContext {
  const void* data = nullptr;
  size_t size = 0;
  ReduceContext(std::nullptr_t) {}
  template <class T>
  ReduceContext(const T* context) : data(context), size(context == nullptr ? 0 : sizeof(T)) {}
};

// Reduces t, converted to `common`, into the outputs: contiguous tensors of as many elements as there are outputs,
// in the order of the kept dims. Reducers that use `index` need a single reduced dim.
void run_reduction(const Tensor& t, DType common, IntSpan dims, const Reducer& reducer, ReduceContext context,
                   std::initializer_list<Tensor> outputs);

// A reduction of known extents, to be run many times: run() allocates nothing.
class Reduction {
 public:
  static constexpr size_t kMaxOutputs = 2;

  // `context` is copied.
  Reduction(const Tensor& t, DType common, IntSpan dims, const Reducer& reducer, ReduceContext context,
            std::span<const Tensor> outputs);
  // Other elements of the same tensors.
  void run(const void* elements, void* const* outputs) const;

 private:
  struct Dim {
    int64_t size = 1;
    int64_t in = 0;   // stride in bytes of the input
    int64_t out = 0;  // stride in elements of the outputs; kept dims only
  };
  struct Run;
  static std::vector<Dim> tidy(std::vector<Dim> dims);

  std::vector<Dim> kept_, reduced_;
  int64_t outputs_ = 1, count_ = 1;  // results, and elements of each
  DType dtype_, common_, tile_;
  int64_t item_;
  const Reducer& reducer_;
  alignas(16) char context_[16];
  bool has_context_;
  DType types_[kMaxOutputs] = {};  // of the outputs
  size_t type_count_;
};

// While one lives, run_reduction on its thread notes its operands here instead of computing.
class ReductionWatch {
 public:
  struct Call {
    Tensor input;
    std::vector<Tensor> outputs;
    Reduction reduction;
  };
  ReductionWatch();
  ~ReductionWatch();
  ReductionWatch(const ReductionWatch&) = delete;
  ReductionWatch& operator=(const ReductionWatch&) = delete;
  std::vector<Call> calls;

 private:
  ReductionWatch* const before_;
};

}  // namespace wick::ops
