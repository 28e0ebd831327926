// The transforms over given dims of a tensor.
#include <cmath>

#include "core/copy.h"
#include "core/parallel.h"
#include "core/shape.h"
#include "kernels/fft.h"
#include "ops/fft/fft.h"

namespace wick::ops {
namespace {

using Complex = std::complex<double>;
constexpr double kPi = 3.14159265358979323846;

// Where line i along `dim` begins, in elements.
int64_t line_offset(const Tensor& t, int64_t dim, int64_t i) {
  int64_t at = 0;
  for (int64_t d = t.dim() - 1; d >= 0; --d) {
    if (d == dim) continue;
    at += i % t.sizes()[d] * t.strides()[d];
    i /= t.sizes()[d];
  }
  return at;
}

// Transforms one dim of a ComplexDouble tensor in place, line by line.
void transform_dim(const Tensor& t, int64_t dim, bool forward) {
  const int64_t n = t.sizes()[dim];
  if (t.numel() == 0 || n <= 1) return;
  const kernels::FftPlan plan(n);
  const int64_t stride = t.strides()[dim], lines = t.numel() / n;
  Complex* base = t.data<Complex>();
  parallel_for(0, lines, std::max<int64_t>(1, 16384 / n), [&](int64_t first, int64_t last) {
    std::vector<Complex> line(static_cast<size_t>(n)), scratch(static_cast<size_t>(plan.scratch_size()));
    for (int64_t i = first; i < last; ++i) {
      Complex* p = base + line_offset(t, dim, i);
      for (int64_t k = 0; k < n; ++k) line[k] = p[k * stride];
      plan.run(line.data(), scratch.data(), forward);
      for (int64_t k = 0; k < n; ++k) p[k * stride] = line[k];
    }
  });
}

// Real lines along one dim, straight into the result. Those of even length are transformed as complex numbers of half
// the length: even and odd elements are the transforms' real and imaginary parts, which symmetry tells apart.
template <class T>
void transform_real(const Tensor& self, int64_t dim, double factor, const Tensor& out) {
  const int64_t n = self.sizes()[dim], kept = out.sizes()[dim], stride = self.strides()[dim], step = out.strides()[dim];
  const bool by_halves = n % 2 == 0;
  const int64_t m = by_halves ? n / 2 : n;
  const kernels::FftPlan plan(m);
  std::vector<Complex> turns;
  for (int64_t k = 0; by_halves && k <= m; ++k) {
    turns.push_back(std::polar(0.5 * factor, -kPi * static_cast<double>(k) / static_cast<double>(m)));
  }
  parallel_for(0, self.numel() / n, std::max<int64_t>(1, 16384 / n), [&](int64_t first, int64_t last) {
    std::vector<Complex> line(static_cast<size_t>(m)), scratch(static_cast<size_t>(plan.scratch_size()));
    for (int64_t i = first; i < last; ++i) {
      const T* x = self.data<T>() + line_offset(self, dim, i);
      std::complex<T>* y = out.data<std::complex<T>>() + line_offset(out, dim, i);
      const auto store = [&](int64_t k, double real, double imag) {
        y[k * step] = {static_cast<T>(real), static_cast<T>(imag)};
        if (k > 0 && n - k < kept) y[(n - k) * step] = {static_cast<T>(real), static_cast<T>(-imag)};
      };
      for (int64_t k = 0; k < m; ++k) {
        line[k] = by_halves ? Complex(x[2 * k * stride], x[(2 * k + 1) * stride]) : Complex(x[k * stride]);
      }
      plan.run(line.data(), scratch.data(), true);
      if (!by_halves) {
        for (int64_t k = 0; k <= n / 2; ++k) store(k, line[k].real() * factor, line[k].imag() * factor);
        continue;
      }
      for (int64_t k = 0; k <= m; ++k) {
        const Complex a = line[k < m ? k : 0], b = line[k == 0 || k == m ? 0 : m - k], w = turns[k];
        const double even_real = a.real() + b.real(), even_imag = a.imag() - b.imag();
        const double odd_real = a.imag() + b.imag(), odd_imag = b.real() - a.real();
        store(k, even_real * 0.5 * factor + w.real() * odd_real - w.imag() * odd_imag,
              even_imag * 0.5 * factor + w.real() * odd_imag + w.imag() * odd_real);
      }
    }
  });
}

double scale_of(int64_t normalization, double n) {
  return normalization == 2 ? 1 / n : normalization == 1 ? 1 / std::sqrt(n) : 1;
}

void scale(const Tensor& t, double factor) {
  if (factor == 1) return;
  Complex* p = t.data<Complex>();
  for (int64_t i = 0; i < t.numel(); ++i) p[i] *= factor;
}

double line_length(const Tensor& t, IntSpan dims) {
  double n = 1;
  for (int64_t d : dims) n *= static_cast<double>(t.sizes()[d]);
  return n;
}

// A dense ComplexDouble copy that may be written.
Tensor working_copy(const Tensor& t) {
  Tensor out = Tensor::empty(t.sizes(), DType::kComplexDouble);
  copy_into(out, t);
  return out;
}

Tensor first_half(const Tensor& t, int64_t dim) {
  IntVec sizes(t.sizes());
  sizes[dim] = sizes[dim] / 2 + 1;
  return t.as_strided(sizes, t.strides(), t.storage_offset());
}

void check_dims(const Tensor& self, IntSpan dims) {
  for (int64_t d : dims) WICK_CHECK(d >= 0 && d < self.dim(), kIndexOutOfRange, "fft: dimension ", d, " out of range");
}

}  // namespace

Tensor fft_c2c(const Tensor& self, IntSpan dim_given, int64_t normalization, bool forward) {
  WICK_CHECK(is_complex(self.dtype()), kTypeMismatch, "_fft_c2c: expected a complex tensor, got ",
             name_of(self.dtype()));
  const IntVec dims = wrap_dims(dim_given, self.dim());
  if (dims.empty()) return clone(self);
  const Tensor work = working_copy(self);
  for (int64_t d : dims) transform_dim(work, d, forward);
  scale(work, scale_of(normalization, line_length(self, dims)));
  return to_dtype(work, self.dtype());
}

Tensor fft_r2c(const Tensor& self, IntSpan dim_given, int64_t normalization, bool onesided) {
  WICK_CHECK(is_floating(self.dtype()), kTypeMismatch, "_fft_r2c: expected a floating tensor, got ",
             name_of(self.dtype()));
  const IntVec dims = wrap_dims(dim_given, self.dim());
  check_dims(self, dims);
  WICK_CHECK(!dims.empty(), kInvalidArgument, "_fft_r2c: expected at least one dim");
  const double factor = scale_of(normalization, line_length(self, dims));
  if (dims.size() == 1 && self.numel() > 0 && (self.dtype() == DType::kFloat || self.dtype() == DType::kDouble)) {
    IntVec sizes(self.sizes());
    if (onesided) sizes[dims[0]] = sizes[dims[0]] / 2 + 1;
    Tensor out = Tensor::empty(sizes, to_complex(self.dtype()));
    self.dtype() == DType::kFloat ? transform_real<float>(self, dims[0], factor, out)
                                  : transform_real<double>(self, dims[0], factor, out);
    return out;
  }
  const Tensor work = working_copy(self);
  for (int64_t d : dims) transform_dim(work, d, true);
  scale(work, factor);
  const Tensor kept = onesided ? first_half(work, dims.back()) : work;
  Tensor out = Tensor::empty(kept.sizes(), to_complex(self.dtype()));
  copy_into(out, kept);
  return out;
}

Tensor fft_c2r(const Tensor& self, IntSpan dim_given, int64_t normalization, int64_t last_dim_size) {
  WICK_CHECK(is_complex(self.dtype()), kTypeMismatch, "_fft_c2r: expected a complex tensor, got ",
             name_of(self.dtype()));
  const IntVec dims = wrap_dims(dim_given, self.dim());
  WICK_CHECK(!dims.empty() && last_dim_size >= 1, kInvalidArgument, "Invalid number of data points (", last_dim_size,
             ") specified");
  const int64_t last = dims.back(), half = self.sizes()[last];
  WICK_CHECK(half >= last_dim_size / 2 + 1, kShapeMismatch, "_fft_c2r: ", half, " values are too few for ",
             last_dim_size);
  const Tensor work = working_copy(self);
  for (size_t i = 0; i + 1 < dims.size(); ++i) transform_dim(work, dims[i], false);
  // The other half of each line is the conjugate of the first, backwards.
  IntVec sizes(self.sizes());
  sizes[last] = last_dim_size;
  const Tensor full = Tensor::empty(sizes, DType::kComplexDouble);
  const int64_t inner = full.strides()[last], outer = full.numel() / (inner * last_dim_size);
  const Complex* in = work.data<Complex>();
  Complex* out = full.data<Complex>();
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t k = 0; k < last_dim_size; ++k) {
      const bool mirrored = k > last_dim_size / 2;
      const int64_t from = mirrored ? last_dim_size - k : k;
      for (int64_t i = 0; i < inner; ++i) {
        Complex v = in[(o * half + from) * inner + i];
        if (from == 0 || 2 * from == last_dim_size) v = v.real();
        out[(o * last_dim_size + k) * inner + i] = mirrored ? std::conj(v) : v;
      }
    }
  }
  transform_dim(full, last, false);
  scale(full, scale_of(normalization, line_length(full, dims)));
  return to_dtype(full, to_real(self.dtype()));
}

}  // namespace wick::ops
