// The operator list of _foreach operators. Schemas are PyTorch's own text.
#include "ops/families.h"
#include "ops/foreach/foreach.h"
#include "ops/pointwise/pointwise.h"

// The operator that gives new tensors, and the one that writes to those of the list.
#define EACH(name, overload, arguments, form)                                                               \
  OP("aten::_foreach_" name overload "(Tensor[] self" arguments ") -> Tensor[]", New::form, deterministic), \
      OP("aten::_foreach_" name "_" overload "(Tensor(a!)[] self" arguments ") -> ()", Self::form, deterministic)
#define EACH_UNARY(name) EACH(#name, "", "", unary<ops::name>)
#define EACH_BINARY(name, list_fn, number_fn)                       \
  EACH(name, ".Scalar", ", Scalar scalar", number<ops::number_fn>), \
      EACH(name, ".List", ", Tensor[] other", list<ops::list_fn>),  \
      EACH(name, ".ScalarList", ", Scalar[] scalars", numbers<ops::number_fn>)
#define EACH_SCALED(name, list_fn, number_fn)                                                \
  EACH(name, ".Scalar", ", Scalar scalar", number_scaled<ops::number_fn>),                   \
      EACH(name, ".List", ", Tensor[] other, *, Scalar alpha=1", list_scaled<ops::list_fn>), \
      EACH(name, ".ScalarList", ", Scalar[] scalars", numbers_scaled<ops::number_fn>)
#define EACH_TERNARY(name, fn)                                                                                       \
  EACH(name, ".Scalar", ", Tensor[] tensor1, Tensor[] tensor2, Scalar value=1", ternary_number<ops::fn>),            \
      EACH(name, ".ScalarList", ", Tensor[] tensor1, Tensor[] tensor2, Scalar[] scalars", ternary_numbers<ops::fn>), \
      EACH(name, ".Tensor", ", Tensor[] tensor1, Tensor[] tensor2, Tensor scalars", ternary_values<ops::fn>)

namespace wick {

namespace {

using namespace ops::foreach;
using namespace traits;

constexpr OpEntry kEntries[] = {
    EACH_UNARY(abs),
    EACH_UNARY(acos),
    EACH_UNARY(asin),
    EACH_UNARY(atan),
    EACH_UNARY(ceil),
    EACH_UNARY(cos),
    EACH_UNARY(cosh),
    EACH_UNARY(erf),
    EACH_UNARY(erfc),
    EACH_UNARY(exp),
    EACH_UNARY(expm1),
    EACH_UNARY(floor),
    EACH_UNARY(frac),
    EACH_UNARY(lgamma),
    EACH_UNARY(log),
    EACH_UNARY(log10),
    EACH_UNARY(log1p),
    EACH_UNARY(log2),
    EACH_UNARY(neg),
    EACH_UNARY(reciprocal),
    EACH_UNARY(round),
    EACH_UNARY(rsqrt),
    EACH_UNARY(sigmoid),
    EACH_UNARY(sign),
    EACH_UNARY(sin),
    EACH_UNARY(sinh),
    EACH_UNARY(sqrt),
    EACH_UNARY(tan),
    EACH_UNARY(tanh),
    EACH_UNARY(trunc),
    EACH_SCALED("add", add, add_scalar),
    EACH("add", ".Tensor", ", Tensor other, *, Scalar alpha=1", tensor_scaled<ops::add>),
    EACH_SCALED("sub", sub, sub_scalar),
    EACH_BINARY("mul", mul, mul_scalar),
    EACH("mul", ".Tensor", ", Tensor other", tensor<ops::mul>),
    EACH_BINARY("div", div, div_scalar),
    EACH("div", ".Tensor", ", Tensor other", tensor<ops::div>),
    EACH_BINARY("maximum", maximum, clamp_min),
    EACH_BINARY("minimum", minimum, clamp_max),
    EACH_BINARY("clamp_min", maximum, clamp_min),
    EACH_BINARY("clamp_max", minimum, clamp_max),
    EACH("pow", ".Scalar", ", Scalar exponent", number<ops::pow_scalar>),
    EACH("pow", ".List", ", Tensor[] exponent", list<ops::pow>),
    EACH("pow", ".ScalarList", ", Scalar[] exponent", numbers<ops::pow_scalar>),
    OP("aten::_foreach_pow.ScalarAndTensor(Scalar self, Tensor[] exponent) -> Tensor[]", powers_of, deterministic),
    EACH_TERNARY("addcmul", addcmul),
    EACH_TERNARY("addcdiv", addcdiv),
    EACH("lerp", ".List", ", Tensor[] tensors1, Tensor[] weights", ternary<ops::lerp>),
    EACH("lerp", ".Scalar", ", Tensor[] tensors1, Scalar weight", list_number<ops::lerp_scalar>),
    EACH("lerp", ".ScalarList", ", Tensor[] tensors1, Scalar[] weight", list_numbers<ops::lerp_scalar>),
    OP("aten::_foreach_norm.Scalar(Tensor[] self, Scalar ord=2, ScalarType? dtype=None) -> Tensor[]", norm,
       deterministic),
    OP("aten::_foreach_powsum.Scalar(Tensor[] self, Scalar ord=2, ScalarType? dtype=None) -> Tensor[]", power_sum,
       deterministic),
    OP("aten::_foreach_max(Tensor[] self) -> Tensor[]", largest, deterministic),
    OP("aten::_foreach_mm(Tensor[] self, Tensor[] mat2) -> Tensor[]", products, deterministic),
    OP("aten::_foreach_clone(Tensor[] self, *, MemoryFormat? memory_format=None) -> Tensor[]", copies, deterministic),
    OP("aten::_foreach_copy(Tensor[] self, Tensor[] src, bool non_blocking=False) -> Tensor[]", copied, deterministic),
    OP("aten::_foreach_copy_(Tensor(a!)[] self, Tensor[] src, bool non_blocking=False) -> ()", copy_self,
       deterministic),
    OP("aten::_foreach_zero(Tensor[] self) -> Tensor[]", zeros, deterministic),
    OP("aten::_foreach_zero_(Tensor(a!)[] self) -> ()", zero_self, deterministic),
};

}  // namespace

WICK_OP_FAMILY(kForeachOps, kEntries)

}  // namespace wick
