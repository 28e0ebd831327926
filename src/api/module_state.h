// What a Module shares with its copies: the program, and the state of running it.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "config/build.h"
#include "ir/program.h"
#include "plan/planned.h"
#include "runtime/executor.h"
#include "wick/backend.h"

namespace wick {

// Owns the program, the executor with the code compiled of it, and the planner with its plans. Methods may be called
// from several threads at once. Who changes the program (not the values of its tensors) calls forget_plans() then, and
// sees to it that nothing runs meanwhile.
class ModuleState {
 public:
  explicit ModuleState(std::shared_ptr<ir::Program> loaded);

  const std::shared_ptr<ir::Program> program;  // never null

  // Runs a method of the root module, self first among the arguments.
  IValue run(const ir::Function& method, std::vector<IValue>&& args);
  // See Module::set_planning and Module::set_exact.
  void set_planning(bool on);
  void set_exact(bool on);
  // See Module::set_precision.
  void set_precision(Precision precision);
  // See Module::set_backend.
  void set_backend(Backend backend, const BackendOptions& options);
  void forget_plans();
  // See LoadOptions::max_plan_memory.
  void set_max_plan_memory(uint64_t bytes);
  // See Module::set_max_threads; 0: no bound.
  void set_max_threads(int n) { max_threads_ = n; }
  // The executor of the program, which parts of the model share: its lock keeps threads apart.
  const std::shared_ptr<runtime::Executor>& executor() const { return executor_; }
  // As the other state has them.
  void take_switches(const ModuleState& other);

 private:
  IValue run_unbounded(const ir::Function& method, std::vector<IValue>&& args);

  // A selective build of models that nothing was planned for has no planner.
  static constexpr bool kHasPlanner = build::kPlanner;
  struct NoPlanner {
    explicit NoPlanner(runtime::Executor&) {}
    // Declared for code that is not compiled then.
    IValue run(const ir::Function&, std::vector<IValue>);
    void forget();
    void set_exact(bool);
    bool is_exact() const;
    void set_precision(Precision);
    Precision precision() const;
    void set_max_memory(uint64_t);
    void set_target(std::shared_ptr<plan::Target>, bool);
  };

  const std::shared_ptr<runtime::Executor> executor_;
  std::conditional_t<kHasPlanner, plan::Planner, NoPlanner> planner_;
  std::atomic<bool> use_plans_{true};
  std::atomic<int> max_threads_{0};
};

}  // namespace wick
