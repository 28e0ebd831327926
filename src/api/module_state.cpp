// Running a module's methods in the interpreter or by plans.
#include "api/module_state.h"

#include "api/backend.h"
#include "core/budget.h"
#include "plan/targets.h"

namespace wick {

ModuleState::ModuleState(std::shared_ptr<ir::Program> loaded)
    : program(std::move(loaded)), executor_(std::make_shared<runtime::Executor>(*program)), planner_(*executor_) {}

IValue ModuleState::run(const ir::Function& method, std::vector<IValue>&& args) {
  if constexpr (build::kLimits) {
    if (const int threads = max_threads_; threads > 0) {
      const BoundedWork bounded("the run", {.max_threads = threads});
      return run_unbounded(method, std::move(args));
    }
  }
  return run_unbounded(method, std::move(args));
}

IValue ModuleState::run_unbounded(const ir::Function& method, std::vector<IValue>&& args) {
  if constexpr (kHasPlanner) {
    if (use_plans_) return planner_.run(method, std::move(args));
  }
  return executor_->run(method, std::move(args));
}

void ModuleState::set_planning(bool on) {
  use_plans_ = on;
  if (!on) forget_plans();
}

void ModuleState::set_exact(bool on) {
  if constexpr (kHasPlanner) planner_.set_exact(on);
}

void ModuleState::set_precision(Precision precision) {
  if constexpr (kHasPlanner) planner_.set_precision(precision);
}

void ModuleState::set_backend(Backend backend, const BackendOptions& options) {
  if constexpr (kHasPlanner) {
    std::shared_ptr<plan::Target> target = gpu_target(backend, options);
    if constexpr (plan::kHasTargets) planner_.set_target(std::move(target), backend == Backend::kAuto);
  }
}

void ModuleState::forget_plans() {
  if constexpr (kHasPlanner) planner_.forget();
}

void ModuleState::set_max_plan_memory(uint64_t bytes) {
  if constexpr (kHasPlanner) planner_.set_max_memory(bytes);
}

void ModuleState::take_switches(const ModuleState& other) {
  use_plans_ = other.use_plans_.load();
  max_threads_ = other.max_threads_.load();
  if constexpr (kHasPlanner) {
    planner_.set_exact(other.planner_.is_exact());
    planner_.set_precision(other.planner_.precision());
  }
}

}  // namespace wick
