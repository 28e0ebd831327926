// Multiplication of an image by a factor for each channel, as squeeze-and-excitation blocks do.
#include "kernels/layout.h"
#include "kernels/math.h"
#include "ops/workers.h"
#include "plan/build_pointwise.h"

namespace wick::plan {
namespace {

class ScaleStep : public Step {
 public:
  ScaleStep(const ir::Node* node, int64_t batch, int64_t pixels, int64_t channels)
      : Step(node), batch_(batch), pixels_(pixels), channels_(channels) {}

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

 private:
  const int64_t batch_, pixels_, channels_;
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
  const Slot from = b.channels_last(image), by = b.channels_last(factors);
  b.emit(std::make_unique<ScaleStep>(b.step(s).node, x[0], x[2] * x[3], x[1]), {from, by},
         {b.define_channels_last(out)});
  return true;
}

}  // namespace wick::plan
