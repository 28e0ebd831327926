// A convolution with packed weights, and how several become one step.
#pragma once

#include "config/build.h"
#include "kernels/conv_chain.h"
#include "kernels/transposed2d.h"
#include "plan/builder.h"
#include "plan/steps/product_workers.h"

namespace wick::plan {

inline double work_of(const kernels::Conv2d& conv) {
  const kernels::ConvShape& s = conv.shape;
  return static_cast<double>(s.batch) * static_cast<double>(s.out_pixels()) * static_cast<double>(s.out_channels) *
         static_cast<double>(s.taps() * s.group_in());
}
inline double work_of(const kernels::Transposed2d& conv) {
  const kernels::ConvShape& s = conv.shape;
  return static_cast<double>(s.batch) * static_cast<double>(s.in_pixels()) * static_cast<double>(s.in_channels) *
         static_cast<double>(s.taps() * s.out_channels);
}
// Calls run(scratch), `scratch` elements, which adds up the results of a layer by channel if there is a buffer for
// their means.
template <class Run>
void run_with_means(kernels::Conv2d& layer, size_t scratch, float* means, Workspace& w, const kernels::Workers& workers,
                    const Run& run) {
  const size_t before = (scratch + 15) / 16 * 16;
  const bool adds = build::kMeans && means != nullptr;
  const size_t size = !adds ? 0 : kernels::conv_sums_size(layer.shape, workers.count);
  w.kernel_scratch.reserve(before + size);
  float* const sums = w.kernel_scratch.data() + before;
  if (adds) layer.sums = std::fill_n(sums, size, 0.0f) - size;
  run(w.kernel_scratch.data());
  if (adds) kernels::means_of_sums(layer.shape, sums, workers.count, means);
}

// Conv: Conv2d or Transposed2d.
template <class Conv>
class ConvStep : public Step {
 public:
  ConvStep(const ir::Node* node, const Conv& conv, Packed weights, Packed bias, StepName name)
      : Step(node),
        conv_(conv),
        weights_(std::move(weights)),
        bias_(std::move(bias)),
        name_(std::move(name)),
        pixel_(conv.shape.out_channels) {
    conv_.weights = weights_.get();
    conv_.bias = bias_.get();
  }
  const void* type_mark() const noexcept override { return &kTypeMark<ConvStep>; }

  void run(Workspace& w) const override {
    const kernels::FlushDenormals flush;
    Conv conv = conv_;
    const kernels::ConvShape& s = conv.shape;
    conv.y = kernels::dense_view(output<float>(w, 0), s.out[1], s.out[2], pixel_);
    if constexpr (std::is_same_v<Conv, kernels::Transposed2d>) {
      conv.x = kernels::dense_view(input<float>(w, 0), s.in[1], s.in[2], s.in_channels);
    } else {
      conv.read_dense(input<float>(w, 0));
      if (reads_.size() > 1) {
        conv.residual = kernels::dense_view(input<float>(w, 1), s.out[1], s.out[2], s.out_channels);
      }
    }
    const kernels::Workers workers = product_workers(work_of(conv));
    if constexpr (std::is_same_v<Conv, kernels::Transposed2d>) {
      kernels::run_transposed(conv, workers);
    } else {
      run_with_means(conv, kernels::conv_scratch_size(s, conv.method, workers.count), means(w), w, workers,
                     [&](float* scratch) { kernels::run_conv(conv, scratch, workers); });
    }
  }

  bool set_output_pixel(int64_t elements) override {
    if (!std::is_same_v<Conv, kernels::Conv2d>) return false;
    pixel_ = elements;
    return true;
  }
  bool give_means() override {
    if constexpr (std::is_same_v<Conv, kernels::Conv2d>) return conv_.method == kernels::ConvMethod::kDepthwise;
    return false;
  }
  StepName name() const override {
    return StepName(name_.text(), writes_.size() > 1 ? " means" : "").with_operations(2 * work_of(conv_));
  }

  const Conv& layer() const { return conv_; }
  int64_t output_pixel() const { return pixel_; }

 private:
  float* means(Workspace& w) const { return writes_.size() > 1 ? output<float>(w, 1) : nullptr; }

  Conv conv_;
  const Packed weights_, bias_;
  const StepName name_;
  int64_t pixel_;  // from pixel to pixel of the result
};

using LayerStep = ConvStep<kernels::Conv2d>;
inline const LayerStep* layer_of(const Emission& e) { return cast_to<const LayerStep>(e.step.get()); }
// One group, by the direct method, of pixels or planes.
bool is_plain_direct(const LayerStep& step);
// A product of pixels and weights: the same with 1x1.
bool is_projection(const LayerStep& step);

// Who reads what emissions give, while some of them become one.
class Readers {
 public:
  Readers(std::vector<Emission>& emissions, const std::vector<SlotInfo>& slots);

  // The only emission that reads what emission e gives, as its first operand; null when there is another use of it.
  Emission* only_reader(const Emission& e) const;
  // `by` is what reads its first operand from now on, instead of an emission that became part of it.
  void move_first(const Emission& by) { reader_[by.reads[0]] = static_cast<size_t>(&by - emissions_.data()); }

 private:
  std::vector<Emission>& emissions_;
  const std::vector<SlotInfo>& slots_;
  std::vector<bool> is_base_;    // by slot: another one shares its memory
  std::vector<uint32_t> count_;  // by slot: how often it is read
  std::vector<size_t> reader_;   // by slot: the latest emission that reads it
};

}  // namespace wick::plan
