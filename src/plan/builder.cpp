// Walks a trace: constants and views first, then the patterns, calls of operators for what is left.
#include "plan/builder.h"

#include <algorithm>

#include "core/check.h"
#include "plan/patterns/patterns.h"
#include "plan/patterns/pointwise.h"
#include "plan/patterns/widen.h"
#include "plan/record/traits.h"
#include "plan/steps/half_step.h"
#include "plan/targets.h"

namespace wick::plan {
namespace {

// Deferred steps that wait for each other: one pass takes fewer.
constexpr uint8_t kMaxDeferred = 64;

}  // namespace

Builder::Builder(Trace& trace, PackCache& cache, const PlanOptions& options)
    : trace_(trace),
      options_(options),
      uses_(trace),
      slots_(trace, uses_),
      packer_(trace, cache),
      taken_(trace.steps.size()),
      deferred_(trace.steps.size()),
      groups_(trace.steps.size()) {
  // What can't be repeated can't be looked through for the layer whose numbers do not fit float16.
  if (kernels::kHasHalfKernels && options_.half &&
      std::any_of(trace.steps.begin(), trace.steps.end(), [&](const TracedStep& step) { return has_effect(step); })) {
    options_.half = nullptr;
  }
  if constexpr (kSharesFolds) share_folds(cache);
  for (size_t s = 0; s < trace.steps.size() && !trace.changed_storages.empty(); ++s) {
    const std::vector<Argument>& arguments = trace.steps[s].op->schema.arguments;
    for (size_t k = 0; k < trace.steps[s].args.size() && k < arguments.size(); ++k) {
      if (!arguments[k].is_mutated) continue;
      for (TensorId id : trace.steps[s].args[k].ids) {
        if (id != kNoTensor) last_change_[trace.tensors[id].storage] = s + 1;
      }
    }
  }
}

bool Builder::is_constant(TensorId id) const {
  const TracedTensor& t = trace_.tensors[id];
  return t.fixed && t.constant.defined() && never_changes(id);
}

TensorId Builder::result(size_t s) const {
  const std::vector<TracedValue>& outs = trace_.steps[s].outs;
  return outs.size() == 1 && outs[0].kind == TracedValue::Kind::kTensor ? outs[0].ids[0] : kNoTensor;
}

size_t Builder::only_user(TensorId id) const {
  if (id == kNoTensor || uses_.leaves(id) || uses_.users(id).size() != 1 || !is_stable(id)) return SIZE_MAX;
  return uses_.users(id)[0];
}

// Takes what the target computes; each stretch is emitted in its place.
void Builder::give_to_target() {
  for (Target::Stretch& stretch : options_.target->choose(*this)) {
    for (size_t s : stretch.steps) take(s);
    const size_t at = stretch.at;
    emit_at(at, [this, stretch = std::make_shared<Target::Stretch>(std::move(stretch))] {
      std::vector<Slot> reads, writes;
      for (TensorId id : stretch->inputs) reads.push_back(plain(id));
      for (TensorId id : stretch->outputs) writes.push_back(define_plain(id));
      emit(std::move(stretch->step), std::move(reads), std::move(writes));
      for (size_t view : stretch->views) {
        if (!forward_view(view)) emit_call(view);
      }
    });
  }
}

void Builder::run() {
  if (kHasTargets && options_.target) give_to_target();
  for (size_t s = 0; s < trace_.steps.size(); ++s) {
    at_ = s;
    // A pattern may make a group of this step alone.
    if (!groups_[s] && !build(s)) {
      emit_call(s);
    } else if (groups_[s]) {
      groups_[s]->emit();
    }
  }
  emit_results();
  for (const Fusion& fusion : fusions()) {
    if (fusion.is_exact || !is_exact()) fusion.fuse(emissions_, slots_.all());
  }
  packer_.finish();
}

bool Builder::build(size_t s) {
  if (taken_[s] || fold_constants(s) || forward_view(s)) return true;
  for (const Pattern& pattern : patterns()) {
    if (pattern.build(*this, s)) return true;
  }
  return false;
}

// What is computed of constants was computed for other shapes as well, perhaps: the plan uses those tensors.
void Builder::share_folds(PackCache& cache) {
  if (!cache.folds) cache.folds = std::make_shared<FoldCache>();
  folds_ = std::make_shared<FoldList>();
  std::vector<bool> shared(trace_.tensors.size());  // by tensor: in the cache
  for (size_t s = 0; s < trace_.steps.size(); ++s) share_fold(s, *cache.folds, shared);
}

void Builder::share_fold(size_t s, FoldCache& cache, std::vector<bool>& shared) {
  const TracedStep& step = trace_.steps[s];
  std::vector<TensorId> results;
  for (const TracedValue& out : step.outs) {
    for (TensorId id : out.ids) {
      if (id == kNoTensor) continue;
      const TracedTensor& t = tensor(id);
      if (!is_constant(id) || t.origin != TracedTensor::Origin::kComputed || t.step != s ||
          uses_.storage_leaves(t.storage) || widened(id).defined()) {
        return;
      }
      results.push_back(id);
    }
  }
  if (results.empty() || !is_function_call(step)) return;
  Fold fold(step.op);
  for (const TracedValue& arg : step.args) {
    if (arg.kind == TracedValue::Kind::kStatic) {
      if (!fold.add_static(arg.value)) return;
      continue;
    }
    fold.add_number(arg.ids.size());
    for (TensorId id : arg.ids) {
      const Tensor half = id == kNoTensor ? Tensor() : widened(id);
      if (id == kNoTensor) {
        fold.add_number(0);
      } else if (half.defined()) {
        fold.add_source(half, true);
      } else if (is_constant(id) && (shared[id] || tensor(id).origin == TracedTensor::Origin::kConstant)) {
        fold.add_source(constant(id), false);
      } else {
        return;
      }
    }
  }
  for (TensorId id : results) fold.add_result(constant(id));
  folds_->push_back(cache.share(std::move(fold)));
  for (size_t k = 0; k < results.size(); ++k) {
    trace_.tensors[results[k]].constant = folds_->back()->results[k];
    shared[results[k]] = true;
  }
}

// Results known now are constants, unless they may be mutated later.
bool Builder::fold_constants(size_t s) {
  if (result(s) != kNoTensor && widened(result(s)).defined()) return defer(s);  // of a constant: it waits for none
  for (const TracedValue& v : step(s).outs) {
    for (TensorId id : v.ids) {
      if (id != kNoTensor && (!is_constant(id) || uses_.storage_leaves(tensor(id).storage))) return false;
    }
  }
  bool any = false;
  for (const TracedValue& v : step(s).outs) {
    for (TensorId id : v.ids) {
      if (id == kNoTensor) continue;
      slots_.define_constant(id);
      any = true;
    }
  }
  return any;
}

Tensor Builder::widened(TensorId id) const {
  if constexpr (!kHasHalf) return {};
  const TracedTensor& t = tensor(id);
  if (t.origin != TracedTensor::Origin::kComputed || t.dtype != DType::kFloat || !never_changes(id) || uses_.leaves(id))
    return {};
  const TracedStep& step = trace_.steps[t.step];
  const std::string_view name = step.op->schema.name;
  if ((name != "aten::to" && name != "aten::_to_copy") || step.args.empty() || result(t.step) != id) return {};
  const TensorId from = step.args[0].kind == TracedValue::Kind::kTensor ? step.args[0].ids[0] : kNoTensor;
  if (from == kNoTensor || !is_constant(from) || tensor(from).sizes != t.sizes) return {};
  const DType dtype = tensor(from).dtype;
  return dtype == DType::kHalf || dtype == DType::kBFloat16 ? constant(from) : Tensor();
}

// A view of something whose address is known when the run begins needs no step; nor does a step that gives one of its
// arguments.
bool Builder::forward_view(size_t s) {
  const TracedStep& step = trace_.steps[s];
  if (!is_function_call(step)) return false;
  std::vector<std::pair<TensorId, TensorId>> views;  // result, base
  for (const TracedValue& out : step.outs) {
    for (TensorId id : out.ids) {
      if (id == kNoTensor) continue;
      TensorId base = kNoTensor;
      for (const TracedValue& arg : step.args) {
        for (TensorId candidate : arg.ids) {
          if (base == id || candidate == kNoTensor) continue;
          if (candidate == id || tensor(candidate).storage == tensor(id).storage) base = candidate;
        }
      }
      if (base == kNoTensor) return false;
      if (base == id) continue;
      if (!never_changes(id) || tensor(base).dtype != tensor(id).dtype || uses_.storage_leaves(tensor(id).storage)) {
        return false;
      }
      views.emplace_back(id, base);
    }
  }
  for (const auto& [id, base] : views) {
    const Slot from = plain(base);
    const SlotInfo::Kind kind = slots_[from].kind;
    const bool is_made = kind == SlotInfo::Kind::kCall && tensor(base).origin != TracedTensor::Origin::kInput;
    if (is_made || kind == SlotInfo::Kind::kFresh || !reaches_only(id, base)) return false;
  }
  for (const auto& [id, base] : views) slots_.define_view(id, base);
  return true;
}

// Whether a view lies within the elements from its base's first to its last.
bool Builder::reaches_only(TensorId view, TensorId base) const {
  const auto last = [](const TracedTensor& t) {
    int64_t at = t.offset;
    for (size_t d = 0; d < t.sizes.size(); ++d) at += (t.sizes[d] - 1) * t.strides[d];
    return at;
  };
  const TracedTensor& v = tensor(view);
  const TracedTensor& b = tensor(base);
  return checked_numel(v.sizes) == 0 || (checked_numel(b.sizes) > 0 && v.offset >= b.offset && last(v) <= last(b));
}

void Builder::emit_call(size_t s) {
  std::vector<Slot> reads, writes;
  for (const TracedValue& v : step(s).args) {
    for (TensorId id : v.ids) {
      if (id != kNoTensor) reads.push_back(plain(id));
    }
  }
  WordMap read_of;  // by storage: one more than the last slot that the call reads
  for (Slot read : reads) {
    if (read < trace_.tensors.size()) read_of[tensor(read).storage] = uint64_t{read} + 1;
  }
  for (const TracedValue& v : step(s).outs) {
    for (TensorId id : v.ids) {
      if (id == kNoTensor) continue;
      const bool is_new = !slots_.has_plain(id);
      writes.push_back(slots_.define_call(id, false));
      // A view that the call makes keeps the buffer in use. A tensor it writes to has its buffer, even where another
      // argument is a view of the same storage.
      if (!is_new) continue;
      const uint64_t read = read_of.get(tensor(id).storage);
      if (read != 0 && read - 1 != id) slots_.set_base(id, static_cast<Slot>(read - 1));
    }
  }
  emit_call_of(step(s), std::move(reads), std::move(writes));
  emissions_.back().has_effect = has_effect(step(s));
}

void Builder::emit_call_of(const TracedStep& step, std::vector<Slot> reads, std::vector<Slot> writes) {
  std::vector<ExpectedResult> expected;
  expected.reserve(writes.size());
  for (Slot slot : writes) {
    expected.push_back({slot, slots_[slot].dtype, slots_[slot].sizes, slots_[slot].strides});
  }
  emit(call_step(step, std::move(expected)), std::move(reads), std::move(writes));
  emissions_.back().is_call = true;
}

// Whether a step changes something that others than the plan can see, or could not be repeated.
bool Builder::has_effect(const TracedStep& step) const {
  if (!is_function_call(step)) return true;
  for (size_t k = 0; k < step.args.size() && k < step.op->schema.arguments.size(); ++k) {
    if (!step.op->schema.arguments[k].is_mutated) continue;
    for (TensorId id : step.args[k].ids) {
      if (id != kNoTensor && tensor(id).origin != TracedTensor::Origin::kComputed) return true;
    }
  }
  return false;
}

void Builder::emit_results() {
  for (TensorId id = 0; id < trace_.tensors.size(); ++id) {
    if (uses_.leaves(id)) plain(id);
  }
}

bool Builder::defer(size_t s) {
  uint8_t waiting = 0;
  for (const TracedValue& v : step(s).args) {
    for (TensorId id : v.ids) {
      const size_t producer = id == kNoTensor ? SIZE_MAX : deferred_producer(id);
      if (producer != SIZE_MAX) waiting = std::max(waiting, deferred_[producer]);
    }
  }
  if (waiting >= kMaxDeferred) return false;
  taken_[s] = true;
  deferred_[s] = waiting + 1;
  return true;
}

size_t Builder::deferred_producer(TensorId id) const {
  if constexpr (!kHasPointwise && !kHasHalf) return SIZE_MAX;
  const TracedTensor& t = tensor(id);
  if (t.origin != TracedTensor::Origin::kComputed || !deferred_[t.step]) return SIZE_MAX;
  return slots_.is_defined(id) ? SIZE_MAX : t.step;
}

void Builder::make_deferred(TensorId id) {
  const size_t s = deferred_producer(id);
  if (s != SIZE_MAX && widened(id).defined() && is_constant(id)) return slots_.define_constant(id);
  if (s != SIZE_MAX && kernels::kHasHalfKernels && is_cast(*this, s)) return emit_cast(*this, s);
  if (s != SIZE_MAX && !(kHasPointwise && emit_pointwise(*this, s))) emit_call(s);
}

TensorId Builder::half_source(TensorId id, size_t s) const {
  if (!kernels::kHasHalfKernels || options_.half == nullptr || !is_float(id)) return kNoTensor;
  const TracedStep& step = trace_.steps[s];
  if (step.op->schema.name != "aten::to" || step.args.empty() || step.args[0].kind != TracedValue::Kind::kTensor) {
    return kNoTensor;
  }
  const TensorId from = step.args[0].ids[0];
  const TracedTensor &x = tensor(from), &y = tensor(id);
  return x.dtype == DType::kHalf && x.sizes.size() == 4 && x.sizes == y.sizes && x.strides == y.strides &&
                 is_contiguous(x.sizes, x.strides) && never_changes(from)
             ? from
             : kNoTensor;
}

Slot Builder::plain(TensorId id) {
  make_deferred(id);
  if (slots_.has_plain(id)) return id;
  if (kernels::kHasHalfKernels && slots_.plain_half(id) != kNoSlot) {
    const Slot to = define_plain(id);
    emit(half_conversion(false, options_.half, nullptr), {slots_.plain_half(id)}, {to});
    return to;
  }
  const Slot from = kernels::kHasHalfKernels && has_half(id) ? channels_last(id) : slots_.channels_last(id);
  if (from == id) return id;
  WICK_CHECK(from != kNoSlot, kInternal, "the plan uses a tensor before it is made");
  const Slot to = define_plain(id);
  emit(copy_step(), {from}, {to});
  return to;
}

Slot Builder::channels_last(TensorId id) {
  make_deferred(id);
  if (slots_.channels_last(id) != kNoSlot) return slots_.channels_last(id);
  if (kernels::kHasHalfKernels && has_half(id) && !slots_.has_plain(id)) {
    const Slot to = define_channels_last(id);
    emit(half_conversion(false, options_.half, nullptr), {slots_.half(id)}, {to});
    return to;
  }
  if (is_channels_last(tensor(id).sizes, tensor(id).strides)) return plain(id);
  const Slot from = plain(id);
  const Slot to = define_channels_last(id);
  emit(copy_step(), {from}, {to});
  return to;
}

Slot Builder::half(TensorId id, const ir::Node* node) {
  if (has_half(id)) return slots_.half(id);
  if (kernels::kHasHalfKernels && half_source(id) != kNoTensor) {
    const Slot from = plain(half_source(id)), to = define_half(id);
    emit(copy_step(), {from}, {to});
    return to;
  }
  const Slot from = channels_last(id), to = define_half(id);
  emit(half_conversion(true, options_.half, node), {from}, {to});
  return to;
}

Slot Builder::plain_half(TensorId id, const ir::Node* node) {
  if (slots_.plain_half(id) != kNoSlot) return slots_.plain_half(id);
  const Slot from = plain(id), to = define_plain_half(id);
  emit(half_conversion(true, options_.half, node), {from}, {to});
  return to;
}

Slot Builder::half_planes(TensorId id, const ir::Node* node) {
  if (kernels::kHasHalfKernels && half_source(id) != kNoTensor) return plain(half_source(id));
  const Slot from = plain(id), to = slots_.define_temporary(tensor(id).sizes, DType::kHalf);
  emit(half_conversion(true, options_.half, node), {from}, {to});
  return to;
}

bool Builder::can_define_plain(TensorId id) const {
  return id != kNoTensor && is_stable(id) && is_dense(tensor(id).sizes, tensor(id).strides);
}

bool Builder::place_in(Slot image, Slot larger, int64_t channel) {
  if (!is_in_arena(image) || !is_in_arena(larger)) return false;
  if (image >= writer_.size() || is_read_[image]) return false;
  Step* const producer = writer_[image];
  if (slots_[image].dtype != slots_[larger].dtype || producer == nullptr ||
      !producer->set_output_pixel(slots_[larger].sizes[1])) {
    return false;
  }
  slots_.make_part(image, larger, channel);
  return true;
}

void Builder::emit(std::unique_ptr<Step> step, std::vector<Slot> reads, std::vector<Slot> writes) {
  step->set_slots(reads, writes);
  is_read_.resize(slots_.all().size());
  writer_.resize(slots_.all().size());
  for (Slot slot : reads) is_read_[slot] = 1;
  for (Slot slot : writes) writer_[slot] = step.get();
  emissions_.push_back({std::move(step), std::move(reads), std::move(writes)});
}

}  // namespace wick::plan
