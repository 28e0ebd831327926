// Methods of float convolutions that a selective build keeps; in an ordinary build, all. See selected.h.
#pragma once

namespace wick::kernels::selected {

#ifdef WICK_SELECTION
#include "selected_convs.h"
#else
// Depthwise convolutions; without them they are products, group by group.
inline constexpr bool kDepthwise = true;
// Tiles of Winograd's convolution.
inline constexpr bool kWinograd2 = true, kWinograd4 = true;
#endif

}  // namespace wick::kernels::selected
