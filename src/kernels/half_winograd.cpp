// Winograd's transforms in float16, on 64-bit ARM with FEAT_FP16.
#include "kernels/half.h"

#ifdef WICK_HALF_KERNELS
#include "kernels/targets.h"

#define WICK_HALF_TYPE
#define WICK_CONV_TYPE Half
#include "hwy/highway.h"
#include "kernels/half-inl.h"
#include "kernels/winograd_transform-inl.h"

namespace wick::kernels {

template <>
void winograd_input<Half>(const WinogradStrip<Half>& strip, int64_t from, int64_t to) {
  HWY_NAMESPACE::input(strip, from, to);
}
template <>
void winograd_output<Half>(const WinogradStrip<Half>& strip, int64_t from, int64_t to) {
  HWY_NAMESPACE::output(strip, from, to);
}

}  // namespace wick::kernels
#endif
