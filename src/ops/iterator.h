// The one iterator of pointwise operators: broadcasting, strides, output allocation with PyTorch's memory-format
// rule, coalescing of dims, conversion of dtypes and threads. An operator brings a function over tiles.
//
//   Iterator it;
//   it.output(out, DType::kBool, DType::kBool).input(a, common).input(b, common);
//   it.run(fn);           // fn sees ptrs[0]: bool*, ptrs[1] and ptrs[2]: compute_dtype(common)*
//   return it.result();
//
// Elements come in no particular order; a kernel must compute element i from elements i only, so that outputs
// which are also inputs (in-place operators) are right.
#pragma once

#include <array>

#include "ops/boxing.h"
#include "wick/tensor.h"

namespace wick::ops {

// A kernel: ptrs are the operands in the order they were added, each n contiguous elements of its tile dtype.
using TileFn = void (*)(void* const* ptrs, int64_t n, const void* ctx);

// The dtype a kernel sees for elements of dtype t: Float (also for half and bfloat16), Double, Long (also for
// smaller integers), Bool, ComplexFloat, ComplexDouble. Throws for dtypes without arithmetic.
DType compute_dtype(DType t);

// Refuse the writes PyTorch refuses: to a tensor with elements that share memory, and to a tensor that shares a part of
// its memory with an input. Tensors whose overlap is hard to tell pass.
void check_no_internal_overlap(const Tensor& written);
void check_no_partial_overlap(const Tensor& written, const Tensor& input);

class Iterator {
 public:
  static constexpr size_t kMaxOperands = 8;
  static constexpr int64_t kTile = 512;     // longest tile when an operand needs a buffer
  static constexpr int64_t kGrain = 32768;  // elements one thread should have at least

  // Outputs come first. `out` given: resized when its shape differs, unless it is also an input (then an error).
  // Else a tensor of dtype `dtype` is allocated. The kernel writes compute_dtype(common) elements, which are
  // converted on store; a given `out` must be able to hold `dtype` ("result type ... can't be cast").
  Iterator& output(Out out, DType dtype, DType common);
  Iterator& output(Out out, DType dtype) { return output(out, dtype, dtype); }
  // The kernel reads compute_dtype(common) elements; the elements are first converted to `common`.
  Iterator& input(const Tensor& t, DType common);
  // A number is an operand that broadcasts, as the zero-dim tensor PyTorch would wrap it in.
  Iterator& input(const Scalar& s, DType common);
  // A number that takes no part in choosing the result's strides.
  Iterator& parameter(const Scalar& s, DType common);
  // Kernels see elements converted to `common` as dtype `seen` (which holds them), not as compute_dtype(common). Of
  // the operands that are added afterwards.
  Iterator& see_as(DType common, DType seen);
  // The shape to start from, for operators without inputs.
  Iterator& shape_of(IntSpan sizes);

  // Allocates the outputs without running; run() does it when it was not called.
  void prepare();
  void run(TileFn fn, const void* ctx = nullptr, int64_t grain = kGrain);

  // After prepare() or run().
  const Tensor& result(size_t i = 0) const { return operands_[i].tensor; }
  IntSpan shape() const { return shape_; }
  int64_t numel() const { return numel_; }

 private:
  struct Operand {
    Tensor tensor;  // undefined: an output to allocate, or a number
    Scalar number;
    DType dtype = DType::kFloat;   // of the elements in memory
    DType common = DType::kFloat;  // they are converted to this
    DType tile = DType::kFloat;    // and seen by the kernel as this
    bool is_output = false;
    bool is_number = false;
    bool is_parameter = false;
    // An output wider than `common`: results are those of `common`, then widened. An input that a 16-bit `common` may
    // not hold: rounded to it, then widened.
    bool rounds = false;
    bool resize = false;
    IntVec strides;  // in bytes, of the iterated dims, fastest first
    bool shaped() const { return tensor.defined() && !resize; }
  };
  struct Lane;
  class Walk;

  Operand& add();
  DType tile_of(DType common) const { return narrowed_ && common == common_seen_ ? seen_ : compute_dtype(common); }
  void find_shape();
  void check_overlap();
  bool set_up_dense();
  void set_up_strided();
  IntVec dim_order() const;
  void place_outputs(IntSpan order);
  void coalesce();
  void place_output(Operand& op, IntSpan strides, MemoryFormat format);
  void run_range(TileFn fn, const void* ctx, int64_t begin, int64_t end) const;

  std::array<Operand, kMaxOperands> operands_;
  size_t count_ = 0;
  IntVec shape_;  // broadcast shape
  IntVec dims_;   // iterated dims, fastest first
  int64_t numel_ = 0;
  bool same_shape_ = true;
  bool fixed_shape_ = false;
  bool prepared_ = false;
  bool narrowed_ = false;
  DType common_seen_ = DType::kFloat, seen_ = DType::kFloat;
};

}  // namespace wick::ops
