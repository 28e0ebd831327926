// The operator list of matrix products.
#include "ops/families.h"
#include "ops/matmul/matmul.h"

namespace wick {
namespace {

using namespace ops;
using namespace traits;

constexpr OpEntry kEntries[] = {
    OP("aten::matmul(Tensor self, Tensor other) -> Tensor", matmul, shapes_only, rounds_once),
    OP_OUT("aten::matmul.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", matmul, shapes_only),
    OP("aten::mm(Tensor self, Tensor mat2) -> Tensor", mm, shapes_only, rounds_once),
    OP_OUT("aten::mm.out(Tensor self, Tensor mat2, *, Tensor(a!) out) -> Tensor(a!)", mm, shapes_only),
    OP("aten::mm.dtype(Tensor self, Tensor mat2, ScalarType out_dtype) -> Tensor", mm_dtype, shapes_only, rounds_once),
    OP_OUT("aten::mm.dtype_out(Tensor self, Tensor mat2, ScalarType out_dtype, *, Tensor(a!) out) -> Tensor(a!)",
           mm_dtype, shapes_only),
    OP("aten::bmm.dtype(Tensor self, Tensor mat2, ScalarType out_dtype) -> Tensor", bmm_dtype, shapes_only,
       rounds_once),
    OP_OUT("aten::bmm.dtype_out(Tensor self, Tensor mat2, ScalarType out_dtype, *, Tensor(a!) out) -> Tensor(a!)",
           bmm_dtype, shapes_only),
    OP("aten::addmm.dtype(Tensor self, Tensor mat1, Tensor mat2, ScalarType out_dtype, *, Scalar beta=1, Scalar "
       "alpha=1) -> Tensor",
       addmm_dtype, shapes_only, rounds_once),
    OP_OUT("aten::addmm.dtype_out(Tensor self, Tensor mat1, Tensor mat2, ScalarType out_dtype, *, Scalar beta=1, "
           "Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)",
           addmm_dtype, shapes_only),
    OP("aten::baddbmm.dtype(Tensor self, Tensor batch1, Tensor batch2, ScalarType out_dtype, *, Scalar beta=1, Scalar "
       "alpha=1) -> Tensor",
       baddbmm_dtype, shapes_only, rounds_once),
    OP_OUT("aten::baddbmm.dtype_out(Tensor self, Tensor batch1, Tensor batch2, ScalarType out_dtype, *, Scalar "
           "beta=1, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)",
           baddbmm_dtype, shapes_only),
    OP("aten::_int_mm(Tensor self, Tensor mat2) -> Tensor", int_mm, deterministic),
    OP_OUT("aten::_int_mm.out(Tensor self, Tensor mat2, *, Tensor(a!) out) -> Tensor(a!)", int_mm, deterministic),
    OP("aten::_weight_int8pack_mm(Tensor self, Tensor mat2, Tensor scales) -> Tensor", weight_int8pack_mm,
       deterministic),
    OP("aten::_convert_weight_to_int4pack_for_cpu(Tensor self, int innerKTiles) -> Tensor", convert_weight_to_int4pack,
       deterministic),
    OP("aten::_weight_int4pack_mm_for_cpu(Tensor self, Tensor mat2, int qGroupSize, Tensor qScaleAndZeros) -> Tensor",
       weight_int4pack_mm, deterministic),
    OP("aten::_scaled_mm(Tensor self, Tensor mat2, Tensor scale_a, Tensor scale_b, Tensor? bias=None, Tensor? "
       "scale_result=None, ScalarType? out_dtype=None, bool use_fast_accum=False) -> Tensor",
       scaled_mm, deterministic),
    OP_OUT("aten::_scaled_mm.out(Tensor self, Tensor mat2, Tensor scale_a, Tensor scale_b, Tensor? bias=None, Tensor? "
           "scale_result=None, ScalarType? out_dtype=None, bool use_fast_accum=False, *, Tensor(a!) out) -> "
           "Tensor(a!)",
           scaled_mm, deterministic),
    OP("aten::_grouped_mm(Tensor self, Tensor mat2, Tensor? offs=None, Tensor? bias=None, ScalarType? out_dtype=None) "
       "-> Tensor",
       grouped_mm, deterministic),
    OP("aten::_trilinear(Tensor i1, Tensor i2, Tensor i3, int[] expand1, int[] expand2, int[] expand3, int[] sumdim, "
       "int unroll_dim=1) -> Tensor",
       trilinear, deterministic),
    OP_OUT("aten::_trilinear.out(Tensor i1, Tensor i2, Tensor i3, int[] expand1, int[] expand2, int[] expand3, int[] "
           "sumdim, int unroll_dim=1, *, Tensor(a!) out) -> Tensor(a!)",
           trilinear, deterministic),
    OP("aten::bmm(Tensor self, Tensor mat2) -> Tensor", bmm, shapes_only, rounds_once),
    OP_OUT("aten::bmm.out(Tensor self, Tensor mat2, *, Tensor(a!) out) -> Tensor(a!)", bmm, shapes_only),
    OP("aten::addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor", addmm,
       shapes_only, rounds_once),
    OP_OUT("aten::addmm.out(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, Tensor(a!) out) "
           "-> Tensor(a!)",
           addmm, shapes_only),
    OP_INPLACE("aten::addmm_(Tensor(a!) self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> "
               "Tensor(a!)",
               addmm, deterministic),
    OP("aten::addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor", addmv,
       deterministic),
    OP_OUT("aten::addmv.out(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1, Tensor(a!) out) "
           "-> Tensor(a!)",
           addmv, deterministic),
    OP_INPLACE("aten::addmv_(Tensor(a!) self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor(a!)",
               addmv, deterministic),
    OP("aten::addbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor", addbmm,
       deterministic),
    OP_OUT("aten::addbmm.out(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1, Tensor(a!) "
           "out) -> Tensor(a!)",
           addbmm, deterministic),
    OP_INPLACE("aten::addbmm_(Tensor(a!) self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> "
               "Tensor(a!)",
               addbmm, deterministic),
    OP("aten::baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor", baddbmm,
       shapes_only, rounds_once),
    OP_OUT("aten::baddbmm.out(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1, "
           "Tensor(a!) out) -> Tensor(a!)",
           baddbmm, shapes_only),
    OP_INPLACE("aten::baddbmm_(Tensor(a!) self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> "
               "Tensor(a!)",
               baddbmm, deterministic),
    OP("aten::addr(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) -> Tensor", addr,
       deterministic),
    OP_OUT("aten::addr.out(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1, Tensor(a!) out) "
           "-> Tensor(a!)",
           addr, deterministic),
    OP_INPLACE("aten::addr_(Tensor(a!) self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) -> "
               "Tensor(a!)",
               addr, deterministic),
    OP("aten::mv(Tensor self, Tensor vec) -> Tensor", mv, shapes_only),
    OP_OUT("aten::mv.out(Tensor self, Tensor vec, *, Tensor(a!) out) -> Tensor(a!)", mv, shapes_only),
    OP("aten::dot(Tensor self, Tensor tensor) -> Tensor", dot, deterministic),
    OP_OUT("aten::dot.out(Tensor self, Tensor tensor, *, Tensor(a!) out) -> Tensor(a!)", dot, deterministic),
    OP("aten::vdot(Tensor self, Tensor other) -> Tensor", vdot, deterministic),
    OP_OUT("aten::vdot.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", vdot, deterministic),
    OP("aten::outer(Tensor self, Tensor vec2) -> Tensor", outer, deterministic),
    OP_OUT("aten::outer.out(Tensor self, Tensor vec2, *, Tensor(a!) out) -> Tensor(a!)", outer, deterministic),
    OP("aten::inner(Tensor self, Tensor other) -> Tensor", inner, deterministic),
    OP_OUT("aten::inner.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", inner, deterministic),
    OP("aten::linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor", linear, shapes_only, rounds_once,
       keeps_rank),
    OP_OUT("aten::linear.out(Tensor input, Tensor weight, Tensor? bias=None, *, Tensor(a!) out) -> Tensor(a!)", linear,
           shapes_only),
    OP("aten::bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None) -> Tensor", bilinear,
       deterministic),
    OP("aten::chain_matmul(Tensor[] matrices) -> Tensor", chain_matmul, deterministic),
    OP_OUT("aten::chain_matmul.out(Tensor[] matrices, *, Tensor(a!) out) -> Tensor(a!)", chain_matmul, deterministic),
    OP("aten::linalg_multi_dot(Tensor[] tensors) -> Tensor", linalg_multi_dot, deterministic),
    OP_OUT("aten::linalg_multi_dot.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)", linalg_multi_dot,
           deterministic),
    OP("aten::einsum(str equation, Tensor[] tensors, *, int[]? path=None) -> Tensor", einsum, may_alias, shapes_only),
    OP("aten::tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other) -> Tensor", tensordot,
       deterministic),
    OP_OUT("aten::tensordot.out(Tensor self, Tensor other, int[] dims_self, int[] dims_other, *, Tensor(a!) out) -> "
           "Tensor(a!)",
           tensordot, deterministic),
    OP("aten::kron(Tensor self, Tensor other) -> Tensor", kron, deterministic),
    OP_OUT("aten::kron.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", kron, deterministic),
    OP("aten::linalg_vecdot(Tensor x, Tensor y, *, int dim=-1) -> Tensor", linalg_vecdot, deterministic),
    OP_OUT("aten::linalg_vecdot.out(Tensor x, Tensor y, *, int dim=-1, Tensor(a!) out) -> Tensor(a!)", linalg_vecdot,
           deterministic),
    OP("aten::matrix_power(Tensor self, int n) -> Tensor", matrix_power, deterministic),
    OP_OUT("aten::matrix_power.out(Tensor self, int n, *, Tensor(a!) out) -> Tensor(a!)", matrix_power, deterministic),
    OP("aten::ger(Tensor self, Tensor vec2) -> Tensor", outer, deterministic),
    OP_OUT("aten::ger.out(Tensor self, Tensor vec2, *, Tensor(a!) out) -> Tensor(a!)", outer, deterministic),
    OP("aten::linalg_matmul(Tensor self, Tensor other) -> Tensor", matmul, deterministic),
    OP_OUT("aten::linalg_matmul.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", matmul,
           deterministic),
    OP("aten::linalg_matrix_power(Tensor self, int n) -> Tensor", matrix_power, deterministic),
    OP_OUT("aten::linalg_matrix_power.out(Tensor self, int n, *, Tensor(a!) out) -> Tensor(a!)", matrix_power,
           deterministic),
    OP("aten::_addmm_activation(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, bool "
       "use_gelu=False) -> Tensor",
       addmm_activation, deterministic),
    OP_OUT("aten::_addmm_activation.out(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, "
           "bool use_gelu=False, Tensor(a!) out) -> Tensor(a!)",
           addmm_activation, deterministic),
};

}  // namespace

WICK_OP_FAMILY(kMatmulOps, kEntries)

}  // namespace wick
