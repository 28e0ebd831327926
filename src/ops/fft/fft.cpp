// torch.fft: arguments and shapes around the transforms.
#include "ops/fft/fft.h"

#include <cmath>
#include <numeric>

#include "core/copy.h"
#include "core/shape.h"
#include "ops/shape/rearrange.h"

namespace wick::ops {
namespace {

using OptNorm = std::optional<std::string>;

// 0 none, 1 by sqrt(n), 2 by n.
int64_t normalization(const OptNorm& norm, bool forward) {
  if (!norm || *norm == "backward") return forward ? 0 : 2;
  if (*norm == "forward") return forward ? 2 : 0;
  WICK_CHECK(*norm == "ortho", kInvalidArgument, "Invalid normalization mode: \"", *norm, "\"");
  return 1;
}

Tensor to_floating(const Tensor& t) {
  const DType dtype = is_complex(t.dtype()) ? t.dtype() : to_float_type(t.dtype());
  const bool has_transform = dtype == DType::kFloat || dtype == DType::kDouble || dtype == DType::kComplexFloat ||
                             dtype == DType::kComplexDouble;
  WICK_CHECK(has_transform, kUnsupported, "Unsupported dtype ", name_of(t.dtype()));
  return to_dtype(t, dtype);
}
Tensor to_complex_tensor(const Tensor& t) {
  const Tensor f = to_floating(t);
  return to_dtype(f, to_complex(f.dtype()));
}

// Trims or zero-pads dims to the sizes.
Tensor resized(const Tensor& t, IntSpan dims, IntSpan sizes) {
  IntVec want(t.sizes()), common(t.sizes());
  for (size_t i = 0; i < dims.size(); ++i) {
    want[dims[i]] = sizes[i];
    common[dims[i]] = std::min(sizes[i], t.sizes()[dims[i]]);
  }
  if (want == t.sizes()) return t;
  const Tensor kept = t.as_strided(common, t.strides(), t.storage_offset());
  if (want == common) return kept;
  Tensor out = Tensor::zeros(want, t.dtype());
  copy_into(out.as_strided(common, out.strides(), 0), kept);
  return out;
}

Tensor conjugate(const Tensor& t) {
  const Tensor out = clone(t);
  // The imaginary parts, as a view of every second real number.
  Tensor parts = Tensor::from_blob(out.raw_data(), {out.numel(), 2}, to_real(t.dtype()));
  if (t.dtype() == DType::kComplexFloat) {
    float* p = parts.data_ptr<float>();
    for (int64_t i = 0, numel = out.numel(); i < numel; ++i) p[2 * i + 1] = -p[2 * i + 1];
  } else {
    double* p = parts.data_ptr<double>();
    for (int64_t i = 0, numel = out.numel(); i < numel; ++i) p[2 * i + 1] = -p[2 * i + 1];
  }
  return out;
}

int64_t one_dim(const Tensor& self, int64_t dim) {
  WICK_CHECK(self.dim() > 0, kIndexOutOfRange, "Dimension specified as ", dim, " but tensor has no dimensions");
  return wrap_dim(dim, self.dim());
}

int64_t points(std::optional<int64_t> n, int64_t fallback) {
  const int64_t count = n.value_or(fallback);
  WICK_CHECK(count >= 1, kInvalidArgument, "Invalid number of data points (", count, ") specified");
  return count;
}

Tensor complex_1d(const Tensor& self, std::optional<int64_t> n, int64_t dim_given, const OptNorm& norm, bool forward) {
  const int64_t dim = one_dim(self, dim_given);
  const Tensor x = to_complex_tensor(self);
  return fft_c2c(resized(x, {dim}, {points(n, x.sizes()[dim])}), {dim}, normalization(norm, forward), forward);
}

Tensor to_real_1d(const Tensor& self, std::optional<int64_t> n, int64_t dim_given, const OptNorm& norm, bool forward) {
  const int64_t dim = one_dim(self, dim_given);
  const Tensor x = to_complex_tensor(self);
  const int64_t count = points(n, 2 * (x.sizes()[dim] - 1));
  const Tensor half = resized(x, {dim}, {count / 2 + 1});
  return fft_c2r(forward ? conjugate(half) : half, {dim}, normalization(norm, forward), count);
}

Tensor from_real_1d(const Tensor& self, std::optional<int64_t> n, int64_t dim_given, const OptNorm& norm,
                    bool forward) {
  WICK_CHECK(!is_complex(self.dtype()), kTypeMismatch, forward ? "rfft" : "ihfft",
             " expects a real input tensor, but got ", name_of(self.dtype()));
  const int64_t dim = one_dim(self, dim_given);
  const Tensor x = to_floating(self);
  const Tensor y = fft_r2c(resized(x, {dim}, {points(n, x.sizes()[dim])}), {dim}, normalization(norm, forward), true);
  return forward ? y : conjugate(y);
}

struct ShapeAndDims {
  IntVec dims, sizes;
};

// The dims and their sizes after padding, from `s` and `dim` of the n-dimensional functions.
ShapeAndDims canonical(const Tensor& self, const OptInts& s, const OptInts& dim, int64_t last_scale = 1) {
  ShapeAndDims out;
  if (dim) {
    out.dims = wrap_dims(*dim, self.dim());
    WICK_CHECK(!s || s->size() == dim->size(), kInvalidArgument,
               "When given, dim and shape arguments must have the same length");
  } else if (s) {
    WICK_CHECK(static_cast<int64_t>(s->size()) <= self.dim(), kInvalidArgument, "Got shape with ", s->size(),
               " values but input tensor only has ", self.dim(), " dimensions.");
    for (size_t i = 0; i < s->size(); ++i) out.dims.push_back(self.dim() - static_cast<int64_t>(s->size() - i));
  } else {
    for (int64_t d = 0; d < self.dim(); ++d) out.dims.push_back(d);
  }
  for (size_t i = 0; i < out.dims.size(); ++i) {
    int64_t size = s ? (*s)[i] : -1;
    if (size == -1) {
      size = self.sizes()[out.dims[i]];
      if (last_scale == 2 && i + 1 == out.dims.size()) size = 2 * (size - 1);
    }
    WICK_CHECK(size >= 1, kInvalidArgument, "Invalid number of data points (", size, ") specified");
    out.sizes.push_back(size);
  }
  return out;
}

Tensor complex_nd(const Tensor& self, const OptInts& s, const OptInts& dim, const OptNorm& norm, bool forward) {
  const ShapeAndDims where = canonical(self, s, dim);
  const Tensor x = resized(to_complex_tensor(self), where.dims, where.sizes);
  return fft_c2c(x, where.dims, normalization(norm, forward), forward);
}

Tensor from_real_nd(const Tensor& self, const OptInts& s, const OptInts& dim, const OptNorm& norm, bool forward) {
  const char* name = forward ? "rfftn" : "ihfftn";
  WICK_CHECK(!is_complex(self.dtype()), kTypeMismatch, name, " expects a real-valued input tensor, but got ",
             name_of(self.dtype()));
  const ShapeAndDims where = canonical(self, s, dim);
  WICK_CHECK(!where.dims.empty(), kInvalidArgument, name, " must transform at least one axis");
  const Tensor x = resized(to_floating(self), where.dims, where.sizes);
  const int64_t mode = normalization(norm, forward);
  const IntSpan dims = where.dims, last = dims.subspan(dims.size() - 1), others = dims.subspan(0, dims.size() - 1);
  if (forward) return fft_r2c(x, dims, mode, true);
  return fft_c2c(conjugate(fft_r2c(x, last, mode, true)), others, mode, false);
}

Tensor to_real_nd(const Tensor& self, const OptInts& s, const OptInts& dim, const OptNorm& norm, bool forward) {
  const char* name = forward ? "hfftn" : "irfftn";
  const ShapeAndDims where = canonical(self, s, dim, 2);
  WICK_CHECK(!where.dims.empty(), kInvalidArgument, name, " must transform at least one axis");
  IntVec sizes = where.sizes;
  const int64_t last_size = sizes.back();
  sizes.back() = last_size / 2 + 1;
  const Tensor x = resized(to_complex_tensor(self), where.dims, sizes);
  const int64_t mode = normalization(norm, forward);
  const IntSpan dims = where.dims, last = dims.subspan(dims.size() - 1), others = dims.subspan(0, dims.size() - 1);
  if (!forward) return fft_c2r(x, dims, mode, last_size);
  return fft_c2r(conjugate(fft_c2c(x, others, mode, true)), last, mode, last_size);
}

Tensor shift(const Tensor& self, const OptInts& dim, bool inverse) {
  IntVec dims;
  if (dim) {
    dims = wrap_dims(*dim, self.dim());
  } else {
    for (int64_t d = 0; d < self.dim(); ++d) dims.push_back(d);
  }
  IntVec shifts;
  for (int64_t d : dims) shifts.push_back(inverse ? (self.sizes()[d] + 1) / 2 : self.sizes()[d] / 2);
  return dims.empty() ? clone(self) : roll(self, shifts, dims);
}

}  // namespace

Tensor fft_fft(const Tensor& self, std::optional<int64_t> n, int64_t dim, const OptNorm& norm) {
  return complex_1d(self, n, dim, norm, true);
}
Tensor fft_ifft(const Tensor& self, std::optional<int64_t> n, int64_t dim, const OptNorm& norm) {
  return complex_1d(self, n, dim, norm, false);
}
Tensor fft_rfft(const Tensor& self, std::optional<int64_t> n, int64_t dim, const OptNorm& norm) {
  return from_real_1d(self, n, dim, norm, true);
}
Tensor fft_irfft(const Tensor& self, std::optional<int64_t> n, int64_t dim, const OptNorm& norm) {
  return to_real_1d(self, n, dim, norm, false);
}
Tensor fft_hfft(const Tensor& self, std::optional<int64_t> n, int64_t dim, const OptNorm& norm) {
  return to_real_1d(self, n, dim, norm, true);
}
Tensor fft_ihfft(const Tensor& self, std::optional<int64_t> n, int64_t dim, const OptNorm& norm) {
  return from_real_1d(self, n, dim, norm, false);
}
Tensor fft_fftn(const Tensor& self, const OptInts& s, const OptInts& dim, const OptNorm& norm) {
  return complex_nd(self, s, dim, norm, true);
}
Tensor fft_ifftn(const Tensor& self, const OptInts& s, const OptInts& dim, const OptNorm& norm) {
  return complex_nd(self, s, dim, norm, false);
}
Tensor fft_rfftn(const Tensor& self, const OptInts& s, const OptInts& dim, const OptNorm& norm) {
  return from_real_nd(self, s, dim, norm, true);
}
Tensor fft_irfftn(const Tensor& self, const OptInts& s, const OptInts& dim, const OptNorm& norm) {
  return to_real_nd(self, s, dim, norm, false);
}
Tensor fft_hfftn(const Tensor& self, const OptInts& s, const OptInts& dim, const OptNorm& norm) {
  return to_real_nd(self, s, dim, norm, true);
}
Tensor fft_ihfftn(const Tensor& self, const OptInts& s, const OptInts& dim, const OptNorm& norm) {
  return from_real_nd(self, s, dim, norm, false);
}

Tensor fft_fftfreq(int64_t n, double d, TensorOptions options) {
  const DType dtype = options.dtype_or(kDefaultDType);
  WICK_CHECK(is_floating(dtype) || is_complex(dtype), kTypeMismatch,
             "arange requires a floating point or complex dtype, but got ", name_of(dtype));
  WICK_CHECK(n >= 0, kInvalidArgument, "n must be non-negative, got ", n);
  Tensor out = Tensor::empty({n}, DType::kDouble);
  for (int64_t i = 0; i < n; ++i) {
    out.data_ptr<double>()[i] = static_cast<double>(i < (n + 1) / 2 ? i : i - n) * (1.0 / (static_cast<double>(n) * d));
  }
  return to_dtype(out, dtype);
}
Tensor fft_fftfreq_default(int64_t n, double d) { return fft_fftfreq(n, d, {}); }

Tensor fft_rfftfreq(int64_t n, double d, TensorOptions options) {
  const DType dtype = options.dtype_or(kDefaultDType);
  WICK_CHECK(is_floating(dtype) || is_complex(dtype), kTypeMismatch,
             "arange requires a floating point or complex dtype, but got ", name_of(dtype));
  WICK_CHECK(n >= 0, kInvalidArgument, "n must be non-negative, got ", n);
  const int64_t count = n / 2 + 1;
  Tensor out = Tensor::empty({count}, DType::kDouble);
  for (int64_t i = 0; i < count; ++i)
    out.data_ptr<double>()[i] = static_cast<double>(i) * (1.0 / (static_cast<double>(n) * d));
  return to_dtype(out, dtype);
}
Tensor fft_rfftfreq_default(int64_t n, double d) { return fft_rfftfreq(n, d, {}); }

Tensor fft_fftshift(const Tensor& self, const OptInts& dim) { return shift(self, dim, false); }
Tensor fft_ifftshift(const Tensor& self, const OptInts& dim) { return shift(self, dim, true); }

}  // namespace wick::ops
