// Group normalization of NHWC float images.
#include "kernels/group_norm.h"

#include <algorithm>
#include <cmath>

#include "kernels/divide.h"
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/group_norm.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace wick::kernels {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Pixels whose sums are kept in float; they are added up in double.
constexpr int64_t kBlock = 64;

// sums[c] = the sum of x[p][c], or of its squared distance from mean[c], for channels [first, last).
void add_up(const float* x, int64_t pixels, int64_t channels, int64_t first, int64_t last, const float* mean,
            double* sums) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  std::fill(sums + first, sums + last, 0.0);
  HWY_ALIGN float part[HWY_LANES(float)];
  for (int64_t from = 0; from < pixels; from += kBlock) {
    const int64_t to = std::min(pixels, from + kBlock);
    int64_t c = first;
    for (; c + lanes <= last; c += lanes) {
      auto sum = hn::Zero(d);
      if (mean == nullptr) {
        for (int64_t p = from; p < to; ++p) sum = hn::Add(sum, hn::LoadU(d, x + p * channels + c));
      } else {
        const auto m = hn::LoadU(d, mean + c);
        for (int64_t p = from; p < to; ++p) {
          const auto distance = hn::Sub(hn::LoadU(d, x + p * channels + c), m);
          sum = hn::MulAdd(distance, distance, sum);
        }
      }
      hn::Store(sum, d, part);
      for (int64_t i = 0; i < lanes; ++i) sums[c + i] += static_cast<double>(part[i]);
    }
    for (; c < last; ++c) {
      for (int64_t p = from; p < to; ++p) {
        const double v = x[p * channels + c];
        sums[c] += mean == nullptr ? v : (v - mean[c]) * (v - mean[c]);
      }
    }
  }
}

// y[p][c] = (x[p][c] - mean[c]) * factor[c] + shift[c]
void normalize(const float* x, int64_t pixels, int64_t channels, const float* mean, const float* factor,
               const float* shift, float* y) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t p = 0; p < pixels; ++p, x += channels, y += channels) {
    int64_t c = 0;
    for (; c + lanes <= channels; c += lanes) {
      const auto distance = hn::Sub(hn::LoadU(d, x + c), hn::LoadU(d, mean + c));
      hn::StoreU(hn::MulAdd(distance, hn::LoadU(d, factor + c), hn::LoadU(d, shift + c)), d, y + c);
    }
    for (; c < channels; ++c) y[c] = (x[c] - mean[c]) * factor[c] + shift[c];
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wick::kernels {

HWY_EXPORT(add_up);
HWY_EXPORT(normalize);

namespace {

// Channels that a thread adds up at a time.
constexpr int64_t kChannels = 64;

int64_t buffer(int64_t channels) { return round_up(channels, 16); }

}  // namespace

size_t group_norm_scratch_size(const GroupNorm& n) { return static_cast<size_t>(5 * buffer(n.channels)); }

void group_norm(const GroupNorm& n, const float* x, float* y, float* scratch, const Workers& workers) {
  auto* const sums = reinterpret_cast<double*>(scratch);
  float* const mean = scratch + 2 * buffer(n.channels);
  float* const factor = mean + buffer(n.channels);
  float* const shift = factor + buffer(n.channels);
  const int64_t each = n.channels / n.groups;
  const double count = static_cast<double>(each) * static_cast<double>(n.pixels);
  const auto add = [&](const float* from) {
    workers.each(ceil_div(n.channels, kChannels), [&](int64_t first, int64_t last) {
      HWY_DYNAMIC_DISPATCH(add_up)
      (x, n.pixels, n.channels, first * kChannels, std::min(n.channels, last * kChannels), from, sums);
    });
  };
  const auto group_sum = [&](int64_t g) {
    double sum = 0;
    for (int64_t c = g * each; c < (g + 1) * each; ++c) sum += sums[c];
    return sum / count;
  };
  add(nullptr);
  for (int64_t g = 0; g < n.groups; ++g) {
    std::fill(mean + g * each, mean + (g + 1) * each, static_cast<float>(group_sum(g)));
  }
  add(mean);
  for (int64_t g = 0; g < n.groups; ++g) {
    const double inverse = 1 / std::sqrt(group_sum(g) + static_cast<double>(n.epsilon));
    for (int64_t c = g * each; c < (g + 1) * each; ++c) {
      factor[c] = static_cast<float>(inverse * (n.weight ? n.weight[c] : 1.0F));
      shift[c] = n.bias ? n.bias[c] : 0.0F;
    }
  }
  workers.each(n.pixels, [&](int64_t first, int64_t last) {
    HWY_DYNAMIC_DISPATCH(normalize)
    (x + first * n.channels, last - first, n.channels, mean, factor, shift, y + first * n.channels);
  });
}

}  // namespace wick::kernels
#endif
