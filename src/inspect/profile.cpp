// Profiles of several runs of a method as one: the least time of each step.
#include "wick/profile.h"

#include <algorithm>

#include "api/profile.h"
#include "core/check.h"
#include "wick/compare.h"

namespace wick {

namespace {

api::Profile profile_once(const Module& module, const std::vector<IValue>& args, std::string_view method) {
  std::vector<IValue> copies = deep_copy(IValue::tuple(args)).to_tuple().items;
  api::Profile out;
  const api::ProfileScope scope(out);
  module.run_method(method, std::move(copies));
  return out;
}

}  // namespace

int64_t Profile::total_ns() const {
  int64_t total = 0;
  for (const ProfileStep& step : steps) total += step.duration_ns;
  return total;
}

Profile profile(const Module& module, const std::vector<IValue>& args, std::string_view method, int runs) {
  WICK_CHECK(runs > 0, kInvalidArgument, "a profile needs at least one run, got ", runs);
  module.run_method(method, deep_copy(IValue::tuple(args)).to_tuple().items);
  Profile out;
  for (int i = 0; i < runs; ++i) {
    const api::Profile run = profile_once(module, args, method);
    out.regions = run.regions;
    out.arena_bytes = run.arena_bytes;
    out.packed_bytes = run.packed_bytes;
    if (i == 0) {
      for (const api::StepTime& step : run.steps)
        out.steps.push_back({step.name, step.output, step.start_ns, step.duration_ns});
    }
    for (size_t s = 0; s < std::min(out.steps.size(), run.steps.size()); ++s) {
      if (run.steps[s].name == out.steps[s].name) {
        out.steps[s].duration_ns = std::min(out.steps[s].duration_ns, run.steps[s].duration_ns);
      }
    }
  }
  return out;
}

}  // namespace wick
