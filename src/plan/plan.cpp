// Making a plan of a trace, and running it.
#include "plan/plan.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "core/budget.h"
#include "core/check.h"
#include "core/processors.h"
#include "core/selection.h"
#include "core/tensor_impl.h"
#include "core/value_walk.h"
#include "core/word_map.h"
#include "plan/memory/arena.h"
#include "plan/patterns/widen.h"
#include "plan/record/containers.h"
#include "plan/record/functional.h"
#include "plan/record/tensor_table.h"
#include "plan/steps/beyond_step.h"
#include "plan/steps/xnnpack_step.h"
#include "plan/targets.h"

namespace wick::plan {
namespace {

const IValue& part_at(const IValue& value, const std::vector<uint32_t>& path) {
  const IValue* at = &value;
  for (uint32_t k : path) at = &item_at(*at, k);
  return *at;
}
const IValue& value_at(const std::vector<IValue>& live_ins, const Place& place) {
  return part_at(live_ins[place.live_in], place.path);
}

double bytes_of(const SlotInfo& slot) {
  double bytes = static_cast<double>(itemsize(slot.dtype));
  for (int64_t size : slot.sizes) bytes *= static_cast<double>(size);
  return bytes;
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
        return part_at(live_ins_[r.index], r.path);
      case Recipe::Kind::kSame:
        return made_[r.index];
      case Recipe::Kind::kList:
      case Recipe::Kind::kTuple: {
        const IValue made = keep(without_items(r.value));
        std::vector<IValue>& items = made.is_list() ? made.to_list().items : made.to_tuple().items;
        items.reserve(r.items.size());
        for (const Recipe& item : r.items) items.push_back(make(item));
        return made;
      }
      case Recipe::Kind::kDict: {
        const IValue made = keep(without_items(r.value));
        for (size_t k = 0; k + 1 < r.items.size(); k += 2) {
          IValue key = make(r.items[k]);
          made.to_dict().set(std::move(key), make(r.items[k + 1]));
        }
        return made;
      }
    }
    fail_with<ErrorCode::kInternal>("a recipe of no kind");
  }

 private:
  IValue keep(IValue container) {
    made_.push_back(container);
    return container;
  }

  const std::vector<IValue>& live_ins_;
  const Workspace& workspace_;
  std::vector<IValue> made_;
};

// Of the exception being handled: whether it may be for want of a device, or of memory there.
bool lacks_device() {
  try {
    throw;
  } catch (const Error& e) {
    return e.code() == ErrorCode::kIo || e.code() == ErrorCode::kOutOfMemory;
  } catch (const std::bad_alloc&) {
    return true;
  } catch (...) {
    return false;
  }
}

// Whether a step writes to a storage that the trace has not made.
bool writes_outside(const Trace& trace) {
  if (trace.changed_storages.empty()) return false;
  return std::any_of(trace.tensors.begin(), trace.tensors.end(), [&](const TracedTensor& t) {
    return !TensorTable::is_new(t) && trace.changed_storages.contains(t.storage);
  });
}

}  // namespace

Plan::Plan(Trace trace, PackCache& cache, std::shared_ptr<RunMemories> memories, const PlanOptions& options)
    : begin_(trace.begin),
      end_(trace.end),
      memories_(std::move(memories)),
      keeps_one_(build::kLimits && options.max_memory > 0),
      live_ins_(std::make_shared<const std::vector<LiveIn>>(std::move(trace.live_ins))) {
  build(trace, cache, options);
}

Plan::Plan(const Plan& other, Trace trace, PackCache& cache, const PlanOptions& options)
    : begin_(other.begin_),
      end_(other.end_),
      memories_(other.memories_),
      keeps_one_(other.keeps_one_),
      live_ins_(other.live_ins_) {
  build(trace, cache, options);
}

