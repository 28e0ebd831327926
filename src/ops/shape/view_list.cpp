#include "core/copy.h"
#include "ops/families.h"
#include "ops/shape/view.h"

namespace wick {

namespace {

using namespace ops;

// The copying form of a view operator.
template <auto Fn>
struct CopyOf;
template <class... P, Tensor (*Fn)(P...)>
struct CopyOf<Fn> {
  static Tensor call(P... args) { return wick::clone(Fn(args...)); }
};
// The same in row-major order.
template <auto Fn>
struct DenseCopyOf;
template <class... P, Tensor (*Fn)(P...)>
struct DenseCopyOf<Fn> {
  static Tensor call(P... args) { return wick::clone(Fn(args...), MemoryFormat::kContiguous); }
};
template <auto Fn>
struct CopiesOf;
template <class... P, TensorList (*Fn)(P...)>
struct CopiesOf<Fn> {
  static TensorList call(P... args) {
    TensorList out = Fn(args...);
    for (Tensor& t : out) t = wick::clone(t);
    return out;
  }
};
// Copies into a list of tensors, one for each part.
template <auto Fn>
struct ListOut;
template <class... P, TensorList (*Fn)(P...)>
struct ListOut<Fn> {
  static void call(P... args, const TensorList& out) {
    const TensorList parts = Fn(args...);
    WICK_CHECK(parts.size() == out.size(), kInvalidArgument, "expected ", parts.size(), " out tensors, got ",
               out.size());
    for (size_t i = 0; i < parts.size(); ++i) assign_out(out[i], parts[i]);
  }
};

constexpr OpEntry kEntries[] = {
    OP("aten::view(Tensor(a) self, SymInt[] size) -> Tensor(a)", view),
    OP("aten::view.dtype(Tensor(a) self, ScalarType dtype) -> Tensor(a)", view_dtype),
    OP("aten::view_as(Tensor(a) self, Tensor other) -> Tensor(a)", view_as),
    OP("aten::reshape(Tensor(a) self, SymInt[] shape) -> Tensor(a)", reshape),
    OP("aten::reshape_as(Tensor(a) self, Tensor other) -> Tensor(a)", reshape_as),
    OP("aten::_unsafe_view(Tensor self, SymInt[] size) -> Tensor", view),
    OP_OUT("aten::_unsafe_view.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)", view),
    OP("aten::_reshape_alias(Tensor(a) self, SymInt[] size, SymInt[] stride) -> Tensor(a)", reshape_alias),
    OP("aten::flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a)", flatten),
    OP("aten::ravel(Tensor(a) self) -> Tensor(a)", ravel),
    OP("aten::unflatten.int(Tensor(a) self, int dim, int[] sizes) -> Tensor(a)", unflatten),
    OP("aten::squeeze(Tensor(a) self) -> Tensor(a)", squeeze),
    OP("aten::squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)", squeeze_dim),
    OP("aten::squeeze.dims(Tensor(a) self, int[] dim) -> Tensor(a)", squeeze_dims),
    OP("aten::squeeze_.dims(Tensor(a!) self, int[] dim) -> Tensor(a!)", squeeze_dims_inplace),
    OP("aten::squeeze_(Tensor(a!) self) -> Tensor(a!)", squeeze_inplace),
    OP("aten::squeeze_.dim(Tensor(a!) self, int dim) -> Tensor(a!)", squeeze_dim_inplace),
    OP("aten::unsqueeze(Tensor(a) self, int dim) -> Tensor(a)", unsqueeze),
    OP("aten::unsqueeze_(Tensor(a!) self, int dim) -> Tensor(a!)", unsqueeze_inplace),
    OP("aten::transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)", transpose),
    OP("aten::transpose_(Tensor(a!) self, int dim0, int dim1) -> Tensor(a!)", transpose_inplace),
    OP("aten::swapaxes(Tensor(a) self, int axis0, int axis1) -> Tensor(a)", transpose),
    OP("aten::swapaxes_(Tensor(a!) self, int axis0, int axis1) -> Tensor(a!)", transpose_inplace),
    OP("aten::swapdims(Tensor(a) self, int dim0, int dim1) -> Tensor(a)", transpose),
    OP("aten::swapdims_(Tensor(a!) self, int dim0, int dim1) -> Tensor(a!)", transpose_inplace),
    OP("aten::t(Tensor(a) self) -> Tensor(a)", t),
    OP("aten::t_(Tensor(a!) self) -> Tensor(a!)", t_inplace),
    OP("aten::permute(Tensor(a) self, int[] dims) -> Tensor(a)", permute),
    OP("aten::movedim.int(Tensor(a) self, int source, int destination) -> Tensor(a)", movedim),
    OP("aten::movedim.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)", movedim_list),
    OP("aten::moveaxis.int(Tensor(a) self, int source, int destination) -> Tensor(a)", movedim),
    OP("aten::moveaxis.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)", movedim_list),
    OP("aten::numpy_T(Tensor(a) self) -> Tensor(a)", numpy_T),
    OP("aten::numpy_T.a(Tensor(a) self) -> Tensor(a)", numpy_T),
    OP("aten::mT(Tensor(a) self) -> Tensor(a)", matrix_transpose),
    OP("aten::mT.a(Tensor(a) self) -> Tensor(a)", matrix_transpose),
    OP("aten::mH(Tensor(a) self) -> Tensor(a)", matrix_conj_transpose),
    OP("aten::mH.a(Tensor(a) self) -> Tensor(a)", matrix_conj_transpose),
    OP("aten::matrix_H(Tensor(a) self) -> Tensor(a)", matrix_H),
    OP("aten::matrix_H.a(Tensor(a) self) -> Tensor(a)", matrix_H),
    OP("aten::adjoint(Tensor(a) self) -> Tensor(a)", adjoint),
    OP("aten::expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> Tensor(a)", expand_view),
    OP("aten::expand_as(Tensor(a) self, Tensor other) -> Tensor(a)", expand_as),
    OP("aten::broadcast_to(Tensor(a) self, int[] size) -> Tensor(a)", broadcast_to),
    OP("aten::broadcast_tensors(Tensor[] tensors) -> Tensor[]", broadcast_tensors),
    OP("aten::meshgrid(Tensor[] tensors) -> Tensor[]", meshgrid),
    OP("aten::meshgrid.indexing(Tensor[] tensors, *, str indexing) -> Tensor[]", meshgrid_indexing),
    OP("aten::atleast_1d(Tensor self) -> Tensor", atleast_1d),
    OP("aten::atleast_1d.Sequence(Tensor[] tensors) -> Tensor[]", atleast_1d_list),
    OP("aten::atleast_2d(Tensor self) -> Tensor", atleast_2d),
    OP("aten::atleast_2d.Sequence(Tensor[] tensors) -> Tensor[]", atleast_2d_list),
    OP("aten::atleast_3d(Tensor self) -> Tensor", atleast_3d),
    OP("aten::atleast_3d.Sequence(Tensor[] tensors) -> Tensor[]", atleast_3d_list),
    OP("aten::select.int(Tensor(a) self, int dim, int index) -> Tensor(a)", select),
    OP("aten::slice.Tensor(Tensor(a) self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> "
       "Tensor(a)",
       slice),
    OP("aten::narrow(Tensor(a) self, int dim, int start, int length) -> Tensor(a)", narrow),
    OP("aten::narrow.Tensor(Tensor(a) self, int dim, Tensor start, int length) -> Tensor(a)", narrow_tensor),
    OP("aten::as_strided(Tensor(a) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a)",
       as_strided),
    OP("aten::as_strided_(Tensor(a!) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a!)",
       as_strided_inplace),
    OP("aten::diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)", diagonal),
    OP("aten::linalg_diagonal(Tensor(a) A, *, int offset=0, int dim1=-2, int dim2=-1) -> Tensor(a)", diagonal),
    OP("aten::unfold(Tensor(a) self, int dimension, int size, int step) -> Tensor(a)", unfold),
    OP("aten::split.Tensor(Tensor(a -> *) self, int split_size, int dim=0) -> Tensor(a)[]", split),
    OP("aten::split.sizes(Tensor(a -> *) self, int[] split_size, int dim=0) -> Tensor(a)[]", split_with_sizes),
    OP("aten::split(Tensor(a -> *) self, int[] split_sizes, int dim=0) -> Tensor(a)[]", split_with_sizes),
    OP("aten::split_with_sizes(Tensor(a -> *) self, int[] split_sizes, int dim=0) -> Tensor(a)[]", split_with_sizes),
    OP("aten::unsafe_split.Tensor(Tensor self, int split_size, int dim=0) -> Tensor[]", split),
    OP("aten::unsafe_split.Tensor_out(Tensor self, int split_size, int dim=0, *, Tensor(a!)[] out) -> ()",
       ListOut<split>::call),
    OP("aten::unsafe_split_with_sizes(Tensor self, int[] split_sizes, int dim=0) -> Tensor[]", split_with_sizes),
    OP("aten::unsafe_split_with_sizes.out(Tensor self, int[] split_sizes, int dim=0, *, Tensor(a!)[] out) -> ()",
       ListOut<split_with_sizes>::call),
    OP("aten::chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]", chunk),
    OP("aten::unsafe_chunk(Tensor self, int chunks, int dim=0) -> Tensor[]", chunk),
    OP("aten::tensor_split.sections(Tensor(a -> *) self, int sections, int dim=0) -> Tensor(a)[]",
       tensor_split_sections),
    OP("aten::tensor_split.indices(Tensor(a -> *) self, int[] indices, int dim=0) -> Tensor(a)[]",
       tensor_split_indices),
    OP("aten::tensor_split.tensor_indices_or_sections(Tensor(a -> *) self, Tensor tensor_indices_or_sections, int "
       "dim=0) -> Tensor(a)[]",
       tensor_split_tensor),
    OP("aten::hsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]", hsplit_int),
    OP("aten::hsplit.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]", hsplit_array),
    OP("aten::vsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]", vsplit_int),
    OP("aten::vsplit.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]", vsplit_array),
    OP("aten::dsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]", dsplit_int),
    OP("aten::dsplit.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]", dsplit_array),
    OP("aten::unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]", unbind),
    OP("aten::detach(Tensor(a) self) -> Tensor(a)", detach),
    OP("aten::detach_(Tensor(a!) self) -> Tensor(a!)", detach_inplace),
    OP("aten::alias(Tensor(a) self) -> Tensor(a)", alias),
    OP("aten::lift(Tensor self) -> Tensor", identity),
    OP_OUT("aten::lift.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", identity),
    OP("aten::lift_fresh(Tensor(a) self) -> Tensor(a)", identity),
    OP("aten::view_as_real(Tensor(a) self) -> Tensor(a)", view_as_real),
    OP("aten::view_as_complex(Tensor(a) self) -> Tensor(a)", view_as_complex),
    OP("aten::real(Tensor(a) self) -> Tensor(a)", real),
    OP("aten::imag(Tensor(a) self) -> Tensor(a)", imag),
    OP("aten::conj(Tensor(a) self) -> Tensor(a)", conj),
    OP("aten::_conj(Tensor(a) self) -> Tensor(a)", conj),
    OP("aten::_conj_physical(Tensor self) -> Tensor", conj_copy),
    OP_OUT("aten::_conj_physical.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", conj_copy),
    OP("aten::resolve_conj(Tensor(a) self) -> Tensor(a)", identity),
    OP("aten::resolve_neg(Tensor(a) self) -> Tensor(a)", identity),
    OP("aten::resize(Tensor self, SymInt[] size, *, MemoryFormat? memory_format=None) -> Tensor", resized),
    OP("aten::resize_as(Tensor self, Tensor the_template, *, MemoryFormat? memory_format=None) -> Tensor", resized_as),
    OP_OUT("aten::resize.out(Tensor self, SymInt[] size, *, MemoryFormat? memory_format=None, Tensor(a!) out) "
           "-> Tensor(a!)",
           resized),
    OP_OUT("aten::resize_as.out(Tensor self, Tensor the_template, *, MemoryFormat? memory_format=None, "
           "Tensor(a!) out) -> Tensor(a!)",
           resized_as),
    OP("aten::resize_(Tensor(a!) self, SymInt[] size, *, MemoryFormat? memory_format=None) -> Tensor(a!)",
       resize_inplace),
    OP("aten::resize_as_(Tensor(a!) self, Tensor the_template, *, MemoryFormat? memory_format=None) -> Tensor(a!)",
       resize_as_inplace),
    OP("aten::set_(Tensor(a!) self) -> Tensor(a!)", set_inplace),
    OP("aten::set_.source_Tensor(Tensor(a!) self, Tensor source) -> Tensor(a!)", set_tensor_inplace),
    OP("aten::set_.source_Tensor_storage_offset(Tensor(a!) self, Tensor source, SymInt storage_offset, SymInt[] "
       "size, SymInt[] stride=[]) -> Tensor(a!)",
       set_strided_inplace),
    // Copies of what the views show.
    OP("aten::alias_copy(Tensor self) -> Tensor", CopyOf<alias>::call),
    OP_OUT("aten::alias_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", alias),
    OP("aten::detach_copy(Tensor self) -> Tensor", CopyOf<detach>::call),
    OP_OUT("aten::detach_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", detach),
    OP("aten::lift_fresh_copy(Tensor self) -> Tensor", CopyOf<identity>::call),
    OP_OUT("aten::lift_fresh_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", identity),
    OP("aten::view_copy(Tensor self, SymInt[] size) -> Tensor", DenseCopyOf<reshape>::call),
    OP_OUT("aten::view_copy.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)", view),
    OP("aten::view_copy.dtype(Tensor self, ScalarType dtype) -> Tensor", CopyOf<view_dtype>::call),
    OP_OUT("aten::view_copy.dtype_out(Tensor self, ScalarType dtype, *, Tensor(a!) out) -> Tensor(a!)", view_dtype),
    OP("aten::_reshape_alias_copy(Tensor self, SymInt[] size, SymInt[] stride) -> Tensor", CopyOf<reshape_alias>::call),
    OP_OUT("aten::_reshape_alias_copy.out(Tensor self, SymInt[] size, SymInt[] stride, *, Tensor(a!) out) -> "
           "Tensor(a!)",
           reshape_alias),
    OP("aten::squeeze_copy(Tensor self) -> Tensor", CopyOf<squeeze>::call),
    OP_OUT("aten::squeeze_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", squeeze),
    OP("aten::squeeze_copy.dim(Tensor self, int dim) -> Tensor", CopyOf<squeeze_dim>::call),
    OP_OUT("aten::squeeze_copy.dim_out(Tensor self, int dim, *, Tensor(a!) out) -> Tensor(a!)", squeeze_dim),
    OP("aten::squeeze_copy.dims(Tensor self, int[] dim) -> Tensor", CopyOf<squeeze_dims>::call),
    OP_OUT("aten::squeeze_copy.dims_out(Tensor self, int[] dim, *, Tensor(a!) out) -> Tensor(a!)", squeeze_dims),
    OP("aten::unsqueeze_copy(Tensor self, int dim) -> Tensor", CopyOf<unsqueeze>::call),
    OP_OUT("aten::unsqueeze_copy.out(Tensor self, int dim, *, Tensor(a!) out) -> Tensor(a!)", unsqueeze),
    OP("aten::transpose_copy.int(Tensor self, int dim0, int dim1) -> Tensor", CopyOf<transpose>::call),
    OP_OUT("aten::transpose_copy.int_out(Tensor self, int dim0, int dim1, *, Tensor(a!) out) -> Tensor(a!)", transpose),
    OP("aten::t_copy(Tensor self) -> Tensor", CopyOf<t>::call),
    OP_OUT("aten::t_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", t),
    OP("aten::permute_copy(Tensor self, int[] dims) -> Tensor", CopyOf<permute>::call),
    OP_OUT("aten::permute_copy.out(Tensor self, int[] dims, *, Tensor(a!) out) -> Tensor(a!)", permute),
    OP("aten::expand_copy(Tensor self, SymInt[] size, *, bool implicit=False) -> Tensor", CopyOf<expand_view>::call),
    OP_OUT("aten::expand_copy.out(Tensor self, SymInt[] size, *, bool implicit=False, Tensor(a!) out) -> Tensor(a!)",
           expand_view),
    OP("aten::select_copy.int(Tensor self, int dim, int index) -> Tensor", CopyOf<select>::call),
    OP_OUT("aten::select_copy.int_out(Tensor self, int dim, int index, *, Tensor(a!) out) -> Tensor(a!)", select),
    OP("aten::slice_copy.Tensor(Tensor self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor",
       CopyOf<slice>::call),
    OP_OUT("aten::slice_copy.Tensor_out(Tensor self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt "
           "step=1, *, Tensor(a!) out) -> Tensor(a!)",
           slice),
    OP("aten::narrow_copy(Tensor self, int dim, SymInt start, SymInt length) -> Tensor", DenseCopyOf<narrow>::call),
    OP_OUT("aten::narrow_copy.out(Tensor self, int dim, SymInt start, SymInt length, *, Tensor(a!) out) -> Tensor(a!)",
           narrow),
    OP("aten::as_strided_copy(Tensor self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor",
       CopyOf<as_strided>::call),
    OP_OUT("aten::as_strided_copy.out(Tensor self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None, *, "
           "Tensor(a!) out) -> Tensor(a!)",
           as_strided),
    OP("aten::diagonal_copy(Tensor self, int offset=0, int dim1=0, int dim2=1) -> Tensor", CopyOf<diagonal>::call),
    OP_OUT("aten::diagonal_copy.out(Tensor self, int offset=0, int dim1=0, int dim2=1, *, Tensor(a!) out) -> "
           "Tensor(a!)",
           diagonal),
    OP("aten::unfold_copy(Tensor self, int dimension, int size, int step) -> Tensor", CopyOf<unfold>::call),
    OP_OUT("aten::unfold_copy.out(Tensor self, int dimension, int size, int step, *, Tensor(a!) out) -> Tensor(a!)",
           unfold),
    OP("aten::split_copy.Tensor(Tensor self, int split_size, int dim=0) -> Tensor[]", CopiesOf<split>::call),
    OP("aten::split_copy.Tensor_out(Tensor self, int split_size, int dim=0, *, Tensor(a!)[] out) -> ()",
       ListOut<split>::call),
    OP("aten::split_with_sizes_copy(Tensor self, int[] split_sizes, int dim=0) -> Tensor[]",
       CopiesOf<split_with_sizes>::call),
    OP("aten::split_with_sizes_copy.out(Tensor self, int[] split_sizes, int dim=0, *, Tensor(a!)[] out) -> ()",
       ListOut<split_with_sizes>::call),
    OP("aten::unbind_copy.int(Tensor self, int dim=0) -> Tensor[]", CopiesOf<unbind>::call),
    OP("aten::unbind_copy.int_out(Tensor self, int dim=0, *, Tensor(a!)[] out) -> ()", ListOut<unbind>::call),
    OP("aten::view_as_real_copy(Tensor self) -> Tensor", CopyOf<view_as_real>::call),
    OP_OUT("aten::view_as_real_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", view_as_real),
    OP("aten::view_as_complex_copy(Tensor self) -> Tensor", CopyOf<view_as_complex>::call),
    OP_OUT("aten::view_as_complex_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", view_as_complex),
    OP("aten::_conj_copy(Tensor self) -> Tensor", conj_copy),
    OP_OUT("aten::_conj_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", conj_copy),
};

}  // namespace

WICK_OP_FAMILY(kViewOps, kEntries)

}  // namespace wick
