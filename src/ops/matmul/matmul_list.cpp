#include "ops/families.h"
#include "ops/matmul/matmul.h"

namespace wick {
namespace {

using namespace ops;

constexpr OpEntry kEntries[] = {
    OP("aten::matmul(Tensor self, Tensor other) -> Tensor", matmul),
    OP_OUT("aten::matmul.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", matmul),
    OP("aten::mm(Tensor self, Tensor mat2) -> Tensor", mm),
    OP_OUT("aten::mm.out(Tensor self, Tensor mat2, *, Tensor(a!) out) -> Tensor(a!)", mm),
    OP("aten::mm.dtype(Tensor self, Tensor mat2, ScalarType out_dtype) -> Tensor", mm_dtype),
    OP_OUT("aten::mm.dtype_out(Tensor self, Tensor mat2, ScalarType out_dtype, *, Tensor(a!) out) -> Tensor(a!)",
           mm_dtype),
    OP("aten::bmm.dtype(Tensor self, Tensor mat2, ScalarType out_dtype) -> Tensor", bmm_dtype),
    OP_OUT("aten::bmm.dtype_out(Tensor self, Tensor mat2, ScalarType out_dtype, *, Tensor(a!) out) -> Tensor(a!)",
           bmm_dtype),
    OP("aten::addmm.dtype(Tensor self, Tensor mat1, Tensor mat2, ScalarType out_dtype, *, Scalar beta=1, Scalar "
       "alpha=1) -> Tensor",
       addmm_dtype),
    OP_OUT("aten::addmm.dtype_out(Tensor self, Tensor mat1, Tensor mat2, ScalarType out_dtype, *, Scalar beta=1, "
           "Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)",
           addmm_dtype),
    OP("aten::baddbmm.dtype(Tensor self, Tensor batch1, Tensor batch2, ScalarType out_dtype, *, Scalar beta=1, Scalar "
       "alpha=1) -> Tensor",
       baddbmm_dtype),
    OP_OUT("aten::baddbmm.dtype_out(Tensor self, Tensor batch1, Tensor batch2, ScalarType out_dtype, *, Scalar "
           "beta=1, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)",
           baddbmm_dtype),
    OP("aten::_int_mm(Tensor self, Tensor mat2) -> Tensor", int_mm),
    OP_OUT("aten::_int_mm.out(Tensor self, Tensor mat2, *, Tensor(a!) out) -> Tensor(a!)", int_mm),
    OP("aten::_weight_int8pack_mm(Tensor self, Tensor mat2, Tensor scales) -> Tensor", weight_int8pack_mm),
    OP("aten::_convert_weight_to_int4pack_for_cpu(Tensor self, int innerKTiles) -> Tensor", convert_weight_to_int4pack),
    OP("aten::_weight_int4pack_mm_for_cpu(Tensor self, Tensor mat2, int qGroupSize, Tensor qScaleAndZeros) -> Tensor",
       weight_int4pack_mm),
    OP("aten::_scaled_mm(Tensor self, Tensor mat2, Tensor scale_a, Tensor scale_b, Tensor? bias=None, Tensor? "
       "scale_result=None, ScalarType? out_dtype=None, bool use_fast_accum=False) -> Tensor",
       scaled_mm),
    OP_OUT("aten::_scaled_mm.out(Tensor self, Tensor mat2, Tensor scale_a, Tensor scale_b, Tensor? bias=None, Tensor? "
           "scale_result=None, ScalarType? out_dtype=None, bool use_fast_accum=False, *, Tensor(a!) out) -> "
           "Tensor(a!)",
           scaled_mm),
    OP("aten::_grouped_mm(Tensor self, Tensor mat2, Tensor? offs=None, Tensor? bias=None, ScalarType? out_dtype=None) "
       "-> Tensor",
       grouped_mm),
    OP("aten::_trilinear(Tensor i1, Tensor i2, Tensor i3, int[] expand1, int[] expand2, int[] expand3, int[] sumdim, "
       "int unroll_dim=1) -> Tensor",
       trilinear),
    OP_OUT("aten::_trilinear.out(Tensor i1, Tensor i2, Tensor i3, int[] expand1, int[] expand2, int[] expand3, int[] "
           "sumdim, int unroll_dim=1, *, Tensor(a!) out) -> Tensor(a!)",
           trilinear),
    OP("aten::bmm(Tensor self, Tensor mat2) -> Tensor", bmm),
    OP_OUT("aten::bmm.out(Tensor self, Tensor mat2, *, Tensor(a!) out) -> Tensor(a!)", bmm),
    OP("aten::addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor", addmm),
    OP_OUT("aten::addmm.out(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, Tensor(a!) out) "
           "-> Tensor(a!)",
           addmm),
    OP_INPLACE("aten::addmm_(Tensor(a!) self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> "
               "Tensor(a!)",
               addmm),
    OP("aten::addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor", addmv),
    OP_OUT("aten::addmv.out(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1, Tensor(a!) out) "
           "-> Tensor(a!)",
           addmv),
    OP_INPLACE("aten::addmv_(Tensor(a!) self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor(a!)",
               addmv),
    OP("aten::addbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor", addbmm),
    OP_OUT("aten::addbmm.out(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1, Tensor(a!) "
           "out) -> Tensor(a!)",
           addbmm),
    OP_INPLACE("aten::addbmm_(Tensor(a!) self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> "
               "Tensor(a!)",
               addbmm),
    OP("aten::baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor", baddbmm),
    OP_OUT("aten::baddbmm.out(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1, "
           "Tensor(a!) out) -> Tensor(a!)",
           baddbmm),
    OP_INPLACE("aten::baddbmm_(Tensor(a!) self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> "
               "Tensor(a!)",
               baddbmm),
    OP("aten::addr(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) -> Tensor", addr),
    OP_OUT("aten::addr.out(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1, Tensor(a!) out) "
           "-> Tensor(a!)",
           addr),
    OP_INPLACE("aten::addr_(Tensor(a!) self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) -> "
               "Tensor(a!)",
               addr),
    OP("aten::mv(Tensor self, Tensor vec) -> Tensor", mv),
    OP_OUT("aten::mv.out(Tensor self, Tensor vec, *, Tensor(a!) out) -> Tensor(a!)", mv),
    OP("aten::dot(Tensor self, Tensor tensor) -> Tensor", dot),
    OP_OUT("aten::dot.out(Tensor self, Tensor tensor, *, Tensor(a!) out) -> Tensor(a!)", dot),
    OP("aten::vdot(Tensor self, Tensor other) -> Tensor", vdot),
    OP_OUT("aten::vdot.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", vdot),
    OP("aten::outer(Tensor self, Tensor vec2) -> Tensor", outer),
    OP_OUT("aten::outer.out(Tensor self, Tensor vec2, *, Tensor(a!) out) -> Tensor(a!)", outer),
    OP("aten::inner(Tensor self, Tensor other) -> Tensor", inner),
    OP_OUT("aten::inner.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", inner),
    OP("aten::linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor", linear),
    OP_OUT("aten::linear.out(Tensor input, Tensor weight, Tensor? bias=None, *, Tensor(a!) out) -> Tensor(a!)", linear),
    OP("aten::bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None) -> Tensor", bilinear),
    OP("aten::chain_matmul(Tensor[] matrices) -> Tensor", chain_matmul),
    OP_OUT("aten::chain_matmul.out(Tensor[] matrices, *, Tensor(a!) out) -> Tensor(a!)", chain_matmul),
    OP("aten::linalg_multi_dot(Tensor[] tensors) -> Tensor", linalg_multi_dot),
    OP_OUT("aten::linalg_multi_dot.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)", linalg_multi_dot),
    OP("aten::einsum(str equation, Tensor[] tensors, *, int[]? path=None) -> Tensor", einsum),
    OP("aten::tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other) -> Tensor", tensordot),
    OP_OUT("aten::tensordot.out(Tensor self, Tensor other, int[] dims_self, int[] dims_other, *, Tensor(a!) out) -> "
           "Tensor(a!)",
           tensordot),
    OP("aten::kron(Tensor self, Tensor other) -> Tensor", kron),
    OP_OUT("aten::kron.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", kron),
    OP("aten::linalg_vecdot(Tensor x, Tensor y, *, int dim=-1) -> Tensor", linalg_vecdot),
    OP_OUT("aten::linalg_vecdot.out(Tensor x, Tensor y, *, int dim=-1, Tensor(a!) out) -> Tensor(a!)", linalg_vecdot),
    OP("aten::matrix_power(Tensor self, int n) -> Tensor", matrix_power),
    OP_OUT("aten::matrix_power.out(Tensor self, int n, *, Tensor(a!) out) -> Tensor(a!)", matrix_power),
    OP("aten::ger(Tensor self, Tensor vec2) -> Tensor", outer),
    OP_OUT("aten::ger.out(Tensor self, Tensor vec2, *, Tensor(a!) out) -> Tensor(a!)", outer),
    OP("aten::linalg_matmul(Tensor self, Tensor other) -> Tensor", matmul),
    OP_OUT("aten::linalg_matmul.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", matmul),
    OP("aten::linalg_matrix_power(Tensor self, int n) -> Tensor", matrix_power),
    OP_OUT("aten::linalg_matrix_power.out(Tensor self, int n, *, Tensor(a!) out) -> Tensor(a!)", matrix_power),
    OP("aten::_addmm_activation(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, bool "
       "use_gelu=False) -> Tensor",
       addmm_activation),
    OP_OUT("aten::_addmm_activation.out(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, "
           "bool use_gelu=False, Tensor(a!) out) -> Tensor(a!)",
           addmm_activation),
};

}  // namespace

WICK_OP_FAMILY(kMatmulOps, kEntries)

}  // namespace wick
