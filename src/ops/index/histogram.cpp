// Counting elements in bins: histc, histogram, histogramdd.
#include <algorithm>
#include <cmath>

#include "core/copy.h"
#include "core/dtype_names.h"
#include "core/shape.h"
#include "ops/dtype_switch.h"
#include "ops/index/index.h"
#include "ops/pointwise/pointwise.h"
#include "ops/reduce/reduce.h"
#include "ops/shape/creation.h"
#include "ops/shape/view.h"

namespace wick::ops {

namespace {

using OptRange = std::optional<std::vector<double>>;

struct Bounds {
  double low, high;
};

// How the bin of an element is found: by division (even bins), by division corrected by the edges next to the
// place, or by searching the edges.
enum class Placing { kEven, kEvenChecked, kSearched };

// Elements as rows of coordinates: [points, dims].
Tensor as_points(const Tensor& self) {
  const int64_t dims = self.size(-1);
  return contiguous(reshape(self, {dims == 0 ? 0 : self.numel() / dims, dims}));
}

// The bin of x among those the edges bound, the last one closed on both sides; -1 when it is outside. Rounds after
// each step as arithmetic in T does.
template <class T>
int64_t bin_of(T x, const T* edges, int64_t bins, Placing placing) {
  const T low = edges[0], high = edges[bins];
  if (x < low || high < x) return -1;
  int64_t first = 0, last = bins + 1;
  if (placing != Placing::kSearched) {
    const T share = static_cast<T>(static_cast<T>(x - low) / static_cast<T>(high - low));
    const double place = static_cast<double>(static_cast<T>(share * static_cast<T>(bins)));
    if (std::isnan(place)) return -1;
    const int64_t at = std::clamp<int64_t>(static_cast<int64_t>(std::min(place, 9e18)), 0, bins);
    if (placing == Placing::kEven) return std::min(at, bins - 1);
    first = std::max<int64_t>(0, at - 1);
    last = std::min(at + 2, bins + 1);
  }
  const int64_t at = std::upper_bound(edges + first, edges + last, x) - edges - 1;
  return std::clamp<int64_t>(at, 0, bins - 1);
}

template <class T>
Tensor count_points(const Tensor& points, const OptTensor& weight, const TensorList& edges, Placing placing) {
  const size_t dims = edges.size();
  IntVec sizes;
  for (const Tensor& e : edges) sizes.push_back(e.numel() - 1);
  const Tensor out = Tensor::zeros(sizes, points.dtype());
  const IntVec strides(out.strides());
  const T* x = points.data_ptr<T>();
  const T* w = weight ? weight->data_ptr<T>() : nullptr;
  T* count = out.data_ptr<T>();
  for (int64_t i = 0; dims > 0 && i < points.size(0); ++i, x += dims) {
    int64_t to = 0;
    for (size_t d = 0; d < dims && to >= 0; ++d) {
      const int64_t at = bin_of(x[d], edges[d].data_ptr<T>(), sizes[d], placing);
      to = at < 0 ? -1 : to + at * strides[d];
    }
    if (to >= 0) count[to] = static_cast<T>(count[to] + (w ? w[i] : static_cast<T>(1.0f)));
  }
  return out;
}

Tensor histogram_of(const Tensor& self, const TensorList& edges, const OptTensor& weight, bool density,
                    Placing placing) {
  const int64_t dims = self.size(-1);
  WICK_CHECK(static_cast<int64_t>(edges.size()) == dims, kInvalidArgument, "torch.histogramdd: expected ", dims,
             " sequences of bin edges for a ", dims, "-dimensional histogram but got ", edges.size());
  TensorList dense;
  for (size_t d = 0; d < edges.size(); ++d) {
    const Tensor& e = edges[d];
    WICK_CHECK(e.dtype() == self.dtype(), kTypeMismatch,
               "torch.histogramdd: input tensor and bins tensors should have the same dtype, but got input with dtype ",
               cpp_name(self.dtype()), " and bins for dimension ", d, " with dtype ", cpp_name(e.dtype()));
    WICK_CHECK(e.dim() == 1, kShapeMismatch, "torch.histogramdd: bins tensor should have one dimension, but got ",
               e.dim(), " dimensions in the bins tensor for dimension ", d);
    WICK_CHECK(e.numel() > 0, kShapeMismatch, "torch.histogramdd: bins tensor should have at least 1 element, but got ",
               e.numel(), " elements in the bins tensor for dimension ", d);
    dense.push_back(contiguous(e));
  }
  OptTensor weights;
  if (weight) {
    WICK_CHECK(weight->dtype() == self.dtype(), kTypeMismatch,
               "torch.histogramdd: if weight tensor is provided, input tensor and weight tensor should have the same "
               "dtype, but got input(",
               cpp_name(self.dtype()), "), and weight(", cpp_name(weight->dtype()), ")");
    IntVec points(self.sizes()), given(weight->sizes());
    points.pop_back();
    if (given.empty()) given = {1};
    WICK_CHECK(points == given, kShapeMismatch,
               "torch.histogramdd: if weight tensor is provided it should have the same shape as the input tensor "
               "excluding its innermost dimension, but got input with shape ",
               self.sizes(), " and weight with shape ", weight->sizes());
    weights = contiguous(reshape(*weight, {-1}));
  }
  for (size_t d = 0; d < edges.size(); ++d) {
    WICK_CHECK(edges[d].numel() > 1, kInvalidArgument, "torch.histogram(): bins must be > 0, but got ",
               edges[d].numel() - 1, " for dimension ", d);
  }
  const Tensor points = as_points(self);
  Tensor out;
  for_float_dtype(self.dtype(), "histogram_cpu",
                  [&](auto element) { out = count_points<decltype(element)>(points, weights, dense, placing); });
  if (!density) return out;
  out = div_scalar(out, sum(out).item());
  for (size_t d = 0; d < dense.size(); ++d) {
    IntVec shape;
    for (size_t k = 0; k < dense.size(); ++k) shape.push_back(k == d ? -1 : 1);
    out = div(out, reshape(diff(dense[d]), shape));
  }
  return out;
}

std::vector<Bounds> outer_bounds(const Tensor& self, const OptRange& range) {
  const int64_t dims = self.size(-1);
  std::vector<Bounds> bounds(static_cast<size_t>(dims), {0, 1});
  if (range) {
    WICK_CHECK(static_cast<int64_t>(range->size()) == 2 * dims, kInvalidArgument, "torch.histogramdd: for a ", dims,
               "-dimensional histogram range should have ", 2 * dims, " elements, but got ", range->size());
    for (size_t d = 0; d < bounds.size(); ++d) bounds[d] = {(*range)[2 * d], (*range)[2 * d + 1]};
  } else if (self.numel() > 0) {
    const auto [low, high] = aminmax(as_points(self), 0, false);
    const Tensor l = to_dtype(low, DType::kDouble), h = to_dtype(high, DType::kDouble);
    for (size_t d = 0; d < bounds.size(); ++d) bounds[d] = {l.data_ptr<double>()[d], h.data_ptr<double>()[d]};
  }
  for (size_t d = 0; d < bounds.size(); ++d) {
    Bounds& b = bounds[d];
    WICK_CHECK(std::isfinite(b.low) && std::isfinite(b.high), kInvalidArgument, "torch.histogramdd: dimension ", d,
               "'s range [", b.low, ", ", b.high, "] is not finite");
    WICK_CHECK(b.low <= b.high, kInvalidArgument, "torch.histogramdd: min should not exceed max, but got min ", b.low,
               " max ", b.high, " for dimension ", d);
    if (b.low == b.high) b = {b.low - 0.5, b.high + 0.5};
  }
  return bounds;
}

Tensor even_edges(Bounds bounds, int64_t bins, DType dtype, int64_t dim) {
  WICK_CHECK(bins > 0 && bins < INT64_MAX, kInvalidArgument, "torch.histogram(): bins must be > 0, but got ", bins,
             " for dimension ", dim);
  return linspace(bounds.low, bounds.high, bins + 1, {dtype, {}});
}

void check_points(const Tensor& self) {
  WICK_CHECK(self.dim() >= 2, kShapeMismatch, "torch.histogramdd: input tensor should have at least 2 dimensions");
  check_dtype(is_floating(self.dtype()), "histogramdd", self.dtype());
}

}  // namespace

Tensor histc(const Tensor& self, int64_t bins, const Scalar& min, const Scalar& max) {
  check_dtype(is_floating(self.dtype()), "histogram_cpu", self.dtype());
  WICK_CHECK(bins > 0, kInvalidArgument, "torch.histogram(): bins must be > 0, but got ", bins, " for dimension 0");
  Bounds range{min.to_double(), max.to_double()};
  if (range.low == range.high && self.numel() > 0) {
    const auto [low, high] = aminmax_all(self);
    range = {low.item().to_double(), high.item().to_double()};
  }
  if (range.low == range.high) range = {range.low - 1, range.high + 1};
  WICK_CHECK(std::isfinite(range.low) && std::isfinite(range.high), kInvalidArgument, "torch.histc: range of [",
             range.low, ", ", range.high, "] is not finite");
  WICK_CHECK(range.low < range.high, kInvalidArgument, "torch.histc: max must be larger than min");
  return histogram_of(reshape(self, {self.numel(), 1}), {even_edges(range, bins, self.dtype(), 0)}, {}, false,
                      Placing::kEven);
}

std::tuple<Tensor, Tensor> histogram_bins(const Tensor& self, const Tensor& bins, const OptTensor& weight,
                                          bool density) {
  const OptTensor weights = weight ? OptTensor(reshape(*weight, {weight->numel()})) : std::nullopt;
  return {histogram_of(reshape(self, {self.numel(), 1}), {bins}, weights, density, Placing::kSearched), clone(bins)};
}

std::tuple<Tensor, Tensor> histogram_count(const Tensor& self, int64_t bins, const OptRange& range,
                                           const OptTensor& weight, bool density) {
  check_dtype(is_floating(self.dtype()), "histogramdd", self.dtype());
  WICK_CHECK(bins > 0, kInvalidArgument, "torch.histogram(): bins must be > 0, but got ", bins, " for dimension 0");
  const Tensor points = reshape(self, {self.numel(), 1});
  const OptTensor weights = weight ? OptTensor(reshape(*weight, {weight->numel()})) : std::nullopt;
  const Tensor edges = even_edges(outer_bounds(points, range)[0], bins, self.dtype(), 0);
  return {histogram_of(points, {edges}, weights, density, Placing::kEvenChecked), edges};
}

TensorList histogramdd_bin_edges(const Tensor& self, IntSpan bins, const OptRange& range, const OptTensor&, bool) {
  check_points(self);
  WICK_CHECK(static_cast<int64_t>(bins.size()) >= self.size(-1), kInvalidArgument, "torch.histogramdd: expected ",
             self.size(-1), " bin counts but got ", bins.size());
  const std::vector<Bounds> bounds = outer_bounds(self, range);
  TensorList edges;
  for (size_t d = 0; d < bounds.size(); ++d) {
    edges.push_back(even_edges(bounds[d], bins[d], self.dtype(), static_cast<int64_t>(d)));
  }
  return edges;
}

Tensor histogramdd_from_counts(const Tensor& self, IntSpan bins, const OptRange& range, const OptTensor& weight,
                               bool density) {
  return histogram_of(self, histogramdd_bin_edges(self, bins, range, weight, density), weight, density,
                      Placing::kEvenChecked);
}
Tensor histogramdd_from_edges(const Tensor& self, const TensorList& bins, const OptTensor& weight, bool density) {
  check_points(self);
  return histogram_of(self, bins, weight, density, Placing::kSearched);
}

std::tuple<Tensor, TensorList> histogramdd(const Tensor& self, IntSpan bins, const OptRange& range,
                                           const OptTensor& weight, bool density) {
  TensorList edges = histogramdd_bin_edges(self, bins, range, weight, density);
  Tensor counts = histogram_of(self, edges, weight, density, Placing::kEvenChecked);
  return {std::move(counts), std::move(edges)};
}
std::tuple<Tensor, TensorList> histogramdd_int(const Tensor& self, int64_t bins, const OptRange& range,
                                               const OptTensor& weight, bool density) {
  check_points(self);
  IntVec counts;
  for (int64_t d = 0; d < self.size(-1); ++d) counts.push_back(bins);
  return histogramdd(self, counts, range, weight, density);
}
std::tuple<Tensor, TensorList> histogramdd_edges(const Tensor& self, const TensorList& bins, const OptRange&,
                                                 const OptTensor& weight, bool density) {
  return {histogramdd_from_edges(self, bins, weight, density), bins};
}

}  // namespace wick::ops
