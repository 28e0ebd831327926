// Window functions of signal processing.
#include <cmath>
#include <functional>
#include <numbers>

#include "core/copy.h"
#include "core/shape.h"
#include "ops/shape/creation.h"
#include "ops/shape/out.h"
#include "ops/shape/view.h"

namespace wick::ops {

namespace {

using Number = std::function<double(double i, double last)>;

// Values fn(i, n - 1) of a window of n points; a periodic one is the longer window without its last point.
Tensor make_window(const char* name, int64_t length, bool periodic, DType dtype, const Number& fn) {
  WICK_CHECK(is_floating(dtype) || is_complex(dtype), kTypeMismatch, name,
             " expects floating point dtypes, got: ", torch_name_of(dtype));
  WICK_CHECK(length >= 0, kInvalidArgument, name, " requires non-negative window_length, got window_length=", length);
  if (length == 0) return Tensor::empty({0}, dtype);
  const Tensor out = Tensor::empty({length}, DType::kDouble);
  double* p = out.data_ptr<double>();
  if (length == 1) {
    *p = 1;
  } else {
    const double last = static_cast<double>(periodic ? length : length - 1);
    for (int64_t i = 0; i < length; ++i) p[i] = fn(static_cast<double>(i), last);
  }
  return to_dtype(out, dtype);
}

double bartlett(double i, double last) {
  const double rising = 2 * i / last;
  return i <= std::floor(last / 2) ? rising : 2 - rising;
}

double blackman(double i, double last) {
  const double x = std::numbers::pi * i / last;
  return 0.08 * std::cos(4 * x) - 0.5 * std::cos(2 * x) + 0.42;
}

double hamming(double i, double last, double alpha, double beta) {
  return alpha - beta * std::cos(2 * std::numbers::pi * i / last);
}

// Modified Bessel function of order zero, by its power series; every term is positive.
double bessel_i0(double x) {
  const double quarter = x * x / 4;
  double term = 1, sum = 1;
  for (int k = 1; term > sum * 1e-17 && k < 5000 && std::isfinite(sum); ++k) {
    term *= quarter / (static_cast<double>(k) * k);
    sum += term;
  }
  return sum;
}

double kaiser(double i, double last, double beta) {
  const double x = 2 * i / last - 1;
  return bessel_i0(beta * std::sqrt(std::max(0.0, 1 - x * x))) / bessel_i0(beta);
}

Tensor make_bartlett(int64_t n, bool periodic, DType dtype) {
  return make_window("bartlett_window", n, periodic, dtype, bartlett);
}
Tensor make_blackman(int64_t n, bool periodic, DType dtype) {
  return make_window("blackman_window", n, periodic, dtype, blackman);
}
Tensor make_hamming(const char* name, int64_t n, bool periodic, double alpha, double beta, DType dtype) {
  return make_window(name, n, periodic, dtype, [=](double i, double last) { return hamming(i, last, alpha, beta); });
}
Tensor make_hann(int64_t n, bool periodic, DType dtype) {
  return make_hamming("hann_window", n, periodic, 0.5, 0.5, dtype);
}
Tensor make_kaiser(int64_t n, bool periodic, double beta, DType dtype) {
  return make_window("kaiser_window", n, periodic, dtype, [=](double i, double last) { return kaiser(i, last, beta); });
}

DType of(const TensorOptions& options) { return options.dtype_or(kDefaultDType); }
constexpr double kAlpha = 0.54, kBeta = 0.46, kKaiserBeta = 12.0;

}  // namespace

Tensor bartlett_window(int64_t n, TensorOptions options) { return make_bartlett(n, true, of(options)); }
Tensor bartlett_window_periodic(int64_t n, bool periodic, TensorOptions options) {
  return make_bartlett(n, periodic, of(options));
}
Tensor bartlett_window_out(int64_t n, const Tensor& out) { return put_out(out, make_bartlett(n, true, out.dtype())); }
Tensor bartlett_window_periodic_out(int64_t n, bool periodic, const Tensor& out) {
  return put_out(out, make_bartlett(n, periodic, out.dtype()));
}
Tensor blackman_window(int64_t n, TensorOptions options) { return make_blackman(n, true, of(options)); }
Tensor blackman_window_periodic(int64_t n, bool periodic, TensorOptions options) {
  return make_blackman(n, periodic, of(options));
}
Tensor blackman_window_out(int64_t n, const Tensor& out) { return put_out(out, make_blackman(n, true, out.dtype())); }
Tensor blackman_window_periodic_out(int64_t n, bool periodic, const Tensor& out) {
  return put_out(out, make_blackman(n, periodic, out.dtype()));
}
Tensor hann_window(int64_t n, TensorOptions options) { return make_hann(n, true, of(options)); }
Tensor hann_window_periodic(int64_t n, bool periodic, TensorOptions options) {
  return make_hann(n, periodic, of(options));
}
Tensor hann_window_out(int64_t n, const Tensor& out) { return put_out(out, make_hann(n, true, out.dtype())); }
Tensor hann_window_periodic_out(int64_t n, bool periodic, const Tensor& out) {
  return put_out(out, make_hann(n, periodic, out.dtype()));
}
Tensor hamming_window_alpha_beta(int64_t n, bool periodic, double alpha, double beta, TensorOptions options) {
  return make_hamming("hamming_window", n, periodic, alpha, beta, of(options));
}
Tensor hamming_window_alpha(int64_t n, bool periodic, double alpha, TensorOptions options) {
  return hamming_window_alpha_beta(n, periodic, alpha, kBeta, options);
}
Tensor hamming_window_periodic(int64_t n, bool periodic, TensorOptions options) {
  return hamming_window_alpha_beta(n, periodic, kAlpha, kBeta, options);
}
Tensor hamming_window(int64_t n, TensorOptions options) { return hamming_window_periodic(n, true, options); }
Tensor hamming_window_alpha_beta_out(int64_t n, bool periodic, double alpha, double beta, const Tensor& out) {
  return put_out(out, make_hamming("hamming_window", n, periodic, alpha, beta, out.dtype()));
}
Tensor hamming_window_alpha_out(int64_t n, bool periodic, double alpha, const Tensor& out) {
  return hamming_window_alpha_beta_out(n, periodic, alpha, kBeta, out);
}
Tensor hamming_window_periodic_out(int64_t n, bool periodic, const Tensor& out) {
  return hamming_window_alpha_beta_out(n, periodic, kAlpha, kBeta, out);
}
Tensor hamming_window_out(int64_t n, const Tensor& out) { return hamming_window_periodic_out(n, true, out); }
Tensor kaiser_window_beta(int64_t n, bool periodic, double beta, TensorOptions options) {
  return make_kaiser(n, periodic, beta, of(options));
}
Tensor kaiser_window_periodic(int64_t n, bool periodic, TensorOptions options) {
  return make_kaiser(n, periodic, kKaiserBeta, of(options));
}
Tensor kaiser_window(int64_t n, TensorOptions options) { return make_kaiser(n, true, kKaiserBeta, of(options)); }
Tensor kaiser_window_beta_out(int64_t n, bool periodic, double beta, const Tensor& out) {
  return put_out(out, make_kaiser(n, periodic, beta, out.dtype()));
}
Tensor kaiser_window_periodic_out(int64_t n, bool periodic, const Tensor& out) {
  return kaiser_window_beta_out(n, periodic, kKaiserBeta, out);
}
Tensor kaiser_window_out(int64_t n, const Tensor& out) { return kaiser_window_periodic_out(n, true, out); }

}  // namespace wick::ops
