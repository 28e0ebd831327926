// How fast the steps of a profile are, beside what the machine can do.
#pragma once

#include <string>

#include "wick/profile.h"

namespace wick::tools {

struct Peak : MachinePeak {
  double half_gflops = 0;
};

struct Rate {
  std::string text;    // "102.4 GFLOP/s, 87 %"; empty where nothing is known of the step's work
  double of_peak = 0;  // from 0 to 1
};

// By whichever of its operations and its bytes is nearer to the machine's peak.
Rate rate_of(const ProfileStep& step, const Peak& peak);

// The step's name; of one that the interpreter ran, "not planned: aten::nonzero".
std::string title_of(const ProfileStep& step);

}  // namespace wick::tools
