#include "core/copy.h"
#include "plan/step.h"

namespace wick::plan {
namespace {

class CallStep : public Step {
 public:
  CallStep(const Trace& trace, const TracedStep& step)
      : Step(step.node), op_(*step.op), args_(step.args), outs_(step.outs) {
    for (const TracedValue& out : outs_) {
      for (TensorId id : out.ids) {
        if (id == kNoTensor) continue;
        const TracedTensor& t = trace.tensors[id];
        expected_.push_back({id, t.dtype, t.sizes, t.strides});
      }
    }
  }

  void run(Workspace& w) const override {
    const size_t room = args_.size() + outs_.size();
    if (w.scratch.size() < room) w.scratch.resize(room);
    IValue* args = w.scratch.data();
    IValue* outs = args + args_.size();
    for (size_t i = 0; i < args_.size(); ++i) args[i] = make(args_[i], w);
    op_.call(args, args_.size(), outs);
    for (size_t i = 0; i < args_.size(); ++i) args[i] = IValue();
    for (size_t i = 0; i < outs_.size(); ++i) take(outs_[i], std::move(outs[i]), w);
    for (const Expected& e : expected_) {
      const TensorImpl& t = *w.tensors[e.id].impl();
      if (t.dtype != e.dtype || !(t.sizes == e.sizes) || !(t.strides == e.strides)) throw ShapeChanged();
    }
  }

  std::string name() const override { return op_.schema.full_name(); }

 private:
  struct Expected {
    TensorId id;
    DType dtype;
    IntVec sizes, strides;
  };

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
  std::vector<Expected> expected_;
};

class CopyStep : public Step {
 public:
  CopyStep() : Step(nullptr) {}
  void run(Workspace& w) const override { copy_into(w.tensors[writes_[0]], w.tensors[reads_[0]]); }
  std::string name() const override { return "change of layout"; }
};

}  // namespace

std::unique_ptr<Step> call_step(const Trace& trace, const TracedStep& step) {
  return std::make_unique<CallStep>(trace, step);
}

std::unique_ptr<Step> copy_step() { return std::make_unique<CopyStep>(); }

}  // namespace wick::plan
