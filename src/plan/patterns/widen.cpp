// Computes float16 and bfloat16 operators in float, rounding where PyTorch rounds.
#include "plan/patterns/widen.h"

#include "core/copy.h"
#include "kernels/half.h"
#include "kernels/rounding.h"
#include "ops/boxing.h"
#include "plan/patterns/patterns.h"
#include "plan/record/functional.h"
#include "plan/record/read.h"
#include "plan/record/traits.h"

namespace wick::plan {
namespace {

bool is_half(DType t) { return t == DType::kHalf || t == DType::kBFloat16; }

template <void (*kRound)(const float* x, float* out, int64_t n)>
void round_with(void* const* p, int64_t n, const void*) {
  kRound(static_cast<const float*>(p[1]), static_cast<float*>(p[0]), n);
}
RoundingKernel rounding_to(DType dtype) {
  return dtype == DType::kHalf ? &round_with<kernels::round_to_half> : &round_with<kernels::round_to_bfloat16>;
}

// For a rounding that no pass of the plan takes.
Tensor round_to(const Tensor& self, int64_t dtype) {
  return to_dtype(to_dtype(self, static_cast<DType>(dtype)), DType::kFloat);
}
const Operator& rounding_operator() {
  static const Operator op(parse_schema("wick::round_to(Tensor self, int dtype) -> Tensor"), &call_plain<&round_to>,
                           traits::deterministic);
  return op;
}

TracedValue tensor_value(TensorId id) { return {TracedValue::Kind::kTensor, {}, {id}, nullptr}; }
TracedValue static_value(IValue value) { return {TracedValue::Kind::kStatic, std::move(value), {}, nullptr}; }

class Widener {
 public:
  Widener(Trace& trace, const Operator& to, bool rounds)
      : trace_(trace),
        to_(to),
        rounds_(rounds),
        old_(std::move(trace.steps)),
        raw_(trace.tensors.size(), kNoTensor),
        rounded_(raw_),
        uses_(trace.tensors.size()),
        has_half_(trace.tensors.size()) {
    trace_.steps.clear();
    for (TensorId id = 0; id < trace.tensors.size(); ++id) {
      const TracedTensor& t = trace.tensors[id];
      made_by_.push_back(t.step);
      has_half_[id] = t.origin != TracedTensor::Origin::kComputed;
    }
    for (const TracedStep& step : old_) each(step.args, [&](TensorId id) { ++uses_[id]; });
  }

  void run() {
    std::vector<TensorId> leaving;
    for (auto& [reg, recipe] : trace_.changes) each_tensor_of(recipe, [&](TensorId& id) { leaving.push_back(id); });
    for (TensorId id : leaving) uses_[id] += 2;
    for (const TracedStep& step : old_) {
      if (can_widen(step)) {
        widen(step);
      } else {
        node_ = step.node;
        each(step.args, [&](TensorId id) { need_half(id); });
        push(step);
      }
    }
    for (TensorId id : leaving) need_half(id);
  }

 private:
  template <class Visit>
  static void each(const std::vector<TracedValue>& values, const Visit& visit) {
    for (const TracedValue& v : values) {
      for (TensorId id : v.ids) {
        if (id != kNoTensor) visit(id);
      }
    }
  }
  const TracedTensor& tensor(TensorId id) const { return trace_.tensors[id]; }
  bool is_half(TensorId id) const { return plan::is_half(tensor(id).dtype); }

  // An argument whose storage the result shares; kNoTensor when it has its own.
  TensorId base_of(const TracedStep& step, TensorId out) const {
    TensorId base = kNoTensor;
    each(step.args, [&](TensorId id) {
      if (tensor(id).storage == tensor(out).storage) base = id;
    });
    return base;
  }

  // Whether PyTorch computes the operator in floats and rounds its result once, or not at all.
  static bool rounds_at_most_once(const TracedStep& step) {
    if (!step.op->has(traits::rounds_once) && !step.op->has(traits::rounds_never)) return false;
    const auto& arguments = step.op->schema.arguments;
    for (size_t k = 0; k < step.args.size() && k < arguments.size(); ++k) {
      // Another dtype for the result.
      if (arguments[k].name == "dtype" && !step.args[k].value.is_none()) return false;
    }
    return is_function_call(step) && !step.op->schema.overload.ends_with("mode");
  }

  bool is_known(TensorId id) const { return raw_[id] != kNoTensor || rounded_[id] != kNoTensor; }

