// The operator list of prepacked layers.
#include "ops/conv/prepacked.h"
#include "ops/families.h"

namespace wick {
namespace {

using namespace ops;
using namespace traits;

constexpr OpEntry kEntries[] = {
    OP("prepacked::unpack_prepacked_sizes_conv2d(Any W_prepack) -> Any", unpack_prepacked_sizes_conv2d, deterministic),
    OP("prepacked::unpack_prepacked_sizes_linear(Any W_prepack) -> Any", unpack_prepacked_sizes_linear, deterministic),
    OP("prepacked::linear_clamp_prepack(Tensor W, Tensor? B=None, Scalar? output_min=None, Scalar? output_max=None) "
       "-> __torch__.torch.classes.xnnpack.LinearOpContext",
       linear_clamp_prepack, deterministic),
    OP("prepacked::linear_clamp_run(Tensor X, __torch__.torch.classes.xnnpack.LinearOpContext W_prepack) -> Tensor Y",
       linear_clamp_run, shapes_only, keeps_rank),
    OP("prepacked::conv2d_clamp_prepack(Tensor W, Tensor? B, int[2] stride, int[2] padding, int[2] dilation, int "
       "groups, Scalar? output_min=None, Scalar? output_max=None) -> __torch__.torch.classes.xnnpack.Conv2dOpContext",
       conv2d_clamp_prepack, deterministic),
    OP("prepacked::conv2d_transpose_clamp_prepack(Tensor W, Tensor? B, int[2] stride, int[2] padding, int[2] "
       "output_padding, int[2] dilation, int groups, Scalar? output_min=None, Scalar? output_max=None) -> "
       "__torch__.torch.classes.xnnpack.TransposeConv2dOpContext",
       conv2d_transpose_clamp_prepack, deterministic),
    OP("prepacked::conv2d_clamp_run(Tensor X, __torch__.torch.classes.xnnpack.Conv2dOpContext W_prepack) -> Tensor Y",
       conv2d_clamp_run, shapes_only),
    OP("prepacked::conv2d_transpose_clamp_run(Tensor X, __torch__.torch.classes.xnnpack.TransposeConv2dOpContext "
       "W_prepack) -> Tensor Y",
       conv2d_transpose_clamp_run, deterministic),
};

}  // namespace

WICK_OP_FAMILY(kPrepackedOps, kEntries)

}  // namespace wick
