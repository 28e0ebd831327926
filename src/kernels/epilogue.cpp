// Applies bias, residual and activation to rows of results.
#include "kernels/epilogue.h"

#include <cstring>

#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/epilogue.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/epilogue-inl.h"

HWY_BEFORE_NAMESPACE();
namespace wick::kernels {
namespace HWY_NAMESPACE {
namespace {

void apply(const Epilogue& e, const float* x, float* y, int64_t n) {
  const hn::ScalableTag<float> d;
  const auto low = hn::Set(d, e.low), high = hn::Set(d, e.high);
  constexpr int64_t kLanes = HWY_LANES(float);
  with_activation(e.activation, [&](auto activation) HWY_ATTR {
    constexpr float kInf = std::numeric_limits<float>::infinity();
    const bool clamps = decltype(activation)::value == Activation::kNone || e.low != -kInf || e.high != kInf;
    const auto of = [&](const float* from) HWY_ATTR {
      const auto v = activate(d, decltype(activation)::value, hn::LoadU(d, from));
      return clamps ? clamp_to(low, high, v) : v;
    };
    int64_t i = 0;
    constexpr int64_t kAtOnce = vectors_at_once(decltype(activation)::value);
    for (; kAtOnce > 1 && i + kAtOnce * kLanes <= n; i += kAtOnce * kLanes) {
      decltype(hn::Zero(d)) v[kAtOnce];
      WICK_UNROLL
      for (int64_t j = 0; j < kAtOnce; ++j) v[j] = hn::LoadU(d, x + i + j * kLanes);
      activate_several<decltype(activation)::value>(d, v);
      if (clamps) {
        WICK_UNROLL
        for (int64_t j = 0; j < kAtOnce; ++j) v[j] = clamp_to(low, high, v[j]);
      }
      WICK_UNROLL
      for (int64_t j = 0; j < kAtOnce; ++j) hn::StoreU(v[j], d, y + i + j * kLanes);
    }
    for (; i + kLanes <= n; i += kLanes) hn::StoreU(of(x + i), d, y + i);
    if (i == n) return;
    HWY_ALIGN float edge[kLanes] = {};
    const size_t bytes = static_cast<size_t>(n - i) * sizeof(float);
    std::memcpy(edge, x + i, bytes);
    hn::Store(of(edge), d, edge);
    std::memcpy(y + i, edge, bytes);
  });
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wick::kernels {

HWY_EXPORT(apply);

void apply_epilogue(const Epilogue& e, const float* x, float* y, int64_t n) { HWY_DYNAMIC_DISPATCH(apply)(e, x, y, n); }

}  // namespace wick::kernels
#endif
