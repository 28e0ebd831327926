#include "ops/families.h"
#include "ops/shape/copy_ops.h"
#include "ops/shape/view.h"

namespace wick {

namespace {

using namespace ops;

constexpr OpEntry kEntries[] = {
    OP("aten::to.device(Tensor(a) self, Device device, ScalarType dtype, bool non_blocking=False, bool copy=False, "
       "MemoryFormat? memory_format=None) -> Tensor(a)",
       to_device),
    OP("aten::to.dtype(Tensor(a) self, ScalarType dtype, bool non_blocking=False, bool copy=False, MemoryFormat? "
       "memory_format=None) -> Tensor(a)",
       to_type),
    OP("aten::to.other(Tensor(a) self, Tensor other, bool non_blocking=False, bool copy=False, MemoryFormat? "
       "memory_format=None) -> Tensor(a)",
       to_other),
    OP("aten::to.dtype_layout(Tensor(a) self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
       "bool? pin_memory=None, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> "
       "Tensor(a)",
       to_options),
    OP("aten::to.prim_Device(Tensor(a) self, Device? device, int? dtype=None, bool non_blocking=False, bool "
       "copy=False) -> Tensor(b|a)",
       to_prim_device),
    OP("aten::to.prim_dtype(Tensor(a) self, int? dtype=None, bool non_blocking=False, bool copy=False) -> Tensor(b|a)",
       to_prim_dtype),
    OP("aten::to.prim_other(Tensor(a) self, bool non_blocking=False, bool copy=False) -> Tensor(b|a)", to_prim_other),
    OP("aten::_to_copy(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
       "pin_memory=None, bool non_blocking=False, MemoryFormat? memory_format=None) -> Tensor",
       to_copy_options),
    OP_OUT("aten::_to_copy.out(Tensor self, *, bool non_blocking=False, MemoryFormat? memory_format=None, "
           "Tensor(a!) out) -> Tensor(a!)",
           to_copy_out),
    OP("aten::chalf(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor", cast_complex_half),
    OP("aten::to_dense(Tensor self, ScalarType? dtype=None, *, bool? masked_grad=None) -> Tensor", to_dense),
    OP("aten::type_as(Tensor self, Tensor other) -> Tensor", type_as),
    OP("aten::_cast_Byte(Tensor self, bool non_blocking=False) -> Tensor", cast_byte),
    OP("aten::_cast_Char(Tensor self, bool non_blocking=False) -> Tensor", cast_char),
    OP("aten::_cast_Short(Tensor self, bool non_blocking=False) -> Tensor", cast_short),
    OP("aten::_cast_Int(Tensor self, bool non_blocking=False) -> Tensor", cast_int),
    OP("aten::_cast_Long(Tensor self, bool non_blocking=False) -> Tensor", cast_long),
    OP("aten::_cast_Half(Tensor self, bool non_blocking=False) -> Tensor", cast_half),
    OP("aten::_cast_Float(Tensor self, bool non_blocking=False) -> Tensor", cast_float),
    OP("aten::_cast_Double(Tensor self, bool non_blocking=False) -> Tensor", cast_double),
    OP("aten::cpu(Tensor(a) self) -> Tensor(b|a)", identity),
    OP("aten::cuda(Tensor(a) self) -> Tensor(b|a)", identity),
    OP("aten::pin_memory(Tensor(a) self, Device? device=None) -> Tensor(a)", pin_memory),
    OP("aten::_pin_memory(Tensor self, Device? device=None) -> Tensor", pin_memory),
    OP("aten::clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor", clone_tensor),
    OP_OUT("aten::clone.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)",
           clone_tensor),
    OP("aten::contiguous(Tensor(a) self, *, MemoryFormat memory_format=0) -> Tensor(a)", contiguous_tensor),
    OP("aten::copy_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)", copy_inplace),
    OP("aten::copy_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", copy_inplace_tensor),
    OP("aten::copy_.int(Tensor(a!) self, int other) -> Tensor(a!)", copy_inplace_int),
    OP("aten::copy_.float(Tensor(a!) self, float other) -> Tensor(a!)", copy_inplace_float),
    OP("aten::copy(Tensor self, Tensor src, bool non_blocking=False) -> Tensor", copy_functional),
    OP_OUT("aten::copy.out(Tensor self, Tensor src, bool non_blocking=False, *, Tensor(a!) out) -> Tensor(a!)",
           copy_functional),
    OP_INPLACE("aten::_no_grad_fill_(Tensor(a!) tensor, float val) -> Tensor(a!)", fill_number),
    OP_INPLACE("aten::_no_grad_zero_(Tensor(a!) tensor) -> Tensor(a!)", zero),
    OP("aten::_lazy_clone(Tensor self) -> Tensor", plain_clone),
    OP("aten::_reshape_copy(Tensor self, SymInt[] size) -> Tensor", reshaped_clone),
    OP("aten::fill.Scalar(Tensor self, Scalar value) -> Tensor", fill_scalar),
    OP_INPLACE("aten::fill_.Scalar(Tensor(a!) self, Scalar value) -> Tensor(a!)", fill_scalar),
    OP_OUT("aten::fill.Scalar_out(Tensor self, Scalar value, *, Tensor(a!) out) -> Tensor(a!)", fill_scalar),
    OP("aten::fill.Tensor(Tensor self, Tensor value) -> Tensor", fill_tensor),
    OP_INPLACE("aten::fill_.Tensor(Tensor(a!) self, Tensor value) -> Tensor(a!)", fill_tensor),
    OP_OUT("aten::fill.Tensor_out(Tensor self, Tensor value, *, Tensor(a!) out) -> Tensor(a!)", fill_tensor),
    OP("aten::zero(Tensor self) -> Tensor", zero),
    OP_INPLACE("aten::zero_(Tensor(a!) self) -> Tensor(a!)", zero),
    OP_OUT("aten::zero.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", zero),
    OP("aten::masked_fill.Scalar(Tensor self, Tensor mask, Scalar value) -> Tensor", masked_fill),
    OP("aten::masked_fill_.Scalar(Tensor(a!) self, Tensor mask, Scalar value) -> Tensor(a!)", masked_fill_inplace),
    OP_OUT("aten::masked_fill.Scalar_out(Tensor self, Tensor mask, Scalar value, *, Tensor(a!) out) -> Tensor(a!)",
           masked_fill),
    OP("aten::masked_fill.Tensor(Tensor self, Tensor mask, Tensor value) -> Tensor", masked_fill_tensor),
    OP("aten::masked_fill_.Tensor(Tensor(a!) self, Tensor mask, Tensor value) -> Tensor(a!)",
       masked_fill_tensor_inplace),
    OP_OUT("aten::masked_fill.Tensor_out(Tensor self, Tensor mask, Tensor value, *, Tensor(a!) out) -> Tensor(a!)",
           masked_fill_tensor),
    OP("aten::masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor", masked_scatter),
    OP("aten::masked_scatter_(Tensor(a!) self, Tensor mask, Tensor source) -> Tensor(a!)", masked_scatter_inplace),
    OP_OUT("aten::masked_scatter.out(Tensor self, Tensor mask, Tensor source, *, Tensor(a!) out) -> Tensor(a!)",
           masked_scatter),
    OP("aten::masked_select(Tensor self, Tensor mask) -> Tensor", masked_select),
    OP_OUT("aten::masked_select.out(Tensor self, Tensor mask, *, Tensor(a!) out) -> Tensor(a!)", masked_select),
    OP("aten::fill_diagonal_(Tensor(a!) self, Scalar fill_value, bool wrap=False) -> Tensor(a!)",
       fill_diagonal_inplace),
};

}  // namespace

WICK_OP_FAMILY(kCopyOps, kEntries)

}  // namespace wick
