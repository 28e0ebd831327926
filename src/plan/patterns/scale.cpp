// Multiplication of an image by a factor for each channel, as squeeze-and-excitation blocks do.
#include "kernels/half_rows.h"
#include "kernels/layout.h"
#include "kernels/math.h"
#include "kernels/product.h"
#include "ops/workers.h"
#include "plan/patterns/patterns.h"
#include "plan/patterns/pointwise.h"
#include "plan/steps/conv_step.h"
#include "plan/steps/half_step.h"

namespace wick::plan {
namespace {

class ScaleStep : public Step {
 public:
  ScaleStep(const ir::Node* node, int64_t batch, int64_t pixels, int64_t channels)
      : Step(node), batch_(batch), pixels_(pixels), channels_(channels) {}
  const void* type_mark() const noexcept override { return &kTypeMark<ScaleStep>; }

  void run(Workspace& w) const override {
    const kernels::Workers workers = ops::workers_for(static_cast<double>(pixels_ * channels_) * 2);
    for (int64_t n = 0; n < batch_; ++n) {
      const float* const x = input<float>(w, 0) + n * pixels_ * channels_;
      const float* const factor = input<float>(w, 1) + n * channels_;
      float* const y = output<float>(w, 0) + n * pixels_ * channels_;
      workers.each(pixels_, [&](int64_t first, int64_t last) {
        kernels::scale_channels(x + first * channels_, channels_, factor, last - first, channels_,
                                y + first * channels_, channels_);
      });
    }
  }

  StepName name() const override { return StepName("mul of channels"); }
  std::string_view kind() const override { return "scale"; }
  int64_t batch() const { return batch_; }
  int64_t pixels() const { return pixels_; }

 private:
  const int64_t batch_, pixels_, channels_;
};

// The same of float16.
class HalfScaleStep : public Step {
 public:
  HalfScaleStep(const ir::Node* node, int64_t batch, int64_t pixels, int64_t channels,
                std::shared_ptr<HalfLayers> layers)
      : Step(node), batch_(batch), pixels_(pixels), channels_(channels), layers_(std::move(layers)) {}

  void run(Workspace& w) const override {
    if constexpr (kernels::kHasHalfKernels) {
      using kernels::Half;
      const kernels::Workers workers = ops::workers_for(static_cast<double>(pixels_ * channels_) * 2);
      const int64_t image = pixels_ * channels_;
      for (int64_t n = 0; n < batch_; ++n) {
        const Half* const x = input<Half>(w, 0) + n * image;
        const Half* const factor = input<Half>(w, 1) + n * channels_;
        Half* const y = output<Half>(w, 0) + n * image;
        workers.each(pixels_, [&](int64_t first, int64_t last) {
          kernels::scale_channels(x + first * channels_, factor, last - first, channels_, y + first * channels_);
        });
      }
      find_overflow(w, *layers_, node(), output<uint16_t>(w, 0), batch_ * image);
    }
  }

  StepName name() const override { return StepName("mul of channels fp16"); }
  std::string_view kind() const override { return "scale"; }

 private:
  const int64_t batch_, pixels_, channels_;
  const std::shared_ptr<HalfLayers> layers_;
};

// A projection of an image whose channels are multiplied by factors: the weights are, instead.
class ScaledProjection : public Step {
 public:
  // Reads: the image, the residual where there is one, the factors.
  explicit ScaledProjection(std::unique_ptr<Step> step)
      : Step(step->node()), step_(std::move(step)), pixel_(layer().output_pixel()) {}

  void run(Workspace& w) const override {
    const kernels::FlushDenormals flush;
    kernels::Conv2d conv = layer().layer();
    const kernels::ConvShape& s = conv.shape;
    conv.x = kernels::dense_view(input<float>(w, 0), s.in[1], s.in[2], s.in_channels);
    conv.y = kernels::dense_view(output<float>(w, 0), s.out[1], s.out[2], pixel_);
    if (reads_.size() > 2) {
      conv.residual = kernels::dense_view(input<float>(w, 1), s.out[1], s.out[2], s.out_channels);
    }
    w.kernel_scratch.reserve(kernels::packed_conv_size(s, conv.method));
    const float* const factors = input<float>(w, reads_.size() - 1);
    for (int64_t p = 0; p < kernels::product_panels(s.out_channels); ++p) {
      const kernels::PanelColumns panel = kernels::product_panel(s.out_channels, p);
      const int64_t at = panel.first * s.in_channels;
      kernels::scale_rows(conv.weights + at, panel.width, factors, s.in_channels, w.kernel_scratch.data() + at);
    }
    conv.weights = w.kernel_scratch.data();
    kernels::run_conv(conv, nullptr, product_workers(work_of(conv)));
  }

