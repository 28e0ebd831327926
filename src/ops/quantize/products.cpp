// Rounding of requantized values.
#include "ops/quantize/products.h"

#include <cmath>

namespace wick::ops {

int32_t round_to_int16(float value) {
  const float rounded = std::nearbyint(value);
  if (!(rounded > -32768.0f)) return -32768;
  return rounded > 32767.0f ? 32767 : static_cast<int32_t>(rounded);
}

}  // namespace wick::ops
