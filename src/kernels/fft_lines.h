// Discrete Fourier transforms of many lines, one line a vector lane.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

namespace wick::kernels {

// What lines of one length share. Lengths with a large prime factor are FftPlan's (fft.h).
template <class T>
struct FftSteps {
  explicit FftSteps(int64_t length);
  static bool takes(int64_t length);

  int64_t n;
  std::vector<int64_t> factors;
  std::vector<std::complex<T>> roots;       // exp(-2*pi*i*k/n)
  std::vector<std::complex<T>> half_turns;  // exp(-pi*i*k/n), k <= n: for real lines of 2n numbers
};

// Up to fft_lanes<T>() lines. Places are counted in T, so that a complex number has two.
template <class T>
struct FftLines {
  const T* in;
  T* out;
  const int64_t* in_lines;  // where each line begins
  const int64_t* out_lines;
  int64_t in_step, out_step;  // from one element of a line to the next
  int64_t count;              // of lines
  T factor;                   // every result is multiplied by it
  bool forward;
};

template <class T>
int64_t fft_lanes();
// Numbers of T that the functions below use as `work`, for lines of n complex numbers.
template <class T>
int64_t fft_work(int64_t n) {
  return 4 * (n + 1) * fft_lanes<T>();
}

// n complex numbers to n complex numbers; out may be in.
template <class T>
void fft_complex(const FftSteps<T>& steps, const FftLines<T>& lines, T* work);
// 2n real numbers to the first `kept` (n + 1 at least) of 2n complex ones.
template <class T>
void fft_from_real(const FftSteps<T>& steps, const FftLines<T>& lines, int64_t kept, T* work);
// The first n + 1 of 2n complex numbers, whose others are their conjugates, to 2n real ones, backwards.
template <class T>
void fft_to_real(const FftSteps<T>& steps, const FftLines<T>& lines, T* work);

}  // namespace wick::kernels
