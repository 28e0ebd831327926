// What the interpreter does between plans, for profiles.
#pragma once

#include "plan/module_paths.h"
#include "plan/profile.h"
#include "runtime/frame.h"

namespace wick::plan {

// Runs the instruction as Frame::step does, and notes it as a step where it works on tensors or calls code.
size_t step_profiled(runtime::Frame& frame, size_t pc, Profile& profile);

// One run of a method: at its end the steps that it has noted get their modules' names.
class ProfiledRun {
 public:
  ProfiledRun(Profile& profile, const ModulePaths& paths)
      : profile_(profile), paths_(paths), first_(profile.steps.size()) {}
  ~ProfiledRun();
  ProfiledRun(const ProfiledRun&) = delete;
  ProfiledRun& operator=(const ProfiledRun&) = delete;

 private:
  Profile& profile_;
  const ModulePaths& paths_;
  const size_t first_;
};

}  // namespace wick::plan