  bool set_output_pixel(int64_t elements) override {
    pixel_ = elements;
    return true;
  }
  StepName name() const override {
    return StepName("mul of channels; ", step_->name().text()).with_operations(step_->name().operations());
  }
  std::string_view kind() const override { return "scale"; }

 private:
  const LayerStep& layer() const { return static_cast<const LayerStep&>(*step_); }

  const std::unique_ptr<Step> step_;
  int64_t pixel_;
};

// The image and the factors of a product of the two.
bool fits(const Builder& b, TensorId image, TensorId factors, TensorId out) {
  const IntVec& x = b.tensor(image).sizes;
  const auto is_there = [&](TensorId id) { return b.is_stable(id) && b.deferred_producer(id) == SIZE_MAX; };
  return x.size() == 4 && x == b.tensor(out).sizes && x[2] * x[3] > 1 && checked_numel(x) > 0 &&
         b.tensor(factors).sizes == IntVec{x[0], x[1], 1, 1} && is_there(image) && is_there(factors) &&
         b.prefers_channels_last(image);
}

}  // namespace

bool emit_scaling(Builder& b, size_t s) {
  const std::optional<PointwiseOp> op = describe_pointwise(b, s);
  if (!op || op->kernel != kernels::mul_f32 || op->operands.size() != 2) return false;
  TensorId image = op->operands[0].tensor, factors = op->operands[1].tensor;
  const TensorId out = b.result(s);
  if (image == kNoTensor || factors == kNoTensor) return false;
  if (!fits(b, image, factors, out)) std::swap(image, factors);
  if (!fits(b, image, factors, out)) return false;
  const IntVec& x = b.tensor(image).sizes;
  if constexpr (kernels::kHasHalfKernels) {
    if (b.is_half_image(image) && b.is_half(b.step(s).node)) {
      const ir::Node* const node = b.step(s).node;
      const Slot from = b.half(image, node), by = b.half(factors, node);
      b.emit(std::make_unique<HalfScaleStep>(node, x[0], x[2] * x[3], x[1], b.half_layers()), {from, by},
             {b.define_half(out)});
      return true;
    }
  }
  const Slot from = b.channels_last(image), by = b.channels_last(factors);
  b.emit(std::make_unique<ScaleStep>(b.step(s).node, x[0], x[2] * x[3], x[1]), {from, by},
         {b.define_channels_last(out)});
  return true;
}

void fuse_scalings(std::vector<Emission>& emissions, const std::vector<SlotInfo>& slots) {
  Readers readers(emissions, slots);
  for (size_t e = 0; e < emissions.size(); ++e) {
    const auto* scaling = cast_to<const ScaleStep>(emissions[e].step.get());
    if (scaling == nullptr || scaling->batch() != 1) continue;
    Emission* const reader = readers.only_reader(emissions[e]);
    const LayerStep* project = reader == nullptr ? nullptr : layer_of(*reader);
    if (project == nullptr || !is_projection(*project) || scaling->pixels() <= project->layer().shape.out_channels) {
      continue;
    }
    std::vector<Slot> reads = reader->reads, writes = reader->writes;
    reads[0] = emissions[e].reads[0];
    reads.push_back(emissions[e].reads[1]);
    auto fused = std::make_unique<ScaledProjection>(std::move(reader->step));
    fused->set_slots(reads, writes);
    emissions[e] = {};
    *reader = {std::move(fused), std::move(reads), std::move(writes), false};
    readers.move_first(*reader);
  }
  std::erase_if(emissions, [](const Emission& e) { return e.step == nullptr; });
}

}  // namespace wick::plan
