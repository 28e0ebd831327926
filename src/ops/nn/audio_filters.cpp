// torchaudio's loops over the frames of a waveform: recursive filters and overdrive.
#include "ops/nn/audio.h"
#include "ops/nn/common.h"
#include "ops/shape/view.h"
#include "ops/stoppable.h"

namespace wick::ops {

namespace {

void check_rank(const Tensor& t, int64_t rank, const char* name) {
  WICK_CHECK(t.dim() == rank, kShapeMismatch, "Expected ", name, " to have ", rank, " dimensions, but got ", t.dim());
}

void check_written(const Tensor& t, const Tensor& like, const char* name) {
  WICK_CHECK(t.dtype() == like.dtype(), kTypeMismatch, "Expected ", name, " to be ", name_of(like.dtype()), " but got ",
             name_of(t.dtype()));
  WICK_CHECK(t.is_contiguous(), kInvalidArgument, "Expected ", name, " to be contiguous");
}

// One channel. `output` has order - 1 frames before the first, and is read where it is written, too.
template <class T>
void recurse(const T* input, const T* a_flipped, int64_t order, int64_t frames, T* output) {
  StepCounter steps;
  for (int64_t t = 0; t < frames; ++t) {
    T sum = input[t];
    for (int64_t k = 0; k < order; ++k) sum -= output[t + k] * a_flipped[k];
    output[t + order - 1] = sum;
    steps.count(order);
  }
}

// One channel of the part that does not recur.
template <class T>
void convolve(const T* input, const T* b, T scale, int64_t order, int64_t frames, T* output) {
  StepCounter steps;
  for (int64_t t = 0; t < frames; ++t) {
    T sum = 0;
    for (int64_t k = std::min(order - 1, t); k >= 0; --k) sum += input[t - k] * (b[k] / scale);
    output[t] = sum;
    steps.count(order);
  }
}

}  // namespace

Tensor lfilter_core_loop(const Tensor& windows, const Tensor& a_flipped, const Tensor& padded_output) {
  check_rank(windows, 3, "input_signal_windows");
  check_rank(a_flipped, 2, "a_coeff_flipped");
  check_rank(padded_output, 3, "padded_output_waveform");
  const int64_t batch = windows.size(0), channels = windows.size(1), frames = windows.size(2);
  const int64_t order = a_flipped.size(1), padded = padded_output.size(2);
  WICK_CHECK(a_flipped.dtype() == windows.dtype(), kTypeMismatch, "Expected a_coeff_flipped to be ",
             name_of(windows.dtype()), " but got ", name_of(a_flipped.dtype()));
  WICK_CHECK(order > 0 && a_flipped.size(0) == channels && padded_output.size(0) == batch &&
                 padded_output.size(1) == channels && padded - frames == order - 1,
             kShapeMismatch, "input_signal_windows, a_coeff_flipped and padded_output_waveform do not fit");
  check_written(padded_output, windows, "padded_output_waveform");
  const Tensor x = contiguous(windows), a = contiguous(a_flipped);
  for_float(x.dtype(), "lfilter_core_loop", [&](auto zero) {
    using T = decltype(zero);
    const T *in = x.data_ptr<const T>(), *weights = a.data_ptr<const T>();
    T* out = padded_output.data_ptr<T>();
    parallel_for(0, batch * channels, std::max<int64_t>(1, 20000 / (frames * order + 1)),
                 [&](int64_t begin, int64_t end) {
                   for (int64_t i = begin; i < end; ++i) {
                     recurse(in + i * frames, weights + i % channels * order, order, frames, out + i * padded);
                   }
                 });
  });
  return padded_output;
}

Tensor lfilter(const Tensor& waveforms, const Tensor& a, const Tensor& b) {
  check_rank(waveforms, 3, "waveforms");
  check_rank(a, 2, "a_coeffs");
  check_rank(b, 2, "b_coeffs");
  const int64_t batch = waveforms.size(0), channels = waveforms.size(1), frames = waveforms.size(2), order = a.size(1);
  WICK_CHECK(a.dtype() == waveforms.dtype() && b.dtype() == waveforms.dtype(), kTypeMismatch,
             "Expected waveforms, a_coeffs and b_coeffs to have the same dtype");
  WICK_CHECK(order > 0 && a.size(0) == channels && b.size(0) == channels && b.size(1) == order, kShapeMismatch,
             "Expected a_coeffs and b_coeffs of ", channels, " channels and the same order");
  const Tensor x = contiguous(waveforms), poles = contiguous(a), zeros = contiguous(b);
  Tensor flipped = Tensor::empty({channels, order}, x.dtype());
  Tensor windows = Tensor::empty({batch, channels, frames}, x.dtype());
  for_float(x.dtype(), "lfilter", [&](auto zero) {
    using T = decltype(zero);
    const T *in = x.data_ptr<const T>(), *p = poles.data_ptr<const T>(), *z = zeros.data_ptr<const T>();
    T *back = flipped.data_ptr<T>(), *out = windows.data_ptr<T>();
    for (int64_t c = 0; c < channels; ++c) {
      for (int64_t k = 0; k < order; ++k) back[c * order + k] = p[c * order + order - 1 - k] / p[c * order];
    }
    for (int64_t i = 0; i < batch * channels; ++i) {
      const int64_t c = i % channels;
      convolve(in + i * frames, z + c * order, p[c * order], order, frames, out + i * frames);
    }
  });
  const Tensor padded = Tensor::zeros({batch, channels, frames + order - 1}, x.dtype());
  lfilter_core_loop(windows, flipped, padded);
  return narrow(padded, 2, order - 1, frames);
}

std::tuple<Tensor, Tensor, Tensor> overdrive_core_loop(const Tensor& waveform, const Tensor& temp,
                                                       const Tensor& last_in, const Tensor& last_out,
                                                       const Tensor& output) {
  check_rank(waveform, 2, "waveform");
  check_rank(temp, 2, "temp");
  check_rank(last_in, 1, "last_in");
  check_rank(last_out, 1, "last_out");
  check_rank(output, 2, "output_waveform");
  const int64_t channels = waveform.size(0), frames = waveform.size(1);
  WICK_CHECK(temp.size(0) == channels && temp.size(1) == frames && output.size(0) == channels &&
                 output.size(1) == frames && last_in.size(0) == channels && last_out.size(0) == channels,
             kShapeMismatch, "waveform, temp, last_in, last_out and output_waveform do not fit");
  WICK_CHECK(temp.dtype() == waveform.dtype(), kTypeMismatch, "Expected temp to be ", name_of(waveform.dtype()),
             " but got ", name_of(temp.dtype()));
  check_written(last_in, waveform, "last_in");
  check_written(last_out, waveform, "last_out");
  check_written(output, waveform, "output_waveform");
  const Tensor x = contiguous(waveform), y = contiguous(temp);
  for_float(x.dtype(), "overdrive_core_loop", [&](auto zero) {
    using T = decltype(zero);
    const T *in = x.data_ptr<const T>(), *driven = y.data_ptr<const T>();
    T *before = last_in.data_ptr<T>(), *after = last_out.data_ptr<T>(), *out = output.data_ptr<T>();
    StepCounter steps;
    for (int64_t c = 0; c < channels; ++c) {
      for (int64_t i = c * frames; i < (c + 1) * frames; ++i) {
        after[c] = driven[i] - before[c] + T(0.995) * after[c];
        before[c] = driven[i];
        out[i] = in[i] * T(0.5) + after[c] * T(0.75);
        steps.count();
      }
    }
  });
  return {last_in, last_out, output};
}

}  // namespace wick::ops
