// In-place operators as functional ones, and steps that give their argument removed.
#include "plan/record/functional.h"

#include <algorithm>

#include "plan/builder.h"
#include "plan/record/traits.h"

namespace wick::plan {
namespace {

struct Use {
  size_t first = 0;     // step that gives it
  size_t last = 0;      // last step that uses it, plus one
  bool leaves = false;  // used after the trace
};

class Rewriter {
 public:
  explicit Rewriter(Trace& trace) : trace_(trace), uses_(trace.tensors.size()) {
    for (size_t s = 0; s < trace.steps.size(); ++s) {
      each_id(trace.steps[s], [&](TensorId& id) { uses_[id].last = s + 1; });
    }
    for (auto& [reg, recipe] : trace.changes) {
      each_tensor_of(recipe, [&](TensorId& id) { uses_[id].leaves = true; });
    }
    for (TensorId id = 0; id < trace.tensors.size(); ++id) {
      if (trace.tensors[id].origin == TracedTensor::Origin::kComputed) {
        uses_[id].first = trace.tensors[id].step;
      } else {
        outside_.insert(trace.tensors[id].storage);
      }
    }
  }

  void run() {
    keep_what_must_change();
    for (TensorId id = 0; id < trace_.tensors.size(); ++id) current_.push_back(id);
    for (size_t s = 0; s < trace_.steps.size(); ++s) rewrite(s);
    for (auto& [reg, recipe] : trace_.changes) {
      each_tensor_of(recipe, [&](TensorId& id) { id = current_[id]; });
    }
    trace_.changed_storages = std::move(must_change_);
  }

 private:
  template <class Visit>
  static void each_id(TracedStep& step, const Visit& visit) {
    for (TracedValue& v : step.args) each_id(v, visit);
    for (TracedValue& v : step.outs) each_id(v, visit);
  }
  template <class Visit>
  static void each_id(TracedValue& v, const Visit& visit) {
    for (TensorId& id : v.ids) {
      if (id != kNoTensor) visit(id);
    }
  }

  void keep_what_must_change() {
    for (size_t s = 0; s < trace_.steps.size(); ++s) {
      const TracedStep& step = trace_.steps[s];
      // Tensors are numbered in the order of the steps that give them.
      while (noted_ < uses_.size() && uses_[noted_].first <= s) note_handle(static_cast<TensorId>(noted_++));
      const auto& arguments = step.op->schema.arguments;
      for (size_t k = 0; k < step.args.size() && k < arguments.size(); ++k) {
        if (!arguments[k].is_mutated) continue;
        for (TensorId id : step.args[k].ids) {
          if (id != kNoTensor && !(k == 0 && can_rewrite(s, id))) must_change_.insert(trace_.tensors[id].storage);
        }
      }
    }
  }

  // Whether the functional form gives self's dtype and strides: promotion and the strides of others may say otherwise.
  bool gives_the_same_kind(const TracedStep& step, const TracedTensor& self) const {
    if (step.op->has(traits::returns_bools) && self.dtype != DType::kBool) return false;
    if (!is_contiguous(self.sizes, self.strides) && !step.op->has(traits::pointwise)) return false;
    for (const TracedValue& arg : step.args) {
      for (const TensorId id : arg.ids) {
        if (id == kNoTensor) continue;
        const TracedTensor& t = trace_.tensors[id];
        if (t.sizes.empty() && !self.sizes.empty()) continue;  // promotes nothing that could be written to self
        if (t.dtype != self.dtype || (t.sizes == self.sizes && !(t.strides == self.strides))) return false;
      }
    }
    return true;
  }

  bool can_rewrite(size_t s, TensorId id) const {
    const TracedStep& step = trace_.steps[s];
    const TracedTensor& t = trace_.tensors[id];
    if (t.origin != TracedTensor::Origin::kComputed || step.args[0].kind != TracedValue::Kind::kTensor) return false;
    // One that may give an argument back would give it a second owner: its memory is reused while the result is read.
    const Operator* variant = functional_variant_of(*step.op);
    if (!variant || variant->has(traits::may_alias)) return false;
    if (!is_dense(t.sizes, t.strides) || !gives_the_same_kind(step, t)) return false;
    // The tensor must be all of its storage: a view made later might reach beyond it.
    if (t.offset != 0 || outside_.contains(t.storage)) return false;
    const uint64_t handles = handles_of_.get(t.storage);
    if (handles == 0) return false;
    const Handles& all = handles_[handles - 1];
    if (all.numel > checked_numel(t.sizes) || (all.latest == id ? all.second : all.last) > s + 1) return false;
    // Read by the very step, under another name.
    for (const TracedValue& arg : step.args) {
      for (TensorId read : arg.ids) {
        if (read != kNoTensor && read != id && trace_.tensors[read].storage == t.storage) return false;
      }
    }
    return true;
  }

  // What the handles of a storage that are there at a step have in common.
  struct Handles {
    int64_t numel = 0;            // of the largest
    TensorId latest = kNoTensor;  // the one that is used last,
    size_t last = 0, second = 0;  // until when, and until when the others are; SIZE_MAX: after the trace
  };

  void note_handle(TensorId id) {
    const TracedTensor& t = trace_.tensors[id];
    uint64_t& known = handles_of_[t.storage];
    if (known == 0) {
      handles_.emplace_back();
      known = handles_.size();
    }
    Handles& all = handles_[known - 1];
    all.numel = std::max(all.numel, checked_numel(t.sizes));
    const size_t last = uses_[id].leaves ? SIZE_MAX : uses_[id].last;
    if (all.latest == kNoTensor || last > all.last) {
      all.second = all.last;
      all.last = last;
      all.latest = id;
    } else {
      all.second = std::max(all.second, last);
    }
  }

