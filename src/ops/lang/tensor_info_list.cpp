// The operator list of tensor metadata.
#include "core/shape.h"
#include "core/tensor_impl.h"
#include "ops/families.h"
#include "ops/lang/number.h"
#include "ops/lang/tensor_info.h"
#include "ops/nn/attention.h"

namespace wick {

namespace {

using namespace ops::lang;
using namespace traits;

int64_t dim_of(const Tensor& t) { return t.dim(); }
int64_t numel_of(const Tensor& t) { return t.numel(); }
int64_t storage_offset_of(const Tensor& t) { return t.storage_offset(); }
int64_t element_size(const Tensor& t) { return static_cast<int64_t>(t.itemsize()); }
int64_t bytes_of(const Tensor& t) { return t.numel() * element_size(t); }
bool is_contiguous_of(const Tensor& t) { return t.is_contiguous(); }
bool is_dense(const Tensor& t) { return t.is_non_overlapping_and_dense(); }
bool has_floating_dtype(const Tensor& t) { return is_floating(t.dtype()); }
bool has_complex_dtype(const Tensor& t) { return is_complex(t.dtype()); }
bool has_signed_dtype(const Tensor& t) {
  const DType d = t.dtype();
  return d != DType::kByte && d != DType::kBool && d != DType::kQUInt8 && !(d >= DType::kUInt16 && d <= DType::kUInt64);
}
bool has_quantized_dtype(const Tensor& t) { return t.is_quantized(); }
bool requires_grad_of(const Tensor& t) { return t.requires_grad(); }
bool have_same_size(const Tensor& a, const Tensor& b) { return a.sizes() == b.sizes(); }
bool have_same_storage_size(const Tensor& a, const Tensor& b) {
  return a.storage()->nbytes() / a.itemsize() == b.storage()->nbytes() / b.itemsize();
}
bool yes(const Tensor&) { return true; }
bool no(const Tensor&) { return false; }
bool yes_pair(const Tensor&, const Tensor&) { return true; }
bool not_pinned(const Tensor&, const std::optional<Device>&) { return false; }
int64_t zero(const Tensor&) { return 0; }
int64_t no_device(const Tensor&) { return -1; }
Device device_of(const Tensor& t) { return t.device(); }
DType dtype_of(const Tensor& t) { return t.dtype(); }
int64_t layout_of(const Tensor&) { return static_cast<int64_t>(Layout::kStrided); }
IValue none_of(const Tensor&) { return IValue(); }
void nothing(const Tensor&) {}
DType promoted(DType a, DType b) { return promote_types(a, b); }
bool castable(DType from, DType to) { return can_cast(from, to); }

constexpr OpEntry kEntries[] = {
    OP("aten::size(Tensor self) -> int[]", sizes_of, shape_query),
    OP("aten::size.int(Tensor self, int dim) -> int", size_of_dim, shape_query),
    OP("aten::stride(Tensor self) -> int[]", strides_of, shape_query),
    OP("aten::stride.int(Tensor self, int dim) -> int", stride_of_dim, shape_query),
    OP("aten::sym_size(Tensor self) -> SymInt[]", sizes_of, shape_query),
    OP("aten::sym_size.int(Tensor self, int dim) -> SymInt", size_of_dim, shape_query),
    OP("aten::sym_stride(Tensor self) -> SymInt[]", strides_of, deterministic),
    OP("aten::sym_stride.int(Tensor self, int dim) -> SymInt", stride_of_dim, deterministic),
    OP("aten::sym_numel(Tensor self) -> SymInt", numel_of, deterministic),
    OP("aten::sym_storage_offset(Tensor self) -> SymInt", storage_offset_of, deterministic),
    OP("aten::dim(Tensor self) -> int", dim_of, shape_query),
    OP("aten::numel(Tensor self) -> int", numel_of, shape_query),
    OP("aten::len.Tensor(Tensor t) -> int", length_of_tensor, shape_query),
    OP("aten::storage_offset(Tensor self) -> int", storage_offset_of, deterministic),
    OP("aten::element_size(Tensor self) -> int", element_size, shape_query),
    OP("prim::itemsize(Tensor a) -> int", element_size, shape_query),
    OP("prim::nbytes(Tensor a) -> int", bytes_of, shape_query),
    OP("aten::is_contiguous(Tensor self) -> bool", is_contiguous_of, shape_query),
    OP("aten::is_contiguous.memory_format(Tensor self, MemoryFormat memory_format) -> bool", is_contiguous_as,
       shape_query),
    OP("aten::is_strides_like_format(Tensor self, MemoryFormat memory_format) -> bool", is_strides_like, deterministic),
    OP("aten::is_non_overlapping_and_dense(Tensor self) -> bool", is_dense, deterministic),
    OP("aten::is_floating_point(Tensor self) -> bool", has_floating_dtype, shape_query),
    OP("aten::is_complex(Tensor self) -> bool", has_complex_dtype, shape_query),
    OP("aten::is_signed(Tensor self) -> bool", has_signed_dtype, shape_query),
    OP("aten::is_nonzero(Tensor self) -> bool", bool_of_tensor, data_dependent_output),
    OP("aten::is_same_size(Tensor self, Tensor other) -> bool", have_same_size, shape_query),
    OP("aten::_has_same_storage_numel(Tensor self, Tensor other) -> bool", have_same_storage_size, deterministic),
    OP("aten::_has_compatible_shallow_copy_type(Tensor self, Tensor from) -> bool", yes_pair, deterministic),
    OP("aten::is_set_to(Tensor self, Tensor tensor) -> bool", is_set_to, deterministic),
    OP("aten::item(Tensor self) -> Scalar", item, data_dependent_output),
    OP("aten::_local_scalar_dense(Tensor self) -> Scalar", first_element, data_dependent_output),
    OP("aten::_tensor_to_list(Tensor self) -> int[]", ints_of_tensor, deterministic),
    OP("aten::_list_to_tensor(int[] self) -> Tensor", tensor_of_ints, deterministic),
    OP("aten::data(Tensor self) -> Tensor", without_grad, may_alias),
    OP("prim::data(Tensor(a) a) -> Tensor(a)", without_grad, deterministic),
    OP("prim::grad(Tensor a) -> Tensor(*)", none_of, deterministic),
    OP("prim::name(Tensor a) -> str?", none_of, deterministic),
    OP("prim::device(Tensor a) -> Device", device_of, shape_query),
    OP("prim::dtype(Tensor a) -> int", dtype_of, shape_query),
    OP("prim::layout(Tensor a) -> Layout", layout_of, shape_query),
    OP("prim::requires_grad(Tensor a) -> bool", requires_grad_of, by_context),
    OP("aten::requires_grad_(Tensor(a!) self, bool requires_grad=True) -> Tensor(a!)", set_requires_grad),
    OP("prim::is_cpu(Tensor a) -> bool", yes, shape_query),
    OP("prim::is_cuda(Tensor a) -> bool", no, shape_query),
    OP("prim::is_ipu(Tensor a) -> bool", no, deterministic),
    OP("prim::is_meta(Tensor a) -> bool", no, shape_query),
    OP("prim::is_mkldnn(Tensor a) -> bool", no, shape_query),
    OP("prim::is_mps(Tensor a) -> bool", no, shape_query),
    OP("prim::is_nested(Tensor a) -> bool", ops::is_nested, shape_query),
    OP("prim::is_ort(Tensor a) -> bool", no, deterministic),
    OP("prim::is_quantized(Tensor a) -> bool", has_quantized_dtype, shape_query),
    OP("prim::is_sparse(Tensor a) -> bool", no, shape_query),
    OP("prim::is_sparse_csr(Tensor a) -> bool", no, shape_query),
    OP("aten::sparse_dim(Tensor self) -> int", sparse_dim, deterministic),
    OP("aten::dense_dim(Tensor self) -> int", dense_dim, deterministic),
    OP("aten::is_coalesced(Tensor self) -> bool", is_coalesced, deterministic),
    OP("aten::coalesce(Tensor(a) self) -> Tensor(a)", coalesce, deterministic),
    OP("aten::broadcast_shapes(int[] a, int[] b) -> int[]", broadcast_shapes, deterministic),
    OP("prim::is_vulkan(Tensor a) -> bool", no, shape_query),
    OP("prim::is_xpu(Tensor a) -> bool", no, shape_query),
    OP("prim::is_xla(Tensor a) -> bool", no, deterministic),
    OP("prim::is_maia(Tensor a) -> bool", no, deterministic),
    OP("prim::is_mtia(Tensor a) -> bool", no, deterministic),
    OP("aten::is_leaf(Tensor self) -> bool", yes, deterministic),
    OP("aten::retains_grad(Tensor self) -> bool", no, deterministic),
    OP("aten::retain_grad(Tensor(a!) self) -> ()", nothing),
    OP("aten::output_nr(Tensor self) -> int", zero, deterministic),
    OP("aten::_version(Tensor self) -> int", zero, deterministic),
    OP("aten::get_device(Tensor self) -> int", no_device, deterministic),
    OP("aten::is_pinned(Tensor self, Device? device=None) -> bool", not_pinned, deterministic),
    OP("aten::is_conj(Tensor self) -> bool", no, deterministic),
    OP("aten::is_neg(Tensor self) -> bool", no, deterministic),
    OP("aten::_is_zerotensor(Tensor self) -> bool", no, deterministic),
    OP("aten::is_inference(Tensor self) -> bool", no, deterministic),
    OP("aten::is_distributed(Tensor self) -> bool", no, deterministic),
    OP("aten::cudnn_is_acceptable(Tensor self) -> bool", no, deterministic),
    OP("aten::promote_types(ScalarType type1, ScalarType type2) -> ScalarType", promoted, deterministic),
    OP("aten::can_cast(ScalarType from, ScalarType to) -> bool", castable, shape_query),
    OP("aten::result_type.Tensor(Tensor tensor, Tensor other) -> ScalarType", result_type_of_tensors, shape_query),
    OP("aten::result_type.Scalar(Tensor tensor, Scalar other) -> ScalarType", result_type_of_tensor_scalar,
       shape_query),
    OP("aten::result_type.Scalar_Tensor(Scalar scalar, Tensor tensor) -> ScalarType", result_type_of_scalar_tensor,
       shape_query),
    OP("aten::result_type.Scalar_Scalar(Scalar scalar1, Scalar scalar2) -> ScalarType", result_type_of_scalars,
       shape_query),
    OP("aten::_assert_tensor_metadata(Tensor a, int[]? size=None, int[]? stride=None, ScalarType? dtype=None, "
       "*, Device? device=None, Layout? layout=None) -> ()",
       assert_metadata, deterministic),
    OP("aten::_assert_async(Tensor self) -> ()", assert_true, deterministic),
    OP("aten::_assert_async.msg(Tensor self, str assert_msg) -> ()", assert_true_or, deterministic),
};

}  // namespace

WICK_OP_FAMILY(kTensorInfoOps, kEntries)

}  // namespace wick
