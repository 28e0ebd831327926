// Plan: a trace made ready to be run again for inputs that match its guards.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "plan/builder.h"
#include "plan/memory/run_memory.h"
#include "plan/profile.h"
#include "runtime/frame.h"

namespace wick::plan {

class Plan {
 public:
  // `memories`: what its runs compute in.
  Plan(Trace trace, PackCache& cache, std::shared_ptr<RunMemories> memories, const PlanOptions& options);
  // Of a trace that `other` was made of, too; its live-ins are not looked at.
  Plan(const Plan& other, Trace trace, PackCache& cache, const PlanOptions& options);

  size_t begin() const { return begin_; }
  // Whether the frame, standing at begin(), holds what the plan was made for. If so, `live_ins` is what the plan has
  // seen to fit: run() takes it, and reads no attribute again, which another thread may have set meanwhile.
  bool matches(runtime::Frame& frame, std::vector<IValue>& live_ins) const;
  // Runs the plan on what matches() gave, which is emptied, and leaves the frame as the instructions would have left
  // it; gives the next instruction. Throws what an operator throws, with its context, and ShapeChanged when the plan
  // turns out not to fit: the frame is then as before, and `restartable` says that nothing else has happened either.
  size_t run(runtime::Frame& frame, std::vector<IValue>& live_ins, bool& restartable) const;

  // Whether running it changes nothing but the frame.
  bool is_repeatable() const { return first_effect_ == steps_.size(); }
  // Whether it writes to tensors that were there before it.
  bool changes_values() const { return changes_values_; }

  // Another plan of the same trace. The two take turns until it is known which one is faster; if this one fails for
  // want of its device, the other one is.
  void set_rival(std::unique_ptr<const Plan> rival);

  const std::vector<std::unique_ptr<Step>>& steps() const { return steps_; }
  // What it has over the interpreter: it only calls operators as that does; it computes by kernels of its own; these
  // compute so much that making a plan takes little time beside it.
  enum class Gain : uint8_t { kNone, kSome, kMuch };
  Gain gain() const { return gain_; }
  // What a run takes of its arena, one of the rival's included.
  size_t arena_bytes() const;
  // The most scratch memory that a run took so far.
  size_t scratch_bytes() const;
  // That it keeps between runs besides arena and weights: results, which the next run may reuse.
  size_t kept_bytes() const { return kept_bytes_ + (rival_ ? rival_->kept_bytes() : 0); }
  // That its steps keep on another device.
  uint64_t device_bytes() const;

 private:
  // A view of an input: its address is known when the input is.
  struct SlidingView {
    Slot slot, base;
  };
  void build(Trace& trace, PackCache& cache, const PlanOptions& options);
  static constexpr size_t kGivesWay = SIZE_MAX;
  // `gives_way`: when its device fails, it gives kGivesWay and has changed nothing.
  size_t run_alone(runtime::Frame& frame, std::vector<IValue>& live_ins, bool& restartable, bool gives_way) const;
  size_t run_faster(runtime::Frame& frame, std::vector<IValue>& live_ins, bool& restartable) const;
  // Of a tensor of the live-ins: the first that is the same one, the first with its storage, and how far it begins
  // behind that.
  struct Sharing {
    uint64_t tensor, storage;
    int64_t distance;
    bool operator==(const Sharing&) const = default;
  };
  // Of a step, for the profile.
  struct About {
    std::string output;
    double operations = 0, bytes = 0;
  };
  About describe(const Emission& e) const;
  void note_gain(const std::vector<Emission>& emissions);
  void count_weights(const std::vector<StepWeights>& noted);
  void note_sharing(const Trace& trace);
  bool share_alike(const std::vector<IValue>& live_ins) const;
  static Sharing sharing_of(uint64_t& tensor, uint64_t& storage, const std::vector<int64_t>& offsets);
  void note_weights(const std::vector<Emission>& emissions, const std::vector<StepWeights>& noted);
  void find_sliding_views();
  std::unique_ptr<Workspace> workspace() const;
  void lend_memory(Workspace& w) const;
  // Gives what lies in one arena the same places in another; null stands for none.
  static void lay_in_arena(Workspace& w, const Storage& before, const Storage& arena);
  void fill(Workspace& w, Slot slot) const;
  void give_memory(Workspace& w, Slot slot) const;
  void release(std::unique_ptr<Workspace> workspace) const;
  void run_step(Workspace& w, size_t at) const;
  void run_profiled(Workspace& w, size_t& at, Profile& profile) const;
  void leave(runtime::Frame& frame, const std::vector<IValue>& live_ins, Workspace& w) const;

  size_t begin_, end_;
  const std::shared_ptr<RunMemories> memories_;
  const bool keeps_one_;  // workspace between runs, however many there were at once: the memory of plans is bounded
  std::shared_ptr<const std::vector<LiveIn>> live_ins_;
  std::vector<Sharing> sharing_;  // by tensor of the live-ins; empty where it does not matter
  std::vector<std::pair<uint32_t, Recipe>> changes_;
  std::vector<SlotInfo> slots_;
  size_t arena_bytes_ = 0, kept_bytes_ = 0;
  std::shared_ptr<const FoldList> folds_;  // what was computed of constants
  size_t packed_bytes_ = 0;                // of the method's plans up to this one, for profiles
  bool changes_values_ = false;
  Gain gain_ = Gain::kNone;
  size_t first_effect_;  // steps before it change nothing outside of the plan
  std::vector<std::unique_ptr<Step>> steps_;
  std::vector<std::vector<Slot>> fresh_;  // by step: slots that get memory of their own before it
  std::vector<std::vector<Slot>> dead_;   // by step: slots given up after it
  std::vector<Slot> transient_;           // emptied after a run
  std::vector<SlidingView> sliding_;      // bases first
  std::vector<About> about_;              // by step
  PrefetchListPtr prefetches_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Workspace>> free_;
  mutable size_t scratch_bytes_ = 0;  // by mutex_
  std::unique_ptr<const Plan> rival_;
  struct Times {
    int runs = 0;
    int64_t best_ns = INT64_MAX;
  };
  mutable Times own_times_, rival_times_;  // by mutex_
  mutable int winner_ = 0;                 // 0: not known; 1: this one, 2: the rival
};

}  // namespace wick::plan
