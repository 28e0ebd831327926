// The index of the greatest value along a dim.
#include <cmath>

#include "ops/workers.h"
#include "plan/patterns/patterns.h"
#include "plan/record/read.h"

namespace wick::plan {
namespace {

// The first of the greatest values; the first NaN beats them all.
int64_t place_of_greatest(const float* x, int64_t count, int64_t stride) {
  int64_t place = 0;
  for (int64_t k = 0; k < count; ++k) {
    const float v = x[k * stride];
    if (std::isnan(v)) return k;
    if (v > x[place * stride]) place = k;
  }
  return place;
}

class ArgmaxStep : public Step {
 public:
  ArgmaxStep(const ir::Node* node, int64_t outer, int64_t count, int64_t inner)
      : Step(node), outer_(outer), count_(count), inner_(inner) {}

  void run(Workspace& w) const override {
    const float* const x = input<float>(w, 0);
    auto* const y = output<int64_t>(w, 0);
    const int64_t results = outer_ * inner_;
    ops::workers_for(static_cast<double>(results * count_)).each(results, [&](int64_t first, int64_t last) {
      for (int64_t r = first; r < last; ++r) {
        y[r] = place_of_greatest(x + r / inner_ * count_ * inner_ + r % inner_, count_, inner_);
      }
    });
  }

  StepName name() const override { return StepName("argmax"); }

 private:
  const int64_t outer_, count_, inner_;
};

}  // namespace

bool build_argmax(Builder& b, size_t s) {
  const TracedStep& step = b.step(s);
  if (step.op->schema.name != "aten::argmax" || !step.op->schema.overload.empty()) return false;
  const TensorId in = tensor_arg(step, 0), out = b.result(s);
  if (in == kNoTensor || out == kNoTensor || !b.is_float(in) || b.tensor(out).dtype != DType::kLong ||
      !b.is_stable(in) || !b.can_define_plain(out)) {
    return false;
  }
  const TracedTensor& x = b.tensor(in);
  const TracedTensor& y = b.tensor(out);
  const auto dims = static_cast<int64_t>(x.sizes.size());
  int64_t dim = int_arg(step, 1).value_or(dims);
  if (dim < 0) dim += dims;
  if (dim < 0 || dim >= dims || checked_numel(x.sizes) == 0 || !is_contiguous(y.sizes, y.strides)) return false;
  const int64_t count = x.sizes[static_cast<size_t>(dim)];
  // Classes of pixels: with channels last they are rows.
  const bool pixels = dims == 4 && dim == 1 && b.prefers_channels_last(in);
  if (!pixels && !is_contiguous(x.sizes, x.strides)) return false;
  int64_t inner = 1;
  for (int64_t d = dim + 1; d < dims && !pixels; ++d) inner *= x.sizes[static_cast<size_t>(d)];
  const int64_t outer = checked_numel(x.sizes) / (count * inner);
  const Slot from = pixels ? b.channels_last(in) : b.plain(in);
  b.emit(std::make_unique<ArgmaxStep>(step.node, outer, count, inner), {from}, {b.define_plain(out)});
  return true;
}

}  // namespace wick::plan
