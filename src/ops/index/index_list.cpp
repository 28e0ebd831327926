#include "ops/families.h"
#include "ops/index/index.h"

namespace wick {

namespace {

using namespace ops;

const OpEntry kEntries[] = {
    OP("aten::index.Tensor(Tensor self, Tensor?[] indices) -> Tensor", index),
    OP_OUT("aten::index.Tensor_out(Tensor self, Tensor?[] indices, *, Tensor(a!) out) -> Tensor(a!)", index),
    OP("aten::index.Tensor_hacked_twin(Tensor self, Tensor[] indices) -> Tensor", index_list),
    OP("aten::index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor", index_put),
    OP("aten::index_put_(Tensor(a!) self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor(a!)",
       index_put_inplace),
    OP_OUT("aten::index_put.out(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False, *, Tensor(a!) "
           "out) -> Tensor(a!)", index_put),
    OP("aten::index_put.hacked_twin(Tensor self, Tensor[] indices, Tensor values, bool accumulate=False) -> Tensor",
       index_put_list),
    OP("aten::index_put_.hacked_twin(Tensor(a!) self, Tensor[] indices, Tensor values, bool accumulate=False) -> "
       "Tensor(a!)", index_put_list_inplace),
    OP("aten::_index_put_impl(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False, bool "
       "unsafe=False) -> Tensor", index_put_impl),
    OP_OUT("aten::_index_put_impl.out(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False, bool "
           "unsafe=False, *, Tensor(a!) out) -> Tensor(a!)", index_put_impl),
    OP("aten::_index_put_impl_(Tensor(a!) self, Tensor?[] indices, Tensor values, bool accumulate=False, bool "
       "unsafe=False) -> Tensor(a!)", index_put_impl_inplace),
    OP("aten::_index_put_impl_.hacked_twin(Tensor(a!) self, Tensor[] indices, Tensor values, bool accumulate=False, "
       "bool unsafe=False) -> Tensor(a!)", index_put_impl_list_inplace),
    OP("aten::index_select(Tensor self, int dim, Tensor index) -> Tensor", index_select),
    OP_OUT("aten::index_select.out(Tensor self, int dim, Tensor index, *, Tensor(a!) out) -> Tensor(a!)", index_select),
    OP("aten::index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor", index_add),
    OP_INPLACE("aten::index_add_(Tensor(a!) self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> "
               "Tensor(a!)", index_add),
    OP_OUT("aten::index_add.out(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1, Tensor(a!) "
           "out) -> Tensor(a!)", index_add),
    OP("aten::index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor", index_copy),
    OP_INPLACE("aten::index_copy_(Tensor(a!) self, int dim, Tensor index, Tensor source) -> Tensor(a!)", index_copy),
    OP_OUT("aten::index_copy.out(Tensor self, int dim, Tensor index, Tensor source, *, Tensor(a!) out) -> Tensor(a!)",
           index_copy),
    OP("aten::index_fill.int_Scalar(Tensor self, int dim, Tensor index, Scalar value) -> Tensor", index_fill),
    OP_INPLACE("aten::index_fill_.int_Scalar(Tensor(a!) self, int dim, Tensor index, Scalar value) -> Tensor(a!)",
               index_fill),
    OP_OUT("aten::index_fill.int_Scalar_out(Tensor self, int dim, Tensor index, Scalar value, *, Tensor(a!) out) -> "
           "Tensor(a!)", index_fill),
    OP("aten::index_fill.int_Tensor(Tensor self, int dim, Tensor index, Tensor value) -> Tensor", index_fill_tensor),
    OP_INPLACE("aten::index_fill_.int_Tensor(Tensor(a!) self, int dim, Tensor index, Tensor value) -> Tensor(a!)",
               index_fill_tensor),
    OP_OUT("aten::index_fill.int_Tensor_out(Tensor self, int dim, Tensor index, Tensor value, *, Tensor(a!) out) -> "
           "Tensor(a!)", index_fill_tensor),
    OP("aten::index_reduce(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, bool "
       "include_self=True) -> Tensor", index_reduce),
    OP_INPLACE("aten::index_reduce_(Tensor(a!) self, int dim, Tensor index, Tensor source, str reduce, *, bool "
               "include_self=True) -> Tensor(a!)", index_reduce),
    OP_OUT("aten::index_reduce.out(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, bool "
           "include_self=True, Tensor(a!) out) -> Tensor(a!)", index_reduce),
    OP("aten::gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor", gather),
    OP_OUT("aten::gather.out(Tensor self, int dim, Tensor index, *, bool sparse_grad=False, Tensor(a!) out) -> "
           "Tensor(a!)", gather),
    OP("aten::scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor", scatter_src),
    OP_INPLACE("aten::scatter_.src(Tensor(a!) self, int dim, Tensor index, Tensor src) -> Tensor(a!)", scatter_src),
    OP_OUT("aten::scatter.src_out(Tensor self, int dim, Tensor index, Tensor src, *, Tensor(a!) out) -> Tensor(a!)",
           scatter_src),
    OP("aten::scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor", scatter_value),
    OP_INPLACE("aten::scatter_.value(Tensor(a!) self, int dim, Tensor index, Scalar value) -> Tensor(a!)",
               scatter_value),
    OP_OUT("aten::scatter.value_out(Tensor self, int dim, Tensor index, Scalar value, *, Tensor(a!) out) -> Tensor(a!)",
           scatter_value),
    OP("aten::scatter.reduce(Tensor self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor",
       scatter_src_reduce),
    OP_INPLACE("aten::scatter_.reduce(Tensor(a!) self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor(a!)",
               scatter_src_reduce),
    OP_OUT("aten::scatter.reduce_out(Tensor self, int dim, Tensor index, Tensor src, *, str reduce, Tensor(a!) out) "
           "-> Tensor(a!)", scatter_src_reduce),
    OP("aten::scatter.value_reduce(Tensor self, int dim, Tensor index, Scalar value, *, str reduce) -> Tensor",
       scatter_value_reduce),
    OP_INPLACE("aten::scatter_.value_reduce(Tensor(a!) self, int dim, Tensor index, Scalar value, *, str reduce) -> "
               "Tensor(a!)", scatter_value_reduce),
    OP_OUT("aten::scatter.value_reduce_out(Tensor self, int dim, Tensor index, Scalar value, *, str reduce, "
           "Tensor(a!) out) -> Tensor(a!)", scatter_value_reduce),
    OP("aten::scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor", scatter_add),
    OP_INPLACE("aten::scatter_add_(Tensor(a!) self, int dim, Tensor index, Tensor src) -> Tensor(a!)", scatter_add),
    OP_OUT("aten::scatter_add.out(Tensor self, int dim, Tensor index, Tensor src, *, Tensor(a!) out) -> Tensor(a!)",
           scatter_add),
    OP("aten::scatter_reduce.two(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, bool "
       "include_self=True) -> Tensor", scatter_reduce),
    OP_INPLACE("aten::scatter_reduce_.two(Tensor(a!) self, int dim, Tensor index, Tensor src, str reduce, *, bool "
               "include_self=True) -> Tensor(a!)", scatter_reduce),
    OP_OUT("aten::scatter_reduce.two_out(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, bool "
           "include_self=True, Tensor(a!) out) -> Tensor(a!)", scatter_reduce),
    OP("aten::take(Tensor self, Tensor index) -> Tensor", take),
    OP_OUT("aten::take.out(Tensor self, Tensor index, *, Tensor(a!) out) -> Tensor(a!)", take),
    OP("aten::take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor", take_along_dim),
    OP_OUT("aten::take_along_dim.out(Tensor self, Tensor indices, int? dim=None, *, Tensor(a!) out) -> Tensor(a!)",
           take_along_dim),
    OP("aten::put(Tensor self, Tensor index, Tensor source, bool accumulate=False) -> Tensor", put),
    OP_INPLACE("aten::put_(Tensor(a!) self, Tensor index, Tensor source, bool accumulate=False) -> Tensor(a!)", put),
    OP_OUT("aten::put.out(Tensor self, Tensor index, Tensor source, bool accumulate=False, *, Tensor(a!) out) -> "
           "Tensor(a!)", put),
    OP("aten::nonzero(Tensor self) -> Tensor", nonzero),
    OP_OUT("aten::nonzero.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", nonzero),
    OP("aten::argwhere(Tensor self) -> Tensor", nonzero),
    OP("aten::nonzero_numpy(Tensor self) -> Tensor[]", nonzero_numpy),
    OP("aten::where(Tensor condition) -> Tensor[]", nonzero_numpy),
};

}  // namespace

const OpFamily kIndexOps{kEntries};

}  // namespace wick
