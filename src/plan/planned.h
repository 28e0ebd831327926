// Planner: runs methods of a program's root module by plans where that is possible.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "plan/options.h"
#include "runtime/executor.h"

namespace wick::plan {

class PlannedMethod;

// Keeps the plans of a program's methods. Owned by who runs the program (the state of a Module), together with the
// executor, which must outlive it. Thread-safe.
class Planner {
 public:
  explicit Planner(runtime::Executor& executor);
  ~Planner();
  Planner(const Planner&) = delete;
  Planner& operator=(const Planner&) = delete;

  // As Executor::run for a method of the program's root module, self first among the arguments. The first run with
  // arguments of new shapes runs in the interpreter and records; further ones use the plan made of it.
  IValue run(const ir::Function& method, std::vector<IValue> args);

  // Forgets all plans: to be called after the host has changed an attribute of a module.
  void forget();
  // See Module::set_exact. Forgets all plans.
  void set_exact(bool on);
  bool is_exact() const;
  // See Module::set_precision. Forgets all plans.
  void set_precision(Precision precision);
  Precision precision() const;
  // What computes stretches of plans, if it is not null; `may_choose`: only where that is measured to be faster.
  // Forgets all plans.
  void set_target(std::shared_ptr<Target> target, bool may_choose);
  // See LoadOptions::max_plan_memory; of each method. Forgets all plans.
  void set_max_memory(uint64_t bytes);

 private:
  runtime::Executor& executor_;
  // A method's entry: others run while it is prepared.
  struct Entry {
    std::mutex mutex;
    std::shared_ptr<PlannedMethod> planned;
  };
  mutable std::mutex mutex_;                     // of those below, not of what entries hold
  std::vector<std::shared_ptr<Entry>> methods_;  // by Function::number
  PlanOptions options_;
};

}  // namespace wick::plan
