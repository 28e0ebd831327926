// Rules about sizes that operators share: dimension wrapping, broadcasting, dtype promotion.
#pragma once

#include "core/check.h"
#include "wick/tensor.h"

namespace wick {

// Maps a dim in [-rank, rank) to [0, rank); rank 0 counts as 1. Throws with PyTorch's text
// "Dimension out of range (expected to be in range of [-2, 1], but got 5)".
int64_t wrap_dim(int64_t dim, int64_t rank);
// Wraps each and refuses repeats ("dim 1 appears multiple times in the list of dims").
IntVec wrap_dims(IntSpan dims, int64_t rank);

// The shape two shapes broadcast to; throws PyTorch's "The size of tensor a (2) must match the size of
// tensor b (3) at non-singleton dimension 0".
IntVec broadcast_shapes(IntSpan a, IntSpan b);
// A view of t with the given (broadcast) sizes; -1 keeps a size. Throws with aten::expand's text.
Tensor expand(const Tensor& t, IntSpan sizes);

// PyTorch's promoteTypes(a, b).
DType promote_types(DType a, DType b);

// Collects operands and gives the dtype they compute in, as PyTorch's result_type: dimensioned tensors
// before zero-dim tensors before Python numbers.
class ResultType {
 public:
  ResultType& add(const Tensor& t);
  ResultType& add(const Scalar& s);
  DType get() const;

 private:
  std::optional<DType> dim_, zero_, number_;
};
// Whether a result of dtype `from` may be written to an output of dtype `to` (no loss of category).
bool can_cast(DType from, DType to);

// The dtype torch.get_default_dtype() has.
constexpr DType kDefaultDType = DType::kFloat;
// Dtype for floating-point functions: integers become the default dtype.
inline DType to_float_type(DType t) { return is_integral(t, true) ? kDefaultDType : t; }

// PyTorch's refusal of a dtype, in its words.
inline void check_dtype(bool ok, const char* op, DType t) {
  WICK_CHECK(ok, kUnsupported, "\"", op, "\" not implemented for '", name_of(t), "'");
}

}  // namespace wick
