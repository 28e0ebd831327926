// Where the time of a run goes. Part of the compiler library (wick::compiler).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "wick/module.h"

namespace wick {

// A step of a run: a kernel of a plan, or an operator that the interpreter runs between plans.
struct ProfileStep {
  std::string name;      // "conv 3x3 winograd4 batch_norm relu", "aten::cat"
  std::string output;    // "1x64x56x56 channels last"
  int64_t start_ns = 0;  // from the beginning of the run
  int64_t duration_ns = 0;
  std::string module;      // the layer of the model: "backbone.layer1.0.conv1"; "" where it is not known
  double operations = 0;   // multiplications and additions of convolutions and products; 0 for other steps
  double bytes = 0;        // read and written, weights included
  bool is_planned = true;  // false: the interpreter ran it
};

//   wick::Profile profile = wick::profile(module, {image});
//   for (const wick::ProfileStep& step : profile.steps) std::printf("%s %ld ns\n", step.name.c_str(),
//   step.duration_ns);
struct Profile {
  std::vector<ProfileStep> steps;  // in the order they began
  int64_t run_ns = 0;              // of the run, from its call to its result
  uint32_t regions = 0;            // plans that were run
  size_t arena_bytes = 0;          // of all plans used
  size_t packed_bytes = 0;         // weights in kernels' forms
  int64_t total_ns() const;        // of the steps
  // The rest of run_ns: guards, values between plans, numbers, lists and branches.
  int64_t between_ns() const { return run_ns - total_ns(); }
};

// Runs the method until it is planned, then `runs` times, each on a copy of the arguments; the profile is that of the
// fastest run. Throws what a run throws. `progress` is told before each run how many are done, and how many there are.
Profile profile(const Module& module, const std::vector<IValue>& args, std::string_view method = "forward",
                int runs = 10,
                const std::function<void(const char* what, size_t done, size_t total)>& progress = nullptr);

// What the machine can do, measured now, in a quarter of a second: all threads together.
struct MachinePeak {
  double gflops = 0;  // multiplications and additions of floats, in billions a second
  double gbs = 0;     // reading memory that no cache holds, in billions of bytes a second
};
MachinePeak measure_peak();
// Its gflops of float16; 0 where nothing computes in that.
double measure_half_peak();

}  // namespace wick
