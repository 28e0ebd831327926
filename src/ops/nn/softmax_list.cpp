#include "ops/families.h"
#include "ops/nn/softmax.h"

namespace wick {

namespace {

using namespace ops;

constexpr OpEntry kEntries[] = {
    OP("aten::softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor", softmax),
    OP_OUT("aten::softmax.int_out(Tensor self, int dim, ScalarType? dtype=None, *, Tensor(a!) out) -> Tensor(a!)",
           softmax),
    OP("aten::log_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor", log_softmax),
    OP_OUT("aten::log_softmax.int_out(Tensor self, int dim, ScalarType? dtype=None, *, "
           "Tensor(a!) out) -> Tensor(a!)",
           log_softmax),
    OP("aten::special_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor", softmax),
    OP("aten::special_log_softmax(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor", log_softmax),
    OP("aten::_safe_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor", safe_softmax),
    OP("aten::_softmax(Tensor self, int dim, bool half_to_float) -> Tensor", softmax_half_to_float),
    OP_OUT("aten::_softmax.out(Tensor self, int dim, bool half_to_float, *, Tensor(a!) out) -> Tensor(a!)",
           softmax_half_to_float),
    OP("aten::_log_softmax(Tensor self, int dim, bool half_to_float) -> Tensor", log_softmax_half_to_float),
    OP_OUT("aten::_log_softmax.out(Tensor self, int dim, bool half_to_float, *, Tensor(a!) out) -> Tensor(a!)",
           log_softmax_half_to_float),
};

}  // namespace

WICK_OP_FAMILY(kSoftmaxOps, kEntries)

}  // namespace wick
