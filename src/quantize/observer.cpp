// Histograms of observed values, and the scale and zero point derived from them.
#include "quantize/observer.h"

#include <algorithm>
#include <cmath>

#include "core/check.h"
#include "core/copy.h"
#include "core/tensor_impl.h"

namespace wick::quantize {

namespace {

constexpr size_t kBins = 4096;
constexpr double kLeastScale = 1.1920928955078125e-07;
constexpr double kNewestWeight = 0.01;  // of moving averages
constexpr int kSearchSteps = 160;       // candidates for each end of a range

}  // namespace

QParams params_for(double low, double high) {
  low = std::min(low, 0.0);
  high = std::max(high, 0.0);
  QParams out;
  out.scale = static_cast<float>(std::max((high - low) / 255, kLeastScale));
  out.zero_point = std::clamp<int64_t>(-static_cast<int64_t>(std::nearbyint(low / out.scale)), 0, 255);
  return out;
}

void Histogram::grow(float least, float greatest) {
  if (width_ == 0) {
    const double low = std::min<double>(low_, least), high = std::max<double>(low_ + width_, greatest);
    const double same = counts_.empty() ? 0 : counts_[0];
    counts_.assign(kBins, 0);
    const double at = low_;
    low_ = low;
    width_ = high - low;
    if (width_ == 0) {
      counts_[0] = same;
    } else if (same > 0) {
      counts_[std::min(kBins - 1, static_cast<size_t>((at - low_) / width_ * kBins))] += same;
    }
    return;
  }
  while (greatest > low_ + width_) {
    for (size_t i = 0; i < kBins / 2; ++i) counts_[i] = counts_[2 * i] + counts_[2 * i + 1];
    std::fill(counts_.begin() + kBins / 2, counts_.end(), 0);
    width_ *= 2;
  }
  while (least < low_) {
    for (size_t i = kBins / 2; i-- > 0;) counts_[kBins / 2 + i] = counts_[2 * i] + counts_[2 * i + 1];
    std::fill(counts_.begin(), counts_.begin() + kBins / 2, 0);
    low_ -= width_;
    width_ *= 2;
  }
}

void Histogram::add(const float* values, int64_t n, float least, float greatest) {
  if (n == 0) return;
  if (total_ == 0) {
    low_ = least_ = least;
    greatest_ = greatest;
  }
  least_ = std::min(least_, least);
  greatest_ = std::max(greatest_, greatest);
  grow(least, greatest);
  const double per_width = width_ > 0 ? kBins / width_ : 0;
  const float low = static_cast<float>(low_), factor = static_cast<float>(per_width);
  for (int64_t i = 0; i < n; ++i) {
    if (values[i] == 0) {
      ++zeros_;
      continue;
    }
    const float at = (values[i] - low) * factor;
    counts_[std::min(kBins - 1, static_cast<size_t>(std::max(at, 0.0f)))] += 1;
  }
  total_ += static_cast<double>(n);
}

std::pair<double, double> Histogram::best_range() const {
  const double full_low = std::min<double>(least_, 0), full_high = std::max<double>(greatest_, 0);
  if (width_ == 0 || full_high - full_low <= 0) return {full_low, full_high};
  // Sums of counts, of values and of their squares over the first i bins.
  std::vector<double> n(kBins + 1), s1(kBins + 1), s2(kBins + 1);
  const double bin = width_ / kBins;
  for (size_t i = 0; i < kBins; ++i) {
    const double x = low_ + (static_cast<double>(i) + 0.5) * bin;
    n[i + 1] = n[i] + counts_[i];
    s1[i + 1] = s1[i] + counts_[i] * x;
    s2[i + 1] = s2[i] + counts_[i] * x * x;
  }
  auto index = [&](double x) {
    return static_cast<size_t>(std::clamp((x - low_) / bin, 0.0, static_cast<double>(kBins)));
  };
  auto error = [&](double low, double high) {
    const size_t a = index(low), b = std::max(a, index(high));
    const double below = s2[a] - 2 * low * s1[a] + low * low * n[a];
    const double above = (s2[kBins] - s2[b]) - 2 * high * (s1[kBins] - s1[b]) + high * high * (n[kBins] - n[b]);
    const double step = (high - low) / 255;
    return below + above + (n[b] - n[a]) * step * step / 12;
  };
  double best_low = full_low, best_high = full_high, best = error(full_low, full_high);
  const int low_steps = full_low < 0 ? kSearchSteps : 1, high_steps = full_high > 0 ? kSearchSteps : 1;
  for (int i = 0; i < low_steps; ++i) {
    for (int k = 0; k < high_steps; ++k) {
      const double low = full_low * (1 - static_cast<double>(i) / kSearchSteps);
      const double high = full_high * (1 - static_cast<double>(k) / kSearchSteps);
      const double e = error(low, high);
      if (e >= best) continue;
      best = e;
      best_low = low;
      best_high = high;
    }
  }
  return {best_low, best_high};
}

std::vector<float> Histogram::coarse(size_t bins) const {
  std::vector<float> out(bins, 0);
  if (total_ == 0 || greatest_ <= least_) return {};
  auto add = [&](double x, double count) {
    const double at = (x - least_) / (static_cast<double>(greatest_) - least_) * static_cast<double>(bins);
    out[static_cast<size_t>(std::clamp(at, 0.0, static_cast<double>(bins - 1)))] += static_cast<float>(count);
  };
  for (size_t i = 0; i < counts_.size(); ++i) {
    if (counts_[i] > 0) add(low_ + (static_cast<double>(i) + 0.5) * width_ / kBins, counts_[i]);
  }
  if (zeros_ > 0) add(0, zeros_);
  return out;
}

void ValueObserver::observe(const Tensor& value, std::optional<int64_t> channel_axis) {
  rank_ = count_ == 0 || rank_ == value.dim() ? value.dim() : -1;
  ++count_;
  sizes_ = value.sizes();
  if (!problem_.empty()) return;
  if (value.dtype() != DType::kFloat || value.is_quantized() || value.impl()->row_lengths) {
    problem_ = cat("its values are of type ", name_of(value.dtype()));
    return;
  }
  if (value.numel() == 0) return;
  const Tensor dense = value.is_non_overlapping_and_dense() ? value : contiguous(value);
  const float* values = static_cast<const float*>(dense.raw_data());
  float least = values[0], greatest = values[0];
  bool finite = true;
  for (int64_t i = 0, numel = dense.numel(); i < numel; ++i) {
    least = std::min(least, values[i]);
    greatest = std::max(greatest, values[i]);
    finite = finite && std::isfinite(values[i]);
  }
  if (!finite) {
    problem_ = "calibration gave NaN or infinite values";
    return;
  }
  const double weight = has_average_ ? kNewestWeight : 1;
  average_least_ += static_cast<float>(weight * (least - average_least_));
  average_greatest_ += static_cast<float>(weight * (greatest - average_greatest_));
  has_average_ = true;
  histogram_.add(values, dense.numel(), least, greatest);
  if (channel_axis) {
    const int64_t axis = *channel_axis < 0 ? *channel_axis + value.dim() : *channel_axis;
    if (axis >= 0 && axis < value.dim()) add_channel_sums(contiguous(value), axis);
  }
}

void ValueObserver::add_channel_sums(const Tensor& value, int64_t axis) {
  const int64_t channels = value.size(axis);
  int64_t inner = 1;
  for (int64_t d = axis + 1; d < value.dim(); ++d) inner *= value.size(d);
  if (sums_.empty()) sums_.assign(static_cast<size_t>(channels), 0);
  if (static_cast<int64_t>(sums_.size()) != channels) {
    channels_changed_ = true;
    return;
  }
  const int64_t outer = value.numel() / (channels * inner);
  const float* at = static_cast<const float*>(value.raw_data());
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t c = 0; c < channels; ++c) {
      double sum = 0;
      for (int64_t i = 0; i < inner; ++i) sum += at[i];
      sums_[static_cast<size_t>(c)] += sum;
      at += inner;
    }
  }
  per_channel_ += static_cast<double>(outer * inner);
}

std::vector<double> ValueObserver::channel_means() const {
  if (channels_changed_ || per_channel_ == 0) return {};
  std::vector<double> out = sums_;
  for (double& v : out) v /= per_channel_;
  return out;
}

QParams ValueObserver::params(Observer kind) const {
  if (histogram_.empty()) return {};
  switch (kind) {
    case Observer::kMinMax:
      return params_for(histogram_.least(), histogram_.greatest());
    case Observer::kMovingAverage:
      return params_for(average_least_, average_greatest_);
    case Observer::kHistogram:
      break;
  }
  const auto [low, high] = histogram_.best_range();
  return params_for(low, high);
}

}  // namespace wick::quantize
