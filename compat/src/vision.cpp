// torchvision's operators as functions.
#include <torchvision/ops/ops.h>

#include "bridge.h"
#include "wick/functions.h"

namespace vision {
namespace ops {
using namespace wick_compat;
using at::Tensor;

#define WICK_CALL(expression)                \
  try {                                      \
    return a(wick::torchvision::expression); \
  } catch (...) {                            \
    rethrow();                               \
  }

Tensor nms(const Tensor& dets, const Tensor& scores,
           double iou_threshold){WICK_CALL(nms(w(dets), w(scores), iou_threshold))} Tensor
    roi_align(const Tensor& input, const Tensor& rois, double spatial_scale, int64_t pooled_height,
              int64_t pooled_width, int64_t sampling_ratio, bool aligned){
        WICK_CALL(roi_align(w(input), w(rois), spatial_scale, pooled_height, pooled_width, sampling_ratio,
                            aligned))} std::tuple<Tensor, Tensor> roi_pool(const Tensor& input, const Tensor& rois,
                                                                           double spatial_scale, int64_t pooled_height,
                                                                           int64_t pooled_width){WICK_CALL(
        roi_pool(w(input), w(rois), spatial_scale, pooled_height,
                 pooled_width))} std::tuple<Tensor, Tensor> ps_roi_align(const Tensor& input, const Tensor& rois,
                                                                         double spatial_scale, int64_t pooled_height,
                                                                         int64_t pooled_width, int64_t sampling_ratio){
        WICK_CALL(ps_roi_align(w(input), w(rois), spatial_scale, pooled_height, pooled_width,
                               sampling_ratio))} std::tuple<Tensor, Tensor> ps_roi_pool(const Tensor& input,
                                                                                        const Tensor& rois,
                                                                                        double spatial_scale,
                                                                                        int64_t pooled_height,
                                                                                        int64_t pooled_width){
        WICK_CALL(ps_roi_pool(w(input), w(rois), spatial_scale, pooled_height, pooled_width))} Tensor
    deform_conv2d(const Tensor& input, const Tensor& weight, const Tensor& offset, const Tensor& mask,
                  const Tensor& bias, int64_t stride_h, int64_t stride_w, int64_t pad_h, int64_t pad_w,
                  int64_t dilation_h, int64_t dilation_w, int64_t groups, int64_t offset_groups, bool use_mask) {
  WICK_CALL(deform_conv2d(w(input), w(weight), w(offset), w(mask), w(bias), stride_h, stride_w, pad_h, pad_w,
                          dilation_h, dilation_w, groups, offset_groups, use_mask))
}
#undef WICK_CALL

}  // namespace ops
}  // namespace vision
