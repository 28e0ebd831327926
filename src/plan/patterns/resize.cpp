// Resampling of images with channels last: nearest, bilinear, bicubic.
#include <algorithm>

#include "kernels/resize.h"
#include "ops/nn/resample_taps.h"
#include "ops/workers.h"
#include "plan/patterns/patterns.h"
#include "plan/record/read.h"

namespace wick::plan {
namespace {

using Taps = ops::AxisTaps<float>;

kernels::ResizeTaps view(const Taps& taps) { return {taps.count, taps.index.data(), taps.weight.data()}; }

class ResizeStep : public Step {
 public:
  ResizeStep(const TracedStep& step, int64_t batch, int64_t channels, Taps rows, Taps columns)
      : Step(step.node),
        batch_(batch),
        channels_(channels),
        rows_(std::move(rows)),
        columns_(std::move(columns)),
        name_(std::string_view(step.op->schema.name).substr(6)) {}

  void run(Workspace& w) const override {
    const int64_t in_row = columns_.in_size * channels_, out_row = columns_.out_size * channels_;
    const float* const x = input<float>(w, 0);
    float* const y = output<float>(w, 0);
    const kernels::Workers workers = ops::workers_for(static_cast<double>(batch_ * rows_.out_size * out_row) * 4);
    const int64_t lines = batch_ * rows_.out_size, parts = std::min<int64_t>(lines, std::max(1, workers.count));
    w.kernel_scratch.reserve(static_cast<size_t>(parts * in_row));
    // A line is blended from lines of the image, then its pixels from pixels.
    workers.each(parts, [&](int64_t first, int64_t last) {
      float* const blended = w.kernel_scratch.data() + first * in_row;
      for (int64_t line = lines * first / parts; line < lines * last / parts; ++line) {
        const int64_t image = line / rows_.out_size, at = line % rows_.out_size * rows_.count;
        kernels::blend_rows(x + image * rows_.in_size * in_row, in_row, rows_.index.data() + at,
                            rows_.weight.data() + at, rows_.count, in_row, blended);
        kernels::resize_row(blended, view(columns_), columns_.out_size, channels_, y + line * out_row);
      }
    });
  }

  StepName name() const override { return name_; }

 private:
  const int64_t batch_, channels_;
  const Taps rows_, columns_;
  const StepName name_;
};

struct Method {
  std::string_view name;
  ops::Resampling method;
};
constexpr Method kMethods[] = {{"aten::upsample_nearest2d", ops::Resampling::kNearest},
                               {"aten::_upsample_nearest_exact2d", ops::Resampling::kNearestExact},
                               {"aten::upsample_bilinear2d", ops::Resampling::kLinear},
                               {"aten::upsample_bicubic2d", ops::Resampling::kCubic}};

// The scales of both dims, as far as they are given; false when they are no numbers.
bool read_scales(const TracedStep& step, size_t first, ops::Scale (&scales)[2]) {
  if (step.op->schema.overload == "vec") {
    if (!is_given(step, first)) return true;
    const IValue& list = step.args[first].value;
    if (!list.is_list() || list.to_list().items.size() != 2) return false;
    for (size_t d = 0; d < 2; ++d) scales[d] = list.to_list().items[d].to_scalar().to_double();
    return true;
  }
  for (size_t d = 0; d < 2; ++d) {
    if (!is_given(step, first + d)) continue;
    const std::optional<double> scale = number_arg(step, first + d);
    if (!scale) return false;
    scales[d] = scale;
  }
  return step.op->schema.overload.empty();
}

Taps taps_of(ops::Resampling method, int64_t in, int64_t out, bool align, ops::Scale scale) {
  if (method != ops::Resampling::kNearest && method != ops::Resampling::kNearestExact) {
    return ops::axis_taps<float>(method, in, out, align, scale);
  }
  const bool exact = method == ops::Resampling::kNearestExact;
  return {in, out, 1, ops::nearest_indices<float>(in, out, exact, scale),
          std::vector<float>(static_cast<size_t>(out), 1)};
}

}  // namespace

bool build_resize(Builder& b, size_t s) {
  const TracedStep& step = b.step(s);
  const auto* method = std::find_if(std::begin(kMethods), std::end(kMethods),
                                    [&](const Method& m) { return step.op->schema.name == m.name; });
  if (method == std::end(kMethods)) return false;
  const TensorId in = tensor_arg(step, 0), out = b.result(s);
  if (in == kNoTensor || out == kNoTensor || !b.is_float(in) || !b.is_float(out) || !b.is_stable(in) ||
      !b.can_define_plain(out) || b.tensor(in).sizes.size() != 4 || b.tensor(out).sizes.size() != 4 ||
      !b.prefers_channels_last(in)) {
    return false;
  }
  const IntVec& x = b.tensor(in).sizes;
  const IntVec& y = b.tensor(out).sizes;
  const bool filtered = method->method == ops::Resampling::kLinear || method->method == ops::Resampling::kCubic;
  const size_t after = filtered ? 3 : 2;
  ops::Scale scales[2];
  if (checked_numel(x) == 0 || checked_numel(y) == 0 || !read_scales(step, after, scales)) return false;
  const bool align = filtered && bool_arg(step, 2);
  Taps rows = taps_of(method->method, x[2], y[2], align, scales[0]);
  Taps columns = taps_of(method->method, x[3], y[3], align, scales[1]);
  const Slot from = b.channels_last(in);
  b.emit(std::make_unique<ResizeStep>(step, x[0], x[1], std::move(rows), std::move(columns)), {from},
         {b.define_channels_last(out)});
  return true;
}

}  // namespace wick::plan
