// Whether this processor computes in float16.
#include "kernels/half.h"

#if defined(WICK_HALF_KERNELS) && defined(__linux__)
#include <sys/auxv.h>
#elif defined(WICK_HALF_KERNELS) && defined(__APPLE__)
#include <sys/sysctl.h>
#endif

namespace wick::kernels {

bool computes_half() {
  if constexpr (!kHasHalfKernels) return false;
#if defined(WICK_HALF_KERNELS) && defined(__linux__)
  constexpr unsigned long kVectorsOfHalf = 1UL << 10;  // HWCAP_ASIMDHP
  return (getauxval(AT_HWCAP) & kVectorsOfHalf) != 0;
#elif defined(WICK_HALF_KERNELS) && defined(__APPLE__)
  const auto has = [](const char* name) {
    int value = 0;
    size_t size = sizeof(value);
    return sysctlbyname(name, &value, &size, nullptr, 0) == 0 && value != 0;
  };
  return has("hw.optional.arm.FEAT_FP16") || has("hw.optional.neon_fp16");
#else
  return false;
#endif
}

}  // namespace wick::kernels
