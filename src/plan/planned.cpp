// Planner: when methods are recorded, which plan runs, and how long plans are kept.
#include "plan/planned.h"

#include <algorithm>
#include <optional>
#include <type_traits>
#include <utility>

#include "core/check.h"
#include "core/pages.h"
#include "kernels/half.h"
#include "plan/half_layers.h"
#include "plan/module_paths.h"
#include "plan/plain_step.h"
#include "plan/plan.h"
#include "plan/record/inline.h"
#include "plan/record/record.h"
#include "plan/record/traits.h"
#include "plan/steps/beyond_step.h"
#include "plan/target.h"
#include "plan/targets.h"

namespace wick::plan {
namespace {

using runtime::Frame;
using runtime::OpCode;

// Plans that begin at one instruction, one for each set of shapes seen lately: so many at any rate, and more while
// their arenas are small (a decoder whose cache grows has a shape for every step).
constexpr size_t kMaxPlans = 8;
constexpr size_t kMaxSmallPlans = 64;
constexpr size_t kMaxArenaBytes = size_t{16} << 20;
// Recording backs off where so many plans in a row were made in vain, because their shapes did not come back: so many
// runs are interpreted before it is tried again, and twice as many each time.
constexpr size_t kMaxInVain = 24;
constexpr size_t kMaxInVainOfCalls = 3;
constexpr size_t kFirstBackOff = 64;
constexpr size_t kLongestBackOff = 4096;
// How often a region may be cut short before something that no plan can hold.
constexpr size_t kMaxCuts = 8;

// Where a plan has packed so much, what loading and planning have freed goes back to the system, and the pages of their
// code.
constexpr size_t kWorthTrimming = size_t{1} << 20;

// Of a build without profiles.
struct NoProfiledRun {
  void emplace(const Profile&, const ModulePaths&) {}
};

}  // namespace

class PlannedMethod {
 public:
  PlannedMethod(runtime::Executor& executor, const ir::Function& method, const PlanOptions& options)
      : value_lock_(executor.value_lock()),
        program_(executor.program()),
        inlined_(inline_calls(executor.program(), method)),
        code_(runtime::compile(*inlined_.function, executor.sharing())),
        options_(with_half_layers(options)) {
    for (const runtime::Instruction& i : code_->instructions) barrier_.push_back(is_barrier(i));
  }

  IValue run(runtime::Executor& executor, std::vector<IValue> args) {
    std::conditional_t<build::kProfiles, std::optional<ProfiledRun>, NoProfiledRun> profiled;
    if (Profile* profile = current_profile()) profiled.emplace(*profile, paths());
    Buffers buffers = take_buffers();
    Frame frame(executor, *inlined_.function, *code_, 0, std::move(buffers.registers));
    frame.set_arguments(std::move(args));
    size_t pc = 0;
    while (true) {
      pc = run_stretch(frame, pc, buffers.live_ins);
      const runtime::Instruction& i = frame.code().instructions[pc];
      try {
        if (i.code == OpCode::kReturn) {
          IValue result = frame.result(pc);
          buffers.registers = frame.take_room();
          keep_buffers(std::move(buffers));
          return result;
        }
        pc = current_profile() ? step_profiled(frame, pc, *current_profile()) : frame.step(pc);
      } catch (...) {
        frame.rethrow(i.node);
      }
    }
  }

 private:
  static PlanOptions with_half_layers(PlanOptions options) {
    if (!options.exact && options.precision == Precision::kFloat16 && kernels::computes_half()) {
      options.half = std::make_shared<HalfLayers>();
    }
    return options;
  }

  // What is known of a region that begins at some instruction.
  struct Entry {
    std::vector<std::shared_ptr<const Plan>> plans;  // the latest used first
    size_t in_vain = 0;                              // plans made since one was used again
    size_t next_back_off = kFirstBackOff;            // runs that recording backs off for the next time
    size_t backing_off = 0;                          // runs until recording is tried again
    bool plain = false;                              // not worth a plan
    size_t limit = SIZE_MAX;                         // instructions of a trace: the next one fits into none
    size_t cuts = 0;                                 // how often that became less
    Plan::Gain gain = Plan::Gain::kSome;             // of the latest plan
    bool packs_anew = false;                         // one was too large, perhaps by weights that others have packed
  };

  Entry& entry_at(size_t pc) {
    uint64_t& at = entry_of_[pc];
    if (at == 0) {
      entries_.emplace_back();
      at = entries_.size();
    }
    return entries_[at - 1];
  }

