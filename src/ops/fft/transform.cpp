// The transforms over given dims of a tensor.
#include <cmath>

#include "core/copy.h"
#include "core/parallel.h"
#include "core/shape.h"
#include "kernels/divide.h"
#include "kernels/fft.h"
#include "kernels/fft_lines.h"
#include "ops/fft/fft.h"
#include "wick/memory_charge.h"

namespace wick::ops {
namespace {

using Complex = std::complex<double>;

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

// Numbers a thread should have at least.
constexpr int64_t kGrain = 16384;

int64_t lines_of(const Tensor& t, int64_t dim) { return t.numel() / t.sizes()[dim]; }

// Whether the lines are enough to fill vectors, and of a length their kernel takes.
template <class T>
bool fills_vectors(int64_t n, int64_t lines) {
  return 4 * lines >= kernels::fft_lanes<T>() && kernels::FftSteps<T>::takes(n);
}

// Calls body(lines, work) for vectors full of lines of `in` and `out` along dim; n is the complex length.
template <class T, class Body>
void for_line_vectors(const Tensor& in, const Tensor& out, int64_t dim, int64_t n, bool forward, double factor,
                      const Body& body) {
  const int64_t lanes = kernels::fft_lanes<T>(), lines = lines_of(in, dim);
  const int64_t in_width = is_complex(in.dtype()) ? 2 : 1, out_width = is_complex(out.dtype()) ? 2 : 1;
  parallel_for(0, kernels::ceil_div(lines, lanes), std::max<int64_t>(1, kGrain / (n * lanes)),
               [&](int64_t first, int64_t last) {
                 constexpr size_t kAlign = 64 / sizeof(T);
                 std::vector<T> memory(static_cast<size_t>(kernels::fft_work<T>(n)) + kAlign);
                 T* work = memory.data() + (64 - reinterpret_cast<uintptr_t>(memory.data()) % 64) / sizeof(T);
                 std::vector<int64_t> in_lines(static_cast<size_t>(lanes)), out_lines(static_cast<size_t>(lanes));
                 for (int64_t v = first; v < last; ++v) {
                   const int64_t count = std::min(lanes, lines - v * lanes);
                   for (int64_t b = 0; b < count; ++b) {
                     in_lines[b] = line_offset(in, dim, v * lanes + b) * in_width;
                     out_lines[b] = line_offset(out, dim, v * lanes + b) * out_width;
                   }
                   body(kernels::FftLines<T>{static_cast<const T*>(in.raw_data()), static_cast<T*>(out.raw_data()),
                                             in_lines.data(), out_lines.data(), in.strides()[dim] * in_width,
                                             out.strides()[dim] * out_width, count, static_cast<T>(factor), forward},
                        work);
                 }
               });
}

// One line at a time, in double: load(line, complex numbers) and store(line, complex numbers) move it.
template <class Load, class Store>
void for_single_lines(int64_t lines, int64_t n, bool forward, const Load& load, const Store& store) {
  const MemoryCharge room(static_cast<uint64_t>(n + kernels::FftPlan::room_of(n)) * sizeof(Complex));
  const kernels::FftPlan plan(n);
  parallel_for(0, lines, std::max<int64_t>(1, kGrain / n), [&](int64_t first, int64_t last) {
    std::vector<Complex> line(static_cast<size_t>(n)), scratch(static_cast<size_t>(plan.scratch_size()));
    for (int64_t i = first; i < last; ++i) {
      load(i, line.data());
      plan.run(line.data(), scratch.data(), forward);
      store(i, line.data());
    }
  });
}

// Complex lines along one dim; out may be in.
template <class T>
void transform_dim(const Tensor& in, const Tensor& out, int64_t dim, bool forward, double factor) {
  const int64_t n = in.sizes()[dim], lines = lines_of(in, dim);
  if (fills_vectors<T>(n, lines)) {
    const kernels::FftSteps<T> steps(n);
    return for_line_vectors<T>(in, out, dim, n, forward, factor, [&](const kernels::FftLines<T>& group, T* work) {
      kernels::fft_complex(steps, group, work);
    });
  }
  const int64_t stride = in.strides()[dim], step = out.strides()[dim];
  for_single_lines(
      lines, n, forward,
      [&](int64_t i, Complex* line) {
        const std::complex<T>* x = in.data_ptr<std::complex<T>>() + line_offset(in, dim, i);
        for (int64_t k = 0; k < n; ++k) line[k] = Complex(x[k * stride]);
      },
      [&](int64_t i, const Complex* line) {
        std::complex<T>* y = out.data_ptr<std::complex<T>>() + line_offset(out, dim, i);
        for (int64_t k = 0; k < n; ++k) y[k * step] = std::complex<T>(line[k] * factor);
      });
}

// Real lines along one dim to the first numbers of their transforms, as many as out has.
template <class T>
void transform_real(const Tensor& in, const Tensor& out, int64_t dim, double factor) {
  const int64_t n = in.sizes()[dim], kept = out.sizes()[dim], lines = lines_of(in, dim);
  if (n % 2 == 0 && fills_vectors<T>(n / 2, lines)) {
    const kernels::FftSteps<T> steps(n / 2);
    return for_line_vectors<T>(in, out, dim, n / 2, true, factor, [&](const kernels::FftLines<T>& group, T* work) {
      kernels::fft_from_real(steps, group, kept, work);
    });
  }
  const int64_t stride = in.strides()[dim], step = out.strides()[dim];
  for_single_lines(
      lines, n, true,
      [&](int64_t i, Complex* line) {
        const T* x = in.data_ptr<T>() + line_offset(in, dim, i);
        for (int64_t k = 0; k < n; ++k) line[k] = static_cast<double>(x[k * stride]);
      },
      [&](int64_t i, const Complex* line) {
        std::complex<T>* y = out.data_ptr<std::complex<T>>() + line_offset(out, dim, i);
        for (int64_t k = 0; k < kept; ++k) {
          // The second half is the first one's conjugate, exactly.
          y[k * step] = std::complex<T>((k <= n / 2 ? line[k] : std::conj(line[n - k])) * factor);
        }
      });
}

// The other way: out has the length.
template <class T>
void transform_to_real(const Tensor& in, const Tensor& out, int64_t dim, double factor) {
  const int64_t n = out.sizes()[dim], lines = lines_of(out, dim);
  if (n % 2 == 0 && fills_vectors<T>(n / 2, lines)) {
    const kernels::FftSteps<T> steps(n / 2);
    return for_line_vectors<T>(in, out, dim, n / 2, false, factor, [&](const kernels::FftLines<T>& group, T* work) {
      kernels::fft_to_real(steps, group, work);
    });
  }
  const int64_t stride = in.strides()[dim], step = out.strides()[dim];
  for_single_lines(
      lines, n, false,
      [&](int64_t i, Complex* line) {
        const std::complex<T>* x = in.data_ptr<std::complex<T>>() + line_offset(in, dim, i);
        for (int64_t k = 0; k <= n / 2; ++k) {
          line[k] = Complex(x[k * stride]);
          if (k == 0 || 2 * k == n) line[k] = line[k].real();
          if (k > 0) line[n - k] = std::conj(line[k]);
        }
      },
      [&](int64_t i, const Complex* line) {
        T* y = out.data_ptr<T>() + line_offset(out, dim, i);
        for (int64_t k = 0; k < n; ++k) y[k * step] = static_cast<T>(line[k].real() * factor);
      });
}

double scale_of(int64_t normalization, double n) {
  return normalization == 2 ? 1 / n : normalization == 1 ? 1 / std::sqrt(n) : 1;
}

double line_length(const Tensor& t, IntSpan dims) {
  double n = 1;
  for (int64_t d : dims) n *= static_cast<double>(t.sizes()[d]);
  return n;
}

// Calls f with a number of the type that floats of the dtype, or the parts of its complex numbers, are computed in.
template <class F>
void for_width(DType dtype, F f) {
  to_real(dtype) == DType::kDouble ? f(double{}) : f(float{});
}
// 16-bit floats are computed in 32 bits.
Tensor widened(const Tensor& t) {
  if (t.dtype() == DType::kComplexHalf) return to_dtype(t, DType::kComplexFloat);
  return t.dtype() == DType::kHalf || t.dtype() == DType::kBFloat16 ? to_dtype(t, DType::kFloat) : t;
}

// Transforms of several dims, the last of them scaled, from `in` to `out` and then within it.
void transform_dims(const Tensor& in, const Tensor& out, IntSpan dims, bool forward, double factor) {
  if (out.numel() == 0) return;
  for_width(out.dtype(), [&]<class T>(T) {
    for (size_t i = 0; i < dims.size(); ++i) {
      transform_dim<T>(i == 0 ? in : out, out, dims[i], forward, i + 1 == dims.size() ? factor : 1);
    }
  });
}

void check_dims(const Tensor& self, IntSpan dims) {
  for (int64_t d : dims) WICK_CHECK(d >= 0 && d < self.dim(), kIndexOutOfRange, "fft: dimension ", d, " out of range");
}

}  // namespace

Tensor fft_c2c(const Tensor& self, IntSpan dim_given, int64_t normalization, bool forward) {
  WICK_CHECK(is_complex(self.dtype()), kTypeMismatch, "_fft_c2c: expected a complex tensor, got ",
             name_of(self.dtype()));
  const IntVec dims = wrap_dims(dim_given, self.dim());
  check_dims(self, dims);
  if (dims.empty()) return clone(self);
  const Tensor in = widened(self), out = Tensor::empty(self.sizes(), in.dtype());
  transform_dims(in, out, dims, forward, scale_of(normalization, line_length(self, dims)));
  return to_dtype(out, self.dtype());
}

Tensor fft_r2c(const Tensor& self, IntSpan dim_given, int64_t normalization, bool onesided) {
  WICK_CHECK(is_floating(self.dtype()), kTypeMismatch, "_fft_r2c: expected a floating tensor, got ",
             name_of(self.dtype()));
  const IntVec dims = wrap_dims(dim_given, self.dim());
  check_dims(self, dims);
  WICK_CHECK(!dims.empty(), kInvalidArgument, "_fft_r2c: expected at least one dim");
  const double factor = scale_of(normalization, line_length(self, dims));
  const Tensor in = widened(self);
  IntVec sizes(self.sizes());
  if (onesided) sizes[dims.back()] = sizes[dims.back()] / 2 + 1;
  const Tensor out = Tensor::empty(sizes, to_complex(in.dtype()));
  const IntSpan others = IntSpan(dims).subspan(0, dims.size() - 1);
  if (self.numel() > 0) {
    for_width(in.dtype(), [&]<class T>(T) { transform_real<T>(in, out, dims.back(), others.empty() ? factor : 1); });
    transform_dims(out, out, others, true, factor);
  }
  return to_dtype(out, to_complex(self.dtype()));
}

Tensor fft_c2r(const Tensor& self, IntSpan dim_given, int64_t normalization, int64_t last_dim_size) {
  WICK_CHECK(is_complex(self.dtype()), kTypeMismatch, "_fft_c2r: expected a complex tensor, got ",
             name_of(self.dtype()));
  const IntVec dims = wrap_dims(dim_given, self.dim());
  WICK_CHECK(!dims.empty() && last_dim_size >= 1, kInvalidArgument, "Invalid number of data points (", last_dim_size,
             ") specified");
  check_dims(self, dims);
  const int64_t last = dims.back(), half = self.sizes()[last];
  WICK_CHECK(half >= last_dim_size / 2 + 1, kShapeMismatch, "_fft_c2r: ", half, " values are too few for ",
             last_dim_size);
  IntVec sizes(self.sizes());
  sizes[last] = last_dim_size;
  Tensor in = widened(self);
  const Tensor out = Tensor::empty(sizes, to_real(in.dtype()));
  const IntSpan others = IntSpan(dims).subspan(0, dims.size() - 1);
  if (!others.empty()) {
    const Tensor work = Tensor::empty(in.sizes(), in.dtype());
    transform_dims(in, work, others, false, 1);
    in = work;
  }
  if (out.numel() > 0) {
    const double factor = scale_of(normalization, line_length(out, dims));
    for_width(in.dtype(), [&]<class T>(T) { transform_to_real<T>(in, out, last, factor); });
  }
  return to_dtype(out, to_real(self.dtype()));
}

}  // namespace wick::ops