  bool can_widen(const TracedStep& step) const {
    if (!rounds_at_most_once(step)) return false;
    bool fits = true, any = false, is_fixed = true;
    DType dtype = DType::kFloat;
    const auto check = [&](TensorId id) {
      const TracedTensor& t = tensor(id);
      if (!plan::is_half(t.dtype)) {
        fits = fits && !is_floating(t.dtype) && !is_complex(t.dtype);
        return;
      }
      fits = fits && (!any || t.dtype == dtype);
      dtype = t.dtype;
      any = true;
    };
    each(step.args, [&](TensorId id) {
      check(id);
      fits = fits && (is_known(id) || is_dense(tensor(id).sizes, tensor(id).strides));
    });
    if (!any) return false;
    each(step.outs, [&](TensorId id) {
      check(id);
      const TracedTensor& t = tensor(id);
      is_fixed = is_fixed && t.fixed;
      const TensorId base = base_of(step, id);
      if (base != kNoTensor) {
        // A view of what is there in half precision needs no floats.
        fits = fits && base != id && is_known(base);
      } else {
        fits = fits && plan::is_half(t.dtype) && t.offset == 0 && is_dense(t.sizes, t.strides);
      }
    });
    return fits && !is_fixed && (!commutes(step) || has_known_bounds(step, dtype));
  }
  // Whether rounding before or after is the same, given bounds of the dtype.
  static bool commutes(const TracedStep& step) { return step.op->has(traits::clamps); }
  static bool has_known_bounds(const TracedStep& step, DType dtype) {
    for (size_t k = 1; k < step.args.size(); ++k) {
      if (!step.args[k].value.is_number()) return false;
      auto bound = static_cast<float>(step.args[k].value.to_scalar().to_double()), kept = bound;
      void* const p[] = {&kept, &bound};
      rounding_to(dtype)(p, 1, nullptr);
      if (kept != bound) return false;
    }
    return true;
  }

  void widen(const TracedStep& step) {
    node_ = step.node;
    TracedStep wide = step;
    // What is not rounded yet may stay so where it has no other user and the order does not matter.
    TensorId first = kNoTensor;
    each(step.args, [&](TensorId id) { first = first == kNoTensor ? id : first; });
    const bool stays_raw = commutes(step) && raw_[first] != kNoTensor && rounded_[first] == kNoTensor &&
                           uses_[first] == 1 && !has_half_[first];
    for (TracedValue& v : wide.args) {
      for (TensorId& id : v.ids) {
        if (id != kNoTensor && is_half(id)) id = stays_raw ? raw_[id] : rounded(id);
      }
    }
    const bool rounds = stays_raw || step.op->has(traits::rounds_once);
    for (TracedValue& v : wide.outs) {
      for (TensorId& id : v.ids) {
        if (id == kNoTensor) continue;
        const TensorId base = base_of(step, id);
        const TensorId twin = twin_of(id, base == kNoTensor ? new_storage_++ : tensor(rounded_[base]).storage);
        if (base != kNoTensor) trace_.tensors[twin].offset += tensor(rounded_[base]).offset - tensor(base).offset;
        (rounds ? raw_ : rounded_)[id] = twin;
        id = twin;
      }
    }
    push(std::move(wide));
  }

  // A tensor of floats like another one.
  TensorId twin_of(TensorId id, uint32_t storage) {
    TracedTensor t = tensor(id);
    t.origin = TracedTensor::Origin::kComputed;
    t.dtype = DType::kFloat;
    t.storage = storage;
    t.fixed = false;
    t.constant = Tensor();
    trace_.tensors.push_back(std::move(t));
    return static_cast<TensorId>(trace_.tensors.size() - 1);
  }

  // The float form of a tensor, its values those of the dtype.
  TensorId rounded(TensorId id) {
    if (rounded_[id] != kNoTensor) return rounded_[id];
    if (raw_[id] != kNoTensor && !rounds_ && tensor(id).dtype == DType::kHalf) return rounded_[id] = raw_[id];
    const TensorId twin = twin_of(id, new_storage_++);
    trace_.tensors[twin].offset = 0;
    rounded_[id] = twin;
    if (raw_[id] != kNoTensor) {
      push({node_,
            &rounding_operator(),
            {tensor_value(raw_[id]), static_value(IValue(static_cast<int64_t>(tensor(id).dtype)))},
            {tensor_value(twin)}});
      return twin;
    }
    const TracedTensor& t = tensor(id);
    // Weights are widened when they are packed.
    constexpr int64_t kFewElements = 1 << 14;
    if (t.fixed && t.constant.defined() && t.constant.numel() <= kFewElements) {
      trace_.tensors[twin].fixed = true;
      trace_.tensors[twin].constant = to_dtype(t.constant, DType::kFloat);
    }
    push_conversion(id, twin, DType::kFloat);
    return twin;
  }