  // Memory for registers and for what plans take from them and from attributes; runs hand it on to later ones.
  struct Buffers {
    std::vector<IValue> registers, live_ins;
  };
  Buffers take_buffers() {
    const std::lock_guard lock(mutex_);
    if (buffers_.empty()) return {};
    Buffers buffers = std::move(buffers_.back());
    buffers_.pop_back();
    return buffers;
  }
  void keep_buffers(Buffers buffers) {
    const std::lock_guard lock(mutex_);
    buffers_.push_back(std::move(buffers));
  }

  static bool is_barrier(const runtime::Instruction& i) {
    if (i.code == OpCode::kCallOp) return class_of(*i.node->op) == OpClass::kBarrier;
    return i.code == OpCode::kReturn || (i.code == OpCode::kNode && !can_record(*i.node));
  }

  // Executes instructions from pc on; those that can't be in a plan, and the return, are left to the caller.
  size_t run_stretch(Frame& frame, size_t pc, std::vector<IValue>& live_ins) {
    // What a plan has seen to fit must not change until it has run.
    frame.guard().hold(value_lock_, /*alone=*/false);
    const size_t next = kernels::kHasHalfKernels ? run_searching(frame, pc, live_ins) : run_held(frame, pc, live_ins);
    frame.guard().release();
    return next;
  }

  // Again where numbers do not fit float16.
  size_t run_searching(Frame& frame, size_t pc, std::vector<IValue>& live_ins) {
    struct EndSearch {
      ~EndSearch() { HalfLayers::end_search(); }
    };
    std::optional<EndSearch> searched;
    while (true) {
      try {
        return run_held(frame, pc, live_ins);
      } catch (const HalfOverflow& overflow) {
        searched.emplace();
        keep_in_float(overflow);
      }
    }
  }

  // The thread's next run looks for the layer whose numbers do not fit float16, or keeps it in float.
  void keep_in_float(const HalfOverflow& overflow) {
    HalfLayers& layers = *options_.half;
    layers.search();
    if (overflow.node == nullptr) return;
    layers.keep_float(overflow.node);
    const std::lock_guard lock(mutex_);
    for (Entry& entry : entries_) entry.plans.clear();
  }

  size_t run_held(Frame& frame, size_t pc, std::vector<IValue>& live_ins) {
    bool plain = false;
    size_t limit = SIZE_MAX;
    std::shared_ptr<const Plan> plan = find(frame, pc, live_ins, plain, limit);
    if (value_lock_ && (plan ? plan->changes_values() : !plain)) {
      frame.guard().hold(value_lock_, /*alone=*/true);
      plan = find(frame, pc, live_ins, plain, limit);
    }
    if (plan) return run_plan(*plan, frame, pc, live_ins);
    if (plain) return run_plainly(frame, pc);
    if (limit == 0) return pc;
    const int64_t start = current_profile() ? now_ns() : 0;
    Recording recording = record(frame, pc, inlined_, limit);
    if (recording.disturbed) return recording.next;
    plan = keep(pc, std::move(recording.trace), recording.limit);
    if (Profile* profile = current_profile())
      profile->steps.push_back({std::string(kPlanning), "", start, now_ns() - start});
    // The answer is the plan's from the first run on, so that all runs give the same bits.
    const bool runs_plan = plan && plan->is_repeatable();
    if (!runs_plan && recording.has_elements) return recording.next;
    for (auto& [reg, value] : recording.before) frame.registers()[reg] = std::move(value);
    // Another thread may have set an attribute since it was recorded.
    if (!runs_plan || !plan->matches(frame, live_ins)) return run_plainly(frame, pc);
    return run_plan(*plan, frame, pc, live_ins);
  }

  // The plan that fits, and in `live_ins` what it has seen to fit.
  std::shared_ptr<const Plan> find(Frame& frame, size_t pc, std::vector<IValue>& live_ins, bool& plain, size_t& limit) {
    const std::lock_guard lock(mutex_);
    Entry& entry = entry_at(pc);
    limit = entry.limit;
    for (auto it = entry.plans.begin(); it != entry.plans.end(); ++it) {
      if (!(*it)->matches(frame, live_ins)) continue;
      std::rotate(entry.plans.begin(), it, it + 1);
      entry.in_vain = entry.backing_off = 0;
      entry.packs_anew = false;
      entry.next_back_off = kFirstBackOff;
      return entry.plans.front();
    }
    plain = entry.plain || entry.backing_off > 0;
    if (entry.backing_off > 0) --entry.backing_off;
    return nullptr;
  }

