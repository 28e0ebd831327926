// Planner: when methods are recorded, which plan runs, and how long plans are kept.
#include "plan/planned.h"

#include <algorithm>

#include "core/check.h"
#include "core/pages.h"
#include "core/selection.h"
#include "plan/plan.h"
#include "plan/record/inline.h"
#include "plan/record/record.h"
#include "plan/record/traits.h"

namespace wick::plan {
namespace {

using runtime::Frame;
using runtime::OpCode;

// Plans for one place, one for each set of shapes seen lately: so many at any rate, and more while their arenas are
// small (a decoder whose cache grows has a shape for every step).
constexpr size_t kMaxPlans = 8;
constexpr size_t kMaxSmallPlans = 64;
constexpr size_t kMaxArenaBytes = size_t{16} << 20;
// A place where so many plans in a row were made in vain, because their shapes did not come back, rests: so many runs
// are plain there before it is tried again, and twice as many each time.
constexpr size_t kMaxInVain = 24;
constexpr size_t kFirstRest = 64;
constexpr size_t kLongestRest = 4096;
// Where plans call all operators there are; others are slow outside of plans, and a plan in vain is the lesser evil.
constexpr bool kHasRests = !tells_calls();

// Where a plan has packed so much, what loading and planning have freed goes back to the system, and the pages of their
// code.
constexpr size_t kWorthTrimming = size_t{1} << 20;

}  // namespace

class PlannedMethod {
 public:
  PlannedMethod(const ir::Program& program, const ir::Function& method, const PlanOptions& options)
      : inlined_(inline_calls(program, method)), code_(runtime::compile(*inlined_.function)), options_(options) {
    for (const runtime::Instruction& i : code_->instructions) barrier_.push_back(is_barrier(i));
  }

  IValue run(runtime::Executor& executor, std::vector<IValue> args) {
    Frame frame(executor, *inlined_.function, *code_, 0, take_room());
    frame.set_arguments(std::move(args));
    size_t pc = 0;
    while (true) {
      pc = run_stretch(frame, pc);
      const runtime::Instruction& i = frame.code().instructions[pc];
      try {
        if (i.code == OpCode::kReturn) {
          IValue result = frame.result(pc);
          give_room(frame.take_room());
          return result;
        }
        const PlainTimer timer(i.node && !i.node->op_name.empty() ? i.node->op_name : "call, object or branch");
        pc = frame.step(pc);
      } catch (...) {
        frame.rethrow(i.node);
      }
    }
  }

 private:
  // What is known of a stretch that begins at some instruction.
  struct Place {
    std::vector<std::shared_ptr<const Plan>> plans;  // the latest used first
    size_t in_vain = 0;                              // plans made since one was used again
    size_t rest = kFirstRest;                        // how long the next rest will be
    size_t resting = 0;                              // runs until the end of this one
    bool plain = false;                              // not worth a plan
  };

  Place& place_at(size_t pc) {
    uint64_t& at = place_of_[pc];
    if (at == 0) {
      places_.emplace_back();
      at = places_.size();
    }
    return places_[at - 1];
  }

  // Memory for registers, which runs hand on to later ones.
  std::vector<IValue> take_room() {
    const std::lock_guard lock(mutex_);
    if (rooms_.empty()) return {};
    std::vector<IValue> room = std::move(rooms_.back());
    rooms_.pop_back();
    return room;
  }
  void give_room(std::vector<IValue> room) {
    const std::lock_guard lock(mutex_);
    rooms_.push_back(std::move(room));
  }

  static bool is_barrier(const runtime::Instruction& i) {
    if (i.code == OpCode::kCallOp) return class_of(*i.node->op) == OpClass::kBarrier;
    return i.code == OpCode::kReturn || (i.code == OpCode::kNode && !can_record(*i.node));
  }

  // Executes instructions from pc on; those that can't be in a plan, and the return, are left to the caller.
  size_t run_stretch(Frame& frame, size_t pc) {
    bool plain = false;
    if (const std::shared_ptr<const Plan> plan = find(frame, pc, plain)) return run_plan(*plan, frame, pc);
    if (plain) return run_plainly(frame, pc);
    Recording recording = record(frame, pc, inlined_);
    const std::shared_ptr<const Plan> plan = keep(pc, std::move(recording.trace));
    // The answer is the plan's from the first run on, so that it never changes in its last digits.
    const bool runs_plan = plan && plan->is_repeatable();
    if (!runs_plan && recording.has_elements) return recording.next;
    for (auto& [reg, value] : recording.before) frame.registers()[reg] = std::move(value);
    return runs_plan ? run_plan(*plan, frame, pc) : run_plainly(frame, pc);
  }

