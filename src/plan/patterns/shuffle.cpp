// Pixel shuffle: channels of an image to pixels of a larger one, with channels last.
#include "ops/workers.h"
#include "plan/patterns/patterns.h"
#include "plan/record/read.h"

namespace wick::plan {
namespace {

class ShuffleStep : public Step {
 public:
  // Of `lines` rows of `width` pixels, each of channels * factor * factor values.
  ShuffleStep(const ir::Node* node, int64_t lines, int64_t width, int64_t channels, int64_t factor)
      : Step(node), lines_(lines), width_(width), channels_(channels), factor_(factor) {}

  void run(Workspace& w) const override {
    const float* const x = input<float>(w, 0);
    float* const y = output<float>(w, 0);
    const int64_t square = factor_ * factor_, pixel = channels_ * square, row = width_ * pixel;
    ops::workers_for(static_cast<double>(lines_ * row) * 2).each(lines_, [&](int64_t first, int64_t last) {
      for (int64_t line = first; line < last; ++line) {
        // The values of a row become `factor` rows; in each, a pixel becomes `factor` pixels.
        float* to = y + line * row;
        for (int64_t i = 0; i < factor_; ++i) {
          for (int64_t p = 0; p < width_; ++p) {
            const float* const from = x + line * row + p * pixel + i * factor_;
            for (int64_t j = 0; j < factor_; ++j) {
              for (int64_t c = 0; c < channels_; ++c) *to++ = from[c * square + j];
            }
          }
        }
      }
    });
  }

  StepName name() const override { return StepName("pixel_shuffle"); }

 private:
  const int64_t lines_, width_, channels_, factor_;
};

}  // namespace

bool build_shuffle(Builder& b, size_t s) {
  const TracedStep& step = b.step(s);
  if (step.op->schema.name != "aten::pixel_shuffle") return false;
  const TensorId in = tensor_arg(step, 0), out = b.result(s);
  const int64_t factor = int_arg(step, 1).value_or(0);
  if (in == kNoTensor || out == kNoTensor || factor <= 0 || !b.is_float(in) || !b.is_float(out) || !b.is_stable(in) ||
      !b.can_define_plain(out) || !b.prefers_channels_last(in)) {
    return false;
  }
  const IntVec& x = b.tensor(in).sizes;
  const IntVec& y = b.tensor(out).sizes;
  if (x.size() != 4 || y.size() != 4 || checked_numel(x) == 0 || x[1] != y[1] * factor * factor) return false;
  const Slot from = b.channels_last(in);
  b.emit(std::make_unique<ShuffleStep>(step.node, x[0] * x[2], x[3], y[1], factor), {from},
         {b.define_channels_last(out)});
  return true;
}

}  // namespace wick::plan
