// Discrete Fourier transform of one line of complex numbers, any length.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

namespace wick::kernels {

// A plan for lines of one length; transforms may be run from several threads, each with its own scratch.
class FftPlan {
 public:
  explicit FftPlan(int64_t n);
  ~FftPlan();

  int64_t size() const { return n_; }
  // Complex numbers of scratch a call needs.
  int64_t scratch_size() const;
  // Complex numbers that a plan for lines of length n holds, and its scratch: many more than n for some.
  static int64_t room_of(int64_t n);
  // data[k] = sum_j data[j] * exp(sign * 2*pi*i*j*k / n), sign = -1 when forward; not normalized.
  void run(std::complex<double>* data, std::complex<double>* scratch, bool forward) const;

 private:
  void mixed_radix(std::complex<double>* data, std::complex<double>* scratch) const;
  void bluestein(std::complex<double>* data, std::complex<double>* scratch) const;

  int64_t n_;
  std::vector<int64_t> factors_;
  std::vector<std::complex<double>> roots_;  // exp(-2*pi*i*k/n)
  // Lengths with a large prime factor: a convolution with a chirp, by transforms of a power of two.
  std::unique_ptr<FftPlan> inner_;
  std::vector<std::complex<double>> chirp_, chirp_transform_;
};

}  // namespace wick::kernels