void Plan::build(Trace& trace, PackCache& cache, const PlanOptions& options) {
  if constexpr (build::kInPlace) make_functional(trace);
  changes_values_ = writes_outside(trace);
  note_sharing(trace);
  remove_identities(trace);
  // What float16 computes, or what was asked to be fast rather than rounded as PyTorch does, is not rounded by itself.
  const bool rounds = options.precision != Precision::kFloat16 || options.exact;
  if (selects_dtype(DType::kHalf) || selects_dtype(DType::kBFloat16)) widen_half(trace, rounds);
  Builder builder(trace, cache, options);
  builder.run();
  std::vector<Emission> emissions = builder.take_emissions();
  folds_ = builder.folds();
  slots_ = builder.take_slots();
  slots_.shrink_to_fit();
  changes_ = std::move(trace.changes);
  const Lifetimes lifetimes(slots_, emissions, changes_);
  arena_bytes_ = assign_arena(slots_, lifetimes);
  if constexpr (build::kProfiles) packed_bytes_ = cache.bytes;
  if (kernels::kPrefetches) note_weights(emissions, builder.weights());
  note_gain(emissions);
  first_effect_ = emissions.size();
  dead_.resize(emissions.size());
  fresh_.resize(emissions.size());
  for (size_t e = 0; e < emissions.size(); ++e) {
    if (emissions[e].has_effect) first_effect_ = std::min(first_effect_, e);
    for (Slot slot : emissions[e].writes) {
      if (slots_[slot].kind != SlotInfo::Kind::kFresh) continue;
      fresh_[e].push_back(slot);
      kept_bytes_ += slots_[slot].nbytes;
    }
    if constexpr (build::kProfiles) {
      about_.push_back(describe(emissions[e]));
    }
    steps_.push_back(std::move(emissions[e].step));
  }
  for (Slot slot = 0; slot < slots_.size(); ++slot) {
    const SlotInfo::Kind kind = slots_[slot].kind;
    if (kind != SlotInfo::Kind::kCall && kind != SlotInfo::Kind::kFresh) continue;
    transient_.push_back(slot);
    const size_t last = lifetimes.last_use(slot);
    if (last < dead_.size()) dead_[last].push_back(slot);
  }
  find_sliding_views();
  if constexpr (build::kProfiles) count_weights(builder.weights());
}

void Plan::note_gain(const std::vector<Emission>& emissions) {
  // Recording and planning a step takes some ten microseconds.
  constexpr int64_t kMuchOfStep = 1 << 15;
  int64_t computed = 0;
  for (const Emission& e : emissions) {
    if (e.is_call) continue;
    gain_ = Gain::kSome;
    for (Slot slot : e.writes) computed += checked_numel(slots_[slot].sizes);
  }
  if (gain_ == Gain::kSome && computed > kMuchOfStep * static_cast<int64_t>(emissions.size())) gain_ = Gain::kMuch;
}

Plan::About Plan::describe(const Emission& e) const {
  About about;
  std::vector<const IntVec*> inputs;
  for (Slot slot : e.reads) {
    inputs.push_back(&slots_[slot].sizes);
    about.bytes += bytes_of(slots_[slot]);
  }
  for (Slot slot : e.writes) about.bytes += bytes_of(slots_[slot]);
  if (e.writes.empty()) return about;
  const SlotInfo& first = slots_[e.writes[0]];
  about.output = text_of_shape(first.sizes, first.strides);
  if (e.is_call && first.base != kNoSlot) about.bytes = 0;  // a view
  if (e.is_call) about.operations = operations_of(e.step->name().text(), inputs, first.sizes);
  return about;
}

void Plan::count_weights(const std::vector<StepWeights>& noted) {
  WordMap indices;  // of steps, counted from 1
  for (size_t k = 0; k < steps_.size(); ++k) indices[steps_[k].get()] = k + 1;
  for (const StepWeights& weights : noted) {
    const uint64_t* const at = indices.find(weights.step);
    if (at != nullptr) about_[*at - 1].bytes += static_cast<double>(weights.bytes);
  }
}

void Plan::note_weights(const std::vector<Emission>& emissions, const std::vector<StepWeights>& noted) {
  WordMap indices;  // in `noted`, counted from 1
  for (size_t k = 0; k < noted.size(); ++k) indices[noted[k].step] = k + 1;
  auto list = std::make_unique<PrefetchList>();
  for (const Emission& e : emissions) {
    int64_t written = 0;
    for (Slot slot : e.writes) {
      written += checked_numel(slots_[slot].sizes) * static_cast<int64_t>(itemsize(slots_[slot].dtype));
    }
    const uint64_t* at = indices.find(e.step.get());
    list->add(at != nullptr ? noted[*at - 1] : StepWeights{}, written);
  }
  list->finish(second_level_cache() / 2);
  if (!list->empty()) prefetches_.reset(list.release());
}

