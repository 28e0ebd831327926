// What a kernel does with a result before it stores it.
#pragma once

#include <cstdint>
#include <limits>

#include "kernels/activations.h"
#include "kernels/selected.h"

namespace wick::kernels {

// relu, relu6 and clamp are kNone with a range.
enum class Activation : uint8_t {
  kNone,
#define X(Name, kernel, flag) k##Name,
  WICK_FUSED_ACTIVATIONS(X)
#undef X
};
// All of them, kNone first.
inline constexpr Activation kActivations[] = {Activation::kNone,
#define X(Name, kernel, flag) Activation::k##Name,
                                              WICK_FUSED_ACTIVATIONS(X)
#undef X
};

// Whether this build has it; a kernel must not be given another.
constexpr bool has_activation(Activation activation) {
  switch (activation) {
#define X(Name, kernel, op)                      \
  case Activation::k##Name: {                    \
    constexpr bool is_built = build::has_op(op); \
    return is_built;                             \
  }
    WICK_FUSED_ACTIVATIONS(X)
#undef X
    case Activation::kNone:
      break;
  }
  return true;
}

// result = clamp(activation(sum + bias + residual), low, high), or with `residual_last`
// clamp(activation(sum + bias), low, high) + residual. The residual's address is part of each kernel's operands.
// NaN passes through the range.
struct Epilogue {
  Activation activation = Activation::kNone;
  float low = -std::numeric_limits<float>::infinity();
  float high = std::numeric_limits<float>::infinity();
  bool residual_last = false;
};

// y[i] = clamp(activation(x[i])); x may be y.
void apply_epilogue(const Epilogue& e, const float* x, float* y, int64_t n);

}  // namespace wick::kernels
