// The executor: calls from outside and between functions.
#include "runtime/executor.h"

#include "core/check.h"
#include "core/limits.h"
#include "core/selection.h"  // by way of Frame
#include "core/stack.h"
#include "runtime/frame.h"

namespace wick::runtime {

IValue Executor::run(const ir::Function& function, std::vector<IValue> args) {
  return as_one_value(call(function, std::move(args), 0));
}

std::vector<IValue> Executor::call(const ir::Function& function, std::vector<IValue>&& args, size_t depth) {
  const Budget* budget = Budget::current();
  const uint32_t most = budget ? budget->call_depth(limits::kMaxCallDepth) : limits::kMaxCallDepth;
  WICK_CHECK(depth < most, kLimitExceeded, "calls are nested deeper than ", most, " in ", function.name);
  if (depth > 0) check_stack("calls", limits::kCallReserve);
  const bool is_ours = function.number != ir::Function::kOfNoProgram;
  const Ref<const Code> own = is_ours ? nullptr : compile(function, sharing());
  Frame frame(*this, function, is_ours ? codes_.of(function, sharing()) : *own, depth);
  frame.count_step();
  return frame.run(std::move(args));
}

const ir::Sharing* Hazards::sharing(const ir::Program& program) {
  once_.call([&] {
    const std::lock_guard lock(program.graphs_mutex);
    sharing_.emplace(program);
  });
  return sharing_->has_hazards() ? &*sharing_ : nullptr;
}

IValue as_one_value(std::vector<IValue>&& results) {
  return results.size() == 1 ? std::move(results[0]) : results.empty() ? IValue() : IValue::tuple(std::move(results));
}

}  // namespace wick::runtime
