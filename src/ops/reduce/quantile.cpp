// quantile and nanquantile.
#include <algorithm>
#include <cmath>
#include <functional>

#include "core/copy.h"
#include "core/shape.h"
#include "ops/reduce/reduce.h"
#include "ops/stoppable.h"

namespace wick::ops {

namespace {

enum class Interpolation { kLinear, kLower, kHigher, kMidpoint, kNearest };

Interpolation parse(const char* op, std::string_view name) {
  if (name == "linear") return Interpolation::kLinear;
  if (name == "lower") return Interpolation::kLower;
  if (name == "higher") return Interpolation::kHigher;
  if (name == "midpoint") return Interpolation::kMidpoint;
  WICK_CHECK(name == "nearest", kInvalidArgument, op,
             " interpolation must be one of linear, lower, higher, midpoint or nearest, but got ", name);
  return Interpolation::kNearest;
}

template <class T>
T pick(const std::vector<T>& sorted, int64_t count, T q, Interpolation mode) {
  T rank = q * static_cast<T>(count - 1);
  if (mode == Interpolation::kLower) rank = std::floor(rank);
  if (mode == Interpolation::kHigher) rank = std::ceil(rank);
  if (mode == Interpolation::kNearest) rank = std::nearbyint(rank);
  const auto below = static_cast<int64_t>(rank);
  const T low = sorted[static_cast<size_t>(below)];
  const auto above = static_cast<int64_t>(std::ceil(rank));
  const T high = sorted[static_cast<size_t>(std::min(above, count - 1))];
  if (mode == Interpolation::kLower || mode == Interpolation::kHigher || mode == Interpolation::kNearest) return low;
  const T weight = mode == Interpolation::kMidpoint ? T(0.5) : rank - static_cast<T>(below);
  return weight < T(0.5) ? low + weight * (high - low) : high - (high - low) * (T(1) - weight);
}

// lines x n values, row by row; out is [line][q].
template <class T>
void pick_all(const Tensor& values, const Tensor& q, const Tensor& out, int64_t lines, int64_t n, Interpolation mode,
              bool ignore_nan) {
  const T* in = values.data_ptr<T>();
  const T* qs = q.data_ptr<T>();
  T* to = out.data_ptr<T>();
  std::vector<T> row;
  for (int64_t l = 0; l < lines; ++l) {
    row.clear();
    for (int64_t i = 0; i < n; ++i) {
      if (!std::isnan(in[l * n + i])) row.push_back(in[l * n + i]);
    }
    const bool has_nan = static_cast<int64_t>(row.size()) < n;
    const bool unknown = row.empty() || (has_nan && !ignore_nan);
    compare_stoppably(std::less<>(), [&](auto less) { std::sort(row.begin(), row.end(), less); });
    for (int64_t k = 0, numel = q.numel(); k < numel; ++k) {
      to[l * q.numel() + k] =
          unknown ? std::numeric_limits<T>::quiet_NaN() : pick(row, static_cast<int64_t>(row.size()), qs[k], mode);
    }
  }
}

Tensor quantile_of(const char* op, const Tensor& self, const Tensor& q_given, std::optional<int64_t> dim, bool keepdim,
                   std::string_view interpolation, bool ignore_nan) {
  WICK_CHECK(self.numel() > 0, kInvalidArgument, op, " input tensor must be non-empty");
  WICK_CHECK(q_given.dim() <= 1, kInvalidArgument, op, " q must be a scalar or 1D tensor");
  WICK_CHECK(self.dtype() == DType::kFloat || self.dtype() == DType::kDouble, kTypeMismatch, op,
             " input tensor must be either float or double dtype");
  WICK_CHECK(q_given.dtype() == self.dtype(), kTypeMismatch, op, " q tensor must be same dtype as the input tensor");
  const Interpolation mode = parse(op, interpolation);
  const Tensor q = contiguous(q_given);
  const Tensor exact = to_dtype(q, DType::kDouble);
  for (int64_t i = 0, numel = q.numel(); i < numel; ++i) {
    const double v = exact.data_ptr<double>()[i];
    WICK_CHECK(v >= 0 && v <= 1, kInvalidArgument, op, " q values must be in the range [0, 1]");
  }
  const int64_t d = dim ? wrap_dim(*dim, self.dim()) : -1;
  // The reduced dim last, rows contiguous.
  IntVec sizes, strides, kept;
  for (int64_t k = 0; k < self.dim(); ++k) {
    const auto i = static_cast<size_t>(k);
    if (k != d && dim) {
      sizes.push_back(self.sizes()[i]);
      strides.push_back(self.strides()[i]);
    }
    if (dim && k != d) {
      kept.push_back(self.sizes()[i]);
    } else if (keepdim) {
      kept.push_back(1);
    }
  }
  int64_t n = self.numel();
  Tensor rows = self;
  if (dim && self.dim() > 0) {
    n = self.sizes()[static_cast<size_t>(d)];
    sizes.push_back(n);
    strides.push_back(self.strides()[static_cast<size_t>(d)]);
    rows = self.as_strided(sizes, strides, self.storage_offset());
  }
  rows = contiguous(rows);
  // The quantiles of a line lie together in memory; their dim comes first.
  if (q_given.dim() == 1) kept.push_back(q.numel());
  const Tensor out = Tensor::empty(kept, self.dtype());
  if (self.dtype() == DType::kFloat) {
    pick_all<float>(rows, q, out, self.numel() / n, n, mode, ignore_nan);
  } else {
    pick_all<double>(rows, q, out, self.numel() / n, n, mode, ignore_nan);
  }
  if (q_given.dim() == 0) return out;
  IntVec front_sizes(out.sizes()), front_strides(out.strides());
  std::rotate(front_sizes.begin(), front_sizes.end() - 1, front_sizes.end());
  std::rotate(front_strides.begin(), front_strides.end() - 1, front_strides.end());
  return out.as_strided(front_sizes, front_strides, 0);
}

Tensor as_tensor(const char* op, double q, DType dtype) {
  WICK_CHECK(q >= 0 && q <= 1, kInvalidArgument, op, " q must be in the range [0, 1] but got ", q);
  return Tensor::scalar(q, dtype);
}

}  // namespace

Tensor quantile(const Tensor& self, const Tensor& q, std::optional<int64_t> dim, bool keepdim,
                std::string_view interpolation) {
  return quantile_of("quantile()", self, q, dim, keepdim, interpolation, false);
}
Tensor quantile_scalar(const Tensor& self, double q, std::optional<int64_t> dim, bool keepdim,
                       std::string_view interpolation) {
  return quantile_of("quantile()", self, as_tensor("quantile()", q, self.dtype()), dim, keepdim, interpolation, false);
}
Tensor nanquantile(const Tensor& self, const Tensor& q, std::optional<int64_t> dim, bool keepdim,
                   std::string_view interpolation) {
  return quantile_of("nanquantile()", self, q, dim, keepdim, interpolation, true);
}
Tensor nanquantile_scalar(const Tensor& self, double q, std::optional<int64_t> dim, bool keepdim,
                          std::string_view interpolation) {
  return quantile_of("nanquantile()", self, as_tensor("nanquantile()", q, self.dtype()), dim, keepdim, interpolation,
                     true);
}

}  // namespace wick::ops
