// Profiles: the steps of the fastest of several runs.
#include "wick/profile.h"

#include "api/profile.h"
#include "core/check.h"
#include "wick/compare.h"

namespace wick {

namespace {

// Runs before the first that counts, at most: each may meet shapes that are not planned yet.
constexpr int kMaxWarmUps = 4;

struct Run {
  api::Profile profile;
  int64_t start_ns = 0, duration_ns = 0;
};

Run run_once(const Module& module, const std::vector<IValue>& args, std::string_view method) {
  std::vector<IValue> copies = deep_copy(IValue::tuple(args)).to_tuple().items;
  Run run;
  const api::ProfileScope scope(run.profile);
  run.start_ns = api::now_ns();
  const IValue result = module.run_method(method, std::move(copies));
  run.duration_ns = api::now_ns() - run.start_ns;
  return run;
}

bool made_plans(const Run& run) {
  for (const api::StepTime& step : run.profile.steps) {
    if (step.name == api::kPlanning) return true;
  }
  return false;
}

}  // namespace

int64_t Profile::total_ns() const {
  int64_t total = 0;
  for (const ProfileStep& step : steps) total += step.duration_ns;
  return total;
}

Profile profile(const Module& module, const std::vector<IValue>& args, std::string_view method, int runs,
                const std::function<void(const char* what, size_t done, size_t total)>& progress) {
  WICK_CHECK(runs > 0, kInvalidArgument, "a profile needs at least one run, got ", runs);
  const auto show = [&](int done) {
    if (progress) progress("running", static_cast<size_t>(done), static_cast<size_t>(runs));
  };
  show(0);
  for (int i = 0; i < kMaxWarmUps; ++i) {
    if (!made_plans(run_once(module, args, method))) break;
  }
  Run best = run_once(module, args, method);
  for (int i = 1; i < runs; ++i) {
    show(i);
    Run run = run_once(module, args, method);
    if (run.duration_ns < best.duration_ns) best = std::move(run);
  }
  Profile out;
  out.run_ns = best.duration_ns;
  out.regions = best.profile.regions;
  out.arena_bytes = best.profile.arena_bytes;
  out.packed_bytes = best.profile.packed_bytes;
  for (api::StepTime& step : best.profile.steps) {
    out.steps.push_back({std::move(step.name), std::move(step.output), step.start_ns - best.start_ns, step.duration_ns,
                         std::move(step.module), step.operations, step.bytes, step.is_planned});
  }
  return out;
}

MachinePeak measure_peak() {
  const int threads = num_threads();
  return {api::multiply_add_peak(threads), api::memory_rate(threads)};
}
double measure_half_peak() { return api::half_multiply_add_peak(num_threads()); }

}  // namespace wick
