// The operator list of activations. Schemas are PyTorch's own text.
#include "ops/families.h"
#include "ops/pointwise/activation.h"

namespace wick {

namespace {

using namespace ops;
using namespace traits;

constexpr OpEntry kEntries[] = {
    OP("aten::relu(Tensor self) -> Tensor", relu, pointwise, clamps, keeps_qparams),
    OP_INPLACE("aten::relu_(Tensor(a!) self) -> Tensor(a!)", relu, pointwise),
    OP_OUT("aten::relu.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", relu, pointwise),
    OP("aten::relu6(Tensor self) -> Tensor", relu6, pointwise, clamps, keeps_qparams),
    OP_INPLACE("aten::relu6_(Tensor(a!) self) -> Tensor(a!)", relu6, pointwise),
    OP("aten::hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1) -> Tensor", hardtanh, pointwise, clamps,
       keeps_qparams),
    OP_INPLACE("aten::hardtanh_(Tensor(a!) self, Scalar min_val=-1, Scalar max_val=1) -> Tensor(a!)", hardtanh,
               pointwise),
    OP_OUT("aten::hardtanh.out(Tensor self, Scalar min_val=-1, Scalar max_val=1, *, Tensor(a!) out) -> Tensor(a!)",
           hardtanh, pointwise),
    OP("aten::hardswish(Tensor self) -> Tensor", hardswish, pointwise, rounds_once, has_quantized_form),
    OP_INPLACE("aten::hardswish_(Tensor(a!) self) -> Tensor(a!)", hardswish, pointwise),
    OP_OUT("aten::hardswish.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", hardswish, pointwise),
    OP("aten::hardsigmoid(Tensor self) -> Tensor", hardsigmoid, pointwise, rounds_once, fixed_qparams),
    OP_INPLACE("aten::hardsigmoid_(Tensor(a!) self) -> Tensor(a!)", hardsigmoid, pointwise),
    OP_OUT("aten::hardsigmoid.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", hardsigmoid, pointwise),
    OP("aten::hardshrink(Tensor self, Scalar lambd=0.5) -> Tensor", hardshrink, pointwise),
    OP_OUT("aten::hardshrink.out(Tensor self, Scalar lambd=0.5, *, Tensor(a!) out) -> Tensor(a!)", hardshrink,
           pointwise),
    OP("aten::softshrink(Tensor self, Scalar lambd=0.5) -> Tensor", softshrink, pointwise),
    OP_OUT("aten::softshrink.out(Tensor self, Scalar lambd=0.5, *, Tensor(a!) out) -> Tensor(a!)", softshrink,
           pointwise),
    OP("aten::threshold(Tensor self, Scalar threshold, Scalar value) -> Tensor", threshold, pointwise),
    OP_INPLACE("aten::threshold_(Tensor(a!) self, Scalar threshold, Scalar value) -> Tensor(a!)", threshold, pointwise),
    OP_OUT("aten::threshold.out(Tensor self, Scalar threshold, Scalar value, *, Tensor(a!) out) -> Tensor(a!)",
           threshold, pointwise),
    OP("aten::leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor", leaky_relu, pointwise, rounds_once,
       has_quantized_form),
    OP_INPLACE("aten::leaky_relu_(Tensor(a!) self, Scalar negative_slope=0.01) -> Tensor(a!)", leaky_relu, pointwise),
    OP_OUT("aten::leaky_relu.out(Tensor self, Scalar negative_slope=0.01, *, Tensor(a!) out) -> Tensor(a!)", leaky_relu,
           pointwise),
    OP("aten::elu(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor", elu, pointwise),
    OP_INPLACE("aten::elu_(Tensor(a!) self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor(a!)", elu,
               pointwise),
    OP_OUT("aten::elu.out(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1, *, Tensor(a!) out) -> "
           "Tensor(a!)",
           elu, pointwise),
    OP("aten::selu(Tensor self) -> Tensor", selu, pointwise),
    OP_INPLACE("aten::selu_(Tensor(a!) self) -> Tensor(a!)", selu, pointwise),
    OP("aten::celu(Tensor self, Scalar alpha=1.) -> Tensor", celu, pointwise),
    OP_INPLACE("aten::celu_(Tensor(a!) self, Scalar alpha=1.) -> Tensor(a!)", celu, pointwise),
    OP_OUT("aten::celu.out(Tensor self, Scalar alpha=1., *, Tensor(a!) out) -> Tensor(a!)", celu, pointwise),
    OP("aten::gelu(Tensor self, *, str approximate='none') -> Tensor", gelu, pointwise, rounds_once),
    OP_INPLACE("aten::gelu_(Tensor(a!) self, *, str approximate='none') -> Tensor(a!)", gelu, pointwise),
    OP_OUT("aten::gelu.out(Tensor self, *, str approximate='none', Tensor(a!) out) -> Tensor(a!)", gelu, pointwise),
    OP("aten::silu(Tensor self) -> Tensor", silu, pointwise, rounds_once),
    OP_INPLACE("aten::silu_(Tensor(a!) self) -> Tensor(a!)", silu, pointwise),
    OP_OUT("aten::silu.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", silu, pointwise),
    OP("aten::mish(Tensor self) -> Tensor", mish, pointwise),
    OP_INPLACE("aten::mish_(Tensor(a!) self) -> Tensor(a!)", mish, pointwise),
    OP_OUT("aten::mish.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", mish, pointwise),
    OP("aten::softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor", softplus, pointwise),
    OP_OUT("aten::softplus.out(Tensor self, Scalar beta=1, Scalar threshold=20, *, Tensor(a!) out) -> Tensor(a!)",
           softplus, pointwise),
    OP("aten::log_sigmoid(Tensor self) -> Tensor", log_sigmoid, pointwise),
    OP_OUT("aten::log_sigmoid.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", log_sigmoid, pointwise),
    OP("aten::log_sigmoid_forward(Tensor self) -> (Tensor output, Tensor buffer)", log_sigmoid_forward, deterministic),
    OP_OUT("aten::log_sigmoid_forward.output(Tensor self, *, Tensor(a!) output, Tensor(b!) buffer) -> (Tensor(a!), "
           "Tensor(b!))",
           log_sigmoid_forward, deterministic),
    OP("aten::_prelu_kernel(Tensor self, Tensor weight) -> Tensor", prelu_kernel, deterministic),
    OP("aten::prelu(Tensor self, Tensor weight) -> Tensor", prelu, shapes_only, keeps_rank),
    OP_OUT("aten::prelu.out(Tensor self, Tensor weight, *, Tensor(a!) out) -> Tensor(a!)", prelu, shapes_only),
    OP("aten::glu(Tensor self, int dim=-1) -> Tensor", glu, shapes_only),
    OP_OUT("aten::glu.out(Tensor self, int dim=-1, *, Tensor(a!) out) -> Tensor(a!)", glu, shapes_only),
    OP("aten::rrelu(Tensor self, Scalar lower=0.125, Scalar upper=0.33333333333333331, bool training=False, Generator? "
       "generator=None) -> Tensor",
       rrelu, nondeterministic_seeded),
    OP_INPLACE("aten::rrelu_(Tensor(a!) self, Scalar lower=0.125, Scalar upper=0.33333333333333331, bool "
               "training=False, Generator? generator=None) -> Tensor(a!)",
               rrelu, nondeterministic_seeded),
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
