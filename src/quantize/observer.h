// What calibration remembers of a value, and the scale and zero point that follow from it.
#pragma once

#include <vector>

#include "wick/quantize.h"

namespace wick::quantize {

struct QParams {
  double scale = 1;
  int64_t zero_point = 0;
  // What the integers 0 and 255 stand for.
  double low() const { return -static_cast<double>(zero_point) * scale; }
  double high() const { return static_cast<double>(255 - zero_point) * scale; }
};

// quint8 parameters for numbers from low to high, and zero.
QParams params_for(double low, double high);

// Counts in equal bins whose range grows with what comes, by doubling: bins are merged, never split.
class Histogram {
 public:
  void add(const float* values, int64_t n, float least, float greatest);
  bool empty() const { return total_ == 0; }
  // The range with the least squared error of rounding to 256 levels and clipping.
  std::pair<double, double> best_range() const;
  // `bins` counts between the least and the greatest value seen; zeros included.
  std::vector<float> coarse(size_t bins) const;
  float least() const { return least_; }
  float greatest() const { return greatest_; }

 private:
  void grow(float least, float greatest);
  std::vector<double> counts_;
  double low_ = 0, width_ = 0;  // of all bins; width 0: every value so far was the same
  double zeros_ = 0;            // exact zeros round without error and are not in the bins
  double total_ = 0;
  float least_ = 0, greatest_ = 0;
};

class ValueObserver {
 public:
  // channel_axis: of the means to keep; none when there is no such axis. Negative axes count from the end.
  void observe(const Tensor& value, std::optional<int64_t> channel_axis);

  // How often it was seen.
  size_t count() const { return count_; }
  // Why the value cannot be quantized; empty when it can.
  const std::string& problem() const { return problem_; }
  // Of every sight the same, or -1.
  int64_t rank() const { return rank_; }
  const IntVec& last_sizes() const { return sizes_; }
  QParams params(Observer kind) const;
  const Histogram& histogram() const { return histogram_; }
  // Mean of each channel; empty when not asked for or the number of channels changed.
  std::vector<double> channel_means() const;

 private:
  void add_channel_sums(const Tensor& value, int64_t axis);
  size_t count_ = 0;
  std::string problem_;
  int64_t rank_ = -1;
  IntVec sizes_;
  float average_least_ = 0, average_greatest_ = 0;
  bool has_average_ = false;
  Histogram histogram_;
  std::vector<double> sums_;
  double per_channel_ = 0;
  bool channels_changed_ = false;
};

}  // namespace wick::quantize
