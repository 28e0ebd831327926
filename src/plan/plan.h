// Plan: a trace made ready to be run again for inputs that match its guards.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "plan/step.h"
#include "runtime/frame.h"

namespace wick::plan {

class Plan {
 public:
  explicit Plan(Trace trace);

  size_t begin() const { return begin_; }
  // Whether the frame, standing at begin(), holds what the plan was made for.
  bool matches(runtime::Frame& frame) const;
  // Runs the plan and leaves the frame as the instructions would have left it; gives the next instruction. Throws
  // what an operator throws, with its context, and ShapeChanged when the plan turns out not to fit: the frame is
  // then as before, and `restartable` says that nothing else has happened either.
  size_t run(runtime::Frame& frame, bool& restartable) const;

  const std::vector<std::unique_ptr<Step>>& steps() const { return steps_; }

 private:
  std::unique_ptr<Workspace> workspace() const;
  void give_back(std::unique_ptr<Workspace> workspace) const;
  void leave(runtime::Frame& frame, std::vector<IValue>& live_ins, Workspace& w) const;

  size_t begin_, end_;
  std::vector<LiveIn> live_ins_;
  std::vector<std::pair<uint32_t, Recipe>> changes_;
  std::vector<std::pair<TensorId, Tensor>> constants_;
  std::vector<TensorId> transient_;  // not constants: emptied after a run
  size_t tensor_count_;
  size_t first_effect_;  // steps before it change nothing outside of the plan
  std::vector<std::unique_ptr<Step>> steps_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Workspace>> free_;
};

}  // namespace wick::plan
