// Profiles: how long the steps of plans take.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "config/build.h"
#include "plan/steps/step_name.h"

namespace wick::plan {

struct StepTime {
  std::string name;    // "conv 3x3 winograd4 batch_norm relu", "aten::cat"
  std::string output;  // "1x64x56x56 channels last"
  int64_t start_ns = 0, duration_ns = 0;
  std::string_view kind{};  // see Step
};

struct Profile {
  std::vector<StepTime> steps;
  uint32_t regions = 0;
  size_t arena_bytes = 0;   // of all plans used
  size_t packed_bytes = 0;  // weights in kernels' forms
};

// While it lives, plans run on this thread write down their steps.
class ProfileScope {
 public:
  explicit ProfileScope(Profile& profile);
  ~ProfileScope();
  ProfileScope(const ProfileScope&) = delete;
  ProfileScope& operator=(const ProfileScope&) = delete;

 private:
  Profile* before_;
};

int64_t now_ns();

// Times what the interpreter does between plans, during its lifetime.
class PlainTimer {
 public:
  explicit PlainTimer(std::string_view what) {
    if (build::kProfiles) start(what);
  }
  ~PlainTimer() {
    if (build::kProfiles) stop();
  }
  PlainTimer(const PlainTimer&) = delete;
  PlainTimer& operator=(const PlainTimer&) = delete;

 private:
  void start(std::string_view what);
  void stop();

  size_t index_ = SIZE_MAX;
};

// Of this thread; null when there is none.
Profile* thread_profile();
inline Profile* current_profile() { return build::kProfiles ? thread_profile() : nullptr; }

}  // namespace wick::plan
