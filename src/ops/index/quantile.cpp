// quantile and nanquantile.
#include <cmath>

#include "core/copy.h"
#include "core/shape.h"
#include "ops/index/sort.h"
#include "ops/shape/view.h"

namespace wick::ops {

namespace {

enum class Between { kLinear, kLower, kHigher, kMidpoint, kNearest };

Between parse_between(std::string_view name, const char* op) {
  if (name == "linear") return Between::kLinear;
  if (name == "lower") return Between::kLower;
  if (name == "higher") return Between::kHigher;
  if (name == "midpoint") return Between::kMidpoint;
  WICK_CHECK(name == "nearest", kInvalidArgument, op,
             "() interpolation must be one of linear, lower, higher, midpoint or nearest, but got ", name);
  return Between::kNearest;
}

// The value at a (fractional) rank of n sorted values; computed in T as PyTorch does.
template <class T>
T value_at(const T* sorted, int64_t n, T rank, Between between) {
  if (between == Between::kLower) rank = std::floor(rank);
  if (between == Between::kHigher) rank = std::ceil(rank);
  if (between == Between::kNearest) rank = std::nearbyint(rank);
  const int64_t below = std::clamp<int64_t>(static_cast<int64_t>(rank), 0, n - 1);
  if (between != Between::kLinear && between != Between::kMidpoint) return sorted[below];
  const T weight = between == Between::kMidpoint ? T(0.5) : rank - static_cast<T>(below);
  const int64_t above = std::clamp<int64_t>(static_cast<int64_t>(std::ceil(rank)), 0, n - 1);
  const T a = sorted[below], b = sorted[above];
  return weight < T(0.5) ? a + weight * (b - a) : b - (b - a) * (T(1) - weight);
}

template <class T>
void fill_quantiles(const Tensor& sorted, const Tensor& q, const Tensor& out, Between between, bool ignore_nan) {
  const int64_t n = sorted.size(-1), rows = sorted.numel() / n, qs = q.numel();
  for (int64_t r = 0; r < rows; ++r) {
    const T* line = sorted.data<T>() + r * n;
    int64_t valid = n;  // NaN sorts last
    while (valid > 0 && std::isnan(line[valid - 1])) --valid;
    for (int64_t k = 0; k < qs; ++k) {
      T& result = out.data<T>()[r * qs + k];
      if ((!ignore_nan && valid < n) || valid == 0) {
        result = std::numeric_limits<T>::quiet_NaN();
      } else {
        result = value_at(line, valid, q.data<T>()[k] * static_cast<T>(valid - 1), between);
      }
    }
  }
}

Tensor quantiles(const Tensor& self, const Tensor& q, std::optional<int64_t> dim, bool keepdim,
                 std::string_view interpolation, bool ignore_nan) {
  const char* op = ignore_nan ? "nanquantile" : "quantile";
  const int64_t d = wrap_dim(dim.value_or(0), self.dim());
  WICK_CHECK(self.numel() > 0, kInvalidArgument, op, "() input tensor must be non-empty");
  WICK_CHECK(q.dim() <= 1, kShapeMismatch, op, "() q must be a scalar or 1D tensor");
  WICK_CHECK(self.dtype() == DType::kFloat || self.dtype() == DType::kDouble, kTypeMismatch, op,
             "() input tensor must be either float or double dtype");
  WICK_CHECK(self.dtype() == q.dtype(), kTypeMismatch, op, "() q tensor must be same dtype as the input tensor");
  const Between between = parse_between(interpolation, op);
  const Tensor places = wick::contiguous(q), wide = wick::contiguous(to_dtype(q, DType::kDouble));
  for (int64_t i = 0; i < wide.numel(); ++i) {
    const double v = wide.data<double>()[i];
    WICK_CHECK(v >= 0 && v <= 1, kInvalidArgument, op, "() q values must be in the range [0, 1]");
  }
  IntVec sizes;
  for (int64_t k = 0; k < self.dim(); ++k) {
    if (dim && k != d) {
      sizes.push_back(self.sizes()[k]);
    } else if (keepdim) {
      sizes.push_back(1);
    }
  }
  const Tensor lines = dim && self.dim() > 0 ? movedim(self, d, -1) : reshape(self, {-1});
  const Tensor sorted = wick::contiguous(std::get<0>(sort(wick::contiguous(lines), -1, false)));
  sizes.push_back(q.numel());
  const Tensor out = Tensor::empty(sizes, self.dtype());
  if (self.dtype() == DType::kFloat) {
    fill_quantiles<float>(sorted, places, out, between, ignore_nan);
  } else {
    fill_quantiles<double>(sorted, places, out, between, ignore_nan);
  }
  return q.dim() == 0 ? select(out, -1, 0) : movedim(out, -1, 0);
}

Tensor scalar_q(const Tensor& self, double q, const char* op) {
  WICK_CHECK(q >= 0 && q <= 1, kInvalidArgument, op, "() q must be in the range [0, 1] but got ", q);
  return Tensor::scalar(q, self.dtype());
}

}  // namespace

Tensor quantile(const Tensor& self, const Tensor& q, std::optional<int64_t> dim, bool keepdim,
                std::string_view interpolation) {
  return quantiles(self, q, dim, keepdim, interpolation, false);
}
Tensor quantile_scalar(const Tensor& self, double q, std::optional<int64_t> dim, bool keepdim,
                       std::string_view interpolation) {
  return quantiles(self, scalar_q(self, q, "quantile"), dim, keepdim, interpolation, false);
}
Tensor nanquantile(const Tensor& self, const Tensor& q, std::optional<int64_t> dim, bool keepdim,
                   std::string_view interpolation) {
  return quantiles(self, q, dim, keepdim, interpolation, true);
}
Tensor nanquantile_scalar(const Tensor& self, double q, std::optional<int64_t> dim, bool keepdim,
                          std::string_view interpolation) {
  return quantiles(self, scalar_q(self, q, "nanquantile"), dim, keepdim, interpolation, true);
}

}  // namespace wick::ops
