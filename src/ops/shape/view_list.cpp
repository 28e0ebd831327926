// The operator list of views.
#include "core/copy.h"
#include "ops/families.h"
#include "ops/shape/view.h"

namespace wick {

namespace {

using namespace ops;
using namespace traits;

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
    OP("aten::view(Tensor(a) self, SymInt[] size) -> Tensor(a)", view, shapes_only, rounds_never, keeps_qparams),
    OP("aten::view.dtype(Tensor(a) self, ScalarType dtype) -> Tensor(a)", view_dtype, shapes_only, rounds_never),
    OP("aten::view_as(Tensor(a) self, Tensor other) -> Tensor(a)", view_as, shapes_only),
    OP("aten::reshape(Tensor(a) self, SymInt[] shape) -> Tensor(a)", reshape, shapes_only, rounds_never, keeps_qparams),
    OP("aten::reshape_as(Tensor(a) self, Tensor other) -> Tensor(a)", reshape_as, deterministic),
    OP("aten::_unsafe_view(Tensor self, SymInt[] size) -> Tensor", view, may_alias, rounds_never),
    OP_OUT("aten::_unsafe_view.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)", view, deterministic),
    OP("aten::_reshape_alias(Tensor(a) self, SymInt[] size, SymInt[] stride) -> Tensor(a)", reshape_alias,
       deterministic),
    OP("aten::flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a)", flatten, shapes_only,
       rounds_never, keeps_qparams),
    OP("aten::ravel(Tensor(a) self) -> Tensor(a)", ravel, deterministic),
    OP("aten::unflatten.int(Tensor(a) self, int dim, int[] sizes) -> Tensor(a)", unflatten, shapes_only, rounds_never),
    OP("aten::squeeze(Tensor(a) self) -> Tensor(a)", squeeze, shapes_only, rounds_never, keeps_qparams),
    OP("aten::squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)", squeeze_dim, shapes_only, rounds_never,
       keeps_qparams),
    OP("aten::squeeze.dims(Tensor(a) self, int[] dim) -> Tensor(a)", squeeze_dims, shapes_only, rounds_never,
       keeps_qparams),
    OP("aten::squeeze_.dims(Tensor(a!) self, int[] dim) -> Tensor(a!)", squeeze_dims_inplace, inplace_view),
    OP("aten::squeeze_(Tensor(a!) self) -> Tensor(a!)", squeeze_inplace, inplace_view),
    OP("aten::squeeze_.dim(Tensor(a!) self, int dim) -> Tensor(a!)", squeeze_dim_inplace, inplace_view),
    OP("aten::unsqueeze(Tensor(a) self, int dim) -> Tensor(a)", unsqueeze, shapes_only, rounds_never, keeps_qparams),
    OP("aten::unsqueeze_(Tensor(a!) self, int dim) -> Tensor(a!)", unsqueeze_inplace, inplace_view),
    OP("aten::transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)", transpose, shapes_only, rounds_never,
       keeps_qparams),
    OP("aten::transpose_(Tensor(a!) self, int dim0, int dim1) -> Tensor(a!)", transpose_inplace, inplace_view),
    OP("aten::swapaxes(Tensor(a) self, int axis0, int axis1) -> Tensor(a)", transpose, deterministic),
    OP("aten::swapaxes_(Tensor(a!) self, int axis0, int axis1) -> Tensor(a!)", transpose_inplace, inplace_view),
    OP("aten::swapdims(Tensor(a) self, int dim0, int dim1) -> Tensor(a)", transpose, deterministic),
    OP("aten::swapdims_(Tensor(a!) self, int dim0, int dim1) -> Tensor(a!)", transpose_inplace, inplace_view),
    OP("aten::t(Tensor(a) self) -> Tensor(a)", t, shapes_only, rounds_never),
    OP("aten::t_(Tensor(a!) self) -> Tensor(a!)", t_inplace, inplace_view),
    OP("aten::permute(Tensor(a) self, int[] dims) -> Tensor(a)", permute, shapes_only, rounds_never, keeps_qparams),
    OP("aten::movedim.int(Tensor(a) self, int source, int destination) -> Tensor(a)", movedim, shapes_only),
    OP("aten::movedim.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)", movedim_list,
       shapes_only),
    OP("aten::moveaxis.int(Tensor(a) self, int source, int destination) -> Tensor(a)", movedim, deterministic),
    OP("aten::moveaxis.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)", movedim_list,
       deterministic),
    OP("aten::numpy_T(Tensor(a) self) -> Tensor(a)", numpy_T, deterministic),
    OP("aten::numpy_T.a(Tensor(a) self) -> Tensor(a)", numpy_T, deterministic),
    OP("aten::mT(Tensor(a) self) -> Tensor(a)", matrix_transpose, deterministic),
    OP("aten::mT.a(Tensor(a) self) -> Tensor(a)", matrix_transpose, deterministic),
    OP("aten::mH(Tensor(a) self) -> Tensor(a)", matrix_conj_transpose, deterministic),
    OP("aten::mH.a(Tensor(a) self) -> Tensor(a)", matrix_conj_transpose, deterministic),
    OP("aten::matrix_H(Tensor(a) self) -> Tensor(a)", matrix_H, deterministic),
    OP("aten::matrix_H.a(Tensor(a) self) -> Tensor(a)", matrix_H, deterministic),
    OP("aten::adjoint(Tensor(a) self) -> Tensor(a)", adjoint, deterministic),
    OP("aten::expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> Tensor(a)", expand_view, shapes_only,
       rounds_never),
    OP("aten::expand_as(Tensor(a) self, Tensor other) -> Tensor(a)", expand_as, may_alias, shapes_only),
    OP("aten::broadcast_to(Tensor(a) self, int[] size) -> Tensor(a)", broadcast_to, deterministic),
    OP("aten::broadcast_tensors(Tensor[] tensors) -> Tensor[]", broadcast_tensors, may_alias),
    OP("aten::meshgrid(Tensor[] tensors) -> Tensor[]", meshgrid, may_alias),
    OP("aten::meshgrid.indexing(Tensor[] tensors, *, str indexing) -> Tensor[]", meshgrid_indexing, may_alias),
    OP("aten::atleast_1d(Tensor self) -> Tensor", atleast_1d, may_alias),
    OP("aten::atleast_1d.Sequence(Tensor[] tensors) -> Tensor[]", atleast_1d_list, may_alias),
    OP("aten::atleast_2d(Tensor self) -> Tensor", atleast_2d, may_alias),
    OP("aten::atleast_2d.Sequence(Tensor[] tensors) -> Tensor[]", atleast_2d_list, may_alias),
    OP("aten::atleast_3d(Tensor self) -> Tensor", atleast_3d, may_alias),
    OP("aten::atleast_3d.Sequence(Tensor[] tensors) -> Tensor[]", atleast_3d_list, may_alias),
    OP("aten::select.int(Tensor(a) self, int dim, int index) -> Tensor(a)", select, shapes_only, rounds_never,
       keeps_qparams),
    OP("aten::slice.Tensor(Tensor(a) self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> "
       "Tensor(a)",
       slice, shapes_only, rounds_never, keeps_qparams, keeps_rank),
    OP("aten::narrow(Tensor(a) self, int dim, int start, int length) -> Tensor(a)", narrow, shapes_only),
    OP("aten::narrow.Tensor(Tensor(a) self, int dim, Tensor start, int length) -> Tensor(a)", narrow_tensor,
       not_planned),
    OP("aten::as_strided(Tensor(a) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a)",
       as_strided, deterministic),
    OP("aten::as_strided_(Tensor(a!) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a!)",
       as_strided_inplace, inplace_view),
    OP("aten::diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)", diagonal, deterministic),
    OP("aten::linalg_diagonal(Tensor(a) A, *, int offset=0, int dim1=-2, int dim2=-1) -> Tensor(a)", diagonal,
       deterministic),
    OP("aten::unfold(Tensor(a) self, int dimension, int size, int step) -> Tensor(a)", unfold, shapes_only),
    OP("aten::split.Tensor(Tensor(a -> *) self, int split_size, int dim=0) -> Tensor(a)[]", split, shapes_only,
       rounds_never, keeps_qparams),
    OP("aten::split.sizes(Tensor(a -> *) self, int[] split_size, int dim=0) -> Tensor(a)[]", split_with_sizes,
       shapes_only, rounds_never, keeps_qparams),
    OP("aten::split(Tensor(a -> *) self, int[] split_sizes, int dim=0) -> Tensor(a)[]", split_with_sizes, shapes_only,
       rounds_never, keeps_qparams),
    OP("aten::split_with_sizes(Tensor(a -> *) self, int[] split_sizes, int dim=0) -> Tensor(a)[]", split_with_sizes,
       shapes_only),
    OP("aten::unsafe_split.Tensor(Tensor self, int split_size, int dim=0) -> Tensor[]", split, may_alias),
    OP("aten::unsafe_split.Tensor_out(Tensor self, int split_size, int dim=0, *, Tensor(a!)[] out) -> ()",
       ListOut<split>::call, deterministic),
    OP("aten::unsafe_split_with_sizes(Tensor self, int[] split_sizes, int dim=0) -> Tensor[]", split_with_sizes,
       may_alias),
    OP("aten::unsafe_split_with_sizes.out(Tensor self, int[] split_sizes, int dim=0, *, Tensor(a!)[] out) -> ()",
       ListOut<split_with_sizes>::call, deterministic),
    OP("aten::chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]", chunk, shapes_only, rounds_never,
       keeps_qparams),
    OP("aten::unsafe_chunk(Tensor self, int chunks, int dim=0) -> Tensor[]", chunk, may_alias),
    OP("aten::tensor_split.sections(Tensor(a -> *) self, int sections, int dim=0) -> Tensor(a)[]",
       tensor_split_sections, shapes_only),
    OP("aten::tensor_split.indices(Tensor(a -> *) self, int[] indices, int dim=0) -> Tensor(a)[]", tensor_split_indices,
       shapes_only),
    OP("aten::tensor_split.tensor_indices_or_sections(Tensor(a -> *) self, Tensor tensor_indices_or_sections, int "
       "dim=0) -> Tensor(a)[]",
       tensor_split_tensor, dynamic_output_shape),
    OP("aten::hsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]", hsplit_int, deterministic),
    OP("aten::hsplit.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]", hsplit_array, deterministic),
    OP("aten::vsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]", vsplit_int, deterministic),
    OP("aten::vsplit.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]", vsplit_array, deterministic),
    OP("aten::dsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]", dsplit_int, deterministic),
    OP("aten::dsplit.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]", dsplit_array, deterministic),
    OP("aten::unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]", unbind, shapes_only, rounds_never),
    OP("aten::detach(Tensor(a) self) -> Tensor(a)", detach, shapes_only, keeps_rank),
    OP("aten::detach_(Tensor(a!) self) -> Tensor(a!)", detach_inplace, inplace_view),
    OP("aten::alias(Tensor(a) self) -> Tensor(a)", alias, deterministic),
    OP("aten::lift(Tensor self) -> Tensor", identity, may_alias),
    OP_OUT("aten::lift.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", identity, deterministic),
    OP("aten::lift_fresh(Tensor(a) self) -> Tensor(a)", identity, deterministic),
    OP("aten::view_as_real(Tensor(a) self) -> Tensor(a)", view_as_real, deterministic),
    OP("aten::view_as_complex(Tensor(a) self) -> Tensor(a)", view_as_complex, deterministic),
    OP("aten::real(Tensor(a) self) -> Tensor(a)", real, deterministic),
    OP("aten::imag(Tensor(a) self) -> Tensor(a)", imag, deterministic),
    OP("aten::conj(Tensor(a) self) -> Tensor(a)", conj, deterministic),
    OP("aten::_conj(Tensor(a) self) -> Tensor(a)", conj, deterministic),
    OP("aten::_conj_physical(Tensor self) -> Tensor", conj_copy, deterministic),
    OP_OUT("aten::_conj_physical.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", conj_copy, deterministic),
    OP("aten::resolve_conj(Tensor(a) self) -> Tensor(a)", identity, deterministic),
    OP("aten::resolve_neg(Tensor(a) self) -> Tensor(a)", identity, deterministic),
    OP("aten::resize(Tensor self, SymInt[] size, *, MemoryFormat? memory_format=None) -> Tensor", resized, not_planned,
       uninitialized),
    OP("aten::resize_as(Tensor self, Tensor the_template, *, MemoryFormat? memory_format=None) -> Tensor", resized_as,
       uninitialized),
    OP_OUT("aten::resize.out(Tensor self, SymInt[] size, *, MemoryFormat? memory_format=None, Tensor(a!) out) "
           "-> Tensor(a!)",
           resized, not_planned, uninitialized),
    OP_OUT("aten::resize_as.out(Tensor self, Tensor the_template, *, MemoryFormat? memory_format=None, "
           "Tensor(a!) out) -> Tensor(a!)",
           resized_as, uninitialized),
    OP("aten::resize_(Tensor(a!) self, SymInt[] size, *, MemoryFormat? memory_format=None) -> Tensor(a!)",
       resize_inplace, inplace_view, uninitialized),
    OP("aten::resize_as_(Tensor(a!) self, Tensor the_template, *, MemoryFormat? memory_format=None) -> Tensor(a!)",
       resize_as_inplace, inplace_view, uninitialized),
    OP("aten::set_(Tensor(a!) self) -> Tensor(a!)", set_inplace, inplace_view),
    OP("aten::set_.source_Tensor(Tensor(a!) self, Tensor source) -> Tensor(a!)", set_tensor_inplace, inplace_view),
    OP("aten::set_.source_Tensor_storage_offset(Tensor(a!) self, Tensor source, SymInt storage_offset, SymInt[] "
       "size, SymInt[] stride=[]) -> Tensor(a!)",
       set_strided_inplace, inplace_view),
    // Copies of what the views show.
    OP("aten::alias_copy(Tensor self) -> Tensor", CopyOf<alias>::call, deterministic),
    OP_OUT("aten::alias_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", alias, deterministic),
    OP("aten::detach_copy(Tensor self) -> Tensor", CopyOf<detach>::call, deterministic),
    OP_OUT("aten::detach_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", detach, deterministic),
    OP("aten::lift_fresh_copy(Tensor self) -> Tensor", CopyOf<identity>::call, deterministic),
    OP_OUT("aten::lift_fresh_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", identity, deterministic),
    OP("aten::view_copy(Tensor self, SymInt[] size) -> Tensor", DenseCopyOf<reshape>::call, deterministic),
    OP_OUT("aten::view_copy.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)", view, deterministic),
    OP("aten::view_copy.dtype(Tensor self, ScalarType dtype) -> Tensor", CopyOf<view_dtype>::call, deterministic),
    OP_OUT("aten::view_copy.dtype_out(Tensor self, ScalarType dtype, *, Tensor(a!) out) -> Tensor(a!)", view_dtype,
           deterministic),
    OP("aten::_reshape_alias_copy(Tensor self, SymInt[] size, SymInt[] stride) -> Tensor", CopyOf<reshape_alias>::call,
       deterministic),
    OP_OUT("aten::_reshape_alias_copy.out(Tensor self, SymInt[] size, SymInt[] stride, *, Tensor(a!) out) -> "
           "Tensor(a!)",
           reshape_alias, deterministic),
    OP("aten::squeeze_copy(Tensor self) -> Tensor", CopyOf<squeeze>::call, deterministic),
    OP_OUT("aten::squeeze_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", squeeze, deterministic),
    OP("aten::squeeze_copy.dim(Tensor self, int dim) -> Tensor", CopyOf<squeeze_dim>::call, deterministic),
    OP_OUT("aten::squeeze_copy.dim_out(Tensor self, int dim, *, Tensor(a!) out) -> Tensor(a!)", squeeze_dim,
           deterministic),
    OP("aten::squeeze_copy.dims(Tensor self, int[] dim) -> Tensor", CopyOf<squeeze_dims>::call, deterministic),
    OP_OUT("aten::squeeze_copy.dims_out(Tensor self, int[] dim, *, Tensor(a!) out) -> Tensor(a!)", squeeze_dims,
           deterministic),
    OP("aten::unsqueeze_copy(Tensor self, int dim) -> Tensor", CopyOf<unsqueeze>::call, deterministic),
    OP_OUT("aten::unsqueeze_copy.out(Tensor self, int dim, *, Tensor(a!) out) -> Tensor(a!)", unsqueeze, deterministic),
    OP("aten::transpose_copy.int(Tensor self, int dim0, int dim1) -> Tensor", CopyOf<transpose>::call, deterministic),
    OP_OUT("aten::transpose_copy.int_out(Tensor self, int dim0, int dim1, *, Tensor(a!) out) -> Tensor(a!)", transpose,
           deterministic),
    OP("aten::t_copy(Tensor self) -> Tensor", CopyOf<t>::call, deterministic),
    OP_OUT("aten::t_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", t, deterministic),
    OP("aten::permute_copy(Tensor self, int[] dims) -> Tensor", CopyOf<permute>::call, deterministic),
    OP_OUT("aten::permute_copy.out(Tensor self, int[] dims, *, Tensor(a!) out) -> Tensor(a!)", permute, deterministic),
    OP("aten::expand_copy(Tensor self, SymInt[] size, *, bool implicit=False) -> Tensor", CopyOf<expand_view>::call,
       deterministic),
    OP_OUT("aten::expand_copy.out(Tensor self, SymInt[] size, *, bool implicit=False, Tensor(a!) out) -> Tensor(a!)",
           expand_view, deterministic),
    OP("aten::select_copy.int(Tensor self, int dim, int index) -> Tensor", CopyOf<select>::call, deterministic),
    OP_OUT("aten::select_copy.int_out(Tensor self, int dim, int index, *, Tensor(a!) out) -> Tensor(a!)", select,
           deterministic),
    OP("aten::slice_copy.Tensor(Tensor self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor",
       CopyOf<slice>::call, deterministic),
    OP_OUT("aten::slice_copy.Tensor_out(Tensor self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt "
           "step=1, *, Tensor(a!) out) -> Tensor(a!)",
           slice, deterministic),
    OP("aten::narrow_copy(Tensor self, int dim, SymInt start, SymInt length) -> Tensor", DenseCopyOf<narrow>::call,
       deterministic),
    OP_OUT("aten::narrow_copy.out(Tensor self, int dim, SymInt start, SymInt length, *, Tensor(a!) out) -> Tensor(a!)",
           narrow, deterministic),
    OP("aten::as_strided_copy(Tensor self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor",
       CopyOf<as_strided>::call, deterministic),
    OP_OUT("aten::as_strided_copy.out(Tensor self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None, *, "
           "Tensor(a!) out) -> Tensor(a!)",
           as_strided, deterministic),
    OP("aten::diagonal_copy(Tensor self, int offset=0, int dim1=0, int dim2=1) -> Tensor", CopyOf<diagonal>::call,
       deterministic),
    OP_OUT("aten::diagonal_copy.out(Tensor self, int offset=0, int dim1=0, int dim2=1, *, Tensor(a!) out) -> "
           "Tensor(a!)",
           diagonal, deterministic),
    OP("aten::unfold_copy(Tensor self, int dimension, int size, int step) -> Tensor", CopyOf<unfold>::call,
       deterministic),
    OP_OUT("aten::unfold_copy.out(Tensor self, int dimension, int size, int step, *, Tensor(a!) out) -> Tensor(a!)",
           unfold, deterministic),
    OP("aten::split_copy.Tensor(Tensor self, int split_size, int dim=0) -> Tensor[]", CopiesOf<split>::call,
       deterministic),
    OP("aten::split_copy.Tensor_out(Tensor self, int split_size, int dim=0, *, Tensor(a!)[] out) -> ()",
       ListOut<split>::call, deterministic),
    OP("aten::split_with_sizes_copy(Tensor self, int[] split_sizes, int dim=0) -> Tensor[]",
       CopiesOf<split_with_sizes>::call, deterministic),
    OP("aten::split_with_sizes_copy.out(Tensor self, int[] split_sizes, int dim=0, *, Tensor(a!)[] out) -> ()",
       ListOut<split_with_sizes>::call, deterministic),
    OP("aten::unbind_copy.int(Tensor self, int dim=0) -> Tensor[]", CopiesOf<unbind>::call, deterministic),
    OP("aten::unbind_copy.int_out(Tensor self, int dim=0, *, Tensor(a!)[] out) -> ()", ListOut<unbind>::call,
       deterministic),
    OP("aten::view_as_real_copy(Tensor self) -> Tensor", CopyOf<view_as_real>::call, deterministic),
    OP_OUT("aten::view_as_real_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", view_as_real, deterministic),
    OP("aten::view_as_complex_copy(Tensor self) -> Tensor", CopyOf<view_as_complex>::call, deterministic),
    OP_OUT("aten::view_as_complex_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", view_as_complex,
           deterministic),
    OP("aten::_conj_copy(Tensor self) -> Tensor", conj_copy, deterministic),
    OP_OUT("aten::_conj_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", conj_copy, deterministic),
};

}  // namespace

WICK_OP_FAMILY(kViewOps, kEntries)

}  // namespace wick
