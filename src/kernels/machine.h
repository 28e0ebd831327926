#pragma once

namespace wick::kernels {

// The instruction set this build's kernels need and this processor lacks ("AVX2"); null when there is none. To be asked
// before any kernel runs.
const char* missing_instructions();

}  // namespace wick::kernels
