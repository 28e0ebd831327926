// Discrete Fourier transform of one line: mixed radix, and Bluestein for large prime factors.
#include "kernels/fft.h"

#include <algorithm>
#include <cmath>

#include "kernels/bounds.h"

namespace wick::kernels {
namespace {

using Complex = std::complex<double>;
constexpr double kPi = 3.14159265358979323846;
constexpr int64_t kLargestFactor = 31;  // a factor p costs p multiplications an element

// Without the checks for infinities that operator* makes.
inline Complex multiply(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

// exp(-2*pi*i*k/n), by octants so that it is exact where it can be.
Complex root(int64_t k, int64_t n) {
  k %= n;
  const double angle = 2 * kPi * static_cast<double>(k) / static_cast<double>(n);
  if (8 * k == n * (8 * k / n) && n % 8 == 0) {
    constexpr double h = 0.70710678118654752440;
    constexpr double c[8] = {1, h, 0, -h, -1, -h, 0, h}, s[8] = {0, h, 1, h, 0, -h, -1, -h};
    const int64_t octant = 8 * k / n;
    return {c[octant], -s[octant]};
  }
  return {std::cos(angle), -std::sin(angle)};
}

// The passes of a length without large prime factors; none for others.
std::vector<int64_t> factors_of(int64_t n) {
  std::vector<int64_t> factors;
  for (int64_t p : {int64_t{4}, int64_t{2}}) {
    for (; n % p == 0; n /= p) factors.push_back(p);
  }
  for (int64_t p = 3; p <= kLargestFactor && n > 1; p += 2) {
    for (; n % p == 0; n /= p) factors.push_back(p);
  }
  if (n > 1) factors.clear();
  return factors;
}

// The length of the convolution that takes the place of other transforms.
int64_t convolution_length(int64_t n) {
  int64_t m = 1;
  while (m < 2 * n - 1) m *= 2;
  return m;
}

constexpr int64_t kRootWork = 32;  // of a sine and a cosine, in operations

}  // namespace

int64_t FftPlan::room_of(int64_t n) { return n <= 1 || !factors_of(n).empty() ? 2 * n : n + 4 * convolution_length(n); }

FftPlan::FftPlan(int64_t n) : n_(n), factors_(factors_of(n)) {
  BoundedSteps steps;
  if (n <= 1 || !factors_.empty()) {
    roots_.resize(static_cast<size_t>(n));
    for (int64_t k = 0; k < n; ++k) {
      steps.count(kRootWork);
      roots_[k] = root(k, n);
    }
    return;
  }
  const int64_t m = convolution_length(n);
  inner_ = std::make_unique<FftPlan>(m);
  chirp_.resize(static_cast<size_t>(n));
  // k * k modulo 2n, by differences: (k + 1)^2 = k^2 + 2k + 1.
  for (int64_t k = 0, square = 0; k < n; ++k) {
    steps.count(kRootWork);
    chirp_[k] = root(square, 2 * n);
    square += 2 * k + 1;
    if (square >= 2 * n) square -= 2 * n;
  }
  chirp_transform_.assign(static_cast<size_t>(m), 0);
  for (int64_t k = 0; k < n; ++k) {
    chirp_transform_[k] = std::conj(chirp_[k]);
    if (k > 0) chirp_transform_[m - k] = std::conj(chirp_[k]);
  }
  std::vector<Complex> scratch(static_cast<size_t>(m));
  inner_->mixed_radix(chirp_transform_.data(), scratch.data());
}

FftPlan::~FftPlan() = default;

int64_t FftPlan::scratch_size() const { return inner_ ? 2 * inner_->n_ : n_; }

void FftPlan::run(Complex* data, Complex* scratch, bool forward) const {
  if (n_ <= 1) return;
  // The inverse is the forward transform of the conjugate, conjugated.
  if (!forward) {
    for (int64_t i = 0; i < n_; ++i) data[i] = std::conj(data[i]);
  }
  inner_ ? bluestein(data, scratch) : mixed_radix(data, scratch);
  if (!forward) {
    for (int64_t i = 0; i < n_; ++i) data[i] = std::conj(data[i]);
  }
}

// Stockham's self-sorting form: each pass takes one factor and moves between the two buffers.
void FftPlan::mixed_radix(Complex* data, Complex* scratch) const {
  Complex *x = data, *y = scratch;
  int64_t n = n_, s = 1;
  BoundedSteps steps;
  for (int64_t p : factors_) {
    const int64_t m = n / p, step = n_ / n, unit = n_ / p;
    for (int64_t i = 0; i < m; ++i) {
      steps.count(s * p * p);
      const Complex* in = x + s * i;
      Complex* out = y + s * p * i;
      if (p == 4) {
        const Complex w1 = roots_[i * step], w2 = roots_[2 * i * step], w3 = roots_[3 * i * step];
        for (int64_t q = 0; q < s; ++q) {
          const Complex a = in[q], b = in[q + s * m], c = in[q + 2 * s * m], d = in[q + 3 * s * m];
          const Complex ac = a + c, bd = b + d, am = a - c, bm(b.imag() - d.imag(), d.real() - b.real());
          out[q] = ac + bd;
          out[q + s] = multiply(am + bm, w1);
          out[q + 2 * s] = multiply(ac - bd, w2);
          out[q + 3 * s] = multiply(am - bm, w3);
        }
      } else if (p == 2) {
        const Complex w = roots_[i * step];
        for (int64_t q = 0; q < s; ++q) {
          const Complex a = in[q], b = in[q + s * m];
          out[q] = a + b;
          out[q + s] = multiply(a - b, w);
        }
      } else {
        for (int64_t j = 0; j < p; ++j) {
          Complex* to = out + j * s;
          std::copy(in, in + s, to);
          for (int64_t k = 1, turn = j; k < p; ++k, turn = turn + j < p ? turn + j : turn + j - p) {
            const Complex* from = in + k * s * m;
            const Complex w = roots_[turn * unit];
            for (int64_t q = 0; q < s; ++q) to[q] += multiply(from[q], w);
          }
          const Complex w = roots_[i * j * step];
          for (int64_t q = 0; q < s; ++q) to[q] = multiply(to[q], w);
        }
      }
    }
    std::swap(x, y);
    n = m;
    s *= p;
  }
  if (x != data) std::copy(x, x + n_, data);
}

void FftPlan::bluestein(Complex* data, Complex* scratch) const {
  const int64_t m = inner_->n_;
  Complex* work = scratch;
  for (int64_t k = 0; k < n_; ++k) work[k] = multiply(data[k], chirp_[k]);
  std::fill(work + n_, work + m, Complex(0));
  inner_->mixed_radix(work, scratch + m);
  for (int64_t k = 0; k < m; ++k) work[k] = std::conj(multiply(work[k], chirp_transform_[k]));
  inner_->mixed_radix(work, scratch + m);
  const double scale = 1.0 / static_cast<double>(m);
  for (int64_t k = 0; k < n_; ++k) data[k] = multiply(std::conj(work[k]) * scale, chirp_[k]);
}

}  // namespace wick::kernels
