// Checks that the processor has the instructions this build needs.
#include "kernels/machine.h"

#include "kernels/targets.h"

#include "hwy/highway.h"

namespace wick::kernels {

const char* missing_instructions() {
  if ((hwy::SupportedTargets() & HWY_TARGETS) != 0) return nullptr;
  return hwy::TargetName(HWY_STATIC_TARGET);
}

}  // namespace wick::kernels
