// The transforms of Winograd convolution of floats.
#include "kernels/targets.h"
#include "kernels/winograd.h"

#define WICK_CONV_TYPE float
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/winograd_transform.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/doubles-inl.h"
#include "kernels/winograd_transform-inl.h"

HWY_BEFORE_NAMESPACE();
namespace wick::kernels {
namespace HWY_NAMESPACE {
namespace {

// One dimension of the weights' transform, for kTile + 2 results of three values.
template <int kTile, bool kNear>
constexpr double kWeights[kTile + 2][3] = {};
template <bool kNear>
constexpr double kWeights<2, kNear>[4][3] = {{1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}};
template <>
constexpr double kWeights<4, false>[6][3] = {{1.0 / 4, 0, 0},
                                             {-1.0 / 6, -1.0 / 6, -1.0 / 6},
                                             {-1.0 / 6, 1.0 / 6, -1.0 / 6},
                                             {1.0 / 24, 1.0 / 12, 1.0 / 6},
                                             {1.0 / 24, -1.0 / 12, 1.0 / 6},
                                             {0, 0, 1}};

// The points 0, 3/4, -3/4, 3/2, -3/2.
template <>
constexpr double kWeights<4, true>[6][3] = {{64.0 / 81, 0, 0},
                                            {-128.0 / 243, -32.0 / 81, -8.0 / 27},
                                            {-128.0 / 243, 32.0 / 81, -8.0 / 27},
                                            {32.0 / 243, 16.0 / 81, 8.0 / 27},
                                            {32.0 / 243, -16.0 / 81, 8.0 / 27},
                                            {0, 0, 1}};

// In double precision, half a vector of filters at a time.
template <int kTile, bool kNear>
void transform_weights(const float* taps, int64_t in, int64_t width, float* dst, int64_t position) {
  constexpr int kSide = kTile + 2;
  const hn::Half<D> d;
  const hn::Rebind<double, hn::Half<D>> d2;
  using W = hn::Vec<decltype(d2)>;
  const auto sum = [&](const double* g, W a, W b, W c) HWY_ATTR {
    return hn::MulAdd(hn::Set(d2, g[2]), c, hn::MulAdd(hn::Set(d2, g[1]), b, hn::Mul(hn::Set(d2, g[0]), a)));
  };
  for (int64_t c = 0; c < in; ++c, taps += 9 * width, dst += width) {
    for (int64_t at = 0; at < width; at += kLanes / 2) {
      W w[9], half[3];
      for (int t = 0; t < 9; ++t) w[t] = hn::PromoteTo(d2, hn::LoadU(d, taps + t * width + at));
      for (int i = 0; i < kSide; ++i) {
        for (int j = 0; j < 3; ++j) half[j] = sum(kWeights<kTile, kNear>[i], w[j], w[3 + j], w[6 + j]);
        for (int j = 0; j < kSide; ++j) {
          const W result = sum(kWeights<kTile, kNear>[j], half[0], half[1], half[2]);
          hn::StoreU(hn::DemoteTo(d, result), d, dst + (i * kSide + j) * position + at);
        }
      }
    }
  }
}

WICK_RARELY_RUN void weights(int tile, bool near, const T* taps, int64_t in, int64_t width, float* dst,
                             int64_t position) {
  with_tile(tile, [&](auto side) {
    if (kHasHalfKernels && near) return transform_weights<side(), true>(taps, in, width, dst, position);
    transform_weights<side(), false>(taps, in, width, dst, position);
  });
}
}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wick::kernels {

HWY_EXPORT(weights);
HWY_EXPORT(input);
HWY_EXPORT(output);

void winograd_weights(int tile, bool near, const float* taps, int64_t in, int64_t width, float* dst, int64_t position) {
  HWY_DYNAMIC_DISPATCH(weights)(tile, near, taps, in, width, dst, position);
}
template <>
void winograd_input<float>(const WinogradStrip<float>& strip, int64_t from, int64_t to) {
  HWY_DYNAMIC_DISPATCH(input)(strip, from, to);
}
template <>
void winograd_output<float>(const WinogradStrip<float>& strip, int64_t from, int64_t to) {
  HWY_DYNAMIC_DISPATCH(output)(strip, from, to);
}

}  // namespace wick::kernels
#endif
