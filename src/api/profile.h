// Profiles of planned runs, for the compiler's components and tools.
#pragma once

#include "plan/profile.h"

namespace wick::api {

using plan::Profile;
using plan::ProfileScope;
using plan::StepTime;

}  // namespace wick::api
