// The operator list of indexing.
#include "ops/families.h"
#include "ops/index/index.h"

namespace wick {

namespace {

using namespace ops;
using namespace traits;

constexpr OpEntry kEntries[] = {
    OP("aten::index.Tensor(Tensor self, Tensor?[] indices) -> Tensor", index, dynamic_output_shape, shapes_only),
    OP_OUT("aten::index.Tensor_out(Tensor self, Tensor?[] indices, *, Tensor(a!) out) -> Tensor(a!)", index,
           dynamic_output_shape),
    OP("aten::index.Tensor_hacked_twin(Tensor self, Tensor[] indices) -> Tensor", index_list, dynamic_output_shape,
       shapes_only),
    OP("aten::_unsafe_index.Tensor(Tensor self, Tensor?[] indices) -> Tensor", index, dynamic_output_shape),
    OP("aten::_unsafe_index.Tensor_hacked_twin(Tensor self, Tensor[] indices) -> Tensor", index_list,
       dynamic_output_shape),
    OP("aten::_unsafe_index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor",
       index_put, deterministic),
    OP("aten::_unsafe_index_put.hacked_twin(Tensor self, Tensor[] indices, Tensor values, bool accumulate=False) -> "
       "Tensor",
       index_put_list, deterministic),
    OP("aten::index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor", index_put,
       shapes_only),
    OP("aten::index_put_(Tensor(a!) self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor(a!)",
       index_put_inplace, shapes_only),
    OP_OUT("aten::index_put.out(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False, *, Tensor(a!) "
           "out) -> Tensor(a!)",
           index_put, deterministic),
    OP("aten::index_put.hacked_twin(Tensor self, Tensor[] indices, Tensor values, bool accumulate=False) -> Tensor",
       index_put_list, shapes_only),
    OP("aten::index_put_.hacked_twin(Tensor(a!) self, Tensor[] indices, Tensor values, bool accumulate=False) -> "
       "Tensor(a!)",
       index_put_list_inplace, shapes_only),
    OP("aten::_index_put_impl(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False, bool "
       "unsafe=False) -> Tensor",
       index_put_impl, deterministic),
    OP_OUT("aten::_index_put_impl.out(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False, bool "
           "unsafe=False, *, Tensor(a!) out) -> Tensor(a!)",
           index_put_impl, deterministic),
    OP("aten::_index_put_impl_(Tensor(a!) self, Tensor?[] indices, Tensor values, bool accumulate=False, bool "
       "unsafe=False) -> Tensor(a!)",
       index_put_impl_inplace, deterministic),
    OP("aten::_index_put_impl_.hacked_twin(Tensor(a!) self, Tensor[] indices, Tensor values, bool accumulate=False, "
       "bool unsafe=False) -> Tensor(a!)",
       index_put_impl_list_inplace, deterministic),
    OP("aten::_unsafe_masked_index(Tensor self, Tensor mask, Tensor?[] indices, Scalar fill) -> Tensor", masked_index,
       deterministic),
    OP("aten::_unsafe_masked_index_put_accumulate(Tensor self, Tensor mask, Tensor?[] indices, Tensor values) "
       "-> Tensor",
       masked_index_put_accumulate, deterministic),
    OP("aten::index_select(Tensor self, int dim, Tensor index) -> Tensor", index_select, deterministic),
    OP_OUT("aten::index_select.out(Tensor self, int dim, Tensor index, *, Tensor(a!) out) -> Tensor(a!)", index_select,
           deterministic),
    OP("aten::index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor", index_add,
       deterministic),
    OP_INPLACE("aten::index_add_(Tensor(a!) self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> "
               "Tensor(a!)",
               index_add, deterministic),
    OP_OUT("aten::index_add.out(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1, Tensor(a!) "
           "out) -> Tensor(a!)",
           index_add, deterministic),
    OP("aten::index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor", index_copy, deterministic),
    OP_INPLACE("aten::index_copy_(Tensor(a!) self, int dim, Tensor index, Tensor source) -> Tensor(a!)", index_copy,
               deterministic),
    OP_OUT("aten::index_copy.out(Tensor self, int dim, Tensor index, Tensor source, *, Tensor(a!) out) -> Tensor(a!)",
           index_copy, deterministic),
    OP("aten::index_fill.int_Scalar(Tensor self, int dim, Tensor index, Scalar value) -> Tensor", index_fill,
       deterministic),
    OP_INPLACE("aten::index_fill_.int_Scalar(Tensor(a!) self, int dim, Tensor index, Scalar value) -> Tensor(a!)",
               index_fill, deterministic),
    OP_OUT("aten::index_fill.int_Scalar_out(Tensor self, int dim, Tensor index, Scalar value, *, Tensor(a!) out) -> "
           "Tensor(a!)",
           index_fill, deterministic),
    OP("aten::index_fill.int_Tensor(Tensor self, int dim, Tensor index, Tensor value) -> Tensor", index_fill_tensor,
       deterministic),
    OP_INPLACE("aten::index_fill_.int_Tensor(Tensor(a!) self, int dim, Tensor index, Tensor value) -> Tensor(a!)",
               index_fill_tensor, deterministic),
    OP_OUT("aten::index_fill.int_Tensor_out(Tensor self, int dim, Tensor index, Tensor value, *, Tensor(a!) out) -> "
           "Tensor(a!)",
           index_fill_tensor, deterministic),
    OP("aten::index_reduce(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, bool "
       "include_self=True) -> Tensor",
       index_reduce, deterministic),
    OP_INPLACE("aten::index_reduce_(Tensor(a!) self, int dim, Tensor index, Tensor source, str reduce, *, bool "
               "include_self=True) -> Tensor(a!)",
               index_reduce, deterministic),
    OP_OUT("aten::index_reduce.out(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, bool "
           "include_self=True, Tensor(a!) out) -> Tensor(a!)",
           index_reduce, deterministic),
    OP("aten::gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor", gather, deterministic),
    OP_OUT("aten::gather.out(Tensor self, int dim, Tensor index, *, bool sparse_grad=False, Tensor(a!) out) -> "
           "Tensor(a!)",
           gather, deterministic),
    OP("aten::scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor", scatter_src, deterministic),
    OP_INPLACE("aten::scatter_.src(Tensor(a!) self, int dim, Tensor index, Tensor src) -> Tensor(a!)", scatter_src,
               deterministic),
    OP_OUT("aten::scatter.src_out(Tensor self, int dim, Tensor index, Tensor src, *, Tensor(a!) out) -> Tensor(a!)",
           scatter_src, deterministic),
    OP("aten::scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor", scatter_value, deterministic),
    OP_INPLACE("aten::scatter_.value(Tensor(a!) self, int dim, Tensor index, Scalar value) -> Tensor(a!)",
               scatter_value, deterministic),
    OP_OUT("aten::scatter.value_out(Tensor self, int dim, Tensor index, Scalar value, *, Tensor(a!) out) -> Tensor(a!)",
           scatter_value, deterministic),
    OP("aten::scatter.reduce(Tensor self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor",
       scatter_src_reduce, deterministic),
    OP_INPLACE("aten::scatter_.reduce(Tensor(a!) self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor(a!)",
               scatter_src_reduce, deterministic),
    OP_OUT("aten::scatter.reduce_out(Tensor self, int dim, Tensor index, Tensor src, *, str reduce, Tensor(a!) out) "
           "-> Tensor(a!)",
           scatter_src_reduce, deterministic),
    OP("aten::scatter.value_reduce(Tensor self, int dim, Tensor index, Scalar value, *, str reduce) -> Tensor",
       scatter_value_reduce, deterministic),
    OP_INPLACE("aten::scatter_.value_reduce(Tensor(a!) self, int dim, Tensor index, Scalar value, *, str reduce) -> "
               "Tensor(a!)",
               scatter_value_reduce, deterministic),
    OP_OUT("aten::scatter.value_reduce_out(Tensor self, int dim, Tensor index, Scalar value, *, str reduce, "
           "Tensor(a!) out) -> Tensor(a!)",
           scatter_value_reduce, deterministic),
    OP("aten::scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor", scatter_add, deterministic),
    OP_INPLACE("aten::scatter_add_(Tensor(a!) self, int dim, Tensor index, Tensor src) -> Tensor(a!)", scatter_add,
               deterministic),
    OP_OUT("aten::scatter_add.out(Tensor self, int dim, Tensor index, Tensor src, *, Tensor(a!) out) -> Tensor(a!)",
           scatter_add, deterministic),
    OP("aten::scatter_reduce.two(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, bool "
       "include_self=True) -> Tensor",
       scatter_reduce, deterministic),
    OP_INPLACE("aten::scatter_reduce_.two(Tensor(a!) self, int dim, Tensor index, Tensor src, str reduce, *, bool "
               "include_self=True) -> Tensor(a!)",
               scatter_reduce, deterministic),
    OP_OUT("aten::scatter_reduce.two_out(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, bool "
           "include_self=True, Tensor(a!) out) -> Tensor(a!)",
           scatter_reduce, deterministic),
    OP("aten::take(Tensor self, Tensor index) -> Tensor", take, deterministic),
    OP_OUT("aten::take.out(Tensor self, Tensor index, *, Tensor(a!) out) -> Tensor(a!)", take, deterministic),
    OP("aten::take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor", take_along_dim, deterministic),
    OP_OUT("aten::take_along_dim.out(Tensor self, Tensor indices, int? dim=None, *, Tensor(a!) out) -> Tensor(a!)",
           take_along_dim, deterministic),
    OP("aten::put(Tensor self, Tensor index, Tensor source, bool accumulate=False) -> Tensor", put, deterministic),
    OP_INPLACE("aten::put_(Tensor(a!) self, Tensor index, Tensor source, bool accumulate=False) -> Tensor(a!)", put,
               deterministic),
    OP_OUT("aten::put.out(Tensor self, Tensor index, Tensor source, bool accumulate=False, *, Tensor(a!) out) -> "
           "Tensor(a!)",
           put, deterministic),
    OP("aten::nonzero(Tensor self) -> Tensor", nonzero, dynamic_output_shape),
    OP_OUT("aten::nonzero.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", nonzero, dynamic_output_shape),
    OP("aten::argwhere(Tensor self) -> Tensor", nonzero, dynamic_output_shape),
    OP("aten::nonzero_static(Tensor self, *, SymInt size, int fill_value=-1) -> Tensor", nonzero_static, deterministic),
    OP_OUT("aten::nonzero_static.out(Tensor self, *, SymInt size, int fill_value=-1, Tensor(a!) out) -> Tensor(a!)",
           nonzero_static, deterministic),
    OP("aten::nonzero_numpy(Tensor self) -> Tensor[]", nonzero_numpy, dynamic_output_shape),
    OP("aten::where(Tensor condition) -> Tensor[]", nonzero_numpy, dynamic_output_shape),
    OP("aten::bucketize.Tensor(Tensor self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor",
       bucketize, deterministic),
    OP_OUT("aten::bucketize.Tensor_out(Tensor self, Tensor boundaries, *, bool out_int32=False, bool right=False, "
           "Tensor(a!) out) -> Tensor(a!)",
           bucketize, deterministic),
    OP("aten::bucketize.Scalar(Scalar self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor",
       bucketize_scalar, deterministic),
    OP_OUT("aten::bucketize.Scalar_out(Scalar self, Tensor boundaries, *, bool out_int32=False, bool right=False, "
           "Tensor(a!) out) -> Tensor(a!)",
           bucketize_scalar, deterministic),
    OP("aten::searchsorted.Tensor(Tensor sorted_sequence, Tensor self, *, bool out_int32=False, bool right=False, "
       "str? side=None, Tensor? sorter=None) -> Tensor",
       searchsorted, deterministic),
    OP_OUT("aten::searchsorted.Tensor_out(Tensor sorted_sequence, Tensor self, *, bool out_int32=False, bool "
           "right=False, str? side=None, Tensor? sorter=None, Tensor(a!) out) -> Tensor(a!)",
           searchsorted, deterministic),
    OP("aten::searchsorted.Scalar(Tensor sorted_sequence, Scalar self, *, bool out_int32=False, bool right=False, "
       "str? side=None, Tensor? sorter=None) -> Tensor",
       searchsorted_scalar, deterministic),
    OP_OUT("aten::searchsorted.Scalar_out(Tensor sorted_sequence, Scalar self, *, bool out_int32=False, bool "
           "right=False, str? side=None, Tensor? sorter=None, Tensor(a!) out) -> Tensor(a!)",
           searchsorted_scalar, deterministic),
    OP("aten::isin.Tensor_Tensor(Tensor elements, Tensor test_elements, *, bool assume_unique=False, bool "
       "invert=False) -> Tensor",
       isin, deterministic),
    OP_OUT("aten::isin.Tensor_Tensor_out(Tensor elements, Tensor test_elements, *, bool assume_unique=False, bool "
           "invert=False, Tensor(a!) out) -> Tensor(a!)",
           isin, deterministic),
    OP("aten::isin.Tensor_Scalar(Tensor elements, Scalar test_element, *, bool assume_unique=False, bool "
       "invert=False) -> Tensor",
       isin_scalar, deterministic),
    OP_OUT("aten::isin.Tensor_Scalar_out(Tensor elements, Scalar test_element, *, bool assume_unique=False, bool "
           "invert=False, Tensor(a!) out) -> Tensor(a!)",
           isin_scalar, deterministic),
    OP("aten::isin.Scalar_Tensor(Scalar element, Tensor test_elements, *, bool assume_unique=False, bool "
       "invert=False) -> Tensor",
       isin_of_scalar, deterministic),
    OP_OUT("aten::isin.Scalar_Tensor_out(Scalar element, Tensor test_elements, *, bool assume_unique=False, bool "
           "invert=False, Tensor(a!) out) -> Tensor(a!)",
           isin_of_scalar, deterministic),
    OP("aten::_unique(Tensor self, bool sorted=True, bool return_inverse=False) -> (Tensor, Tensor)", unique_pair,
       dynamic_output_shape),
    OP_OUT("aten::_unique.out(Tensor self, bool sorted=True, bool return_inverse=False, *, Tensor(a!) out0, "
           "Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))",
           unique_pair, dynamic_output_shape),
    OP("aten::_unique2(Tensor self, bool sorted=True, bool return_inverse=False, bool return_counts=False) -> "
       "(Tensor, Tensor, Tensor)",
       unique, dynamic_output_shape),
    OP_OUT("aten::_unique2.out(Tensor self, bool sorted=True, bool return_inverse=False, bool return_counts=False, "
           "*, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))",
           unique, dynamic_output_shape),
    OP("aten::unique_dim(Tensor self, int dim, bool sorted=True, bool return_inverse=False, bool "
       "return_counts=False) -> (Tensor, Tensor, Tensor)",
       unique_dim, dynamic_output_shape),
    OP_OUT("aten::unique_dim.out(Tensor self, int dim, bool sorted=True, bool return_inverse=False, bool "
           "return_counts=False, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), "
           "Tensor(c!))",
           unique_dim, dynamic_output_shape),
    OP("aten::unique_consecutive(Tensor self, bool return_inverse=False, bool return_counts=False, int? dim=None) "
       "-> (Tensor, Tensor, Tensor)",
       unique_consecutive, dynamic_output_shape),
    OP_OUT("aten::unique_consecutive.out(Tensor self, bool return_inverse=False, bool return_counts=False, int? "
           "dim=None, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))",
           unique_consecutive, dynamic_output_shape),
    OP("aten::unique_dim_consecutive(Tensor self, int dim, bool return_inverse=False, bool return_counts=False) -> "
       "(Tensor, Tensor, Tensor)",
       unique_dim_consecutive, dynamic_output_shape),
    OP_OUT("aten::unique_dim_consecutive.out(Tensor self, int dim, bool return_inverse=False, bool "
           "return_counts=False, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), "
           "Tensor(c!))",
           unique_dim_consecutive, dynamic_output_shape),
    OP("aten::bincount(Tensor self, Tensor? weights=None, int minlength=0) -> Tensor", bincount, dynamic_output_shape),
    OP_OUT("aten::bincount.out(Tensor self, Tensor? weights=None, int minlength=0, *, Tensor(a!) out) -> Tensor(a!)",
           bincount, dynamic_output_shape),
    OP("aten::histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0) -> Tensor", histc, deterministic),
    OP_OUT("aten::histc.out(Tensor self, int bins=100, Scalar min=0, Scalar max=0, *, Tensor(a!) out) -> Tensor(a!)",
           histc, deterministic),
    OP("aten::histogramdd(Tensor self, int[] bins, float[]? range=None, Tensor? weight=None, bool density=False) -> "
       "(Tensor hist, Tensor[] bin_edges)",
       histogramdd, not_planned),
    OP("aten::histogramdd.int_bins(Tensor self, int bins, float[]? range=None, Tensor? weight=None, bool "
       "density=False) -> (Tensor hist, Tensor[] bin_edges)",
       histogramdd_int, not_planned),
    OP("aten::histogramdd.TensorList_bins(Tensor self, Tensor[] bins, float[]? range=None, Tensor? weight=None, bool "
       "density=False) -> (Tensor hist, Tensor[] bin_edges)",
       histogramdd_edges, not_planned),
    OP("aten::_histogramdd_bin_edges(Tensor self, int[] bins, *, float[]? range=None, Tensor? weight=None, bool "
       "density=False) -> Tensor[]",
       histogramdd_bin_edges, deterministic),
    OP("aten::_histogramdd_from_bin_cts(Tensor self, int[] bins, *, float[]? range=None, Tensor? weight=None, bool "
       "density=False) -> Tensor",
       histogramdd_from_counts, deterministic),
    OP_OUT("aten::_histogramdd_from_bin_cts.out(Tensor self, int[] bins, *, float[]? range=None, Tensor? weight=None, "
           "bool density=False, Tensor(a!) out) -> Tensor(a!)",
           histogramdd_from_counts, deterministic),
    OP("aten::_histogramdd_from_bin_tensors(Tensor self, Tensor[] bins, *, Tensor? weight=None, bool density=False) "
       "-> Tensor",
       histogramdd_from_edges, deterministic),
    OP_OUT("aten::_histogramdd_from_bin_tensors.out(Tensor self, Tensor[] bins, *, Tensor? weight=None, bool "
           "density=False, Tensor(a!) out) -> Tensor(a!)",
           histogramdd_from_edges, deterministic),
    OP("aten::histogram.bins_tensor(Tensor self, Tensor bins, *, Tensor? weight=None, bool density=False) -> "
       "(Tensor hist, Tensor bin_edges)",
       histogram_bins, deterministic),
    OP_OUT("aten::histogram.bins_tensor_out(Tensor self, Tensor bins, *, Tensor? weight=None, bool density=False, "
           "Tensor(a!) hist, Tensor(b!) bin_edges) -> (Tensor(a!) hist, Tensor(b!) bin_edges)",
           histogram_bins, deterministic),
    OP("aten::histogram.bin_ct(Tensor self, int bins=100, *, float[]? range=None, Tensor? weight=None, bool "
       "density=False) -> (Tensor hist, Tensor bin_edges)",
       histogram_count, deterministic),
    OP_OUT("aten::histogram.bin_ct_out(Tensor self, int bins=100, *, float[]? range=None, Tensor? weight=None, bool "
           "density=False, Tensor(a!) hist, Tensor(b!) bin_edges) -> (Tensor(a!) hist, Tensor(b!) bin_edges)",
           histogram_count, deterministic),
};

}  // namespace

WICK_OP_FAMILY(kIndexOps, kEntries)

}  // namespace wick
