#include "ops/families.h"
#include "ops/index/sort.h"

namespace wick {

namespace {

using namespace ops;

constexpr OpEntry kEntries[] = {
    OP("aten::sort(Tensor self, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)", sort),
    OP_OUT("aten::sort.values(Tensor self, int dim=-1, bool descending=False, *, Tensor(a!) values, Tensor(b!) "
           "indices) -> (Tensor(a!) values, Tensor(b!) indices)",
           sort),
    OP("aten::sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False) -> (Tensor values, "
       "Tensor indices)",
       sort_stable),
    OP_OUT("aten::sort.values_stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False, Tensor(a!) "
           "values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)",
           sort_stable),
    OP("aten::argsort(Tensor self, int dim=-1, bool descending=False) -> Tensor", argsort),
    OP("aten::argsort.stable(Tensor self, *, bool stable, int dim=-1, bool descending=False) -> Tensor",
       argsort_stable),
    OP_OUT("aten::argsort.stable_out(Tensor self, *, bool stable, int dim=-1, bool descending=False, Tensor(a!) "
           "out) -> Tensor(a!)",
           argsort_stable),
    OP("aten::msort(Tensor self) -> Tensor", msort),
    OP_OUT("aten::msort.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", msort),
    OP("aten::topk(Tensor self, int k, int dim=-1, bool largest=True, bool sorted=True) -> (Tensor values, Tensor "
       "indices)",
       topk),
    OP_OUT("aten::topk.values(Tensor self, int k, int dim=-1, bool largest=True, bool sorted=True, *, Tensor(a!) "
           "values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)",
           topk),
    OP("aten::kthvalue(Tensor self, int k, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)",
       kthvalue),
    OP_OUT("aten::kthvalue.values(Tensor self, int k, int dim=-1, bool keepdim=False, *, Tensor(a!) values, "
           "Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)",
           kthvalue),
    OP("aten::median(Tensor self) -> Tensor", median),
    OP_OUT("aten::median.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", median),
    OP("aten::median.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)", median_dim),
    OP_OUT("aten::median.dim_values(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) values, Tensor(b!) "
           "indices) -> (Tensor(a!) values, Tensor(b!) indices)",
           median_dim),
    OP("aten::nanmedian(Tensor self) -> Tensor", nanmedian),
    OP_OUT("aten::nanmedian.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", nanmedian),
    OP("aten::nanmedian.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
       nanmedian_dim),
    OP_OUT("aten::nanmedian.dim_values(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) values, Tensor(b!) "
           "indices) -> (Tensor(a!) values, Tensor(b!) indices)",
           nanmedian_dim),
    OP("aten::mode(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)", mode),
    OP_OUT("aten::mode.values(Tensor self, int dim=-1, bool keepdim=False, *, Tensor(a!) values, Tensor(b!) "
           "indices) -> (Tensor(a!) values, Tensor(b!) indices)",
           mode),
};

}  // namespace

WICK_OP_FAMILY(kSortOps, kEntries)

}  // namespace wick
