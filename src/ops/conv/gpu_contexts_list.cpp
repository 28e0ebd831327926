// The operator list of Vulkan and Metal prepacked layers.
#include "ops/conv/gpu_contexts.h"
#include "ops/families.h"

namespace wick {
namespace {

using namespace ops;
using namespace traits;

constexpr OpEntry kEntries[] = {
    OP("metal_prepack::conv2d_prepack(Tensor W, Tensor? B, int[2] stride, int[2] padding, int[2] dilation, int groups, "
       "Scalar? output_min=None, Scalar? output_max=None) -> __torch__.torch.classes.metal.Conv2dOpContext",
       metal_conv2d_prepack, deterministic),
    OP("metal_prepack::conv2d_run(Tensor X, __torch__.torch.classes.metal.Conv2dOpContext W_prepack) -> Tensor Y",
       metal_conv2d_run, shapes_only),
    OP("metal_prepack::linear_prepack(Tensor W, Tensor? B, Scalar? output_min=None, Scalar? output_max=None) -> "
       "__torch__.torch.classes.metal.LinearOpContext",
       metal_linear_prepack, deterministic),
    OP("metal_prepack::linear_run(Tensor X, __torch__.torch.classes.metal.LinearOpContext W_prepack) -> Tensor Y",
       metal_linear_run, shapes_only, keeps_rank),
    OP("metal::copy_to_host(Tensor X) -> Tensor Y", metal_copy_to_host, may_alias, keeps_rank),
    OP("vulkan_prepack::create_conv2d_context(Tensor W, Tensor? B, int[2] stride, int[2] padding, int[2] dilation, int "
       "groups, Scalar? output_min=None, Scalar? output_max=None) -> "
       "__torch__.torch.classes.vulkan.Conv2dPackedContext",
       create_conv2d_context, deterministic),
    OP("vulkan_prepack::run_conv2d_context(Tensor X, __torch__.torch.classes.vulkan.Conv2dPackedContext W_prepack) -> "
       "Tensor Y",
       run_conv2d_context, shapes_only),
    OP("vulkan_prepack::create_tconv2d_context(Tensor W, Tensor? B, int[2] stride, int[2] padding, int[2] "
       "output_padding, int[2] dilation, int groups, Scalar? output_min=None, Scalar? output_max=None) -> "
       "__torch__.torch.classes.vulkan.Conv2dPackedContext",
       create_tconv2d_context, deterministic),
    OP("vulkan_prepack::run_tconv2d_context(Tensor X, __torch__.torch.classes.vulkan.Conv2dPackedContext W_prepack) -> "
       "Tensor Y",
       run_tconv2d_context, deterministic),
    OP("vulkan_prepack::create_linear_context(Tensor W, Tensor? B) -> "
       "__torch__.torch.classes.vulkan.LinearPackedContext",
       create_linear_context, deterministic),
    OP("vulkan_prepack::run_linear_context(Tensor X, __torch__.torch.classes.vulkan.LinearPackedContext BW_prepack) -> "
       "Tensor Y",
       run_linear_context, shapes_only, keeps_rank),
    OP("vulkan_prepack::create_gru_context(Tensor[] params_cpu, bool has_biases, int num_layers, float dropout, bool "
       "train, bool bidirectional, bool batch_first) -> __torch__.torch.classes.vulkan.GruPackedContext",
       create_gru_context, deterministic),
    OP("vulkan_prepack::run_gru_context(Tensor input_vk, Tensor hx_vk, "
       "__torch__.torch.classes.vulkan.GruPackedContext G_prepack) -> (Tensor next_input, Tensor hidden_layer)",
       run_gru_context, deterministic),
    OP("vulkan_prepack::create_lstm_context(Tensor[] params_cpu, bool has_biases, int num_layers, float dropout, bool "
       "train, bool bidirectional, bool batch_first) -> __torch__.torch.classes.vulkan.LstmPackedContext",
       create_lstm_context, deterministic),
    OP("vulkan_prepack::run_lstm_context(Tensor input_vk, Tensor hx_vk, Tensor cx_vk, "
       "__torch__.torch.classes.vulkan.LstmPackedContext L_prepack) -> (Tensor next_input, Tensor hidden_state, Tensor "
       "cell_state)",
       run_lstm_context, deterministic),
    OP("vulkan_prepack::conv2d_clamp_prepack(Tensor W, Tensor? B, int[2] stride, int[2] padding, int[2] dilation, int "
       "groups, Scalar? output_min=None, Scalar? output_max=None) -> __torch__.torch.classes.vulkan.Conv2dOpContext",
       vulkan_old_conv2d_prepack, deterministic),
    OP("vulkan_prepack::conv2d_clamp_run(Tensor X, __torch__.torch.classes.vulkan.Conv2dOpContext W_prepack) -> Tensor "
       "Y",
       vulkan_old_conv2d_run, shapes_only),
};

}  // namespace

WICK_OP_FAMILY(kGpuContextOps, kEntries)

}  // namespace wick
