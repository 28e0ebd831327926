// Pooling of images, and means over their planes, in the layout the image has.
#include <algorithm>

#include "core/selection.h"
#include "kernels/conv_pool.h"
#include "kernels/half.h"
#include "ops/conv/pool_run.h"
#include "ops/workers.h"
#include "plan/patterns/patterns.h"
#include "plan/patterns/selected_floats.h"
#include "plan/record/read.h"
#include "plan/steps/conv_step.h"
#include "plan/steps/half_step.h"

namespace wick::plan {
namespace {

constexpr bool kHasMax = selects_floats_of("aten::max_pool2d");
constexpr bool kHasWindowed = selects_floats_of("aten::avg_pool2d");
constexpr bool kHasAdaptive = selects_floats_of("aten::adaptive_avg_pool2d");
constexpr bool kHasMean = selects_floats_of("aten::mean");
constexpr bool kHasAverage = kHasWindowed || kHasAdaptive || kHasMean;

// Of what an image is read and its result written; kMeans: averages of float16 that are floats.
enum class PoolForm : uint8_t { kFloats, kHalves, kMeans };

class PoolStep : public Step {
 public:
  // divisor: of an average; 0: the extents of the windows. layers: where the form is not floats.
  PoolStep(const TracedStep& step, const kernels::Pool& pool, ops::Windows windows, bool is_max, int64_t divisor,
           PoolForm form, std::shared_ptr<HalfLayers> layers)
      : Step(step.node),
        windows_(std::move(windows)),
        pool_(pool),
        is_max_(is_max),
        divisor_(divisor),
        form_(form),
        layers_(std::move(layers)),
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
  const void* type_mark() const noexcept override { return &kTypeMark<PoolStep>; }

  void run(Workspace& w) const override {
    const kernels::Workers workers = ops::workers_for(work_);
    if constexpr (kernels::kHasHalfKernels) {
      if (form_ != PoolForm::kFloats) return run_half(w, workers);
    }
    if (kHasMax && is_max_)
      return kernels::max_pool<float>(pool_, input<float>(w, 0), output<float>(w, 0), nullptr, workers);
    if (kHasAverage) kernels::avg_pool<float>(pool_, input<float>(w, 0), output<float>(w, 0), divisor_, workers);
  }

  bool set_output_pixel(int64_t elements) override {
    if (form_ == PoolForm::kMeans) return false;
    pool_.out_pixel = elements;
    return pool_.channels_last;
  }
  StepName name() const override { return form_ == PoolForm::kFloats ? name_ : StepName(name_.text(), " fp16"); }
  const kernels::Pool& pool() const { return pool_; }
  PoolForm form() const { return form_; }
  bool is_max() const { return is_max_; }
  int64_t divisor() const { return divisor_; }
  // The mean of each channel of an image with channels last, one after the other.
  bool is_plane_mean() const {
    const auto is_whole = [](const kernels::PoolDim& dim) {
      return dim.out == 1 && dim.windows[0].count == dim.in && dim.windows[0].extent == dim.in;
    };
    return !is_max_ && pool_.channels_last && pool_.in_pixel == 0 && pool_.out_pixel == 0 && is_whole(pool_.dim[1]) &&
           is_whole(pool_.dim[2]) && (divisor_ == 0 || divisor_ == pool_.in_pixels());
  }

 private:
  void run_half(Workspace& w, const kernels::Workers& workers) const {
    if constexpr (kernels::kHasHalfKernels) {
      using kernels::Half;
      const Half* const x = input<Half>(w, 0);
      if (kHasMax && is_max_) return kernels::max_pool_half(pool_, x, output<Half>(w, 0), workers);
      if (!kHasAverage) return;
      if (form_ == PoolForm::kHalves) return kernels::avg_pool_half(pool_, x, output<Half>(w, 0), divisor_, workers);
      float* const y = output<float>(w, 0);
      kernels::avg_pool_half(pool_, x, y, divisor_, workers);
      leave_half(w, *layers_, are_finite(y, pool_.batch * pool_.out_pixels() * pool_.channels));
    }
  }

  const ops::Windows windows_;
  kernels::Pool pool_;
  const bool is_max_;
  const int64_t divisor_;
  const PoolForm form_;
  const std::shared_ptr<HalfLayers> layers_;
  double work_;
  const StepName name_;
};

// A convolution and the pooling of its image.
class PooledConv : public Step {
 public:
  PooledConv(std::unique_ptr<Step> conv, std::unique_ptr<Step> pool)
      : Step(pool->node()), conv_(std::move(conv)), pool_(std::move(pool)) {}

  void run(Workspace& w) const override {
    const auto& layer = static_cast<const LayerStep&>(*conv_);
    const auto& pool = static_cast<const PoolStep&>(*pool_);
    kernels::ConvPool layers{layer.layer(), pool.pool(), pool.is_max(), pool.divisor()};
    layers.conv.read_dense(input<float>(w, 0));
    const kernels::Workers workers = product_workers(work_of(layers.conv));
    w.kernel_scratch.reserve(kernels::conv_pool_scratch_size(layers, workers.count));
    kernels::run_conv_pool(layers, output<float>(w, 0), w.kernel_scratch.data(), workers);
  }