  void need_half(TensorId id) {
    if (!is_half(id) || has_half_[id]) return;
    const TracedStep& step = old_[made_by_[id]];
    if (base_of(step, id) != kNoTensor) {
      each(step.args, [&](TensorId arg) { need_half(arg); });
      return push(step);
    }
    push_conversion(rounded(id), id, tensor(id).dtype);
    has_half_[id] = true;
  }

  void push_conversion(TensorId from, TensorId to, DType dtype) {
    push({node_,
          &to_,
          {tensor_value(from), static_value(IValue(static_cast<int64_t>(dtype))), static_value(IValue(false)),
           static_value(IValue(false)), static_value(IValue())},
          {tensor_value(to)}});
  }

  void push(TracedStep step) {
    const auto at = static_cast<uint32_t>(trace_.steps.size());
    each(step.outs, [&](TensorId id) {
      trace_.tensors[id].step = at;
      if (id < has_half_.size()) has_half_[id] = true;
    });
    trace_.steps.push_back(std::move(step));
  }

  Trace& trace_;
  const Operator& to_;
  const bool rounds_;
  const std::vector<TracedStep> old_;
  // By tensor as recorded: its float forms, the steps that use it (more for one that leaves), the step that gave it.
  std::vector<TensorId> raw_, rounded_;
  std::vector<uint32_t> uses_, made_by_;
  std::vector<bool> has_half_;
  const ir::Node* node_ = nullptr;
  uint32_t new_storage_ = 7u << 29;  // beyond those of others
};

class CastStep : public Step {
 public:
  CastStep(const ir::Node* node, StepName name) : Step(node), name_(std::move(name)) {}
  void run(Workspace& w) const override { copy_into(w.tensors[writes_[0]], w.tensors[reads_[0]]); }
  StepName name() const override { return name_; }

 private:
  const StepName name_;
};

}  // namespace

void widen_half(Trace& trace, bool rounds) {
  bool any = false;
  for (const TracedTensor& t : trace.tensors) {
    if (!is_half(t.dtype)) continue;
    any = true;
    // What is changed in place has to be seen by all who read it.
    if (trace.changed_storages.contains(t.storage)) return;
  }
  const Operator* to = any ? find_operator("aten::to", "dtype") : nullptr;
  if (to != nullptr) Widener(trace, *to, rounds).run();
}

RoundingKernel rounding_of(const TracedStep& step) {
  if (step.op != &rounding_operator()) return nullptr;
  return rounding_to(static_cast<DType>(step.args[1].value.to_int()));
}

bool is_cast(const Builder& b, size_t s) {
  const TracedStep& step = b.step(s);
  const TensorId to = b.result(s);
  if (step.op->schema.name != "aten::to" || to == kNoTensor || step.args.empty() ||
      step.args[0].kind != TracedValue::Kind::kTensor) {
    return false;
  }
  const TensorId from = step.args[0].ids[0];
  const DType a = b.tensor(from).dtype, c = b.tensor(to).dtype;
  const bool converts = (is_half(a) && c == DType::kFloat) || (is_half(c) && a == DType::kFloat);
  return converts && b.is_stable(from) && b.can_define_plain(to) && b.tensor(from).sizes == b.tensor(to).sizes;
}

void emit_cast(Builder& b, size_t s) {
  const TensorId to = b.result(s);
  const Slot in = b.plain(tensor_arg(b.step(s), 0)), out = b.define_plain(to);
  b.emit(std::make_unique<CastStep>(b.step(s).node, b.is_float(to) ? "to float" : "to half precision"), {in}, {out});
}

bool build_cast(Builder& b, size_t s) {
  if (!is_cast(b, s)) return false;
  // Layers in float16 may take it as it is.
  if (kernels::kHasHalfKernels && b.half_source(b.result(s), s) != kNoTensor && b.defer(s)) return true;
  emit_cast(b, s);
  return true;
}

}  // namespace wick::plan
