// The operator list of sorting and selection.
#include "ops/families.h"
#include "ops/index/sort.h"

namespace wick {

namespace {

using namespace ops;
using namespace traits;

constexpr OpEntry kEntries[] = {
    OP("aten::sort(Tensor self, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)", sort,
       deterministic),
    OP_OUT("aten::sort.values(Tensor self, int dim=-1, bool descending=False, *, Tensor(a!) values, Tensor(b!) "
           "indices) -> (Tensor(a!) values, Tensor(b!) indices)",
           sort, deterministic),
    OP("aten::sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False) -> (Tensor values, "
       "Tensor indices)",
       sort_stable, deterministic),
    OP_OUT("aten::sort.values_stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False, Tensor(a!) "
           "values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)",
           sort_stable, deterministic),
    OP("aten::argsort(Tensor self, int dim=-1, bool descending=False) -> Tensor", argsort, deterministic),
    OP("aten::argsort.stable(Tensor self, *, bool stable, int dim=-1, bool descending=False) -> Tensor", argsort_stable,
       deterministic),
    OP_OUT("aten::argsort.stable_out(Tensor self, *, bool stable, int dim=-1, bool descending=False, Tensor(a!) "
           "out) -> Tensor(a!)",
           argsort_stable, deterministic),
    OP("aten::msort(Tensor self) -> Tensor", msort, deterministic),
    OP_OUT("aten::msort.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", msort, deterministic),
    OP("aten::topk(Tensor self, int k, int dim=-1, bool largest=True, bool sorted=True) -> (Tensor values, Tensor "
       "indices)",
       topk, shapes_only),
    OP_OUT("aten::topk.values(Tensor self, int k, int dim=-1, bool largest=True, bool sorted=True, *, Tensor(a!) "
           "values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)",
           topk, shapes_only),
    OP("aten::kthvalue(Tensor self, int k, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)",
       kthvalue, deterministic),
    OP_OUT("aten::kthvalue.values(Tensor self, int k, int dim=-1, bool keepdim=False, *, Tensor(a!) values, "
           "Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)",
           kthvalue, deterministic),
    OP("aten::median(Tensor self) -> Tensor", median, deterministic),
    OP_OUT("aten::median.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", median, deterministic),
    OP("aten::median.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)", median_dim,
       deterministic),
    OP_OUT("aten::median.dim_values(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) values, Tensor(b!) "
           "indices) -> (Tensor(a!) values, Tensor(b!) indices)",
           median_dim, deterministic),
    OP("aten::nanmedian(Tensor self) -> Tensor", nanmedian, deterministic),
    OP_OUT("aten::nanmedian.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", nanmedian, deterministic),
    OP("aten::nanmedian.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
       nanmedian_dim, deterministic),
    OP_OUT("aten::nanmedian.dim_values(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) values, Tensor(b!) "
           "indices) -> (Tensor(a!) values, Tensor(b!) indices)",
           nanmedian_dim, deterministic),
    OP("aten::mode(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)", mode,
       deterministic),
    OP_OUT("aten::mode.values(Tensor self, int dim=-1, bool keepdim=False, *, Tensor(a!) values, Tensor(b!) "
           "indices) -> (Tensor(a!) values, Tensor(b!) indices)",
           mode, deterministic),
};

}  // namespace

WICK_OP_FAMILY(kSortOps, kEntries)

}  // namespace wick
