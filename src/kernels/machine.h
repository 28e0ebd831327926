// What of this processor the kernels of this build can use.
#pragma once

#include <cstdint>

namespace wick::kernels {

// The instruction set this build's kernels need and this processor lacks ("AVX2"); null when there is none. To be asked
// before any kernel runs.
const char* missing_instructions();

// The instruction sets that the processor has and kernels are compiled for, a bit of Highway's (HWY_AVX2) each. Files
// outside of this folder may be compiled for others: they ask.
int64_t usable_instruction_sets();

}  // namespace wick::kernels