  std::shared_ptr<const Plan> find(Frame& frame, size_t pc, bool& plain) {
    const std::lock_guard lock(mutex_);
    Place& place = place_at(pc);
    for (auto it = place.plans.begin(); it != place.plans.end(); ++it) {
      if (!(*it)->matches(frame)) continue;
      std::rotate(place.plans.begin(), it, it + 1);
      place.in_vain = place.resting = 0;
      place.rest = kFirstRest;
      return place.plans.front();
    }
    plain = place.plain || place.resting > 0;
    if (place.resting > 0) --place.resting;
    return nullptr;
  }

  // Null: there is nothing to plan, or shapes have not come back for long.
  std::shared_ptr<const Plan> keep(size_t pc, std::optional<Trace> trace) {
    const std::lock_guard lock(mutex_);
    Place& place = place_at(pc);
    if (!trace) return give_up(place);
    if (kHasRests && ++place.in_vain > kMaxInVain) {
      place.resting = place.rest;
      place.rest = std::min(2 * place.rest, kLongestRest);
      // After the rest a few plans will tell.
      place.in_vain = kMaxInVain - std::min(kMaxPlans, kMaxInVain);
      return nullptr;
    }
    const size_t packed_before = packed_.bytes;
    try {
      place.plans.insert(place.plans.begin(), std::make_shared<const Plan>(std::move(*trace), packed_, options_));
    } catch (const ShapeChanged&) {
      if constexpr (kHasCalls) throw;
      return nullptr;
    }
    if (packed_.bytes - packed_before >= kWorthTrimming) {
      release_free_memory();
      release_program_pages();
    }
    drop_old_plans(place);
    return place.plans.front();
  }

  static std::nullptr_t give_up(Place& place) {
    place.plain = true;
    place.plans.clear();
    return nullptr;
  }

  static void drop_old_plans(Place& place) {
    size_t bytes = 0, kept = 0;
    for (; kept < place.plans.size() && kept < kMaxSmallPlans; ++kept) {
      bytes += place.plans[kept]->arena_bytes();
      if (kept >= kMaxPlans && bytes > kMaxArenaBytes) break;
    }
    place.plans.resize(kept);
  }

  size_t run_plan(const Plan& plan, Frame& frame, size_t pc) {
    bool restartable = false;
    try {
      return plan.run(frame, restartable);
    } catch (const ShapeChanged&) {
      WICK_CHECK(restartable, kInternal, "a shape that was taken for fixed depends on elements: switch planning off");
    }
    {
      const std::lock_guard lock(mutex_);
      give_up(place_at(pc));
    }
    return run_plainly(frame, pc);
  }

  size_t run_plainly(Frame& frame, size_t pc) {
    const PlainTimer timer("a stretch that is not planned");
    try {
      while (!barrier_[pc]) pc = frame.step(pc);
      return pc;
    } catch (...) {
      frame.rethrow(frame.code().instructions[pc].node);
    }
  }

  const Inlined inlined_;
  const Ref<const runtime::Code> code_;
  std::vector<bool> barrier_;  // by instruction: never part of a plan
  std::mutex mutex_;
  std::vector<Place> places_;  // by place_of_, less one
  WordMap place_of_;           // by instruction
  std::vector<std::vector<IValue>> rooms_;
  PackCache packed_;
  const PlanOptions options_;
};

Planner::Planner(runtime::Executor& executor) : executor_(executor) {}
Planner::~Planner() = default;

IValue Planner::run(const ir::Function& method, std::vector<IValue> args) {
  std::shared_ptr<PlannedMethod> planned;
  {
    const std::lock_guard lock(mutex_);
    if (method.number >= methods_.size()) methods_.resize(method.number + size_t{1});
    std::shared_ptr<PlannedMethod>& known = methods_[method.number];
    if (!known) known = std::make_shared<PlannedMethod>(executor_.program(), method, PlanOptions{exact_});
    planned = known;
  }
  return planned->run(executor_, std::move(args));
}

void Planner::forget() {
  std::vector<std::shared_ptr<PlannedMethod>> forgotten;  // freed without the lock
  const std::lock_guard lock(mutex_);
  forgotten.swap(methods_);
}

void Planner::set_exact(bool on) {
  const std::lock_guard lock(mutex_);
  exact_ = on;
  methods_.clear();
}

bool Planner::is_exact() const {
  const std::lock_guard lock(mutex_);
  return exact_;
}

}  // namespace wick::plan
