// torchaudio's operators: recursive filters, overdrive, the transducer loss and forced alignment.
#pragma once

#include <tuple>

#include "ops/boxing.h"

namespace wick::ops {

// The recursive part of a filter: padded_output[.., t + order - 1] = window[.., t] - sum of what `a_flipped` weighs
// before it. Windows [batch, channels, frames], coefficients [channels, order], output with order - 1 frames more.
Tensor lfilter_core_loop(const Tensor& windows, const Tensor& a_flipped, const Tensor& padded_output);
// Both parts: waveforms [batch, channels, frames], coefficients [channels, order].
Tensor lfilter(const Tensor& waveforms, const Tensor& a, const Tensor& b);
// Overdrive's loop over [channels, frames]; writes the last three.
std::tuple<Tensor, Tensor, Tensor> overdrive_core_loop(const Tensor& waveform, const Tensor& temp,
                                                       const Tensor& last_in, const Tensor& last_out,
                                                       const Tensor& output);
// Costs [batch] and gradients of logits [batch, frames, labels + 1, classes].
std::tuple<Tensor, Tensor> rnnt_loss(const Tensor& logits, const Tensor& targets, const Tensor& logit_lengths,
                                     const Tensor& target_lengths, int64_t blank, double clamp, bool fused_log_softmax);
// The likeliest path of labels and blanks through log probabilities [1, frames, classes], and its scores.
std::tuple<Tensor, Tensor> forced_align(const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths,
                                        const Tensor& target_lengths, int64_t blank);

}  // namespace wick::ops