  void rewrite(size_t s) {
    TracedStep& step = trace_.steps[s];
    const TensorId handle = !step.args.empty() && step.args[0].ids.size() == 1 ? step.args[0].ids[0] : kNoTensor;
    for (TracedValue& v : step.args) each_id(v, [&](TensorId& id) { id = current_[id]; });
    const auto& arguments = step.op->schema.arguments;
    const bool changes = !arguments.empty() && arguments[0].is_mutated && !step.args.empty() &&
                         step.args[0].kind == TracedValue::Kind::kTensor;
    if (changes && !must_change_.contains(trace_.tensors[step.args[0].ids[0]].storage) &&
        !must_change_.contains(original_storage(step.args[0].ids[0]))) {
      const TensorId before = step.args[0].ids[0];
      TracedTensor next = trace_.tensors[before];
      next.step = static_cast<uint32_t>(s);
      next.fixed = false;
      next.constant = Tensor();
      next.storage = new_storage_++;
      const auto after = static_cast<TensorId>(trace_.tensors.size());
      renamed_storage_[original_storage(before)] = next.storage;
      originals_[next.storage] = original_storage(before);
      trace_.tensors.push_back(std::move(next));
      current_.push_back(after);
      current_[handle] = after;
      step.op = functional_variant_of(*step.op);
      step.outs.assign(1, TracedValue{TracedValue::Kind::kTensor, {}, {after}, nullptr});
      return;
    }
    for (TracedValue& v : step.outs) {
      each_id(v, [&](TensorId& id) {
        // A view made now is one of what the storage has become.
        if (uses_[id].first == s) {
          const uint64_t* renamed = renamed_storage_.find(trace_.tensors[id].storage);
          if (renamed) trace_.tensors[id].storage = static_cast<uint32_t>(*renamed);
        }
        id = current_[id];
      });
    }
  }

  uint32_t original_storage(TensorId id) const {
    const uint64_t* known = originals_.find(trace_.tensors[id].storage);
    return known ? static_cast<uint32_t>(*known) : trace_.tensors[id].storage;
  }

  Trace& trace_;
  std::vector<Use> uses_;  // of the tensors recorded
  WordSet outside_;        // storages that the trace has not made
  WordMap handles_of_;     // by storage: one more than a place in handles_
  std::vector<Handles> handles_;
  size_t noted_ = 0;  // tensors that are among them
  WordSet must_change_;
  std::vector<TensorId> current_;  // what a recorded tensor is called by now
  WordMap renamed_storage_, originals_;
  uint32_t new_storage_ = 3u << 30;  // beyond those of the recorder
};

// The argument that the step's only result is, element for element; kNoTensor when it is none.
TensorId same_as(const Trace& trace, const TracedStep& step) {
  if (step.outs.size() != 1 || step.outs[0].kind != TracedValue::Kind::kTensor || !is_function_call(step)) {
    return kNoTensor;
  }
  const TensorId out = step.outs[0].ids[0];
  const TracedTensor& o = trace.tensors[out];
  for (const TracedValue& arg : step.args) {
    for (TensorId id : arg.ids) {
      if (id == kNoTensor) continue;
      const TracedTensor& t = trace.tensors[id];
      if (id == out || (t.storage == o.storage && t.dtype == o.dtype && t.offset == o.offset && t.sizes == o.sizes &&
                        t.strides == o.strides)) {
        return id;
      }
    }
  }
  return kNoTensor;
}

}  // namespace

void remove_identities(Trace& trace) {
  std::vector<TensorId> name(trace.tensors.size());
  for (TensorId id = 0; id < name.size(); ++id) name[id] = id;
  // A handle that is used after the trace stays one of its own: the program may reshape it in place.
  std::vector<bool> leaves(trace.tensors.size());
  for (auto& [reg, recipe] : trace.changes) {
    each_tensor_of(recipe, [&](TensorId& id) { leaves[id] = true; });
  }
  std::vector<TracedStep> steps;
  std::vector<uint32_t> moved(trace.steps.size());  // new index of a step that stays
  for (size_t s = 0; s < trace.steps.size(); ++s) {
    TracedStep& step = trace.steps[s];
    for (std::vector<TracedValue>* values : {&step.args, &step.outs}) {
      for (TracedValue& v : *values) {
        for (TensorId& id : v.ids) id = id == kNoTensor ? id : name[id];
      }
    }
    const TensorId same = same_as(trace, step);
    if (same != kNoTensor && (same == step.outs[0].ids[0] || !leaves[step.outs[0].ids[0]])) {
      name[step.outs[0].ids[0]] = same;
      continue;
    }
    moved[s] = static_cast<uint32_t>(steps.size());
    steps.push_back(std::move(step));
  }
  for (TracedTensor& t : trace.tensors) {
    if (t.origin == TracedTensor::Origin::kComputed) t.step = moved[t.step];
  }
  for (auto& [reg, recipe] : trace.changes) {
    each_tensor_of(recipe, [&](TensorId& id) { id = name[id]; });
  }
  trace.steps = std::move(steps);
}

void make_functional(Trace& trace) {
  if (!trace.changed_storages.empty()) Rewriter(trace).run();
}

}  // namespace wick::plan
