// The operator list of the language's primitives.
#include "core/copy.h"
#include "ops/families.h"
#include "ops/lang/prim.h"
#include "ops/pointwise/pointwise.h"
#include "ops/shape/view.h"

namespace wick {

namespace {

using namespace ops::lang;
using namespace traits;

bool logical_not(bool v) { return !v; }
bool devices_equal(Device a, Device b) { return a == b; }
bool devices_differ(Device a, Device b) { return !(a == b); }
Tensor tensor_of_bool(bool v) { return tensor_of_number(Scalar(v)); }
IValue uninitialized() { return IValue::uninitialized(); }
bool never() { return false; }
bool always() { return true; }
bool never_of_any(Args) { return false; }
// Wick computes no gradients, whatever the switch says: a model sees what it sees in PyTorch's inference mode.
void set_grad_enabled(bool) {}

Tensor abs_of(const Tensor& t) { return ops::abs(t); }

// Views that PyTorch's static runtime wants as copies.
Tensor fresh(const Tensor& view) { return clone(view, MemoryFormat::kContiguous); }
Tensor view_copy(const Tensor& t, IntSpan size) { return fresh(ops::view(t, size)); }
Tensor reshape_copy(const Tensor& t, IntSpan shape) { return fresh(ops::reshape(t, shape)); }
Tensor flatten_copy(const Tensor& t, int64_t start, int64_t end) { return fresh(ops::flatten(t, start, end)); }
Tensor squeeze_copy(const Tensor& t) { return fresh(ops::squeeze(t)); }
Tensor squeeze_dim_copy(const Tensor& t, int64_t dim) { return fresh(ops::squeeze_dim(t, dim)); }
Tensor unsqueeze_copy(const Tensor& t, int64_t dim) { return fresh(ops::unsqueeze(t, dim)); }
Tensor expand_copy(const Tensor& t, IntSpan size, bool implicit) { return fresh(ops::expand_view(t, size, implicit)); }
Tensor expand_as_copy(const Tensor& t, const Tensor& other) { return fresh(ops::expand_as(t, other)); }

constexpr OpEntry kEntries[] = {
    OP("aten::__is__(t1 self, t2 obj) -> bool", is_same_value, shape_query, by_context),
    OP("aten::__isnot__(t1 self, t2 obj) -> bool", is_other_value, shape_query, by_context),
    OP("aten::__not__(bool self) -> bool", logical_not, deterministic),
    OP("aten::_unwrap_optional(t(a)? optional) -> t(a)", unwrap_optional, deterministic),
    OP("prim::unchecked_unwrap_optional(t(a)? optional) -> t(a)", same_value, deterministic),
    OP("prim::unchecked_cast(t x) -> t", same_value, may_alias),
    OP("prim::Uninitialized() -> Any", uninitialized, deterministic),
    OP("prim::TupleIndex(Any tup, int i) -> Any", tuple_item, deterministic),
    OP("prim::IfThenElse(bool cond, Any(a) x, Any(b) y) -> Any(b|a)", if_then_else, deterministic),
    OP("prim::Print(...) -> ()", print),
    OP("aten::warn(str message, int stacklevel=2) -> ()", warn),
    OP("prim::RaiseException(str msg, str? cls=None) -> ()", raise_exception),
    OP("aten::str(t elem) -> str", repr, not_planned, makes_text),
    OP("aten::hash.generic(t value) -> int", ops::lang::hash, not_planned, by_context),
    OP("prim::id(AnyClassType? x) -> int", object_id, not_planned, by_context),
    OP("prim::EnumName(AnyEnumType enum) -> str", enum_name, deterministic),
    OP("prim::EnumValue.int(AnyEnumType enum) -> int", enum_value, deterministic),
    OP("prim::EnumValue.float(AnyEnumType enum) -> float", enum_value, deterministic),
    OP("prim::EnumValue.str(AnyEnumType enum) -> str", enum_value, deterministic),
    OP("aten::eq.enum(AnyEnumType a, AnyEnumType b) -> bool", is_same_value, deterministic),
    OP("aten::ne.enum(AnyEnumType a, AnyEnumType b) -> bool", is_other_value, deterministic),
    OP("prim::ModuleContainerIndex.list(Any self, int ind) -> Any", module_item, deterministic),
    OP("prim::ModuleContainerIndex.dict(Any self, str ind) -> Any", module_entry, deterministic),
    OP("aten::device(str a) -> Device", device_of_text, deterministic),
    OP("aten::device.with_index(str type, int index) -> Device", device_of_parts, deterministic),
    OP("profiler::_record_function_enter_new(str name, str? args=None) -> "
       "__torch__.torch.classes.profiler._RecordFunction",
       record_function_enter),
    OP("profiler::_record_function_exit._RecordFunction(__torch__.torch.classes.profiler._RecordFunction "
       "record) -> ()",
       record_function_exit),
    OP("profiler::_record_function_enter(str name, str? args=None) -> Tensor", record_function_enter_tensor),
    OP("profiler::_record_function_exit(Tensor handle) -> ()", record_function_exit),
    OP("aten::_assert_scalar(Scalar self, str assert_msg) -> ()", assert_scalar, deterministic),
    OP("aten::sym_constrain_range(Scalar size, *, int? min=None, int? max=None) -> ()", constrain_range, deterministic),
    OP("aten::sym_constrain_range_for_size(Scalar size, *, int? min=None, int? max=None) -> ()", constrain_size_range,
       deterministic),
    OP("aten::get_autocast_dtype(str device_type) -> ScalarType", autocast_dtype, deterministic),
    OP("aten::_autocast_to_full_precision(Tensor(a) self, bool cuda_enabled, bool cpu_enabled) -> Tensor(a)",
       autocast_to_full, deterministic),
    OP("aten::_autocast_to_reduced_precision(Tensor(a) self, bool cuda_enabled, bool cpu_enabled, ScalarType "
       "cuda_dtype, ScalarType cpu_dtype) -> Tensor(a)",
       autocast_to_reduced, deterministic),
    OP("aten::_pack_sequence(Tensor output, Tensor batch_sizes, Tensor? sorted_indices, Tensor? "
       "unsorted_indices) -> (Tensor, Tensor, Tensor?, Tensor?)",
       packed_sequence, may_alias),
    OP("prim::type(Device self) -> str", device_type, deterministic),
    OP("prim::index(Device self) -> int?", device_index, deterministic),
    OP("aten::eq.device(Device a, Device b) -> bool", devices_equal, deterministic),
    OP("aten::ne.device(Device a, Device b) -> bool", devices_differ, deterministic),
    OP("aten::wait(Future(t) self) -> t", wait),
    OP("prim::tolist(...) -> ...", to_list, not_planned),
    OP("prim::NumToTensor.Scalar(Scalar a) -> Tensor", tensor_of_number, deterministic),
    OP("prim::NumToTensor.bool(bool a) -> Tensor", tensor_of_bool, deterministic),
    OP("aten::Size(int[] sizes) -> int[]", same_value, deterministic),
    OP("aten::_infer_size(int[] a, int[] b) -> int[]", broadcast_sizes, deterministic),
    OP("aten::_size_if_not_equal(int[] self_size, int[] other_size) -> int[]?", size_if_not_equal, deterministic),
    OP("prim::infer_squeeze_size(int[] a) -> int[]", squeezed_sizes, deterministic),
    OP("prim::infer_squeeze_size.dim(int[] a, int dim) -> int[]", squeezed_sizes_dim, deterministic),
    OP("prim::infer_unsqueeze_size(int[] a, int dim) -> int[]", unsqueezed_sizes, deterministic),
    OP("aten::set_grad_enabled(bool val) -> ()", set_grad_enabled),
    OP("aten::is_grad_enabled() -> bool", never, by_context),
    OP("aten::is_autocast_enabled() -> bool", never, by_context),
    OP("aten::is_autocast_cpu_enabled() -> bool", never, by_context),
    OP("aten::is_scripting() -> bool", always, by_context),
    OP("aten::_get_tracing_state() -> bool", never, deterministic),
    OP("aten::has_torch_function(...) -> bool", never_of_any, deterministic),
    OP("aten::_nnpack_available() -> bool", never, deterministic),
    OP("aten::is_vulkan_available() -> bool", never, by_context),
    OP("aten::_use_cudnn_rnn_flatten_weight() -> bool", never, deterministic),
    OP("prim::abs(Tensor x) -> Tensor", abs_of, deterministic),
    OP("prim::view_copy(Tensor self, int[] size) -> Tensor", view_copy, deterministic),
    OP("prim::reshape_copy(Tensor self, int[] shape) -> Tensor", reshape_copy, deterministic),
    OP("prim::flatten_copy(Tensor self, int start_dim, int end_dim) -> Tensor", flatten_copy, deterministic),
    OP("prim::squeeze_copy(Tensor self) -> Tensor", squeeze_copy, deterministic),
    OP("prim::squeeze_copy.dim(Tensor self, int dim) -> Tensor", squeeze_dim_copy, deterministic),
    OP("prim::unsqueeze_copy(Tensor self, int dim) -> Tensor", unsqueeze_copy, deterministic),
    OP("prim::expand_copy(Tensor self, int[] size, *, bool implicit=False) -> Tensor", expand_copy, deterministic),
    OP("prim::expand_as_copy(Tensor self, Tensor other) -> Tensor", expand_as_copy, deterministic),
};

}  // namespace

WICK_OP_FAMILY(kPrimOps, kEntries)

}  // namespace wick
