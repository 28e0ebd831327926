#include "plan/plan.h"

#include <unordered_set>

#include "core/check.h"
#include "plan/functional.h"
#include "plan/traits.h"

namespace wick::plan {
namespace {

void collect(const Recipe& recipe, std::vector<bool>& kept) {
  if (recipe.kind == Recipe::Kind::kTensor) kept[recipe.tensor] = true;
  for (const Recipe& item : recipe.items) collect(item, kept);
}

// For every step the tensors that nothing uses after it.
std::vector<std::vector<TensorId>> dead_after(const Trace& trace) {
  std::vector<bool> seen(trace.tensors.size(), false);
  for (const auto& [reg, recipe] : trace.changes) collect(recipe, seen);
  std::vector<std::vector<TensorId>> out(trace.steps.size());
  for (size_t s = trace.steps.size(); s-- > 0;) {
    const auto visit = [&](const std::vector<TracedValue>& values) {
      for (const TracedValue& v : values) {
        for (TensorId id : v.ids) {
          if (id == kNoTensor || seen[id]) continue;
          seen[id] = true;
          if (trace.tensors[id].origin != TracedTensor::Origin::kConstant) out[s].push_back(id);
        }
      }
    };
    visit(trace.steps[s].outs);
    visit(trace.steps[s].args);
  }
  return out;
}

// Whether a step changes something that others than the plan can see, or could not be repeated.
bool has_effect(const Trace& trace, const TracedStep& step) {
  const Operator& op = *step.op;
  if (!is_function(op)) return true;
  for (size_t k = 0; k < step.args.size() && k < op.schema.arguments.size(); ++k) {
    if (!op.schema.arguments[k].is_mutated) continue;
    for (TensorId id : step.args[k].ids) {
      if (id != kNoTensor && trace.tensors[id].origin != TracedTensor::Origin::kComputed) return true;
    }
  }
  return false;
}

const IValue& item_at(const IValue& value, const std::vector<uint32_t>& path) {
  const IValue* at = &value;
  for (uint32_t k : path) {
    if (at->is_list()) {
      at = &at->to_list().items[k];
    } else if (at->is_tuple()) {
      at = &at->to_tuple().items[k];
    } else {
      const auto& entry = at->to_dict().entries()[k / 2];
      at = k % 2 ? &entry.second : &entry.first;
    }
  }
  return *at;
}

// Makes the values of registers after a run.
class Maker {
 public:
  Maker(const std::vector<IValue>& live_ins, const Workspace& w) : live_ins_(live_ins), workspace_(w) {}

  IValue make(const Recipe& r) {
    switch (r.kind) {
      case Recipe::Kind::kStatic:
        return r.value;
      case Recipe::Kind::kTensor:
        return IValue(workspace_.tensors[r.tensor]);
      case Recipe::Kind::kLiveIn:
        return item_at(live_ins_[r.index], r.path);
      case Recipe::Kind::kSame:
        return made_[r.index];
      case Recipe::Kind::kList: {
        auto list = make_ref<ListImpl>();
        list->element_type = r.value.to_list().element_type;
        made_.emplace_back(list);
        list->items.reserve(r.items.size());
        for (const Recipe& item : r.items) list->items.push_back(make(item));
        return IValue(std::move(list));
      }
      case Recipe::Kind::kTuple: {
        auto tuple = make_ref<TupleImpl>();
        tuple->named_type = r.value.to_tuple().named_type;
        made_.emplace_back(tuple);
        tuple->items.reserve(r.items.size());
        for (const Recipe& item : r.items) tuple->items.push_back(make(item));
        return IValue(std::move(tuple));
      }
      case Recipe::Kind::kDict: {
        auto dict = make_ref<DictImpl>();
        dict->key_type = r.value.to_dict().key_type;
        dict->value_type = r.value.to_dict().value_type;
        made_.emplace_back(dict);
        for (size_t k = 0; k + 1 < r.items.size(); k += 2) {
          IValue key = make(r.items[k]);
          dict->set(std::move(key), make(r.items[k + 1]));
        }
        return IValue(std::move(dict));
      }
    }
    fail(ErrorCode::kInternal, "a recipe of no kind");
  }

 private:
  const std::vector<IValue>& live_ins_;
  const Workspace& workspace_;
  std::vector<IValue> made_;
};

IValue value_of(const LiveIn& in, runtime::Frame& frame) {
  return in.object ? in.object->get(in.slot) : frame.registers()[in.reg];
}

}  // namespace

Plan::Plan(Trace trace)
    : begin_(trace.begin),
      end_(trace.end),
      live_ins_(std::move(trace.live_ins)),
      first_effect_(trace.steps.size()) {
  make_functional(trace);
  changes_ = trace.changes;
  std::vector<std::vector<TensorId>> dead = dead_after(trace);
  for (size_t s = 0; s < trace.steps.size(); ++s) {
    if (has_effect(trace, trace.steps[s])) first_effect_ = std::min(first_effect_, s);
    steps_.push_back(call_step(trace, trace.steps[s], std::move(dead[s])));
  }
  tensor_count_ = trace.tensors.size();
  for (TensorId id = 0; id < trace.tensors.size(); ++id) {
    if (trace.tensors[id].origin == TracedTensor::Origin::kConstant) {
      constants_.emplace_back(id, trace.tensors[id].constant);
    } else {
      transient_.push_back(id);
    }
  }
}

bool Plan::matches(runtime::Frame& frame) const {
  for (const LiveIn& in : live_ins_) {
    if (in.object) {
      if (!in.guard.matches(in.object->get(in.slot))) return false;
    } else if (!in.guard.matches(frame.registers()[in.reg])) {
      return false;
    }
  }
  return true;
}

std::unique_ptr<Workspace> Plan::workspace() const {
  {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      std::unique_ptr<Workspace> w = std::move(free_.back());
      free_.pop_back();
      return w;
    }
  }
  auto w = std::make_unique<Workspace>();
  w->tensors.resize(tensor_count_);
  for (const auto& [id, tensor] : constants_) w->tensors[id] = tensor;
  return w;
}

void Plan::give_back(std::unique_ptr<Workspace> w) const {
  for (TensorId id : transient_) w->tensors[id] = Tensor();
  const std::lock_guard lock(mutex_);
  free_.push_back(std::move(w));
}

size_t Plan::run(runtime::Frame& frame, bool& restartable) const {
  std::unique_ptr<Workspace> w = workspace();
  std::vector<IValue> live_ins;
  live_ins.reserve(live_ins_.size());
  for (const LiveIn& in : live_ins_) {
    live_ins.push_back(value_of(in, frame));
    size_t k = 0;
    each_tensor(live_ins.back(), [&](const Tensor& t) { w->tensors[in.tensors[k++]] = t; });
  }
  size_t at = 0;
  try {
    for (; at < steps_.size(); ++at) steps_[at]->run(*w);
  } catch (const ShapeChanged&) {
    restartable = at < first_effect_;
    give_back(std::move(w));
    throw;
  } catch (...) {
    give_back(std::move(w));
    frame.rethrow(steps_[at]->node());
  }
  leave(frame, live_ins, *w);
  give_back(std::move(w));
  return end_;
}

void Plan::leave(runtime::Frame& frame, std::vector<IValue>& live_ins, Workspace& w) const {
  Maker maker(live_ins, w);
  for (const auto& [reg, recipe] : changes_) frame.registers()[reg] = maker.make(recipe);
}

}  // namespace wick::plan