  bool set_output_pixel(int64_t elements) override { return pool_->set_output_pixel(elements); }
  StepName name() const override {
    return StepName("row tiles: ", conv_->name().text(), "; ", pool_->name().text())
        .with_operations(conv_->name().operations());
  }
  std::string_view kind() const override { return "pooled"; }

 private:
  const std::unique_ptr<Step> conv_, pool_;
};

// Rows of a result below which row tiles are not worth it; a mean over all of the image has one row.
constexpr int64_t kLeastRows = 8;

// Whether windows have something in them and follow each other.
bool are_in_order(const kernels::PoolDim& dim) {
  const auto reach = [&](const kernels::Window& w) { return w.first + (w.count - 1) * dim.step; };
  for (int64_t i = 0; i < dim.out; ++i) {
    const kernels::Window& w = dim.windows[i];
    if (w.count < 1) return false;
    if (i > 0 && (w.first < dim.windows[i - 1].first || reach(w) < reach(dim.windows[i - 1]))) return false;
  }
  return true;
}

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

// The form for an image that is there as float16 alone. Means over planes that no convolution reads stay floats.
PoolForm form_of(const Builder& b, const Pooling& pooling, const TracedTensor& y, TensorId out) {
  const bool is_image = y.sizes.size() == 4;
  if (pooling.is_max) return is_image ? PoolForm::kHalves : PoolForm::kFloats;
  const bool is_pixel = is_image && y.sizes[2] * y.sizes[3] == 1;
  if (!is_image || b.uses().leaves(out)) return PoolForm::kMeans;
  const std::vector<uint32_t>& users = b.uses().users(out);
  const bool feeds_conv = std::any_of(users.begin(), users.end(), [&](uint32_t user) {
    return b.step(user).op->schema.name.find("conv") != std::string::npos;
  });
  return is_pixel && !feeds_conv ? PoolForm::kMeans : PoolForm::kHalves;
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
  const bool is_image = !planes && y.sizes.size() == 4;
  const PoolForm form =
      kernels::kHasHalfKernels && !planes && b.is_half_image(in) ? form_of(b, *pooling, y, out) : PoolForm::kFloats;
  const bool halves = kernels::kHasHalfKernels && form == PoolForm::kHalves;
  const Slot from = planes ? b.plain(in) : form != PoolForm::kFloats ? b.half(in, b.step(s).node) : b.channels_last(in);
  const Slot to = !is_image ? b.define_plain(out) : halves ? b.define_half(out) : b.define_channels_last(out);
  b.emit(std::make_unique<PoolStep>(step, pool, std::move(pooling->windows), pooling->is_max, pooling->divisor, form,
                                    b.half_layers()),
         {from}, {to});
  return true;
}

void fuse_means(std::vector<Emission>& emissions, const std::vector<SlotInfo>& slots) {
  std::vector<Emission*> first_writer(slots.size());  // by slot: the first emission that gives it first
  for (Emission& mean : emissions) {
    const auto* pool = cast_to<const PoolStep>(mean.step.get());
    Emission* const image = pool != nullptr && pool->is_plane_mean() ? first_writer[mean.reads[0]] : nullptr;
    if (image != nullptr && image->writes.size() == 1 && image->step->give_means()) {
      image->writes.push_back(mean.writes[0]);
      image->step->set_slots(image->reads, image->writes);
      mean = {};
    } else if (!mean.writes.empty() && first_writer[mean.writes[0]] == nullptr) {
      first_writer[mean.writes[0]] = &mean;
    }
  }
  std::erase_if(emissions, [](const Emission& e) { return e.step == nullptr; });
}

void fuse_pools(std::vector<Emission>& emissions, const std::vector<SlotInfo>& slots) {
  Readers readers(emissions, slots);
  for (size_t e = 0; e < emissions.size(); ++e) {
    const LayerStep* conv = layer_of(emissions[e]);
    if (conv == nullptr || !is_plain_direct(*conv) || emissions[e].reads.size() != 1 ||
        conv->output_pixel() != conv->layer().shape.out_channels || !kernels::chain_pays(conv->layer().shape)) {
      continue;
    }
    Emission* const reader = readers.only_reader(emissions[e]);
    const auto* pool = reader == nullptr ? nullptr : cast_to<const PoolStep>(reader->step.get());
    if (pool == nullptr || pool->form() != PoolForm::kFloats || !pool->pool().channels_last ||
        pool->pool().in_pixel != 0 || pool->pool().dim[1].out < kLeastRows || !are_in_order(pool->pool().dim[1])) {
      continue;
    }
    std::vector<Slot> reads = emissions[e].reads, writes = reader->writes;
    auto fused = std::make_unique<PooledConv>(std::move(emissions[e].step), std::move(reader->step));
    fused->set_slots(reads, writes);
    emissions[e] = {};
    *reader = {std::move(fused), std::move(reads), std::move(writes), false};
    readers.move_first(*reader);
  }
  std::erase_if(emissions, [](const Emission& e) { return e.step == nullptr; });
}

}  // namespace wick::plan