  // Null: there is nothing to plan, or shapes have not come back for long. `limit`: without a trace, how many
  // instructions may make one.
  std::shared_ptr<const Plan> keep(size_t pc, std::optional<Trace> trace, size_t limit) {
    const std::lock_guard lock(mutex_);
    Entry& entry = entry_at(pc);
    if (!trace && limit < entry.limit && entry.cuts < kMaxCuts) {
      entry.limit = limit;
      ++entry.cuts;
      return nullptr;
    }
    if (!trace) return give_up(entry);
    ++entry.in_vain;
    // A region that only calls operators gains little by a plan; one with much work loses little by another recording.
    if (entry.gain == Plan::Gain::kNone && entry.in_vain > kMaxInVainOfCalls) return give_up(entry);
    if (entry.gain != Plan::Gain::kMuch && entry.in_vain > kMaxInVain) {
      entry.backing_off = entry.next_back_off;
      entry.next_back_off = std::min(2 * entry.next_back_off, kLongestBackOff);
      // After that a few plans will tell.
      entry.in_vain = kMaxInVain - std::min(kMaxPlans, kMaxInVain);
      return nullptr;
    }
    const bool alone = packed_.bytes == 0;
    add_plan(entry, std::move(*trace));
    entry.gain = entry.plans.front()->gain();
    if (!build::kLimits || options_.max_memory == 0 || fit(entry)) return entry.plans.front();
    // No plan is left but this one. Unless it has packed all weights that there are, it may fit without those that were
    // packed for others: the next run will tell.
    packed_ = PackCache();
    entry.plans.clear();
    memories_->drop_larger(run_bounds());
    if (alone || std::exchange(entry.packs_anew, true)) return give_up(entry);
    return nullptr;
  }

  void add_plan(Entry& entry, Trace trace) {
    const size_t packed_before = packed_.bytes;
    entry.plans.insert(entry.plans.begin(), make_plan(std::move(trace)));
    if (packed_.bytes - packed_before >= kWorthTrimming) {
      release_free_memory();
      release_program_pages();
    }
    if (drop_old_plans(entry)) packed_.drop_unused();
  }

  std::shared_ptr<const Plan> make_plan(Trace trace) {
    if (!kHasTargets || !options_.target || !options_.may_choose) {
      return std::make_shared<const Plan>(std::move(trace), packed_, memories_, options_);
    }
    PlanOptions plain = options_;
    plain.target = nullptr;
    Trace copy;
    copy.tensors = trace.tensors;
    copy.steps = trace.steps;
    copy.changes = trace.changes;
    copy.changed_storages = trace.changed_storages;
    // The processor's plan is there whatever happens to the other one.
    copy.begin = trace.begin;
    copy.end = trace.end;
    copy.live_ins = std::move(trace.live_ins);
    auto cpu = std::make_unique<const Plan>(std::move(copy), packed_, memories_, plain);
    try {
      auto plan = std::make_shared<Plan>(*cpu, std::move(trace), packed_, options_);
      plan->set_rival(std::move(cpu));
      return plan;
    } catch (const Error& e) {
      if (e.code() != ErrorCode::kIo && e.code() != ErrorCode::kOutOfMemory) throw;
    }
    return cpu;
  }

  // What the method keeps between runs. Plans share the memory of one run, where there is a bound (Plan::release).
  uint64_t kept_bytes() const {
    uint64_t results = 0;
    const RunMemories::Bounds run = run_bounds(&results);
    const uint64_t constants = options_.target ? options_.target->bytes() : 0;
    return packed_.kept_bytes() + constants + results + run.arena + run.scratch;
  }
  // What a run of any plan takes; `results`: what they keep besides.
  RunMemories::Bounds run_bounds(uint64_t* results = nullptr) const {
    RunMemories::Bounds most{0, 0};
    for (const Entry& e : entries_) {
      for (const auto& plan : e.plans) {
        if (results != nullptr) *results += plan->kept_bytes() + plan->device_bytes();
        most.arena = std::max(most.arena, plan->arena_bytes());
        most.scratch = std::max(most.scratch, plan->scratch_bytes());
      }
    }
    return most;
  }

  // Drops plans until the method keeps no more memory than it may; false: the entry's latest plan alone, with all
  // weights that were packed, is too large.
  bool fit(Entry& latest) {
    for (Entry& e : entries_) {
      while (kept_bytes() > options_.max_memory && e.plans.size() > (&e == &latest ? 1u : 0u)) {
        e.plans.pop_back();
        packed_.drop_unused();
      }
    }
    memories_->drop_larger(run_bounds());
    return kept_bytes() <= options_.max_memory;
  }

  static std::nullptr_t give_up(Entry& entry) {
    entry.plain = true;
    entry.plans.clear();
    return nullptr;
  }

  // Whether there were any.
  static bool drop_old_plans(Entry& entry) {
    uint64_t bytes = 0;
    size_t kept = 0;
    for (; kept < entry.plans.size() && kept < kMaxSmallPlans; ++kept) {
      bytes += entry.plans[kept]->arena_bytes() + entry.plans[kept]->device_bytes();
      if (kept >= kMaxPlans && bytes > kMaxArenaBytes) break;
    }
    const bool dropped = kept < entry.plans.size();
    entry.plans.resize(kept);
    return dropped;
  }

