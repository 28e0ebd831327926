// Counting elements: bincount, histc, histogram.
#include <algorithm>
#include <cmath>

#include "core/copy.h"
#include "core/shape.h"
#include "ops/index/index.h"
#include "ops/shape/creation.h"
#include "ops/shape/view.h"

namespace wick::ops {

Tensor bincount(const Tensor& self, const OptTensor& weights, int64_t minlength) {
  WICK_CHECK(minlength >= 0, kInvalidArgument, "minlength should be >= 0");
  check_dtype(is_integral(self.dtype(), false), "bincount_cpu", self.dtype());
  if (self.dim() == 1 && self.numel() == 0) return Tensor::zeros({minlength}, DType::kLong);
  WICK_CHECK(self.dim() == 1, kShapeMismatch, "bincount only supports 1-d non-negative integral inputs.");
  const Tensor values = wick::contiguous(to_dtype(self, DType::kLong));
  const int64_t* v = values.data<int64_t>();
  const int64_t n = values.numel();
  const auto [low, high] = std::minmax_element(v, v + n);
  WICK_CHECK(*low >= 0, kInvalidArgument, "bincount only supports 1-d non-negative integral inputs.");
  WICK_CHECK(!weights || (weights->dim() == 1 && weights->numel() == n), kShapeMismatch,
             "weights should be 1-d and have the same length as input");
  WICK_CHECK(*high < INT64_MAX, kOutOfMemory, "bincount: the number of bins overflows");
  const int64_t bins = std::max(*high + 1, minlength);
  if (!weights) {
    const Tensor out = Tensor::zeros({bins}, DType::kLong);
    for (int64_t i = 0; i < n; ++i) ++out.data<int64_t>()[v[i]];
    return out;
  }
  if (weights->dtype() == DType::kFloat) {
    const Tensor out = Tensor::zeros({bins}, DType::kFloat), w = wick::contiguous(*weights);
    for (int64_t i = 0; i < n; ++i) out.data<float>()[v[i]] += w.data<float>()[i];
    return out;
  }
  const Tensor out = Tensor::zeros({bins}, DType::kDouble);
  const Tensor w = wick::contiguous(to_dtype(*weights, DType::kDouble));
  for (int64_t i = 0; i < n; ++i) out.data<double>()[v[i]] += w.data<double>()[i];
  return out;
}

namespace {

struct Bounds {
  double low, high;
};

Bounds data_bounds(const double* v, int64_t n) {
  Bounds out{v[0], v[0]};
  for (int64_t i = 0; i < n; ++i) {
    if (std::isnan(v[i])) return {NAN, NAN};
    out.low = std::min(out.low, v[i]);
    out.high = std::max(out.high, v[i]);
  }
  return out;
}

// Adds each element's weight to the bin that holds it; the last bin is closed on both sides. Even bins
// are found by division, corrected by the edges next to the place.
Tensor count_in_bins(const Tensor& values, const double* weights, const Tensor& edges, bool even) {
  const int64_t bins = edges.numel() - 1;
  const Tensor out = Tensor::zeros({bins}, DType::kDouble);
  const double* e = edges.data<double>();
  const double low = e[0], high = e[bins];
  double* count = out.data<double>();
  for (int64_t i = 0; i < values.numel(); ++i) {
    const double x = values.data<double>()[i];
    if (!(x >= low && x <= high)) continue;
    int64_t at;
    if (even) {
      at = static_cast<int64_t>((x - low) / (high - low) * static_cast<double>(bins));
      at = std::clamp<int64_t>(at, 0, bins - 1);
      if (at > 0 && x < e[at]) --at;
      if (at + 1 < bins && x >= e[at + 1]) ++at;
    } else {
      at = std::clamp<int64_t>(std::upper_bound(e, e + bins + 1, x) - e - 1, 0, bins - 1);
    }
    count[at] += weights ? weights[i] : 1;
  }
  return out;
}

Tensor even_edges(double low, double high, int64_t bins, DType dtype) {
  return to_dtype(linspace(low, high, bins + 1, {dtype, {}}), DType::kDouble);
}

std::tuple<Tensor, Tensor> finish(const Tensor& self, const Tensor& edges, const OptTensor& weight, bool density,
                                  bool even, const Tensor& given_edges) {
  const Tensor values = wick::contiguous(to_dtype(reshape(self, {-1}), DType::kDouble));
  Tensor weights;
  if (weight) {
    WICK_CHECK(weight->sizes() == self.sizes(), kShapeMismatch,
               "torch.histogram(): if weight tensor is provided it should have the same shape as the input tensor "
               "excluding its innermost dimension");
    WICK_CHECK(weight->dtype() == self.dtype(), kTypeMismatch,
               "torch.histogram(): if weight tensor is provided, input tensor and weight tensor should have the same "
               "dtype");
    weights = wick::contiguous(to_dtype(reshape(*weight, {-1}), DType::kDouble));
  }
  const Tensor counts =
      count_in_bins(values, weights.defined() && weights.numel() ? weights.data<double>() : nullptr, edges, even);
  if (density) {
    double* c = counts.data<double>();
    const double* e = edges.data<double>();
    double total = 0;
    for (int64_t i = 0; i < counts.numel(); ++i) total += c[i];
    for (int64_t i = 0; i < counts.numel(); ++i) c[i] /= total * (e[i + 1] - e[i]);
  }
  return {to_dtype(counts, self.dtype()), given_edges};
}

}  // namespace

Tensor histc(const Tensor& self, int64_t bins, const Scalar& min, const Scalar& max) {
  check_dtype(is_floating(self.dtype()), "histogram_cpu", self.dtype());
  WICK_CHECK(bins > 0, kInvalidArgument, "torch.histogram(): bins must be > 0, but got ", bins, " for dimension 0");
  const Tensor values = wick::contiguous(to_dtype(reshape(self, {-1}), DType::kDouble));
  Bounds range{min.to_double(), max.to_double()};
  if (range.low == range.high && values.numel() > 0) range = data_bounds(values.data<double>(), values.numel());
  if (range.low == range.high) {
    range.low -= 1;
    range.high += 1;
  }
  WICK_CHECK(std::isfinite(range.low) && std::isfinite(range.high), kInvalidArgument, "torch.histc: range of [",
             range.low, ", ", range.high, "] is not finite");
  WICK_CHECK(range.low < range.high, kInvalidArgument, "torch.histc: max must be larger than min");
  const Tensor out = Tensor::zeros({bins}, DType::kDouble);
  for (int64_t i = 0; i < values.numel(); ++i) {
    const double x = values.data<double>()[i];
    if (!(x >= range.low && x <= range.high)) continue;
    const double place = self.dtype() == DType::kDouble
                             ? (x - range.low) / (range.high - range.low) * static_cast<double>(bins)
                             : static_cast<double>((static_cast<float>(x) - static_cast<float>(range.low)) /
                                                   (static_cast<float>(range.high) - static_cast<float>(range.low)) *
                                                   static_cast<float>(bins));
    out.data<double>()[std::clamp<int64_t>(static_cast<int64_t>(place), 0, bins - 1)] += 1;
  }
  return to_dtype(out, self.dtype());
}

std::tuple<Tensor, Tensor> histogram_bins(const Tensor& self, const Tensor& bins, const OptTensor& weight,
                                          bool density) {
  check_dtype(is_floating(self.dtype()), "histogram_cpu", self.dtype());
  WICK_CHECK(bins.dtype() == self.dtype(), kTypeMismatch,
             "torch.histogram(): input tensor and bins tensors should have the same dtype");
  WICK_CHECK(bins.dim() == 1, kShapeMismatch, "torch.histogram(): bins tensor should have one dimension, but got ",
             bins.dim(), " dimensions");
  WICK_CHECK(bins.numel() > 1, kShapeMismatch,
             "torch.histogram(): bins tensor should have at least 2 elements, but got ", bins.numel(), " elements");
  const Tensor edges = wick::contiguous(to_dtype(bins, DType::kDouble));
  return finish(self, edges, weight, density, false, wick::clone(bins));
}

std::tuple<Tensor, Tensor> histogram_count(const Tensor& self, int64_t bins,
                                           const std::optional<std::vector<double>>& range, const OptTensor& weight,
                                           bool density) {
  check_dtype(is_floating(self.dtype()), "histogram_cpu", self.dtype());
  WICK_CHECK(bins > 0, kInvalidArgument, "torch.histogram(): bins must be > 0, but got ", bins, " for dimension 0");
  Bounds bounds{0, 1};
  if (range) {
    WICK_CHECK(range->size() == 2, kInvalidArgument,
               "torch.histogramdd(): for a 1-dimensional histogram range should have 2 elements, but got ",
               range->size());
    bounds = {(*range)[0], (*range)[1]};
  } else if (self.numel() > 0) {
    const Tensor values = wick::contiguous(to_dtype(reshape(self, {-1}), DType::kDouble));
    bounds = data_bounds(values.data<double>(), values.numel());
  }
  WICK_CHECK(std::isfinite(bounds.low) && std::isfinite(bounds.high), kInvalidArgument,
             "torch.histogramdd: dimension 0's range [", bounds.low, ", ", bounds.high, "] is not finite");
  WICK_CHECK(bounds.low <= bounds.high, kInvalidArgument,
             "torch.histogramdd(): min should not exceed max, but got min ", bounds.low, " max ", bounds.high,
             " for dimension 0");
  if (bounds.low == bounds.high) {
    bounds.low -= 0.5;
    bounds.high += 0.5;
  }
  const Tensor edges = even_edges(bounds.low, bounds.high, bins, self.dtype());
  return finish(self, edges, weight, density, true, to_dtype(edges, self.dtype()));
}

}  // namespace wick::ops
