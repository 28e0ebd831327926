// Pooling of images, and means over their planes, in the layout the image has.
#include <algorithm>

#include "core/selection.h"
#include "ops/conv/pool_run.h"
#include "ops/workers.h"
#include "plan/read.h"
#include "plan/selected_floats.h"

namespace wick::plan {
namespace {

constexpr bool kHasMax = selects_floats_of("aten::max_pool2d");
constexpr bool kHasWindowed = selects_floats_of("aten::avg_pool2d");
constexpr bool kHasAdaptive = selects_floats_of("aten::adaptive_avg_pool2d");
constexpr bool kHasMean = selects_floats_of("aten::mean");
constexpr bool kHasAverage = kHasWindowed || kHasAdaptive || kHasMean;

class PoolStep : public Step {
 public:
  // divisor: of an average; 0: the extents of the windows.
  PoolStep(const TracedStep& step, const kernels::Pool& pool, ops::Windows windows, bool is_max, int64_t divisor)
      : Step(step.node),
        windows_(std::move(windows)),
        pool_(pool),
        is_max_(is_max),
        divisor_(divisor),
        name_(std::string_view(step.op->schema.name).substr(6)) {
    work_ = static_cast<double>(pool_.batch * pool_.channels);
    for (size_t d = 0; d < windows_.dims.size(); ++d) {
      kernels::PoolDim& dim = pool_.dim[d + 1];
      dim.windows = windows_.dims[d].data();
      dim.out = static_cast<int64_t>(windows_.dims[d].size());
      dim.step = windows_.step[d];
      work_ *= static_cast<double>(std::max(dim.in, dim.out));
    }
  }

  void run(Workspace& w) const override {
    const kernels::Workers workers = ops::workers_for(work_);
    if (kHasMax && is_max_)
      return kernels::max_pool<float>(pool_, input<float>(w, 0), output<float>(w, 0), nullptr, workers);
    if (kHasAverage) kernels::avg_pool<float>(pool_, input<float>(w, 0), output<float>(w, 0), divisor_, workers);
  }

  bool set_output_pixel(int64_t elements) override {
    pool_.out_pixel = elements;
    return pool_.channels_last;
  }
  StepName name() const override { return name_; }

 private:
  const ops::Windows windows_;
  kernels::Pool pool_;
  const bool is_max_;
  const int64_t divisor_;
  double work_;
  const StepName name_;
};

struct Pooling {
  ops::Windows windows;
  bool is_max = false;
  int64_t divisor = 0;
};

bool has_lists(const TracedStep& step, size_t first, size_t last) {
  for (size_t k = first; k <= last; ++k) {
    if (step.args[k].kind != TracedValue::Kind::kStatic || !step.args[k].value.is_list()) return false;
  }
  return true;
}

// The mean of each plane, with its dims kept or not.
bool is_plane_mean(const TracedStep& step) {
  if (step.op->schema.overload != "dim" || step.args.size() != 4 || !has_lists(step, 1, 1)) return false;
  IntVec dims = step.args[1].value.to_int_vec();
  for (int64_t& d : dims) d = d < 0 ? d + 4 : d;
  return (dims == IntVec{2, 3} || dims == IntVec{3, 2}) && is_none(step.args[3]);
}

// What the step does to an image of these sizes. The operator has accepted its arguments when it was recorded.
std::optional<Pooling> read_pooling(const TracedStep& step, const IntVec& sizes, const IntVec& result) {
  const std::string_view name = step.op->schema.name;
  const auto list = [&](size_t k) { return step.args[k].value.to_int_vec(); };
  float unread = 0;
  const Tensor image = Tensor::from_blob(&unread, sizes);
  Pooling out;
  if (kHasMax && name == "aten::max_pool2d" && step.args.size() == 6 && has_lists(step, 1, 4)) {
    out.is_max = true;
    out.windows = ops::max_pool2d_windows(image, list(1), list(2), list(3), list(4), bool_arg(step, 5));
  } else if (kHasWindowed && name == "aten::avg_pool2d" && step.args.size() == 7 && has_lists(step, 1, 3)) {
    if (is_given(step, 6)) out.divisor = int_arg(step, 6).value_or(0);
    out.windows = ops::avg_pool2d_windows(image, list(1), list(2), list(3), bool_arg(step, 4), bool_arg(step, 5));
  } else if (kHasAdaptive && name == "aten::adaptive_avg_pool2d" && result.size() == 4) {
    out.windows = ops::adaptive_windows(image, {result[2], result[3]});
  } else if (kHasMean && name == "aten::mean" && is_plane_mean(step)) {
    out.windows = ops::adaptive_windows(image, {1, 1});
  } else {
    return std::nullopt;
  }
  const int64_t pixels = checked_numel(out.windows.out_sizes());
  return checked_numel(result) == sizes[0] * sizes[1] * pixels ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace

bool build_pool(Builder& b, size_t s) {
  const TracedStep& step = b.step(s);
  const TensorId in = tensor_arg(step, 0), out = b.result(s);
  if (in == kNoTensor || out == kNoTensor || !b.is_float(in) || !b.is_float(out) || !b.is_stable(in) ||
      !b.can_define_plain(out)) {
    return false;
  }
  const TracedTensor& x = b.tensor(in);
  const TracedTensor& y = b.tensor(out);
  if (x.sizes.size() != 4 || checked_numel(x.sizes) == 0 || checked_numel(y.sizes) == 0) return false;
  std::optional<Pooling> pooling = read_pooling(step, x.sizes, y.sizes);
  if (!pooling) return false;
  const bool planes = !b.prefers_channels_last(in) && is_contiguous(x.sizes, x.strides);
  const bool dense = is_contiguous(y.sizes, y.strides);
  if ((planes || y.sizes.size() != 4) && !dense) return false;

  kernels::Pool pool;
  pool.batch = x.sizes[0];
  pool.channels = x.sizes[1];
  pool.channels_last = !planes;
  pool.dim[0] = kernels::kWholeDim;
  pool.dim[1].in = x.sizes[2];
  pool.dim[2].in = x.sizes[3];
  const Slot from = planes ? b.plain(in) : b.channels_last(in);
  const Slot to = planes || y.sizes.size() != 4 ? b.define_plain(out) : b.define_channels_last(out);
  b.emit(std::make_unique<PoolStep>(step, pool, std::move(pooling->windows), pooling->is_max, pooling->divisor), {from},
         {to});
  return true;
}

}  // namespace wick::plan
