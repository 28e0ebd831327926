// The operator list of concatenation.
#include "ops/families.h"
#include "ops/shape/join.h"

namespace wick {

namespace {

using namespace ops;
using namespace traits;

constexpr OpEntry kEntries[] = {
    OP("aten::cat(Tensor[] tensors, int dim=0) -> Tensor", concat, shapes_only, rounds_never),
    OP_OUT("aten::cat.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)", concat, shapes_only),
    OP("aten::_cat(Tensor[] tensors, int dim=0) -> Tensor", concat, deterministic),
    OP_OUT("aten::_cat.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)", concat, deterministic),
    OP("aten::concat(Tensor[] tensors, int dim=0) -> Tensor", concat, deterministic),
    OP_OUT("aten::concat.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)", concat, deterministic),
    OP("aten::concatenate(Tensor[] tensors, int dim=0) -> Tensor", concat, deterministic),
    OP_OUT("aten::concatenate.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)", concat,
           deterministic),
    OP("aten::_chunk_cat(Tensor[] tensors, int dim, int num_chunks) -> Tensor", chunk_cat, deterministic),
    OP_OUT("aten::_chunk_cat.out(Tensor[] tensors, int dim, int num_chunks, *, Tensor(a!) out) -> Tensor(a!)",
           chunk_cat, deterministic),
    OP("aten::stack(Tensor[] tensors, int dim=0) -> Tensor", stack, shapes_only),
    OP_OUT("aten::stack.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)", stack, shapes_only),
    OP("aten::_stack(Tensor[] tensors, int dim=0) -> Tensor", stack, deterministic),
    OP_OUT("aten::_stack.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)", stack, deterministic),
    OP("aten::hstack(Tensor[] tensors) -> Tensor", hstack, deterministic),
    OP_OUT("aten::hstack.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)", hstack, deterministic),
    OP("aten::vstack(Tensor[] tensors) -> Tensor", vstack, deterministic),
    OP_OUT("aten::vstack.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)", vstack, deterministic),
    OP("aten::row_stack(Tensor[] tensors) -> Tensor", vstack, deterministic),
    OP_OUT("aten::row_stack.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)", vstack, deterministic),
    OP("aten::dstack(Tensor[] tensors) -> Tensor", dstack, deterministic),
    OP_OUT("aten::dstack.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)", dstack, deterministic),
    OP("aten::column_stack(Tensor[] tensors) -> Tensor", column_stack, deterministic),
    OP_OUT("aten::column_stack.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)", column_stack, deterministic),
    OP("aten::pad_sequence(Tensor[] sequences, bool batch_first=False, float padding_value=0., "
       "str padding_side=\"right\") -> Tensor",
       pad_sequence, deterministic),
    OP("aten::flatten_dense_tensors(Tensor[] tensors) -> Tensor", flatten_dense_tensors, may_alias),
    OP("aten::unflatten_dense_tensors(Tensor flat, Tensor[] tensors) -> Tensor[]", unflatten_dense_tensors, may_alias),
};

}  // namespace

WICK_OP_FAMILY(kJoinOps, kEntries)

}  // namespace wick
