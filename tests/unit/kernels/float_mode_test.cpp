// The processor's denormal mode is set inside of a scope and restored after it.
#include "kernels/float_mode.h"

#include <gtest/gtest.h>

#include <limits>

namespace wick::kernels {
namespace {

float half_of_the_least() {
  volatile float least = std::numeric_limits<float>::min();
  volatile float half = 0.5F;
  return least * half;
}

TEST(KernelFloatMode, DenormalsAreZeroInsideAndBackAfterwards) {
  ASSERT_GT(half_of_the_least(), 0.0F);
  {
    const FlushDenormals flush;
    const FlushDenormals again;
#if defined(__x86_64__) || defined(__aarch64__)
    EXPECT_EQ(half_of_the_least(), 0.0F);
#endif
  }
  EXPECT_GT(half_of_the_least(), 0.0F);
}

}  // namespace
}  // namespace wick::kernels
