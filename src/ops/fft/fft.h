// Fourier transforms. Many lines are computed in their own precision, a few in double.
#pragma once

#include "ops/boxing.h"

namespace wick::ops {

// The three transforms everything is made of. normalization: 0 none, 1 by sqrt(n), 2 by n.
Tensor fft_c2c(const Tensor& self, IntSpan dim, int64_t normalization, bool forward);
Tensor fft_r2c(const Tensor& self, IntSpan dim, int64_t normalization, bool onesided);
Tensor fft_c2r(const Tensor& self, IntSpan dim, int64_t normalization, int64_t last_dim_size);

// One, two and n dims; `s` or `n` pads with zeros or trims.
Tensor fft_fft(const Tensor& self, std::optional<int64_t> n, int64_t dim, const std::optional<std::string>& norm);
Tensor fft_ifft(const Tensor& self, std::optional<int64_t> n, int64_t dim, const std::optional<std::string>& norm);
Tensor fft_rfft(const Tensor& self, std::optional<int64_t> n, int64_t dim, const std::optional<std::string>& norm);
Tensor fft_irfft(const Tensor& self, std::optional<int64_t> n, int64_t dim, const std::optional<std::string>& norm);
Tensor fft_hfft(const Tensor& self, std::optional<int64_t> n, int64_t dim, const std::optional<std::string>& norm);
Tensor fft_ihfft(const Tensor& self, std::optional<int64_t> n, int64_t dim, const std::optional<std::string>& norm);
using OptInts = std::optional<IntVec>;
Tensor fft_fftn(const Tensor& self, const OptInts& s, const OptInts& dim, const std::optional<std::string>& norm);
Tensor fft_ifftn(const Tensor& self, const OptInts& s, const OptInts& dim, const std::optional<std::string>& norm);
Tensor fft_rfftn(const Tensor& self, const OptInts& s, const OptInts& dim, const std::optional<std::string>& norm);
Tensor fft_irfftn(const Tensor& self, const OptInts& s, const OptInts& dim, const std::optional<std::string>& norm);
Tensor fft_hfftn(const Tensor& self, const OptInts& s, const OptInts& dim, const std::optional<std::string>& norm);
Tensor fft_ihfftn(const Tensor& self, const OptInts& s, const OptInts& dim, const std::optional<std::string>& norm);
Tensor fft_fftfreq(int64_t n, double d, TensorOptions options);
Tensor fft_fftfreq_default(int64_t n, double d);
Tensor fft_rfftfreq(int64_t n, double d, TensorOptions options);
Tensor fft_rfftfreq_default(int64_t n, double d);
Tensor fft_fftshift(const Tensor& self, const OptInts& dim);
Tensor fft_ifftshift(const Tensor& self, const OptInts& dim);

// Short-time transforms.
Tensor stft(const Tensor& self, int64_t n_fft, std::optional<int64_t> hop_length, std::optional<int64_t> win_length,
            const OptTensor& window, bool normalized, std::optional<bool> onesided, std::optional<bool> return_complex,
            std::optional<bool> align_to_window);
Tensor stft_center(const Tensor& self, int64_t n_fft, std::optional<int64_t> hop_length,
                   std::optional<int64_t> win_length, const OptTensor& window, bool center, std::string_view pad_mode,
                   bool normalized, std::optional<bool> onesided, std::optional<bool> return_complex,
                   std::optional<bool> align_to_window);
Tensor istft(const Tensor& self, int64_t n_fft, std::optional<int64_t> hop_length, std::optional<int64_t> win_length,
             const OptTensor& window, bool center, bool normalized, std::optional<bool> onesided,
             std::optional<int64_t> length, bool return_complex);

}  // namespace wick::ops
