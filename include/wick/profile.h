// Where the time of a run goes. Part of the compiler library (wick::compiler).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wick/module.h"

namespace wick {

// A step of a planned run: a kernel, or what the interpreter does between plans.
struct ProfileStep {
  std::string name;    // "conv 3x3 winograd4 batch_norm relu", "aten::cat"
  std::string output;  // "1x64x56x56 channels last"
  int64_t start_ns = 0;
  int64_t duration_ns = 0;  // the least of all runs
};

//   wick::Profile profile = wick::profile(module, {image});
//   for (const wick::ProfileStep& step : profile.steps) std::printf("%s %ld ns\n", step.name.c_str(),
//   step.duration_ns);
struct Profile {
  std::vector<ProfileStep> steps;
  uint32_t regions = 0;     // plans that were run
  size_t arena_bytes = 0;   // of all plans used
  size_t packed_bytes = 0;  // weights in kernels' forms
  int64_t total_ns() const;
};

// Runs the method once to plan it, then `runs` times, each on a copy of the arguments, and keeps the least time of each
// step. Throws what a run throws.
Profile profile(const Module& module, const std::vector<IValue>& args, std::string_view method = "forward",
                int runs = 10);

}  // namespace wick