void Plan::find_sliding_views() {
  std::vector<bool> known(slots_.size()), slides(slots_.size());
  std::vector<Slot> path;  // views, each of the next
  for (Slot slot = 0; slot < slots_.size(); ++slot) {
    Slot at = slot;
    for (; !known[at] && slots_[at].kind == SlotInfo::Kind::kView; at = slots_[at].base) path.push_back(at);
    if (!known[at]) slides[at] = slots_[at].kind == SlotInfo::Kind::kCall;
    known[at] = true;
    for (; !path.empty(); path.pop_back()) {
      slides[path.back()] = slides[at];
      known[path.back()] = true;
      if (slides[at]) sliding_.push_back({path.back(), slots_[path.back()].base});
    }
  }
}

bool Plan::matches(runtime::Frame& frame, std::vector<IValue>& live_ins) const {
  live_ins.clear();
  for (const LiveIn& in : *live_ins_) {
    if (in.object || in.holder.live_in != UINT32_MAX) {
      const ObjectImpl& object = in.object ? *in.object : value_at(live_ins, in.holder).to_object();
      if (in.slot >= object.slot_count()) return false;
      live_ins.push_back(object.get(in.slot));
      if (!in.guard.matches(live_ins.back())) return false;
    } else {
      const IValue& value = frame.registers()[in.reg];
      if (!in.guard.matches(value)) return false;
      live_ins.push_back(value);
    }
    for (const auto& [path, other] : in.same) {
      if (!part_at(live_ins.back(), path).is_same(value_at(live_ins, other))) return false;
    }
    for (const auto& [path, other] : in.different) {
      if (part_at(live_ins.back(), path).is_same(value_at(live_ins, other))) return false;
    }
  }
  return sharing_.empty() || share_alike(live_ins);
}

// Whether tensors of the live-ins are one, or share memory, as they were and did when the plan was made.
bool Plan::share_alike(const std::vector<IValue>& live_ins) const {
  std::vector<Tensor> all;
  for (size_t i = 0; i < live_ins.size(); ++i) {
    if ((*live_ins_)[i].tensors.empty()) continue;
    visit_guarded_tensors(live_ins[i], [&all](const Tensor& t) { all.push_back(t); });
  }
  WordMap tensors, storages;
  std::vector<int64_t> offsets;
  for (const Tensor& t : all) {
    offsets.push_back(t.storage_offset());
    const Sharing sharing = sharing_of(tensors[t.impl()], storages[t.impl()->storage.get()], offsets);
    if (!(sharing == sharing_[offsets.size() - 1])) return false;
  }
  return true;
}

// Of the latest tensor in `offsets`; the words are one more than the first like it, 0 when it is the first.
Plan::Sharing Plan::sharing_of(uint64_t& tensor, uint64_t& storage, const std::vector<int64_t>& offsets) {
  if (tensor == 0) tensor = offsets.size();
  if (storage == 0) storage = offsets.size();
  return {tensor, storage, offsets.back() - offsets[storage - 1]};
}

// Needed where two live-ins hold one tensor, or where one is written to that another may see.
void Plan::note_sharing(const Trace& trace) {
  WordMap tensors, storages;
  std::vector<int64_t> offsets;
  bool matters = changes_values_;
  for (const LiveIn& in : *live_ins_) {
    for (TensorId id : in.tensors) {
      matters = matters || tensors.find(id) != nullptr;
      offsets.push_back(trace.tensors[id].offset);
      sharing_.push_back(sharing_of(tensors[id], storages[trace.tensors[id].storage], offsets));
    }
  }
  if (!matters) sharing_.clear();
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
  w->tensors.resize(slots_.size());
  w->spare.resize(slots_.size());
  return w;
}

// Kernels of others may read a little behind their input.
constexpr size_t kBehind = kHasXnnpack ? 64 : 0;

size_t Plan::arena_bytes() const {
  return std::max(arena_bytes_ + kBehind, kHasTargets && rival_ ? rival_->arena_bytes() : 0);
}

size_t Plan::scratch_bytes() const {
  const size_t others = rival_ ? rival_->scratch_bytes() : 0;
  const std::lock_guard lock(mutex_);
  return std::max(scratch_bytes_, others);
}

// Most runs are lent what the workspace had before: its tensors lie there.
void Plan::lend_memory(Workspace& w) const {
  RunMemory memory = memories_->take(arena_bytes_ + kBehind);
  std::swap(w.kernel_scratch, memory.scratch);
  if (w.arena == memory.arena) return;
  const Storage before = std::exchange(w.arena, std::move(memory.arena));
  if (!before) {
    for (Slot slot = 0; slot < slots_.size(); ++slot) fill(w, slot);
  }
  lay_in_arena(w, before, w.arena);
}

void Plan::lay_in_arena(Workspace& w, const Storage& before, const Storage& arena) {
  for (const Tensor& t : w.tensors) {
    if (t.defined() && t.impl()->storage == before) t.impl()->storage = arena;
  }
}

