// Checks that the processor has the instructions this build needs.
#include "kernels/machine.h"

#include "kernels/targets.h"

#include "hwy/highway.h"
#if HWY_ARCH_ARM_V7 && defined(__linux__)
#include <sys/auxv.h>
#endif

namespace wick::kernels {

const char* missing_instructions() {
#if HWY_ARCH_ARM_V7 && defined(__linux__)
  // The kernels are compiled for NEON alone. A libhwy that was compiled without, as Debian's is, does not look for it.
  constexpr unsigned long kNeon = 1UL << 12;
  if ((getauxval(AT_HWCAP) & kNeon) != 0) return nullptr;
#endif
  return usable_instruction_sets() != 0 ? nullptr : hwy::TargetName(HWY_STATIC_TARGET);
}

int64_t usable_instruction_sets() { return hwy::SupportedTargets() & HWY_TARGETS; }

}  // namespace wick::kernels
