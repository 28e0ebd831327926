// Which input elements make one output element of a resampled axis, and with what weights.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/budget.h"
#include "ops/nn/upsample.h"
#include "ops/stoppable.h"
#include "wick/memory_charge.h"

namespace wick::ops {

// Every output position has `count` taps: index[out * count + k] in [0, in_size) and weight[same]. Where `used` is
// given, only so many of them are read.
template <class T>
struct AxisTaps {
  int64_t in_size = 1;
  int64_t out_size = 1;
  int64_t count = 1;
  std::vector<int64_t> index;
  std::vector<T> weight;
  std::vector<int64_t> used{};

  int64_t used_at(int64_t out) const { return used.empty() ? count : used[static_cast<size_t>(out)]; }
};

template <class T>
T axis_scale(int64_t in_size, int64_t out_size, bool align_corners, Scale scale) {
  if (align_corners) return out_size > 1 ? static_cast<T>(in_size - 1) / static_cast<T>(out_size - 1) : T(0);
  if (scale && *scale > 0) return static_cast<T>(1.0 / *scale);
  return static_cast<T>(in_size) / static_cast<T>(out_size);
}

template <class T>
T source_position(T scale, int64_t out, bool align_corners, bool cubic) {
  if (align_corners) return scale * static_cast<T>(out);
  const T position = scale * (static_cast<T>(out) + T(0.5)) - T(0.5);
  return !cubic && position < T(0) ? T(0) : position;
}

// Converts a position to an index without leaving [0, in_size); scales may be any number.
template <class T>
int64_t clamped_floor(T position, int64_t in_size) {
  const T f = std::floor(position);
  if (!(f > T(0))) return 0;
  return f >= static_cast<T>(in_size - 1) ? in_size - 1 : static_cast<int64_t>(f);
}

// The distance between 1 and the far taps of the cubic convolution kernels.
inline double cubic_near(double x, double a) { return ((a + 2) * x - (a + 3)) * x * x + 1; }
inline double cubic_far(double x, double a) { return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a; }

// PyTorch's sums of antialiased pixels round as compiled code does it on machines that multiply and add at once: fours
// after the first tap product by product, the one to three taps that remain fused. Here in the same way.
inline int64_t first_fused(int64_t taps) { return 1 + (taps - 1) / 4 * 4; }

// a * b + c, rounded once.
inline double fused(double a, double b, double c) { return a * b + c; }
inline float fused(float a, float b, float c) {
  return static_cast<float>(static_cast<double>(a) * static_cast<double>(b) + static_cast<double>(c));
}

// In the type of the image, as PyTorch does it: halves of bytes are frequent results, and rounding shows there.
template <class T>
T antialias_filter(Resampling method, T x) {
  x = std::abs(x);
  constexpr T a = T(-0.5);
  switch (method) {
    case Resampling::kCubicAntialias:
      if (x < 1) return fused(fused(a + 2, x, -(a + 3)) * x, x, T(1));
      return x < 2 ? fused(fused(fused(a, x, -5 * a), x, 8 * a), x, -4 * a) : T(0);
    case Resampling::kLanczosAntialias: {
      auto sinc = [](double v) { return v == 0 ? 1 : std::sin(v * M_PI) / (v * M_PI); };
      const double position = static_cast<double>(x);
      return x < 3 ? static_cast<T>(sinc(position) * sinc(position / 3)) : T(0);
    }
    default:
      return x < 1 ? 1 - x : T(0);
  }
}

// Refuses tables of taps that the run's memory does not hold: they may be many more than the elements of the image, and
// where a filter reaches all of it as many as the product of two extents.
template <class T>
void check_taps(int64_t out_size, int64_t count) {
  const double bytes = static_cast<double>(out_size) * static_cast<double>(count) * (sizeof(int64_t) + sizeof(T));
  const MemoryCharge room(static_cast<uint64_t>(std::min(bytes, 0x1p62)));
}

template <class T>
AxisTaps<T> linear_taps(int64_t in_size, int64_t out_size, bool align_corners, Scale axis) {
  AxisTaps<T> taps{in_size, out_size, 2, {}, {}};
  check_taps<T>(out_size, taps.count);
  const T scale = axis_scale<T>(in_size, out_size, align_corners, axis);
  for (int64_t i = 0; i < out_size; ++i) {
    check_budget_at(i);
    if (in_size == out_size) {
      taps.index.insert(taps.index.end(), {i, i});
      taps.weight.insert(taps.weight.end(), {T(1), T(0)});
      continue;
    }
    const T position = source_position(scale, i, align_corners, false);
    const int64_t first = clamped_floor(position, in_size);
    const T fraction = std::clamp(position - static_cast<T>(first), T(0), T(1));
    taps.index.insert(taps.index.end(), {first, std::min(first + 1, in_size - 1)});
    taps.weight.insert(taps.weight.end(), {T(1) - fraction, fraction});
  }
  return taps;
}

template <class T>
AxisTaps<T> cubic_taps(int64_t in_size, int64_t out_size, bool align_corners, Scale axis) {
  constexpr double kA = -0.75;
  AxisTaps<T> taps{in_size, out_size, 4, {}, {}};
  check_taps<T>(out_size, taps.count);
  const T scale = axis_scale<T>(in_size, out_size, align_corners, axis);
  for (int64_t i = 0; i < out_size; ++i) {
    check_budget_at(i);
    const T position = source_position(scale, i, align_corners, true);
    const T base = std::floor(position);
    const double fraction = std::clamp(static_cast<double>(position - base), 0.0, 1.0);
    const double weights[4] = {cubic_far(fraction + 1, kA), cubic_near(fraction, kA), cubic_near(1 - fraction, kA),
                               cubic_far(2 - fraction, kA)};
    for (int k = 0; k < 4; ++k) {
      taps.index.push_back(clamped_floor(base + static_cast<T>(k - 1), in_size));
      taps.weight.push_back(static_cast<T>(weights[k]));
    }
  }
  return taps;
}

template <class T>
AxisTaps<T> antialias_taps(Resampling method, int64_t in_size, int64_t out_size, bool align_corners, Scale axis) {
  const double reach = method == Resampling::kLanczosAntialias ? 3 : method == Resampling::kCubicAntialias ? 2 : 1;
  const T scale = axis_scale<T>(in_size, out_size, align_corners, axis);
  const double wide = static_cast<double>(scale);
  const T support = static_cast<T>(scale >= 1 ? reach * wide : reach);
  const T inverse = static_cast<T>(scale >= 1 ? 1 / wide : 1);
  const double top = static_cast<double>(in_size);
  const double widest = std::min(std::ceil(static_cast<double>(support)) * 2 + 1, top);
  AxisTaps<T> taps{in_size, out_size, std::max<int64_t>(1, static_cast<int64_t>(widest)), {}, {}};
  check_taps<T>(out_size, taps.count);
  std::vector<T> weights;
  StepCounter steps;
  for (int64_t i = 0; i < out_size; ++i) {
    steps.count(taps.count);
    const T center = static_cast<T>(wide * (static_cast<double>(i) + 0.5));
    const auto edge = [&](T position) {
      return static_cast<int64_t>(std::clamp(static_cast<double>(position) + 0.5, 0.0, top));
    };
    const int64_t first = edge(center - support);
    const int64_t count = std::clamp<int64_t>(edge(center + support) - first, 0, taps.count);
    weights.assign(static_cast<size_t>(taps.count), 0);
    T total = 0;
    for (int64_t k = 0; k < count; ++k) {
      const double distance = static_cast<double>(static_cast<T>(k + first) - center) + 0.5;
      const T weight = antialias_filter(method, static_cast<T>(distance * static_cast<double>(inverse)));
      weights[static_cast<size_t>(k)] = weight;
      total += weight;
    }
    for (int64_t k = 0; k < taps.count; ++k) {
      taps.index.push_back(std::min(first + k, in_size - 1));
      taps.weight.push_back(total != 0 ? weights[static_cast<size_t>(k)] / total : T(0));
    }
    taps.used.push_back(std::max<int64_t>(count, 1));
  }
  return taps;
}

template <class T>
AxisTaps<T> axis_taps(Resampling method, int64_t in_size, int64_t out_size, bool align_corners, Scale scale) {
  switch (method) {
    case Resampling::kLinear:
      break;
    case Resampling::kCubic:
      return cubic_taps<T>(in_size, out_size, align_corners, scale);
    default:
      return antialias_taps<T>(method, in_size, out_size, align_corners, scale);
  }
  return linear_taps<T>(in_size, out_size, align_corners, scale);
}

// Nearest neighbors: one tap a position.
template <class T>
std::vector<int64_t> nearest_indices(int64_t in_size, int64_t out_size, bool exact, Scale axis) {
  check_taps<T>(out_size, 1);
  std::vector<int64_t> index(static_cast<size_t>(out_size));
  const T scale = axis_scale<T>(in_size, out_size, false, axis);
  for (int64_t i = 0; i < out_size; ++i) {
    check_budget_at(i);
    const T position = exact ? (static_cast<T>(i) + T(0.5)) * scale : static_cast<T>(i) * scale;
    index[static_cast<size_t>(i)] = clamped_floor(position, in_size);
  }
  return index;
}

// Filtered resampling of a 4-D tensor of bytes to size = {height, width}; contiguous.
Tensor resample_bytes(const Tensor& input, IntSpan size, const ResampleOptions& options);

}  // namespace wick::ops
