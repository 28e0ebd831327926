// The operator list of torchvision's and torchaudio's operators and grid sampling.
#include "ops/families.h"
#include "ops/nn/audio.h"
#include "ops/nn/vision.h"

namespace wick {

namespace {

using namespace ops;
using namespace traits;

constexpr OpEntry kEntries[] = {
    OP("aten::grid_sampler(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, "
       "bool align_corners) -> Tensor",
       grid_sampler, shapes_only),
    OP("aten::grid_sampler_2d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, "
       "bool align_corners) -> Tensor",
       grid_sampler, deterministic),
    OP_OUT("aten::grid_sampler_2d.out(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, "
           "bool align_corners, *, Tensor(a!) out) -> Tensor(a!)",
           grid_sampler, deterministic),
    OP("aten::grid_sampler_3d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, "
       "bool align_corners) -> Tensor",
       grid_sampler, deterministic),
    OP_OUT("aten::grid_sampler_3d.out(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, "
           "bool align_corners, *, Tensor(a!) out) -> Tensor(a!)",
           grid_sampler, deterministic),
    OP("aten::_grid_sampler_2d_cpu_fallback(Tensor input, Tensor grid, int interpolation_mode, "
       "int padding_mode, bool align_corners) -> Tensor",
       grid_sampler, deterministic),
    OP_OUT("aten::_grid_sampler_2d_cpu_fallback.out(Tensor input, Tensor grid, int interpolation_mode, "
           "int padding_mode, bool align_corners, *, Tensor(a!) out) -> Tensor(a!)",
           grid_sampler, deterministic),
    OP("aten::affine_grid_generator(Tensor theta, int[] size, bool align_corners) -> Tensor", affine_grid_generator,
       deterministic),
    OP_OUT("aten::affine_grid_generator.out(Tensor theta, int[] size, bool align_corners, *, "
           "Tensor(a!) out) -> Tensor(a!)",
           affine_grid_generator, deterministic),
    OP("aten::im2col(Tensor self, int[2] kernel_size, int[2] dilation, int[2] padding, "
       "int[2] stride) -> Tensor",
       im2col, shapes_only),
    OP_OUT("aten::im2col.out(Tensor self, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] stride, "
           "*, Tensor(a!) out) -> Tensor(a!)",
           im2col, shapes_only),
    OP("aten::col2im(Tensor self, SymInt[2] output_size, int[2] kernel_size, int[2] dilation, "
       "int[2] padding, int[2] stride) -> Tensor",
       col2im, deterministic),
    OP_OUT("aten::col2im.out(Tensor self, SymInt[2] output_size, int[2] kernel_size, int[2] dilation, "
           "int[2] padding, int[2] stride, *, Tensor(a!) out) -> Tensor(a!)",
           col2im, deterministic),
    OP("torchvision::nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor", nms, dynamic_output_shape),
    OP("torchvision::roi_align(Tensor input, Tensor rois, float spatial_scale, int pooled_height, "
       "int pooled_width, int sampling_ratio, bool aligned) -> Tensor",
       roi_align, shapes_only),
    OP("torchvision::roi_pool(Tensor input, Tensor rois, float spatial_scale, int pooled_height, "
       "int pooled_width) -> (Tensor, Tensor)",
       roi_pool, deterministic),
    OP("torchvision::ps_roi_align(Tensor input, Tensor rois, float spatial_scale, int pooled_height, "
       "int pooled_width, int sampling_ratio) -> (Tensor, Tensor)",
       ps_roi_align, deterministic),
    OP("torchvision::ps_roi_pool(Tensor input, Tensor rois, float spatial_scale, int pooled_height, "
       "int pooled_width) -> (Tensor, Tensor)",
       ps_roi_pool, deterministic),
    OP("torchvision::deform_conv2d(Tensor input, Tensor weight, Tensor offset, Tensor mask, Tensor bias, "
       "int stride_h, int stride_w, int pad_h, int pad_w, int dilation_h, int dilation_w, int groups, "
       "int offset_groups, bool use_mask) -> Tensor",
       deform_conv2d, deterministic),
    OP("torchvision::_new_empty_tensor_op(Tensor input, int[] shape) -> Tensor", new_empty_tensor_op, uninitialized),
    OP("torchvision::_cuda_version() -> int _0", torchvision_cuda_version, deterministic),
    OP("torchvision::box_iou_rotated(Tensor boxes1, Tensor boxes2) -> Tensor", box_iou_rotated, deterministic),
    OP("torchaudio::_lfilter_core_loop(Tensor input_signal_windows, Tensor a_coeff_flipped, "
       "Tensor(a!) padded_output_waveform) -> Tensor(a!)",
       lfilter_core_loop, deterministic),
    OP("torchaudio::_lfilter(Tensor waveforms, Tensor a_coeffs, Tensor b_coeffs) -> Tensor", lfilter, deterministic),
    OP("torchaudio::_overdrive_core_loop(Tensor waveform, Tensor temp, Tensor(a!) last_in, Tensor(b!) last_out, "
       "Tensor(c!) output_waveform) -> (Tensor(a!), Tensor(b!), Tensor(c!))",
       overdrive_core_loop, deterministic),
    OP("torchaudio::rnnt_loss(Tensor logits, Tensor targets, Tensor logit_lengths, Tensor target_lengths, int blank, "
       "float clamp, bool fused_log_softmax=True) -> (Tensor, Tensor?)",
       rnnt_loss, deterministic),
    OP("torchaudio::rnnt_loss_forward(Tensor logits, Tensor targets, Tensor logit_lengths, Tensor target_lengths, "
       "int blank, float clamp, bool fused_log_softmax) -> (Tensor, Tensor)",
       rnnt_loss, deterministic),
    OP("torchaudio::forced_align(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths, "
       "int blank) -> (Tensor, Tensor)",
       forced_align, deterministic),
};

}  // namespace

WICK_OP_FAMILY(kVisionOps, kEntries)

}  // namespace wick
