// The choice of a convolution's method where weights are packed already.
#pragma once

#include "kernels/conv2d.h"

namespace wick::kernels {

constexpr uint32_t bit_of(ConvMethod method) { return 1u << static_cast<uint32_t>(method); }

// As choose_conv. `packed`: the weights are in memory in the forms of these methods (a bit each); another form has to
// be worth its memory.
ConvMethod choose_conv_form(const ConvShape& shape, bool exact, int workers, uint32_t packed);

}  // namespace wick::kernels
