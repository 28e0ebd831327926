// Schemas are PyTorch's own text.
#include "ops/families.h"
#include "ops/pointwise/pointwise.h"

namespace wick {

namespace {

using namespace ops;

constexpr OpEntry kEntries[] = {
    OP("aten::eq.Tensor(Tensor self, Tensor other) -> Tensor", eq),
    OP_INPLACE("aten::eq_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", eq),
    OP_OUT("aten::eq.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", eq),
    OP("aten::eq.Scalar(Tensor self, Scalar other) -> Tensor", eq_scalar),
    OP_INPLACE("aten::eq_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", eq_scalar),
    OP_OUT("aten::eq.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)", eq_scalar),
    OP("aten::ne.Tensor(Tensor self, Tensor other) -> Tensor", ne),
    OP_INPLACE("aten::ne_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", ne),
    OP_OUT("aten::ne.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", ne),
    OP("aten::ne.Scalar(Tensor self, Scalar other) -> Tensor", ne_scalar),
    OP_INPLACE("aten::ne_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", ne_scalar),
    OP_OUT("aten::ne.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)", ne_scalar),
    OP("aten::not_equal.Tensor(Tensor self, Tensor other) -> Tensor", ne),
    OP_INPLACE("aten::not_equal_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", ne),
    OP_OUT("aten::not_equal.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", ne),
    OP("aten::not_equal.Scalar(Tensor self, Scalar other) -> Tensor", ne_scalar),
    OP_INPLACE("aten::not_equal_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", ne_scalar),
    OP_OUT("aten::not_equal.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)", ne_scalar),
    OP("aten::lt.Tensor(Tensor self, Tensor other) -> Tensor", lt),
    OP_INPLACE("aten::lt_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", lt),
    OP_OUT("aten::lt.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", lt),
    OP("aten::lt.Scalar(Tensor self, Scalar other) -> Tensor", lt_scalar),
    OP_INPLACE("aten::lt_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", lt_scalar),
    OP_OUT("aten::lt.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)", lt_scalar),
    OP("aten::less.Tensor(Tensor self, Tensor other) -> Tensor", lt),
    OP_INPLACE("aten::less_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", lt),
    OP_OUT("aten::less.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", lt),
    OP("aten::less.Scalar(Tensor self, Scalar other) -> Tensor", lt_scalar),
    OP_INPLACE("aten::less_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", lt_scalar),
    OP_OUT("aten::less.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)", lt_scalar),
    OP("aten::le.Tensor(Tensor self, Tensor other) -> Tensor", le),
    OP_INPLACE("aten::le_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", le),
    OP_OUT("aten::le.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", le),
    OP("aten::le.Scalar(Tensor self, Scalar other) -> Tensor", le_scalar),
    OP_INPLACE("aten::le_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", le_scalar),
    OP_OUT("aten::le.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)", le_scalar),
    OP("aten::less_equal.Tensor(Tensor self, Tensor other) -> Tensor", le),
    OP_INPLACE("aten::less_equal_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", le),
    OP_OUT("aten::less_equal.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", le),
    OP("aten::less_equal.Scalar(Tensor self, Scalar other) -> Tensor", le_scalar),
    OP_INPLACE("aten::less_equal_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", le_scalar),
    OP_OUT("aten::less_equal.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)", le_scalar),
    OP("aten::gt.Tensor(Tensor self, Tensor other) -> Tensor", gt),
    OP_INPLACE("aten::gt_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", gt),
    OP_OUT("aten::gt.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", gt),
    OP("aten::gt.Scalar(Tensor self, Scalar other) -> Tensor", gt_scalar),
    OP_INPLACE("aten::gt_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", gt_scalar),
    OP_OUT("aten::gt.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)", gt_scalar),
    OP("aten::greater.Tensor(Tensor self, Tensor other) -> Tensor", gt),
    OP_INPLACE("aten::greater_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", gt),
    OP_OUT("aten::greater.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", gt),
    OP("aten::greater.Scalar(Tensor self, Scalar other) -> Tensor", gt_scalar),
    OP_INPLACE("aten::greater_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", gt_scalar),
    OP_OUT("aten::greater.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)", gt_scalar),
    OP("aten::ge.Tensor(Tensor self, Tensor other) -> Tensor", ge),
    OP_INPLACE("aten::ge_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", ge),
    OP_OUT("aten::ge.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", ge),
    OP("aten::ge.Scalar(Tensor self, Scalar other) -> Tensor", ge_scalar),
    OP_INPLACE("aten::ge_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", ge_scalar),
    OP_OUT("aten::ge.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)", ge_scalar),
    OP("aten::greater_equal.Tensor(Tensor self, Tensor other) -> Tensor", ge),
    OP_INPLACE("aten::greater_equal_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", ge),
    OP_OUT("aten::greater_equal.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", ge),
    OP("aten::greater_equal.Scalar(Tensor self, Scalar other) -> Tensor", ge_scalar),
    OP_INPLACE("aten::greater_equal_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", ge_scalar),
    OP_OUT("aten::greater_equal.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)", ge_scalar),
    OP("aten::isnan(Tensor self) -> Tensor", isnan),
    OP_OUT("aten::isnan.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", isnan),
    OP("aten::isinf(Tensor self) -> Tensor", isinf),
    OP_OUT("aten::isinf.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", isinf),
    OP("aten::isfinite(Tensor self) -> Tensor", isfinite),
    OP("aten::isposinf(Tensor self) -> Tensor", isposinf),
    OP_OUT("aten::isposinf.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", isposinf),
    OP("aten::isneginf(Tensor self) -> Tensor", isneginf),
    OP_OUT("aten::isneginf.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", isneginf),
    OP("aten::isreal(Tensor self) -> Tensor", isreal),
    OP("aten::isclose(Tensor self, Tensor other, float rtol=1.0000000000000001e-05, float atol=1e-08, bool "
       "equal_nan=False) -> Tensor",
       isclose),
    OP("aten::allclose(Tensor self, Tensor other, float rtol=1.0000000000000001e-05, float atol=1e-08, bool "
       "equal_nan=False) -> bool",
       allclose),
    OP("aten::equal(Tensor self, Tensor other) -> bool", equal_tensors),
};

}  // namespace

WICK_OP_FAMILY(kCompareOps, kEntries)

}  // namespace wick
