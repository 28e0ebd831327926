// Schemas are PyTorch's own text.
#include "ops/families.h"
#include "ops/reduce/reduce.h"

namespace wick {

namespace {

using namespace ops;

const OpEntry kEntries[] = {
    OP("aten::cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor", cumsum),
    OP_INPLACE("aten::cumsum_(Tensor(a!) self, int dim, *, ScalarType? dtype=None) -> Tensor(a!)", cumsum),
    OP_OUT("aten::cumsum.out(Tensor self, int dim, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)", cumsum),
    OP("aten::cumprod(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor", cumprod),
    OP_INPLACE("aten::cumprod_(Tensor(a!) self, int dim, *, ScalarType? dtype=None) -> Tensor(a!)", cumprod),
    OP_OUT("aten::cumprod.out(Tensor self, int dim, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)", cumprod),
    OP("aten::cummax(Tensor self, int dim) -> (Tensor values, Tensor indices)", cummax),
    OP_OUT("aten::cummax.out(Tensor self, int dim, *, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, "
           "Tensor(b!) indices)",
           cummax),
    OP("aten::cummin(Tensor self, int dim) -> (Tensor values, Tensor indices)", cummin),
    OP_OUT("aten::cummin.out(Tensor self, int dim, *, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, "
           "Tensor(b!) indices)",
           cummin),
    OP("aten::logcumsumexp(Tensor self, int dim) -> Tensor", logcumsumexp),
    OP_OUT("aten::logcumsumexp.out(Tensor self, int dim, *, Tensor(a!) out) -> Tensor(a!)", logcumsumexp),
    OP("aten::diff(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None) -> Tensor", diff),
    OP_OUT("aten::diff.out(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None, *, Tensor(a!) "
           "out) -> Tensor(a!)",
           diff),
    OP("aten::trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor", trapezoid_dx),
    OP("aten::trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor", trapezoid_x),
    OP("aten::trapz.dx(Tensor y, *, float dx=1., int dim=-1) -> Tensor", trapz_dx),
    OP("aten::trapz.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor", trapz_x),
    OP("aten::cumulative_trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor", cumulative_trapezoid_dx),
    OP("aten::cumulative_trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor", cumulative_trapezoid_x),
};

}  // namespace

const OpFamily kScanOps{kEntries};

}  // namespace wick
