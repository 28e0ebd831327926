// The operator list of softmax.
#include "ops/families.h"
#include "ops/nn/softmax.h"

namespace wick {

namespace {

using namespace ops;
using namespace traits;

constexpr OpEntry kEntries[] = {
    OP("aten::softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor", softmax, shapes_only, rounds_once,
       keeps_rank),
    OP_OUT("aten::softmax.int_out(Tensor self, int dim, ScalarType? dtype=None, *, Tensor(a!) out) -> Tensor(a!)",
           softmax, shapes_only),
    OP("aten::log_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor", log_softmax, shapes_only,
       keeps_rank),
    OP_OUT("aten::log_softmax.int_out(Tensor self, int dim, ScalarType? dtype=None, *, "
           "Tensor(a!) out) -> Tensor(a!)",
           log_softmax, shapes_only),
    OP("aten::special_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor", softmax, deterministic),
    OP("aten::special_log_softmax(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor", log_softmax,
       deterministic),
    OP("aten::_safe_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor", safe_softmax, deterministic),
    OP("aten::_softmax(Tensor self, int dim, bool half_to_float) -> Tensor", softmax_half_to_float, shapes_only),
    OP_OUT("aten::_softmax.out(Tensor self, int dim, bool half_to_float, *, Tensor(a!) out) -> Tensor(a!)",
           softmax_half_to_float, shapes_only),
    OP("aten::_log_softmax(Tensor self, int dim, bool half_to_float) -> Tensor", log_softmax_half_to_float,
       deterministic),
    OP_OUT("aten::_log_softmax.out(Tensor self, int dim, bool half_to_float, *, Tensor(a!) out) -> Tensor(a!)",
           log_softmax_half_to_float, deterministic),
};

}  // namespace

WICK_OP_FAMILY(kSoftmaxOps, kEntries)

}  // namespace wick
