// Sampling grids, sliding blocks and the torchvision detection operators.
#pragma once

#include <tuple>

#include "ops/boxing.h"

namespace wick::ops {

Tensor grid_sampler(const Tensor& input, const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode,
                    bool align_corners);
Tensor affine_grid_generator(const Tensor& theta, IntSpan size, bool align_corners);
Tensor im2col(const Tensor& self, IntSpan kernel_size, IntSpan dilation, IntSpan padding, IntSpan stride);
Tensor col2im(const Tensor& self, IntSpan output_size, IntSpan kernel_size, IntSpan dilation, IntSpan padding,
              IntSpan stride);

Tensor nms(const Tensor& dets, const Tensor& scores, double iou_threshold);
Tensor roi_align(const Tensor& input, const Tensor& rois, double spatial_scale, int64_t pooled_height,
                 int64_t pooled_width, int64_t sampling_ratio, bool aligned);
std::tuple<Tensor, Tensor> roi_pool(const Tensor& input, const Tensor& rois, double spatial_scale,
                                    int64_t pooled_height, int64_t pooled_width);
std::tuple<Tensor, Tensor> ps_roi_align(const Tensor& input, const Tensor& rois, double spatial_scale,
                                        int64_t pooled_height, int64_t pooled_width, int64_t sampling_ratio);
std::tuple<Tensor, Tensor> ps_roi_pool(const Tensor& input, const Tensor& rois, double spatial_scale,
                                       int64_t pooled_height, int64_t pooled_width);
Tensor deform_conv2d(const Tensor& input, const Tensor& weight, const Tensor& offset, const Tensor& mask,
                     const Tensor& bias, int64_t stride_h, int64_t stride_w, int64_t pad_h, int64_t pad_w,
                     int64_t dilation_h, int64_t dilation_w, int64_t groups, int64_t offset_groups, bool use_mask);
// Intersection over union of boxes (center x, center y, width, height, angle in degrees), each with each.
Tensor box_iou_rotated(const Tensor& boxes1, const Tensor& boxes2);
Tensor new_empty_tensor_op(const Tensor& input, IntSpan shape);
int64_t torchvision_cuda_version();

}  // namespace wick::ops
