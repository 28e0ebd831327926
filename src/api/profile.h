// Profiles of planned runs, and what the machine can do at most, for the compiler's components and tools.
#pragma once

#include "kernels/peak.h"
#include "plan/profile.h"

namespace wick::api {

using kernels::half_multiply_add_peak;
using kernels::memory_rate;
using kernels::multiply_add_peak;
using plan::kPlanning;
using plan::now_ns;
using plan::Profile;
using plan::ProfileScope;
using plan::StepTime;

}  // namespace wick::api
