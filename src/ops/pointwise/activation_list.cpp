// Schemas are PyTorch's own text.
#include "ops/families.h"
#include "ops/pointwise/activation.h"

namespace wick {

namespace {

using namespace ops;

constexpr OpEntry kEntries[] = {
    OP("aten::relu(Tensor self) -> Tensor", relu),
    OP_INPLACE("aten::relu_(Tensor(a!) self) -> Tensor(a!)", relu),
    OP_OUT("aten::relu.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", relu),
    OP("aten::relu6(Tensor self) -> Tensor", relu6),
    OP_INPLACE("aten::relu6_(Tensor(a!) self) -> Tensor(a!)", relu6),
    OP("aten::hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1) -> Tensor", hardtanh),
    OP_INPLACE("aten::hardtanh_(Tensor(a!) self, Scalar min_val=-1, Scalar max_val=1) -> Tensor(a!)", hardtanh),
    OP_OUT("aten::hardtanh.out(Tensor self, Scalar min_val=-1, Scalar max_val=1, *, Tensor(a!) out) -> Tensor(a!)",
           hardtanh),
    OP("aten::hardswish(Tensor self) -> Tensor", hardswish),
    OP_INPLACE("aten::hardswish_(Tensor(a!) self) -> Tensor(a!)", hardswish),
    OP_OUT("aten::hardswish.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", hardswish),
    OP("aten::hardsigmoid(Tensor self) -> Tensor", hardsigmoid),
    OP_INPLACE("aten::hardsigmoid_(Tensor(a!) self) -> Tensor(a!)", hardsigmoid),
    OP_OUT("aten::hardsigmoid.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", hardsigmoid),
    OP("aten::hardshrink(Tensor self, Scalar lambd=0.5) -> Tensor", hardshrink),
    OP_OUT("aten::hardshrink.out(Tensor self, Scalar lambd=0.5, *, Tensor(a!) out) -> Tensor(a!)", hardshrink),
    OP("aten::softshrink(Tensor self, Scalar lambd=0.5) -> Tensor", softshrink),
    OP_OUT("aten::softshrink.out(Tensor self, Scalar lambd=0.5, *, Tensor(a!) out) -> Tensor(a!)", softshrink),
    OP("aten::threshold(Tensor self, Scalar threshold, Scalar value) -> Tensor", threshold),
    OP_INPLACE("aten::threshold_(Tensor(a!) self, Scalar threshold, Scalar value) -> Tensor(a!)", threshold),
    OP_OUT("aten::threshold.out(Tensor self, Scalar threshold, Scalar value, *, Tensor(a!) out) -> Tensor(a!)",
           threshold),
    OP("aten::leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor", leaky_relu),
    OP_INPLACE("aten::leaky_relu_(Tensor(a!) self, Scalar negative_slope=0.01) -> Tensor(a!)", leaky_relu),
    OP_OUT("aten::leaky_relu.out(Tensor self, Scalar negative_slope=0.01, *, Tensor(a!) out) -> Tensor(a!)",
           leaky_relu),
    OP("aten::elu(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor", elu),
    OP_INPLACE("aten::elu_(Tensor(a!) self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor(a!)", elu),
    OP_OUT("aten::elu.out(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1, *, Tensor(a!) out) -> "
           "Tensor(a!)",
           elu),
    OP("aten::selu(Tensor self) -> Tensor", selu),
    OP_INPLACE("aten::selu_(Tensor(a!) self) -> Tensor(a!)", selu),
    OP("aten::celu(Tensor self, Scalar alpha=1.) -> Tensor", celu),
    OP_INPLACE("aten::celu_(Tensor(a!) self, Scalar alpha=1.) -> Tensor(a!)", celu),
    OP_OUT("aten::celu.out(Tensor self, Scalar alpha=1., *, Tensor(a!) out) -> Tensor(a!)", celu),
    OP("aten::gelu(Tensor self, *, str approximate='none') -> Tensor", gelu),
    OP_INPLACE("aten::gelu_(Tensor(a!) self, *, str approximate='none') -> Tensor(a!)", gelu),
    OP_OUT("aten::gelu.out(Tensor self, *, str approximate='none', Tensor(a!) out) -> Tensor(a!)", gelu),
    OP("aten::silu(Tensor self) -> Tensor", silu),
    OP_INPLACE("aten::silu_(Tensor(a!) self) -> Tensor(a!)", silu),
    OP_OUT("aten::silu.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", silu),
    OP("aten::mish(Tensor self) -> Tensor", mish),
    OP_INPLACE("aten::mish_(Tensor(a!) self) -> Tensor(a!)", mish),
    OP_OUT("aten::mish.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", mish),
    OP("aten::softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor", softplus),
    OP_OUT("aten::softplus.out(Tensor self, Scalar beta=1, Scalar threshold=20, *, Tensor(a!) out) -> Tensor(a!)",
           softplus),
    OP("aten::log_sigmoid(Tensor self) -> Tensor", log_sigmoid),
    OP_OUT("aten::log_sigmoid.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", log_sigmoid),
    OP("aten::log_sigmoid_forward(Tensor self) -> (Tensor output, Tensor buffer)", log_sigmoid_forward),
    OP_OUT("aten::log_sigmoid_forward.output(Tensor self, *, Tensor(a!) output, Tensor(b!) buffer) -> (Tensor(a!), "
           "Tensor(b!))",
           log_sigmoid_forward),
    OP("aten::_prelu_kernel(Tensor self, Tensor weight) -> Tensor", prelu_kernel),
    OP("aten::prelu(Tensor self, Tensor weight) -> Tensor", prelu),
    OP_OUT("aten::prelu.out(Tensor self, Tensor weight, *, Tensor(a!) out) -> Tensor(a!)", prelu),
    OP("aten::glu(Tensor self, int dim=-1) -> Tensor", glu),
    OP_OUT("aten::glu.out(Tensor self, int dim=-1, *, Tensor(a!) out) -> Tensor(a!)", glu),
    OP("aten::rrelu(Tensor self, Scalar lower=0.125, Scalar upper=0.33333333333333331, bool training=False, Generator? "
       "generator=None) -> Tensor",
       rrelu),
    OP_INPLACE("aten::rrelu_(Tensor(a!) self, Scalar lower=0.125, Scalar upper=0.33333333333333331, bool "
               "training=False, Generator? generator=None) -> Tensor(a!)",
               rrelu),
    OP("aten::rrelu_with_noise(Tensor self, Tensor noise, Scalar lower=0.125, Scalar upper=0.33333333333333331, bool "
       "training=False, Generator? generator=None) -> Tensor",
       rrelu_with_noise),
    OP_INPLACE("aten::rrelu_with_noise_(Tensor(a!) self, Tensor noise, Scalar lower=0.125, Scalar "
               "upper=0.33333333333333331, bool training=False, Generator? generator=None) -> Tensor(a!)",
               rrelu_with_noise),
    OP_OUT(
        "aten::rrelu_with_noise.out(Tensor self, Tensor noise, Scalar lower=0.125, Scalar upper=0.33333333333333331, "
        "bool training=False, Generator? generator=None, *, Tensor(a!) out) -> Tensor(a!)",
        rrelu_with_noise),
};

}  // namespace

WICK_OP_FAMILY(kActivationOps, kEntries)

}  // namespace wick
