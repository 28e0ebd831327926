// Reductions over any dims: sums, means, extremes, products, spreads, norms and their indices.
#include <algorithm>

#include "core/shapes_only.h"
#include "core/tensor_impl.h"
#include "ops/reduce/engine.h"
#include "plan/patterns/patterns.h"
#include "plan/patterns/reductions.h"
#include "plan/record/read.h"

namespace wick::plan {
namespace {

class ReduceStep : public Step {
 public:
  ReduceStep(const TracedStep& step, const ops::Reduction& reduction)
      : Step(step.node), reduction_(reduction), name_(std::string_view(step.op->schema.name).substr(6)) {}

  void run(Workspace& w) const override {
    void* to[ops::Reduction::kMaxOutputs] = {};
    for (size_t k = 0; k < writes_.size(); ++k) to[k] = output<char>(w, k);
    reduction_.run(input<char>(w, 0), to);
  }

  StepName name() const override { return name_; }

 private:
  const ops::Reduction reduction_;
  const StepName name_;
};

bool is_reduction(const TracedStep& step) {
  if (std::ranges::find(kReductions, step.op->schema.name) == std::end(kReductions)) return false;
  if (step.args.empty() || step.args[0].kind != TracedValue::Kind::kTensor) return false;
  return std::all_of(step.args.begin() + 1, step.args.end(),
                     [](const TracedValue& v) { return v.kind == TracedValue::Kind::kStatic; });
}

}  // namespace

// The operator itself says what it reduces, how and into what: it is called on a tensor of the same extents, and the
// engine notes its operands instead of computing.
bool build_reduce(Builder& b, size_t s) {
  const TracedStep& step = b.step(s);
  if (!is_reduction(step)) return false;
  const TensorId in = tensor_arg(step, 0);
  const TracedTensor& x = b.tensor(in);
  if (!b.is_float(in) || !b.is_stable(in) || checked_numel(x.sizes) == 0) return false;
  const bool image = x.sizes.size() == 4 && b.prefers_channels_last(in);
  const Tensor like = Tensor::empty_strided(x.sizes, image ? channels_last_strides(x.sizes) : x.strides, x.dtype);
  std::vector<IValue> args, results(step.op->schema.returns.size());
  for (const TracedValue& v : step.args) args.push_back(v.value);
  args[0] = IValue(like);
  ops::ReductionWatch watch;
  {
    const ShapesOnly shapes(true);
    step.op->call(args.data(), args.size(), results.data());
  }
  if (watch.calls.size() != 1 || results.size() != step.outs.size()) return false;
  const ops::ReductionWatch::Call& call = watch.calls[0];
  if (call.outputs.size() != results.size() || call.input.storage().get() != like.storage().get() ||
      call.input.storage_offset() != like.storage_offset()) {
    return false;
  }
  // The engine has its results in an order of its own.
  std::vector<const TracedValue*> outs;
  for (const Tensor& made : call.outputs) {
    const auto is_made = [&](const IValue& v) {
      return v.is_tensor() && v.to_tensor().storage().get() == made.storage().get();
    };
    const auto at = std::find_if(results.begin(), results.end(), is_made);
    if (at == results.end()) return false;
    outs.push_back(&step.outs[static_cast<size_t>(at - results.begin())]);
    if (outs.back()->kind == TracedValue::Kind::kStatic) continue;
    if (outs.back()->kind != TracedValue::Kind::kTensor) return false;
    const TensorId out = outs.back()->ids[0];
    const TracedTensor& y = b.tensor(out);
    if (!b.can_define_plain(out) || y.dtype != made.dtype() || !is_contiguous(y.sizes, y.strides) ||
        checked_numel(y.sizes) != made.numel()) {
      return false;
    }
  }
  const Slot from = image ? b.channels_last(in) : b.plain(in);
  std::vector<Slot> writes;
  for (size_t k = 0; k < outs.size(); ++k) {
    // A result that nobody takes needs memory, too; two floats are as large as any element.
    writes.push_back(outs[k]->kind == TracedValue::Kind::kTensor
                         ? b.define_plain(outs[k]->ids[0])
                         : b.define_temporary({2 * std::max<int64_t>(1, call.outputs[k].numel())}));
  }
  b.emit(std::make_unique<ReduceStep>(step, call.reduction), {from}, std::move(writes));
  return true;
}

}  // namespace wick::plan
