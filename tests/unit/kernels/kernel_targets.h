// Runs a kernel test with every instruction set of this machine.
#pragma once

#include <gtest/gtest.h>

#include "kernels/targets.h"
// After it, so that the same targets are meant as in the kernels.
#include "hwy/targets.h"

namespace wick::kernels {

template <class F>
void with_each_target(F&& test) {
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    test();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace wick::kernels