// What is the same in every run: constants, buffers in the arena, views of either. Views of inputs get their sizes
// only.
void Plan::fill(Workspace& w, Slot slot) const {
  const SlotInfo& info = slots_[slot];
  if (w.tensors[slot].defined()) return;
  if (info.kind == SlotInfo::Kind::kConstant) w.tensors[slot] = info.tensor;
  if (info.kind != SlotInfo::Kind::kArena && info.kind != SlotInfo::Kind::kView) return;
  auto impl = make_ref<TensorImpl>();
  impl->dtype = info.dtype;
  impl->sizes = info.sizes;
  impl->strides = info.strides;
  impl->numel = checked_numel(info.sizes);
  impl->quantizer = info.quantizer;
  if (info.kind == SlotInfo::Kind::kArena) {
    impl->storage = w.arena;
    impl->offset = static_cast<int64_t>(info.arena_offset / itemsize(info.dtype));
  } else {
    fill(w, info.base);
    if (w.tensors[info.base].defined()) {
      impl->storage = w.tensors[info.base].impl()->storage;
      impl->offset = w.tensors[info.base].storage_offset() + info.offset;
    }
  }
  w.tensors[slot] = Tensor(std::move(impl));
}

// Memory that leaves the plan: what was handed out before, once it is no longer referenced and if it is unchanged:
// the program may have reshaped it, or given it other memory.
void Plan::give_memory(Workspace& w, Slot slot) const {
  Tensor& spare = w.spare[slot];
  const SlotInfo& info = slots_[slot];
  const bool is_free = spare.defined() && spare.impl()->use_count() == 1 && spare.impl()->storage->use_count() == 1;
  if (!is_free || spare.dtype() != info.dtype || !(spare.sizes() == info.sizes) || !(spare.strides() == info.strides) ||
      spare.storage_offset() != 0 || spare.storage()->nbytes() < spare.nbytes() || spare.impl()->requires_grad) {
    spare = Tensor::empty_strided(info.sizes, info.strides, info.dtype);
  }
  spare.impl()->quantizer = info.quantizer;
  w.tensors[slot] = spare;
}

void Plan::release(std::unique_ptr<Workspace> w) const {
  for (Slot slot : transient_) w->tensors[slot] = Tensor();
  for (const SlidingView& view : sliding_) w->tensors[view.slot].impl()->storage = Storage();
  // Where memory is bounded, whoever keeps the arena decides when it goes.
  const bool keeps_one = build::kLimits && keeps_one_;
  if (keeps_one) lay_in_arena(*w, w->arena, Storage());
  RunMemory memory{keeps_one ? std::exchange(w->arena, Storage()) : w->arena, {}};
  std::swap(memory.scratch, w->kernel_scratch);
  const size_t scratch = memory.scratch.size() * sizeof(float);
  memories_->put(std::move(memory), keeps_one);
  const std::lock_guard lock(mutex_);
  scratch_bytes_ = std::max(scratch_bytes_, scratch);
  if (!keeps_one || free_.empty()) free_.push_back(std::move(w));
}

uint64_t Plan::device_bytes() const {
  if constexpr (!kHasTargets) return 0;
  uint64_t bytes = 0;
  for (const std::unique_ptr<Step>& step : steps_) bytes += step->device_bytes();
  return bytes;
}

void Plan::set_rival(std::unique_ptr<const Plan> rival) { rival_ = std::move(rival); }

size_t Plan::run(runtime::Frame& frame, std::vector<IValue>& live_ins, bool& restartable) const {
  return kHasTargets && rival_ ? run_faster(frame, live_ins, restartable)
                               : run_alone(frame, live_ins, restartable, false);
}

