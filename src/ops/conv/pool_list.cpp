// The operator list of pooling.
#include "ops/conv/pool.h"
#include "ops/families.h"

namespace wick {
namespace {

using namespace ops;
using namespace traits;

constexpr OpEntry kEntries[] = {
    OP("aten::max_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], int[1] dilation=[1], "
       "bool ceil_mode=False) -> Tensor",
       max_pool1d, shapes_only, keeps_qparams, keeps_rank),
    OP("aten::max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, "
       "bool ceil_mode=False) -> Tensor",
       max_pool2d, shapes_only, rounds_never, keeps_qparams, keeps_rank),
    OP("aten::max_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, "
       "bool ceil_mode=False) -> Tensor",
       max_pool3d, shapes_only),
    OP("aten::max_pool1d_with_indices(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], int[1] "
       "dilation=[1], bool ceil_mode=False) -> (Tensor, Tensor)",
       max_pool1d_with_indices, deterministic),
    OP("aten::max_pool2d_with_indices(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] "
       "dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)",
       max_pool2d_with_indices, deterministic),
    OP_OUT("aten::max_pool2d_with_indices.out(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, "
           "int[2] dilation=1, bool ceil_mode=False, *, Tensor(a!) out, Tensor(b!) indices) -> (Tensor(a!), "
           "Tensor(b!))",
           max_pool2d_with_indices, deterministic),
    OP("aten::max_pool3d_with_indices(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] "
       "dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)",
       max_pool3d_with_indices, deterministic),
    OP_OUT("aten::max_pool3d_with_indices.out(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, "
           "int[3] dilation=1, bool ceil_mode=False, *, Tensor(a!) out, Tensor(b!) indices) -> (Tensor(a!), "
           "Tensor(b!))",
           max_pool3d_with_indices, deterministic),
    OP_OUT("aten::avg_pool1d.out(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], bool "
           "ceil_mode=False, bool count_include_pad=True, *, Tensor(a!) out) -> Tensor(a!)",
           avg_pool1d, shapes_only),
    OP_OUT("aten::adaptive_avg_pool1d.out(Tensor self, int[1] output_size, *, Tensor(a!) out) -> Tensor(a!)",
           adaptive_avg_pool1d, shapes_only),
    OP("aten::avg_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], bool "
       "ceil_mode=False, bool count_include_pad=True) -> Tensor",
       avg_pool1d, shapes_only),
    OP("aten::avg_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, bool ceil_mode=False, "
       "bool count_include_pad=True, int? divisor_override=None) -> Tensor",
       avg_pool2d, shapes_only, rounds_once, keeps_qparams, keeps_rank),
    OP_OUT("aten::avg_pool2d.out(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, bool "
           "ceil_mode=False, bool count_include_pad=True, int? divisor_override=None, *, Tensor(a!) out) -> "
           "Tensor(a!)",
           avg_pool2d, shapes_only),
    OP("aten::avg_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, bool ceil_mode=False, "
       "bool count_include_pad=True, int? divisor_override=None) -> Tensor",
       avg_pool3d, shapes_only),
    OP_OUT("aten::avg_pool3d.out(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, bool "
           "ceil_mode=False, bool count_include_pad=True, int? divisor_override=None, *, Tensor(a!) out) -> "
           "Tensor(a!)",
           avg_pool3d, shapes_only),
    OP("aten::adaptive_avg_pool1d(Tensor self, int[1] output_size) -> Tensor", adaptive_avg_pool1d, shapes_only),
    OP("aten::adaptive_avg_pool2d(Tensor self, int[2] output_size) -> Tensor", adaptive_avg_pool2d, shapes_only,
       rounds_once, keeps_qparams, keeps_rank),
    OP_OUT("aten::adaptive_avg_pool2d.out(Tensor self, int[2] output_size, *, Tensor(a!) out) -> Tensor(a!)",
           adaptive_avg_pool2d, shapes_only),
    OP("aten::adaptive_avg_pool3d(Tensor self, int[3] output_size) -> Tensor", adaptive_avg_pool3d, shapes_only),
    OP_OUT("aten::adaptive_avg_pool3d.out(Tensor self, int[3] output_size, *, Tensor(a!) out) -> Tensor(a!)",
           adaptive_avg_pool3d, shapes_only),
    OP("aten::_adaptive_avg_pool2d(Tensor self, int[2] output_size) -> Tensor", _adaptive_avg_pool2d, deterministic),
    OP_OUT("aten::_adaptive_avg_pool2d.out(Tensor self, int[2] output_size, *, Tensor(a!) out) -> Tensor(a!)",
           _adaptive_avg_pool2d, deterministic),
    OP("aten::_adaptive_avg_pool3d(Tensor self, int[3] output_size) -> Tensor", _adaptive_avg_pool3d, deterministic),
    OP_OUT("aten::_adaptive_avg_pool3d.out(Tensor self, int[3] output_size, *, Tensor(a!) out) -> Tensor(a!)",
           _adaptive_avg_pool3d, deterministic),
    OP("aten::adaptive_max_pool1d(Tensor self, int[1] output_size) -> (Tensor, Tensor)", adaptive_max_pool1d,
       shapes_only),
    OP("aten::adaptive_max_pool2d(Tensor self, int[2] output_size) -> (Tensor, Tensor)", adaptive_max_pool2d,
       shapes_only),
    OP_OUT("aten::adaptive_max_pool2d.out(Tensor self, int[2] output_size, *, Tensor(a!) out, Tensor(b!) indices) -> "
           "(Tensor(a!), Tensor(b!))",
           adaptive_max_pool2d, shapes_only),
    OP("aten::adaptive_max_pool3d(Tensor self, int[3] output_size) -> (Tensor, Tensor)", adaptive_max_pool3d,
       shapes_only),
    OP_OUT("aten::adaptive_max_pool3d.out(Tensor self, int[3] output_size, *, Tensor(a!) out, Tensor(b!) indices) -> "
           "(Tensor(a!), Tensor(b!))",
           adaptive_max_pool3d, shapes_only),
    OP("aten::fractional_max_pool2d(Tensor self, int[2] kernel_size, int[2] output_size, Tensor random_samples) -> "
       "(Tensor, Tensor)",
       fractional_max_pool2d, deterministic),
    OP_OUT("aten::fractional_max_pool2d.output(Tensor self, int[2] kernel_size, int[2] output_size, Tensor "
           "random_samples, *, Tensor(a!) output, Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))",
           fractional_max_pool2d, deterministic),
    OP("aten::fractional_max_pool3d(Tensor self, int[3] kernel_size, int[3] output_size, Tensor random_samples) -> "
       "(Tensor, Tensor)",
       fractional_max_pool3d, deterministic),
    OP_OUT("aten::fractional_max_pool3d.output(Tensor self, int[3] kernel_size, int[3] output_size, Tensor "
           "random_samples, *, Tensor(a!) output, Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))",
           fractional_max_pool3d, deterministic),
    OP("aten::max_unpool2d(Tensor self, Tensor indices, int[2] output_size) -> Tensor", max_unpool2d, deterministic),
    OP_OUT("aten::max_unpool2d.out(Tensor self, Tensor indices, int[2] output_size, *, Tensor(a!) out) -> Tensor(a!)",
           max_unpool2d, deterministic),
    OP("aten::max_unpool3d(Tensor self, Tensor indices, int[3] output_size, int[3] stride, int[3] padding) -> Tensor",
       max_unpool3d, deterministic),
    OP_OUT("aten::max_unpool3d.out(Tensor self, Tensor indices, int[3] output_size, int[3] stride, int[3] padding, "
           "*, Tensor(a!) out) -> Tensor(a!)",
           max_unpool3d, deterministic),
};

}  // namespace

WICK_OP_FAMILY(kPoolOps, kEntries)

}  // namespace wick
