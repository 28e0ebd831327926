// What a step says when it can't compute with the elements it is given, although their shapes are right.
#pragma once

#include "plan/steps/step.h"

namespace wick::plan {

// The region is interpreted this once; its plan stays.
struct BeyondStep : ShapeChanged {};

}  // namespace wick::plan
