// The operator list of copies and conversions.
#include "ops/families.h"
#include "ops/shape/copy_ops.h"
#include "ops/shape/view.h"

namespace wick {

namespace {

using namespace ops;
using namespace traits;

constexpr OpEntry kEntries[] = {
    OP("aten::to.device(Tensor(a) self, Device device, ScalarType dtype, bool non_blocking=False, bool copy=False, "
       "MemoryFormat? memory_format=None) -> Tensor(a)",
       to_device, shapes_only),
    OP("aten::to.dtype(Tensor(a) self, ScalarType dtype, bool non_blocking=False, bool copy=False, MemoryFormat? "
       "memory_format=None) -> Tensor(a)",
       to_type, shapes_only),
    OP("aten::to.other(Tensor(a) self, Tensor other, bool non_blocking=False, bool copy=False, MemoryFormat? "
       "memory_format=None) -> Tensor(a)",
       to_other, shapes_only),
    OP("aten::to.dtype_layout(Tensor(a) self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
       "bool? pin_memory=None, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> "
       "Tensor(a)",
       to_options, shapes_only),
    OP("aten::to.prim_Device(Tensor(a) self, Device? device, int? dtype=None, bool non_blocking=False, bool "
       "copy=False) -> Tensor(b|a)",
       to_prim_device, shapes_only),
    OP("aten::to.prim_dtype(Tensor(a) self, int? dtype=None, bool non_blocking=False, bool copy=False) -> Tensor(b|a)",
       to_prim_dtype, shapes_only),
    OP("aten::to.prim_other(Tensor(a) self, bool non_blocking=False, bool copy=False) -> Tensor(b|a)", to_prim_other,
       shapes_only),
    OP("aten::_to_copy(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
       "pin_memory=None, bool non_blocking=False, MemoryFormat? memory_format=None) -> Tensor",
       to_copy_options, deterministic),
    OP_OUT("aten::_to_copy.out(Tensor self, *, bool non_blocking=False, MemoryFormat? memory_format=None, "
           "Tensor(a!) out) -> Tensor(a!)",
           to_copy_out, deterministic),
    OP("aten::chalf(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor", cast_complex_half, may_alias),
    OP("aten::to_dense(Tensor self, ScalarType? dtype=None, *, bool? masked_grad=None) -> Tensor", to_dense, may_alias),
    OP("aten::type_as(Tensor self, Tensor other) -> Tensor", type_as, may_alias, shapes_only),
    OP("aten::_cast_Byte(Tensor self, bool non_blocking=False) -> Tensor", cast_byte, may_alias),
    OP("aten::_cast_Char(Tensor self, bool non_blocking=False) -> Tensor", cast_char, may_alias),
    OP("aten::_cast_Short(Tensor self, bool non_blocking=False) -> Tensor", cast_short, may_alias),
    OP("aten::_cast_Int(Tensor self, bool non_blocking=False) -> Tensor", cast_int, may_alias),
    OP("aten::_cast_Long(Tensor self, bool non_blocking=False) -> Tensor", cast_long, may_alias),
    OP("aten::_cast_Half(Tensor self, bool non_blocking=False) -> Tensor", cast_half, may_alias),
    OP("aten::_cast_Float(Tensor self, bool non_blocking=False) -> Tensor", cast_float, may_alias),
    OP("aten::_cast_Double(Tensor self, bool non_blocking=False) -> Tensor", cast_double, may_alias),
    OP("aten::cpu(Tensor(a) self) -> Tensor(b|a)", identity, may_alias),
    OP("aten::cuda(Tensor(a) self) -> Tensor(b|a)", identity, deterministic),
    OP("aten::pin_memory(Tensor(a) self, Device? device=None) -> Tensor(a)", pin_memory, deterministic),
    OP("aten::_pin_memory(Tensor self, Device? device=None) -> Tensor", pin_memory, may_alias),
    OP("aten::clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor", clone_tensor, pointwise,
       keeps_qparams),
    OP_OUT("aten::clone.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)",
           clone_tensor, pointwise),
    OP("aten::contiguous(Tensor(a) self, *, MemoryFormat memory_format=0) -> Tensor(a)", contiguous_tensor, shapes_only,
       rounds_never, keeps_qparams, keeps_rank),
    OP("aten::copy_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)", copy_inplace, shapes_only),
    OP("aten::copy_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", copy_inplace_tensor, shapes_only),
    OP("aten::copy_.int(Tensor(a!) self, int other) -> Tensor(a!)", copy_inplace_int, shapes_only),
    OP("aten::copy_.float(Tensor(a!) self, float other) -> Tensor(a!)", copy_inplace_float, shapes_only),
    OP("aten::copy(Tensor self, Tensor src, bool non_blocking=False) -> Tensor", copy_functional, may_alias),
    OP_OUT("aten::copy.out(Tensor self, Tensor src, bool non_blocking=False, *, Tensor(a!) out) -> Tensor(a!)",
           copy_functional, deterministic),
    OP_INPLACE("aten::_no_grad_fill_(Tensor(a!) tensor, float val) -> Tensor(a!)", fill_number, deterministic),
    OP_INPLACE("aten::_no_grad_zero_(Tensor(a!) tensor) -> Tensor(a!)", zero, deterministic),
    OP("aten::_lazy_clone(Tensor self) -> Tensor", plain_clone, deterministic),
    OP("aten::_reshape_copy(Tensor self, SymInt[] size) -> Tensor", reshaped_clone, deterministic),
    OP("aten::fill.Scalar(Tensor self, Scalar value) -> Tensor", fill_scalar, deterministic),
    OP_INPLACE("aten::fill_.Scalar(Tensor(a!) self, Scalar value) -> Tensor(a!)", fill_scalar, deterministic),
    OP_OUT("aten::fill.Scalar_out(Tensor self, Scalar value, *, Tensor(a!) out) -> Tensor(a!)", fill_scalar,
           deterministic),
    OP("aten::fill.Tensor(Tensor self, Tensor value) -> Tensor", fill_tensor, deterministic),
    OP_INPLACE("aten::fill_.Tensor(Tensor(a!) self, Tensor value) -> Tensor(a!)", fill_tensor, deterministic),
    OP_OUT("aten::fill.Tensor_out(Tensor self, Tensor value, *, Tensor(a!) out) -> Tensor(a!)", fill_tensor,
           deterministic),
    OP("aten::zero(Tensor self) -> Tensor", zero, deterministic),
    OP_INPLACE("aten::zero_(Tensor(a!) self) -> Tensor(a!)", zero, deterministic),
    OP_OUT("aten::zero.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", zero, deterministic),
    OP("aten::masked_fill.Scalar(Tensor self, Tensor mask, Scalar value) -> Tensor", masked_fill, shapes_only),
    OP("aten::masked_fill_.Scalar(Tensor(a!) self, Tensor mask, Scalar value) -> Tensor(a!)", masked_fill_inplace,
       shapes_only),
    OP_OUT("aten::masked_fill.Scalar_out(Tensor self, Tensor mask, Scalar value, *, Tensor(a!) out) -> Tensor(a!)",
           masked_fill, shapes_only),
    OP("aten::masked_fill.Tensor(Tensor self, Tensor mask, Tensor value) -> Tensor", masked_fill_tensor, shapes_only),
    OP("aten::masked_fill_.Tensor(Tensor(a!) self, Tensor mask, Tensor value) -> Tensor(a!)",
       masked_fill_tensor_inplace, shapes_only),
    OP_OUT("aten::masked_fill.Tensor_out(Tensor self, Tensor mask, Tensor value, *, Tensor(a!) out) -> Tensor(a!)",
           masked_fill_tensor, shapes_only),
    OP("aten::masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor", masked_scatter, deterministic),
    OP("aten::masked_scatter_(Tensor(a!) self, Tensor mask, Tensor source) -> Tensor(a!)", masked_scatter_inplace,
       deterministic),
    OP_OUT("aten::masked_scatter.out(Tensor self, Tensor mask, Tensor source, *, Tensor(a!) out) -> Tensor(a!)",
           masked_scatter, deterministic),
    OP("aten::masked_select(Tensor self, Tensor mask) -> Tensor", masked_select, dynamic_output_shape),
    OP_OUT("aten::masked_select.out(Tensor self, Tensor mask, *, Tensor(a!) out) -> Tensor(a!)", masked_select,
           dynamic_output_shape),
    OP("aten::fill_diagonal_(Tensor(a!) self, Scalar fill_value, bool wrap=False) -> Tensor(a!)", fill_diagonal_inplace,
       deterministic),
};

}  // namespace

WICK_OP_FAMILY(kCopyOps, kEntries)

}  // namespace wick
