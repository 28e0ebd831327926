// The operator list of torchaudio's operators.
#include "ops/families.h"
#include "ops/nn/audio.h"

namespace wick {

namespace {

using namespace ops;
using namespace traits;

constexpr OpEntry kEntries[] = {
    OP("torchaudio::_lfilter_core_loop(Tensor input_signal_windows, Tensor a_coeff_flipped, "
       "Tensor(a!) padded_output_waveform) -> Tensor(a!)",
       lfilter_core_loop, deterministic),
    OP("torchaudio::_lfilter(Tensor waveforms, Tensor a_coeffs, Tensor b_coeffs) -> Tensor", lfilter, deterministic),
    OP("torchaudio::_overdrive_core_loop(Tensor waveform, Tensor temp, Tensor(a!) last_in, Tensor(b!) last_out, "
       "Tensor(c!) output_waveform) -> (Tensor(a!), Tensor(b!), Tensor(c!))",
       overdrive_core_loop, deterministic),
    OP("torchaudio::rnnt_loss(Tensor logits, Tensor targets, Tensor logit_lengths, Tensor target_lengths, int blank, "
       "float clamp, bool fused_log_softmax=True) -> (Tensor, Tensor?)",
       rnnt_loss, deterministic),
    OP("torchaudio::rnnt_loss_forward(Tensor logits, Tensor targets, Tensor logit_lengths, Tensor target_lengths, "
       "int blank, float clamp, bool fused_log_softmax) -> (Tensor, Tensor)",
       rnnt_loss, deterministic),
    OP("torchaudio::forced_align(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths, "
       "int blank) -> (Tensor, Tensor)",
       forced_align, deterministic),
};

}  // namespace

WICK_OP_FAMILY(kAudioOps, kEntries)

}  // namespace wick