  size_t run_plan(const Plan& plan, Frame& frame, size_t pc, std::vector<IValue>& live_ins) {
    bool restartable = false;
    try {
      return plan.run(frame, live_ins, restartable);
    } catch (const BeyondStep&) {
      WICK_CHECK(
          restartable, kUnsupported,
          "integers that are too large for the GPU reached it after a part of the model that has effects: run it "
          "with the CPU backend");
      return run_plainly(frame, pc);
    } catch (const ShapeChanged&) {
      WICK_CHECK(restartable, kInternal, "a shape that was taken for fixed depends on elements: switch planning off");
    }
    {
      const std::lock_guard lock(mutex_);
      give_up(entry_at(pc));
      packed_.drop_unused();
    }
    return run_plainly(frame, pc);
  }

  size_t run_plainly(Frame& frame, size_t pc) {
    frame.guard().release();  // instructions take the lock themselves
    try {
      if (Profile* profile = current_profile()) {
        while (!barrier_[pc]) pc = step_profiled(frame, pc, *profile);
      }
      while (!barrier_[pc]) pc = frame.step(pc);
      return pc;
    } catch (...) {
      frame.rethrow(frame.code().instructions[pc].node);
    }
  }

  // Made for the first profile.
  const ModulePaths& paths() {
    const runtime::ValueGuard guard(value_lock_, /*alone=*/false);  // before mutex_, as where plans are run
    const std::lock_guard lock(mutex_);
    if (!paths_) paths_ = std::make_unique<ModulePaths>(program_, inlined_);
    return *paths_;
  }

  // The executor's; null where the program has no hazards. Found first: it takes all graphs, which inlining releases.
  runtime::ValueLock* const value_lock_;
  const ir::Program& program_;
  const Inlined inlined_;
  std::unique_ptr<const ModulePaths> paths_;
  const Ref<const runtime::Code> code_;
  std::vector<bool> barrier_;  // by instruction: never part of a plan
  std::mutex mutex_;
  std::vector<Entry> entries_;  // by entry_of_, less one
  WordMap entry_of_;            // by instruction
  std::vector<Buffers> buffers_;
  PackCache packed_;
  const std::shared_ptr<RunMemories> memories_ = std::make_shared<RunMemories>();
  const PlanOptions options_;
};

Planner::Planner(runtime::Executor& executor) : executor_(executor) {}
Planner::~Planner() = default;

IValue Planner::run(const ir::Function& method, std::vector<IValue> args) {
  std::shared_ptr<Entry> entry;
  PlanOptions options;
  {
    const std::lock_guard lock(mutex_);
    if (method.number >= methods_.size()) methods_.resize(method.number + size_t{1});
    std::shared_ptr<Entry>& known = methods_[method.number];
    if (!known) known = std::make_shared<Entry>();
    entry = known;
    options = options_;
  }
  std::shared_ptr<PlannedMethod> planned;
  {
    const std::lock_guard lock(entry->mutex);
    if (!entry->planned) entry->planned = std::make_shared<PlannedMethod>(executor_, method, options);
    planned = entry->planned;
  }
  return planned->run(executor_, std::move(args));
}

void Planner::forget() {
  std::vector<std::shared_ptr<Entry>> forgotten;  // freed without the lock
  const std::lock_guard lock(mutex_);
  forgotten.swap(methods_);
  if (options_.target) options_.target->forget();
}

void Planner::set_target(std::shared_ptr<Target> target, bool may_choose) {
  std::vector<std::shared_ptr<Entry>> forgotten;
  const std::lock_guard lock(mutex_);
  options_.target.swap(target);
  options_.may_choose = may_choose;
  forgotten.swap(methods_);
}

void Planner::set_exact(bool on) {
  std::vector<std::shared_ptr<Entry>> forgotten;
  const std::lock_guard lock(mutex_);
  options_.exact = on;
  forgotten.swap(methods_);
}

void Planner::set_precision(Precision precision) {
  std::vector<std::shared_ptr<Entry>> forgotten;
  const std::lock_guard lock(mutex_);
  options_.precision = precision;
  forgotten.swap(methods_);
}

Precision Planner::precision() const {
  const std::lock_guard lock(mutex_);
  return options_.precision;
}

bool Planner::is_exact() const {
  const std::lock_guard lock(mutex_);
  return options_.exact;
}

void Planner::set_max_memory(uint64_t bytes) {
  std::vector<std::shared_ptr<Entry>> forgotten;
  const std::lock_guard lock(mutex_);
  options_.max_memory = bytes;
  forgotten.swap(methods_);
}

}  // namespace wick::plan
