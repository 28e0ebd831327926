// Group and instance normalization of images, with channels last.
#include "kernels/group_norm.h"
#include "ops/workers.h"
#include "plan/patterns/patterns.h"
#include "plan/record/read.h"

namespace wick::plan {
namespace {

class GroupNormStep : public Step {
 public:
  GroupNormStep(const TracedStep& step, int64_t batch, const kernels::GroupNorm& norm, Packed weight, Packed bias)
      : Step(step.node),
        batch_(batch),
        norm_(norm),
        weight_(std::move(weight)),
        bias_(std::move(bias)),
        name_(step.op->schema.name.substr(6)) {
    norm_.weight = weight_.get();
    norm_.bias = bias_.get();
  }

  void run(Workspace& w) const override {
    const int64_t image = norm_.pixels * norm_.channels;
    w.kernel_scratch.reserve(kernels::group_norm_scratch_size(norm_));
    for (int64_t n = 0; n < batch_; ++n) {
      kernels::group_norm(norm_, input<float>(w, 0) + n * image, output<float>(w, 0) + n * image,
                          w.kernel_scratch.data(), ops::workers_for(static_cast<double>(image) * 3));
    }
  }

  StepName name() const override { return name_; }

 private:
  const int64_t batch_;
  kernels::GroupNorm norm_;
  const Packed weight_, bias_;
  const StepName name_;
};

struct Norm {
  int64_t groups = 0;
  Tensor weight, bias;
  double epsilon = 0;
};

std::optional<Norm> read_norm(const Builder& b, const TracedStep& step, int64_t channels) {
  Norm norm;
  const std::string_view name = step.op->schema.name;
  size_t weight = 0, epsilon = 0;
  if (name == "aten::group_norm" && step.args.size() == 6) {
    norm.groups = int_arg(step, 1).value_or(0);
    weight = 2;
    epsilon = 4;
  } else if (name == "aten::instance_norm" && step.args.size() == 9 && bool_arg(step, 5) && !is_given(step, 3) &&
             !is_given(step, 4)) {
    norm.groups = channels;
    weight = 1;
    epsilon = 7;
  } else {
    return std::nullopt;
  }
  const std::optional<double> eps = number_arg(step, epsilon);
  if (norm.groups <= 0 || channels % norm.groups != 0 || !eps || !read_constant(b, step.args[weight], norm.weight) ||
      !read_constant(b, step.args[weight + 1], norm.bias)) {
    return std::nullopt;
  }
  for (const Tensor* t : {&norm.weight, &norm.bias}) {
    if (t->defined() && t->numel() != channels) return std::nullopt;
  }
  norm.epsilon = *eps;
  return norm;
}

}  // namespace

bool build_norm(Builder& b, size_t s) {
  const TracedStep& step = b.step(s);
  const TensorId in = tensor_arg(step, 0), out = b.result(s);
  if (in == kNoTensor || out == kNoTensor || !b.is_float(in) || !b.is_float(out) || !b.is_stable(in) ||
      !b.can_define_plain(out) || b.tensor(in).sizes != b.tensor(out).sizes) {
    return false;
  }
  const IntVec& sizes = b.tensor(in).sizes;
  if ((sizes.size() != 3 && sizes.size() != 4) || checked_numel(sizes) == 0) return false;
  const std::optional<Norm> read = read_norm(b, step, sizes[1]);
  if (!read) return false;
  kernels::GroupNorm norm;
  norm.channels = sizes[1];
  norm.pixels = checked_numel(sizes) / (sizes[0] * sizes[1]);
  norm.groups = read->groups;
  norm.epsilon = static_cast<float>(read->epsilon);
  const Slot from = b.channels_last(in);
  b.emit(
      std::make_unique<GroupNormStep>(step, sizes[0], norm, b.packed_vector(read->weight), b.packed_vector(read->bias)),
      {from}, {b.define_channels_last(out)});
  return true;
}

}  // namespace wick::plan
