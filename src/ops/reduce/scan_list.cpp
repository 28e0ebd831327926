// The operator list of cumulative operators. Schemas are PyTorch's own text.
#include "ops/families.h"
#include "ops/reduce/reduce.h"

namespace wick {

namespace {

using namespace ops;
using namespace traits;

constexpr OpEntry kEntries[] = {
    OP("aten::cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor", cumsum, shapes_only),
    OP_INPLACE("aten::cumsum_(Tensor(a!) self, int dim, *, ScalarType? dtype=None) -> Tensor(a!)", cumsum,
               deterministic),
    OP_OUT("aten::cumsum.out(Tensor self, int dim, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)", cumsum,
           shapes_only),
    OP("aten::cumprod(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor", cumprod, deterministic),
    OP_INPLACE("aten::cumprod_(Tensor(a!) self, int dim, *, ScalarType? dtype=None) -> Tensor(a!)", cumprod,
               deterministic),
    OP_OUT("aten::cumprod.out(Tensor self, int dim, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)", cumprod,
           deterministic),
    OP("aten::cummax(Tensor self, int dim) -> (Tensor values, Tensor indices)", cummax, deterministic),
    OP_OUT("aten::cummax.out(Tensor self, int dim, *, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, "
           "Tensor(b!) indices)",
           cummax, deterministic),
    OP("aten::cummin(Tensor self, int dim) -> (Tensor values, Tensor indices)", cummin, deterministic),
    OP_OUT("aten::cummin.out(Tensor self, int dim, *, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, "
           "Tensor(b!) indices)",
           cummin, deterministic),
    OP("aten::_logcumsumexp(Tensor self, int dim) -> Tensor", logcumsumexp, deterministic),
    OP_OUT("aten::_logcumsumexp.out(Tensor self, int dim, *, Tensor(a!) out) -> Tensor(a!)", logcumsumexp,
           deterministic),
    OP("aten::logcumsumexp(Tensor self, int dim) -> Tensor", logcumsumexp, deterministic),
    OP_OUT("aten::logcumsumexp.out(Tensor self, int dim, *, Tensor(a!) out) -> Tensor(a!)", logcumsumexp,
           deterministic),
    OP("aten::diff(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None) -> Tensor", diff,
       may_alias),
    OP_OUT("aten::diff.out(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None, *, Tensor(a!) "
           "out) -> Tensor(a!)",
           diff, deterministic),
    OP("aten::trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor", trapezoid_dx, deterministic),
    OP("aten::trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor", trapezoid_x, deterministic),
    OP("aten::trapz.dx(Tensor y, *, float dx=1., int dim=-1) -> Tensor", trapz_dx, deterministic),
    OP("aten::trapz.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor", trapz_x, deterministic),
    OP("aten::cumulative_trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor", cumulative_trapezoid_dx,
       deterministic),
    OP("aten::cumulative_trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor", cumulative_trapezoid_x,
       deterministic),
    OP("aten::gradient.scalarint(Tensor self, *, Scalar? spacing=None, int? dim=None, int edge_order=1) -> Tensor[]",
       gradient, deterministic),
    OP("aten::gradient.scalararray(Tensor self, *, Scalar spacing, int[] dim, int edge_order=1) -> Tensor[]",
       gradient_spacing_dims, deterministic),
    OP("aten::gradient.array(Tensor self, *, int[] dim, int edge_order=1) -> Tensor[]", gradient_dims, deterministic),
    OP("aten::gradient.scalarrayint(Tensor self, *, Scalar[] spacing, int? dim=None, int edge_order=1) -> Tensor[]",
       gradient_spacings, deterministic),
    OP("aten::gradient.scalarrayarray(Tensor self, *, Scalar[] spacing, int[] dim, int edge_order=1) -> Tensor[]",
       gradient_spacings_dims, deterministic),
    OP("aten::gradient.tensorarrayint(Tensor self, *, Tensor[] spacing, int? dim=None, int edge_order=1) -> Tensor[]",
       gradient_coordinates, deterministic),
    OP("aten::gradient.tensorarray(Tensor self, *, Tensor[] spacing, int[] dim, int edge_order=1) -> Tensor[]",
       gradient_coordinates_dims, deterministic),
    OP("aten::segment_reduce(Tensor data, str reduce, *, Tensor? lengths=None, Tensor? indices=None, Tensor? "
       "offsets=None, int axis=0, bool unsafe=False, Scalar? initial=None) -> Tensor",
       segment_reduce, not_planned),
    OP_OUT("aten::segment_reduce.out(Tensor data, str reduce, *, Tensor? lengths=None, Tensor? indices=None, Tensor? "
           "offsets=None, int axis=0, bool unsafe=False, Scalar? initial=None, Tensor(a!) out) -> Tensor(a!)",
           segment_reduce, not_planned),
};

}  // namespace

WICK_OP_FAMILY(kScanOps, kEntries)

}  // namespace wick