size_t Plan::run_faster(runtime::Frame& frame, std::vector<IValue>& live_ins, bool& restartable) const {
  // The first run of each prepares it.
  constexpr int kRuns = 4;
  bool is_own = false;
  bool is_known = false;
  {
    const std::lock_guard lock(mutex_);
    is_known = winner_ != 0;
    is_own = is_known ? winner_ == 1 : own_times_.runs <= rival_times_.runs;
  }
  if (!is_own && is_known) return rival_->run_alone(frame, live_ins, restartable, false);
  const int64_t start = now_ns();
  size_t next = 0;
  try {
    next = (is_own ? *this : *rival_).run_alone(frame, live_ins, restartable, is_own && is_repeatable());
  } catch (const BeyondStep&) {
    // The other one has no such bounds.
    const std::lock_guard lock(mutex_);
    if (is_own) winner_ = 2;
    throw;
  }
  if (next == kGivesWay) {
    {
      const std::lock_guard lock(mutex_);
      winner_ = 2;
    }
    return rival_->run_alone(frame, live_ins, restartable, false);
  }
  if (is_known) return next;
  const int64_t took = now_ns() - start;
  const std::lock_guard lock(mutex_);
  Times& times = is_own ? own_times_ : rival_times_;
  if (++times.runs > 1) times.best_ns = std::min(times.best_ns, took);
  if (own_times_.runs >= kRuns && rival_times_.runs >= kRuns && winner_ == 0) {
    winner_ = own_times_.best_ns <= rival_times_.best_ns ? 1 : 2;
  }
  return next;
}

size_t Plan::run_alone(runtime::Frame& frame, std::vector<IValue>& live_ins, bool& restartable, bool gives_way) const {
  std::unique_ptr<Workspace> w = workspace();
  lend_memory(*w);
  w->can_repeat = is_repeatable();
  w->keeps_one = keeps_one_;
  w->searches_halves = true;
  for (size_t i = 0; i < live_ins_->size(); ++i) {
    const std::vector<TensorId>& ids = (*live_ins_)[i].tensors;
    if (ids.empty()) continue;
    size_t k = 0;
    visit_guarded_tensors(live_ins[i], [&](const Tensor& t) { w->tensors[ids[k++]] = t; });
  }
  for (const SlidingView& view : sliding_) {
    TensorImpl& impl = *w->tensors[view.slot].impl();
    impl.storage = w->tensors[view.base].impl()->storage;
    impl.offset = w->tensors[view.base].storage_offset() + slots_[view.slot].offset;
  }
  std::optional<PrefetchScope> prefetching;
  if constexpr (kernels::kPrefetches) prefetching.emplace(prefetches_.get());
  size_t at = 0;
  try {
    if (Profile* profile = current_profile()) {
      run_profiled(*w, at, *profile);
    } else {
      Budget* const budget = Budget::current();
      for (; at < steps_.size(); ++at) {
        if (budget) [[unlikely]]
          budget->spend(1);
        run_step(*w, at);
      }
    }
  } catch (const ShapeChanged&) {
    restartable = at < first_effect_;
    live_ins.clear();
    release(std::move(w));
    throw;
  } catch (const HalfOverflow&) {
    live_ins.clear();
    release(std::move(w));
    throw;
  } catch (...) {
    release(std::move(w));
    // The frame is as it was, and holds its guard: to rethrow would leave what the program has entered.
    if (kHasTargets && gives_way && lacks_device()) return kGivesWay;
    frame.rethrow(steps_[at]->node());
  }
  leave(frame, live_ins, *w);
  live_ins.clear();
  release(std::move(w));
  return end_;
}

void Plan::run_step(Workspace& w, size_t at) const {
  for (Slot slot : fresh_[at]) give_memory(w, slot);
  if (kernels::kPrefetches && prefetches_ != nullptr) prefetches_->set(*kernels::t_prefetcher, at);
  steps_[at]->run(w);
  for (Slot slot : dead_[at]) w.tensors[slot] = Tensor();
}

void Plan::run_profiled(Workspace& w, size_t& at, Profile& profile) const {
  profile.arena_bytes += arena_bytes_;
  profile.packed_bytes = std::max(profile.packed_bytes, packed_bytes_);
  for (; at < steps_.size(); ++at) {
    const int64_t start = now_ns();
    const size_t before = profile.steps.size();
    run_step(w, at);
    // A step may have noted parts of itself: what is left is its own.
    int64_t own = now_ns() - start;
    for (size_t k = before; k < profile.steps.size(); ++k) own -= profile.steps[k].duration_ns;
    const StepName name = steps_[at]->name();
    StepTime step{std::string(name.text()), about_[at].output, start, std::max<int64_t>(own, 0), steps_[at]->kind()};
    step.operations = std::max(name.operations(), about_[at].operations);
    step.bytes = about_[at].bytes;
    step.node = steps_[at]->node();
    profile.steps.push_back(std::move(step));
  }
  ++profile.regions;
}

void Plan::leave(runtime::Frame& frame, const std::vector<IValue>& live_ins, Workspace& w) const {
  Maker maker(live_ins, w);
  for (const auto& [reg, recipe] : changes_) frame.registers()[reg] = maker.make(recipe);
}

}  // namespace wick::plan
