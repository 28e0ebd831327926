#include "ops/families.h"
#include "ops/shape/join.h"

namespace wick {

namespace {

using namespace ops;

constexpr OpEntry kEntries[] = {
    OP("aten::cat(Tensor[] tensors, int dim=0) -> Tensor", concat),
    OP_OUT("aten::cat.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)", concat),
    OP("aten::_cat(Tensor[] tensors, int dim=0) -> Tensor", concat),
    OP_OUT("aten::_cat.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)", concat),
    OP("aten::concat(Tensor[] tensors, int dim=0) -> Tensor", concat),
    OP_OUT("aten::concat.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)", concat),
    OP("aten::concatenate(Tensor[] tensors, int dim=0) -> Tensor", concat),
    OP_OUT("aten::concatenate.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)", concat),
    OP("aten::_chunk_cat(Tensor[] tensors, int dim, int num_chunks) -> Tensor", chunk_cat),
    OP_OUT("aten::_chunk_cat.out(Tensor[] tensors, int dim, int num_chunks, *, Tensor(a!) out) -> Tensor(a!)",
           chunk_cat),
    OP("aten::stack(Tensor[] tensors, int dim=0) -> Tensor", stack),
    OP_OUT("aten::stack.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)", stack),
    OP("aten::_stack(Tensor[] tensors, int dim=0) -> Tensor", stack),
    OP_OUT("aten::_stack.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)", stack),
    OP("aten::hstack(Tensor[] tensors) -> Tensor", hstack),
    OP_OUT("aten::hstack.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)", hstack),
    OP("aten::vstack(Tensor[] tensors) -> Tensor", vstack),
    OP_OUT("aten::vstack.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)", vstack),
    OP("aten::row_stack(Tensor[] tensors) -> Tensor", vstack),
    OP_OUT("aten::row_stack.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)", vstack),
    OP("aten::dstack(Tensor[] tensors) -> Tensor", dstack),
    OP_OUT("aten::dstack.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)", dstack),
    OP("aten::column_stack(Tensor[] tensors) -> Tensor", column_stack),
    OP_OUT("aten::column_stack.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)", column_stack),
    OP("aten::pad_sequence(Tensor[] sequences, bool batch_first=False, float padding_value=0., "
       "str padding_side=\"right\") -> Tensor",
       pad_sequence),
    OP("aten::flatten_dense_tensors(Tensor[] tensors) -> Tensor", flatten_dense_tensors),
    OP("aten::unflatten_dense_tensors(Tensor flat, Tensor[] tensors) -> Tensor[]", unflatten_dense_tensors),
};

}  // namespace

WICK_OP_FAMILY(kJoinOps, kEntries)

}  // namespace wick
