// Collects the times of steps and of interpreted regions.
#include "plan/profile.h"

#include <chrono>

namespace wick::plan {
namespace {

thread_local Profile* t_profile = nullptr;

}  // namespace

ProfileScope::ProfileScope(Profile& profile) : before_(t_profile) { t_profile = &profile; }
ProfileScope::~ProfileScope() { t_profile = before_; }

int64_t now_ns() {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
}

void PlainTimer::start(std::string_view what) {
  if (!t_profile) return;
  index_ = t_profile->steps.size();
  t_profile->steps.push_back({"plain: " + std::string(what), "", now_ns(), 0});
}
void PlainTimer::stop() {
  if (!t_profile || index_ >= t_profile->steps.size()) return;
  StepTime& step = t_profile->steps[index_];
  step.duration_ns = now_ns() - step.start_ns;
}

Profile* thread_profile() { return t_profile; }

}  // namespace wick::plan
