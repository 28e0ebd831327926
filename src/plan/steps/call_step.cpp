// Steps that call an operator of the table, and copies.
#include "core/copy.h"
#include "core/tensor_impl.h"
#include "kernels/layout.h"
#include "ops/workers.h"
#include "plan/builder.h"
#include "plan/steps/step.h"

namespace wick::plan {
namespace {

class CallStep : public Step {
 public:
  CallStep(const TracedStep& step, std::vector<ExpectedResult> expected)
      : Step(step.node), op_(*step.op), args_(step.args), outs_(step.outs), expected_(std::move(expected)) {}

  void run(Workspace& w) const override {
    const size_t buffer = args_.size() + outs_.size();
    if (w.scratch.size() < buffer) w.scratch.resize(buffer);
    IValue* args = w.scratch.data();
    IValue* outs = args + args_.size();
    for (size_t i = 0; i < args_.size(); ++i) args[i] = make(args_[i], w);
    op_.call(args, args_.size(), outs);
    for (size_t i = 0; i < args_.size(); ++i) args[i] = IValue();
    for (size_t i = 0; i < outs_.size(); ++i) take(outs_[i], std::move(outs[i]), w);
    for (const ExpectedResult& e : expected_) {
      if (!is_as_expected(*w.tensors[e.slot].impl(), e)) throw ShapeChanged();
    }
  }

  StepName name() const override { return StepName(op_.schema.full_name()); }

 private:
  static bool is_as_expected(const TensorImpl& t, const ExpectedResult& e) {
    if (t.dtype != e.dtype || !(t.sizes == e.sizes)) return false;
    for (size_t d = 0; d < t.sizes.size(); ++d) {
      if (t.sizes[d] != 1 && t.strides[d] != e.strides[d]) return t.numel == 0;
    }
    return true;
  }

  static IValue make(const TracedValue& v, const Workspace& w) {
    switch (v.kind) {
      case TracedValue::Kind::kStatic:
        return v.value;
      case TracedValue::Kind::kTensor:
        return IValue(w.tensors[v.ids[0]]);
      case TracedValue::Kind::kTensorList:
        break;
    }
    std::vector<IValue> items;
    items.reserve(v.ids.size());
    for (TensorId id : v.ids) items.push_back(id == kNoTensor ? IValue() : IValue(w.tensors[id]));
    return IValue::list(v.element_type, std::move(items));
  }

  static void take(const TracedValue& v, IValue value, Workspace& w) {
    if (v.kind == TracedValue::Kind::kTensor) {
      if (!value.is_tensor()) throw ShapeChanged();
      w.tensors[v.ids[0]] = value.to_tensor();
    } else if (v.kind == TracedValue::Kind::kTensorList) {
      if (!value.is_list() || value.to_list().items.size() != v.ids.size()) throw ShapeChanged();
      for (size_t i = 0; i < v.ids.size(); ++i) {
        const IValue& item = value.to_list().items[i];
        if (item.is_tensor() != (v.ids[i] != kNoTensor)) throw ShapeChanged();
        if (v.ids[i] != kNoTensor) w.tensors[v.ids[i]] = item.to_tensor();
      }
    }
  }

  const Operator& op_;
  const std::vector<TracedValue> args_, outs_;
  const std::vector<ExpectedResult> expected_;
};

class CopyStep : public Step {
 public:
  CopyStep() : Step(nullptr) {}
  void run(Workspace& w) const override {
    const Tensor& to = w.tensors[writes_[0]];
    const Tensor& from = w.tensors[reads_[0]];
    if (to.dtype() == DType::kFloat && (to.dim() == 3 || to.dim() == 4)) {
      const int64_t batch = to.size(0), channels = to.size(1), pixels = to.size(2) * (to.dim() == 4 ? to.size(3) : 1);
      const kernels::Workers workers = ops::workers_for(static_cast<double>(to.numel()) * 2);
      if (is_contiguous(from.sizes(), from.strides()) && is_channels_last(to.sizes(), to.strides())) {
        return kernels::planes_to_channels_last(from.data_ptr<float>(), batch, channels, pixels, to.data_ptr<float>(),
                                                channels, workers);
      }
      if (is_channels_last(from.sizes(), from.strides()) && is_contiguous(to.sizes(), to.strides())) {
        return kernels::channels_last_to_planes(from.data_ptr<float>(), channels, batch, channels, pixels,
                                                to.data_ptr<float>(), workers);
      }
    }
    copy_into(to, from);
  }
  StepName name() const override { return StepName("change of layout"); }
};

}  // namespace

std::unique_ptr<Step> call_step(const TracedStep& step, std::vector<ExpectedResult> expected) {
  return std::make_unique<CallStep>(step, std::move(expected));
}

std::unique_ptr<Step> copy_step() { return std::make_unique<CopyStep>(); }

}  // namespace wick::plan
