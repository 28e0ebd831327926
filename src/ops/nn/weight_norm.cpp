// Weight normalization and renorm.
#include <cmath>
#include <limits>

#include "ops/nn/common.h"
#include "ops/nn/norm.h"
#include "ops/pointwise/pointwise.h"
#include "ops/reduce/reduce.h"
#include "ops/shape/creation.h"

namespace wick::ops {

namespace {

// p-norm of the slices at each index of the middle extent of a contiguous outer x size x inner block.
template <class T>
std::vector<T> slice_norms(const T* x, const DimSplit& s, double p) {
  std::vector<double> acc(static_cast<size_t>(s.size), 0);
  for (int64_t o = 0; o < s.outer; ++o) {
    for (int64_t d = 0; d < s.size; ++d) {
      const T* row = x + (o * s.size + d) * s.inner;
      double& a = acc[static_cast<size_t>(d)];
      for (int64_t i = 0; i < s.inner; ++i) {
        const double v = std::abs(static_cast<double>(row[i]));
        if (p == 2) {
          a += v * v;
        } else if (p == 1) {
          a += v;
        } else if (p == std::numeric_limits<double>::infinity()) {
          a = std::max(a, v);
        } else if (p == 0) {
          a += v != 0;
        } else {
          a += std::pow(v, p);
        }
      }
    }
  }
  std::vector<T> out(acc.size());
  for (size_t i = 0; i < acc.size(); ++i) {
    const bool plain = p == 1 || p == 0 || std::isinf(p);
    out[i] = static_cast<T>(plain ? acc[i] : p == 2 ? std::sqrt(acc[i]) : std::pow(acc[i], 1 / p));
  }
  return out;
}

}  // namespace

Tensor norm_except_dim(const Tensor& v, int64_t pow, int64_t dim) {
  check_dtype(is_floating(v.dtype()), "norm", v.dtype());
  const Tensor x = contiguous(widened(v));
  DimSplit s;
  IntVec shape;
  if (dim == -1) {
    s.inner = x.numel();
  } else {
    const int64_t d = wrap_dim(dim, v.dim());
    s = split_at(x.sizes(), d);
    shape.assign(static_cast<size_t>(v.dim()), 1);
    if (!shape.empty()) shape[static_cast<size_t>(d)] = s.size;
  }
  if (x.numel() == 0) s.outer = 0;  // however many empty slices there are
  Tensor out = Tensor::empty(shape, x.dtype());
  for_float(x.dtype(), "norm", v.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const std::vector<T> norms = slice_norms(x.data_ptr<T>(), s, static_cast<double>(pow));
    std::copy(norms.begin(), norms.end(), out.data_ptr<T>());
  });
  return to_dtype(out, v.dtype());
}

Tensor2 weight_norm_interface(const Tensor& v, const Tensor& g, int64_t dim) {
  const Tensor norms = norm_except_dim(v, 2, dim);
  WICK_CHECK(broadcast_shapes(g.sizes(), norms.sizes()) == norms.sizes(), kShapeMismatch, "Expected g to broadcast to ",
             norms.sizes(), ", but got shape ", g.sizes());
  const Tensor x = contiguous(widened(v));
  const Tensor gain = contiguous(expand(to_dtype(g, x.dtype()), norms.sizes()));
  const Tensor length = contiguous(to_dtype(norms, x.dtype()));
  Tensor w = Tensor::empty(x.sizes(), x.dtype());
  DimSplit s;
  if (dim == -1) {
    s.inner = x.numel();
  } else {
    s = split_at(x.sizes(), wrap_dim(dim, v.dim()));
  }
  if (x.numel() == 0) s.outer = 0;
  for_float(x.dtype(), "weight_norm", v.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* in = x.data_ptr<T>();
    T* out = w.data_ptr<T>();
    for (int64_t o = 0; o < s.outer * s.size; ++o) {
      const T scale = gain.data_ptr<T>()[o % s.size] / length.data_ptr<T>()[o % s.size];
      for (int64_t i = 0; i < s.inner; ++i) out[o * s.inner + i] = in[o * s.inner + i] * scale;
    }
  });
  return {to_dtype(w, v.dtype()), norms};
}

Tensor weight_norm(const Tensor& v, const Tensor& g, int64_t dim) {
  return std::get<0>(weight_norm_interface(v, g, dim));
}

Tensor renorm(const Tensor& self, const Scalar& p, int64_t dim, const Scalar& maxnorm) {
  WICK_CHECK(!p.is_complex(), kInvalidArgument, "renorm: p must be real-valued");
  WICK_CHECK(p.to_double() > 0, kInvalidArgument, "renorm: non-positive-norm not supported");
  WICK_CHECK(!maxnorm.is_complex(), kInvalidArgument, "renorm: maxnorm must be real-valued");
  const double limit = maxnorm.to_double();
  WICK_CHECK(limit >= 0, kInvalidArgument, "renorm: expected maxnorm to be >= 0 but got ", limit);
  WICK_CHECK(self.dim() > 1, kShapeMismatch, "renorm: input needs at least 2 dimensions, got ", self.dim(),
             " dimensions");
  const int64_t d = wrap_dim(dim, self.dim());
  if (is_complex(self.dtype())) {
    IntVec others;
    for (int64_t k = 0; k < self.dim(); ++k) {
      if (k != d) others.push_back(k);
    }
    const Tensor norms = vector_norm(self, p, others, true);
    const Tensor factor = div(full_like(norms, maxnorm, {}, {}), add_scalar(norms, 1e-7));
    return mul(self, where_scalar_other(gt_scalar(norms, maxnorm), factor, 1));
  }
  check_dtype(is_floating(self.dtype()), "renorm", self.dtype());
  const Tensor x = contiguous(widened(self));
  Tensor y = Tensor::empty(x.sizes(), x.dtype());
  const DimSplit s = split_at(x.sizes(), d);
  for_float(x.dtype(), "renorm", self.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* in = x.data_ptr<T>();
    T* out = y.data_ptr<T>();
    std::vector<T> scale = slice_norms(in, s, p.to_double());
    for (T& norm : scale) norm = norm > static_cast<T>(limit) ? static_cast<T>(limit) / (norm + T(1e-7)) : T(1);
    for (int64_t o = 0; o < s.outer * s.size; ++o) {
      const T factor = scale[static_cast<size_t>(o % s.size)];
      for (int64_t i = 0; i < s.inner; ++i) out[o * s.inner + i] = in[o * s.inner + i] * factor;
    }
  });
  return to_dtype(y, self.dtype());
}

}  // namespace wick::ops
