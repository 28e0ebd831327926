// Short-time Fourier transform and its inverse.
#include <cmath>
#include <cstring>

#include "core/copy.h"
#include "core/shape.h"
#include "core/tensor_impl.h"
#include "ops/fft/fft.h"
#include "ops/nn/pad.h"

namespace wick::ops {
namespace {

using Complex = std::complex<double>;

// The window centered in n_fft values; ones when none is given.
std::vector<Complex> full_window(const char* name, const OptTensor& window, int64_t win_length, int64_t n_fft) {
  WICK_CHECK(win_length > 0 && win_length <= n_fft, kInvalidArgument, name,
             ": expected 0 < win_length <= n_fft, but got win_length=", win_length);
  std::vector<Complex> out(static_cast<size_t>(n_fft), 0);
  const int64_t left = (n_fft - win_length) / 2;
  if (!window) {
    std::fill_n(out.begin() + left, win_length, Complex(1));
    return out;
  }
  WICK_CHECK(window->dim() == 1 && window->size(0) == win_length, kShapeMismatch, name,
             ": expected a 1D window tensor of size equal to win_length=", win_length, ", but got window with size ",
             window->sizes());
  const Tensor w = contiguous(to_dtype(*window, DType::kComplexDouble));
  std::copy_n(w.data_ptr<Complex>(), win_length, out.begin() + left);
  return out;
}

// A complex tensor as pairs of reals in a new last dim, sharing memory.
Tensor as_pairs(const Tensor& t) {
  IntVec sizes(t.sizes()), strides(t.strides());
  for (int64_t& s : strides) s *= 2;
  sizes.push_back(2);
  strides.push_back(1);
  Tensor whole = t.alias();
  whole.impl()->dtype = to_real(t.dtype());
  return whole.as_strided(sizes, strides, 2 * t.storage_offset());
}

int64_t hop_of(const char* name, std::optional<int64_t> hop_length, int64_t n_fft) {
  const int64_t hop = hop_length.value_or(n_fft / 4);
  WICK_CHECK(hop > 0, kInvalidArgument, name, ": expected hop_length > 0, but got hop_length=", hop);
  return hop;
}

// A number of the window as a signal of T takes it: that of a real signal is real.
template <class T>
T weight(Complex w) {
  if constexpr (std::is_same_v<T, Complex>)
    return w;
  else
    return static_cast<T>(w.real());
}

// The frames of each signal times the window.
template <class T>
Tensor windowed(const Tensor& signals, int64_t frames, int64_t hop, const std::vector<Complex>& window) {
  const int64_t batch = signals.size(0), length = signals.size(1), n = static_cast<int64_t>(window.size());
  std::vector<T> w(window.size());
  for (size_t k = 0; k < w.size(); ++k) w[k] = weight<T>(window[k]);
  const Tensor cut = Tensor::empty({batch, frames, n}, DTypeOf<T>::value);
  T* out = cut.data_ptr<T>();
  for (int64_t b = 0; b < batch; ++b) {
    for (int64_t f = 0; f < frames; ++f, out += n) {
      const T* in = signals.data_ptr<T>() + b * length + f * hop;
      for (int64_t k = 0; k < n; ++k) out[k] = in[k] * w[static_cast<size_t>(k)];
    }
  }
  return cut;
}

// Elements [start, end) of the frames, windowed again, added where they lie and divided by what the windows add up to;
// zeros after them.
template <class T>
Tensor overlapped(const Tensor& frames, int64_t hop, const std::vector<Complex>& window, int64_t total, int64_t start,
                  int64_t end, int64_t wanted) {
  const int64_t batch = frames.size(0), count = frames.size(1), n = frames.size(2);
  std::vector<T> envelope(static_cast<size_t>(total), T(0)), w(window.size());
  for (size_t k = 0; k < w.size(); ++k) w[k] = weight<T>(window[k]);
  for (int64_t f = 0; f < count; ++f) {
    for (int64_t k = 0; k < n; ++k) envelope[f * hop + k] += w[k] * w[k];
  }
  for (int64_t i = start; i < end; ++i) {
    WICK_CHECK(std::abs(envelope[i]) > 1e-11, kInvalidArgument,
               "istft: window overlap add min: ", std::abs(envelope[i]));
  }
  const Tensor result = Tensor::zeros({batch, std::max<int64_t>(wanted, 0)}, DTypeOf<T>::value);
  std::vector<T> sum;
  for (int64_t b = 0; b < batch; ++b) {
    sum.assign(static_cast<size_t>(total), T(0));
    const T* in = frames.data_ptr<T>() + b * count * n;
    for (int64_t f = 0; f < count; ++f, in += n) {
      for (int64_t k = 0; k < n; ++k) sum[f * hop + k] += in[k] * w[k];
    }
    T* out = result.data_ptr<T>() + b * result.size(1);
    for (int64_t i = start; i < end; ++i) out[i - start] = sum[i] / envelope[i];
  }
  return result;
}

}  // namespace

Tensor stft(const Tensor& self, int64_t n_fft, std::optional<int64_t> hop_length, std::optional<int64_t> win_length,
            const OptTensor& window, bool normalized, std::optional<bool> onesided_given,
            std::optional<bool> return_complex_given, std::optional<bool> align_to_window) {
  WICK_CHECK(is_floating(self.dtype()) || is_complex(self.dtype()), kTypeMismatch,
             "stft: expected a tensor of floating point or complex values");
  WICK_CHECK(self.dim() == 1 || self.dim() == 2, kShapeMismatch, "stft: expected a 1D or 2D tensor");
  const bool complex_in = is_complex(self.dtype()) || (window && is_complex(window->dtype()));
  const bool return_complex = return_complex_given.value_or(complex_in);
  const int64_t batch = self.dim() == 2 ? self.size(0) : 1, length = self.size(-1);
  WICK_CHECK(n_fft > 0 && n_fft <= length, kInvalidArgument, "stft: expected 0 < n_fft < ", length,
             ", but got n_fft=", n_fft);
  if (align_to_window.value_or(false)) {
    // The first window, not the first transform, starts with the signal: zeros stand around it.
    const int64_t wide = win_length.value_or(n_fft);
    WICK_CHECK(wide > 0 && wide <= n_fft, kInvalidArgument,
               "stft: expected 0 < win_length <= n_fft, but got win_length=", wide);
    const int64_t margin = (n_fft - wide) / 2;
    return stft(pad(self, {margin, margin}, "constant", std::nullopt), n_fft, hop_length, win_length, window,
                normalized, onesided_given, return_complex_given, false);
  }
  const int64_t hop = hop_of("stft", hop_length, n_fft);
  const std::vector<Complex> w = full_window("stft", window, win_length.value_or(n_fft), n_fft);
  const bool onesided = onesided_given.value_or(!complex_in);
  WICK_CHECK(!(onesided && complex_in), kInvalidArgument, "Cannot have onesided output if window or input is complex");

  const int64_t frames = 1 + (length - n_fft) / hop;
  const int64_t mode = normalized ? 1 : 0;
  const DType real = to_real(window ? promote_types(self.dtype(), window->dtype()) : self.dtype());
  const DType work = complex_in ? DType::kComplexDouble : real == DType::kDouble ? DType::kDouble : DType::kFloat;
  const Tensor dense = contiguous(to_dtype(self, work));
  const Tensor x = dense.as_strided({batch, length}, {length, 1}, dense.storage_offset());
  Tensor y = complex_in              ? fft_c2c(windowed<Complex>(x, frames, hop, w), {2}, mode, true)
             : work == DType::kFloat ? fft_r2c(windowed<float>(x, frames, hop, w), {2}, mode, onesided)
                                     : fft_r2c(windowed<double>(x, frames, hop, w), {2}, mode, onesided);
  y = to_dtype(y, to_complex(real));
  y = self.dim() == 1 ? y.as_strided({y.size(2), frames}, {1, y.size(2)}, 0)
                      : y.as_strided({batch, y.size(2), frames}, {frames * y.size(2), 1, y.size(2)}, 0);
  return return_complex ? y : as_pairs(y);
}

Tensor stft_center(const Tensor& self, int64_t n_fft, std::optional<int64_t> hop_length,
                   std::optional<int64_t> win_length, const OptTensor& window, bool center, std::string_view pad_mode,
                   bool normalized, std::optional<bool> onesided, std::optional<bool> return_complex,
                   std::optional<bool> align_to_window) {
  WICK_CHECK(!center || !align_to_window, kInvalidArgument,
             "stft align_to_window should only be set when center = false");
  if (!center) {
    return stft(self, n_fft, hop_length, win_length, window, normalized, onesided, return_complex, align_to_window);
  }
  WICK_CHECK(self.dim() == 1 || self.dim() == 2, kShapeMismatch, "stft: expected a 1D or 2D tensor");
  WICK_CHECK(n_fft > 0, kInvalidArgument, "stft: expected n_fft > 0, but got n_fft=", n_fft);
  const int64_t half = n_fft / 2, batch = self.dim() == 2 ? self.size(0) : 1, length = self.size(-1);
  const Tensor lines =
      contiguous(self).as_strided({1, batch, length}, {batch * length, length, 1}, contiguous(self).storage_offset());
  const Tensor padded = contiguous(pad(lines, {half, half}, pad_mode, std::nullopt));
  const int64_t long_length = padded.size(2);
  const Tensor x = self.dim() == 1 ? padded.as_strided({long_length}, {1}, padded.storage_offset())
                                   : padded.as_strided({batch, long_length}, {long_length, 1}, padded.storage_offset());
  return stft(x, n_fft, hop_length, win_length, window, normalized, onesided, return_complex, false);
}

Tensor istft(const Tensor& self, int64_t n_fft, std::optional<int64_t> hop_length, std::optional<int64_t> win_length,
             const OptTensor& window, bool center, bool normalized, std::optional<bool> onesided_given,
             std::optional<int64_t> length, bool return_complex) {
  WICK_CHECK(self.numel() != 0, kShapeMismatch, "istft: input tensor cannot be empty.");
  Tensor spectrum = self;
  if (!is_complex(self.dtype())) {
    WICK_CHECK(
        (self.dim() == 3 || self.dim() == 4) && self.size(-1) == 2, kShapeMismatch,
        "istft: expected the last dimension of a real tensor to be 2 (real and imaginary components), got sizes ",
        self.sizes());
    const Tensor dense = contiguous(to_dtype(self, to_float_type(self.dtype())));
    spectrum = Tensor::empty(self.sizes().subspan(0, static_cast<size_t>(self.dim()) - 1), to_complex(dense.dtype()));
    std::memcpy(spectrum.raw_data(), dense.raw_data(), dense.nbytes());
  }
  WICK_CHECK(spectrum.dim() == 2 || spectrum.dim() == 3, kShapeMismatch,
             "istft: expected a tensor with 2 or 3 dimensions, got ", spectrum.dim());
  const bool batched = spectrum.dim() == 3;
  const int64_t batch = batched ? spectrum.size(0) : 1, rows = spectrum.size(-2), frames = spectrum.size(-1);
  const int64_t hop = hop_of("istft", hop_length, n_fft);
  const bool onesided = onesided_given.value_or(rows != n_fft);
  WICK_CHECK(rows == (onesided ? n_fft / 2 + 1 : n_fft), kShapeMismatch,
             "istft: expected the frequency dimension to be ", onesided ? n_fft / 2 + 1 : n_fft,
             " when onesided=", onesided, ", but got ", rows);
  WICK_CHECK(!(onesided && return_complex), kInvalidArgument,
             "Cannot have onesided output if window or input is complex");
  const std::vector<Complex> w = full_window("istft", window, win_length.value_or(n_fft), n_fft);

  // (batch, rows, frames) -> (batch, frames, rows)
  const int64_t lead = batched ? spectrum.strides()[0] : 0;
  const size_t at = batched ? 1 : 0;
  Tensor lines = Tensor::empty({batch, frames, rows}, return_complex ? DType::kComplexDouble : spectrum.dtype());
  copy_into(lines,
            spectrum.as_strided({batch, frames, rows}, {lead, spectrum.strides()[at + 1], spectrum.strides()[at]},
                                spectrum.storage_offset()));
  const int64_t mode = normalized ? 1 : 2;
  int64_t total;
  WICK_CHECK(!__builtin_mul_overflow(hop, frames - 1, &total) && !__builtin_add_overflow(total, n_fft, &total),
             kOutOfMemory, "istft: the signal is too long");
  const int64_t start = center ? n_fft / 2 : 0;
  int64_t end = center ? total - n_fft / 2 : total;
  if (length) end = std::min(total, start + std::max<int64_t>(*length, 0));
  end = std::max(end, start);
  const int64_t wanted = length.value_or(end - start);
  Tensor result;
  if (return_complex) {
    result = overlapped<Complex>(contiguous(fft_c2c(lines, {2}, mode, false)), hop, w, total, start, end, wanted);
  } else {
    if (!onesided) lines = lines.as_strided({batch, frames, n_fft / 2 + 1}, lines.strides(), 0);
    const Tensor signal = contiguous(to_dtype(fft_c2r(lines, {2}, mode, n_fft), DType::kDouble));
    result = overlapped<double>(signal, hop, w, total, start, end, wanted);
  }
  const DType dtype = return_complex ? spectrum.dtype() : to_real(spectrum.dtype());
  const Tensor out = to_dtype(result, dtype);
  return batched ? out : out.as_strided({out.size(1)}, {1}, 0);
}

}  // namespace wick::ops
