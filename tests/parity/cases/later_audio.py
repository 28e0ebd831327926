"""torchaudio's operators, in terms of PyTorch's: what torchaudio 0.13 to 2.11 compute."""
import torch

from lib.case import *
from lib.schemas import later
from lib.tensors import *

F = torch.nn.functional


def recurse(windows, a_flipped, padded):
    order = a_flipped.size(1)
    if windows.size(0) != padded.size(0) or windows.size(2) + order - 1 != padded.size(2):
        raise RuntimeError("do not fit")
    if a_flipped.dtype != windows.dtype or padded.dtype != windows.dtype:
        raise RuntimeError("dtypes")
    for t in range(windows.size(2)):
        known = (padded[:, :, t:t + order] * a_flipped).sum(-1)
        padded[:, :, t + order - 1] = windows[:, :, t] - known
    return padded


def lfilter(x, a, b):
    order = a.size(1)
    b, a = b / a[:, :1], a / a[:, :1]
    windows = F.conv1d(F.pad(x, (order - 1, 0)), b.flip(1).unsqueeze(1), groups=x.size(1))
    padded = x.new_zeros(x.size(0), x.size(1), x.size(2) + order - 1)
    return recurse(windows, a.flip(1), padded)[:, :, order - 1:]


def overdrive(waveform, temp, last_in, last_out, output):
    for i in range(waveform.size(1)):
        last_out.copy_(temp[:, i] - last_in + 0.995 * last_out)
        last_in.copy_(temp[:, i])
        output[:, i] = waveform[:, i] * 0.5 + last_out * 0.75
    return last_in, last_out, output


def transducer_costs(logits, targets, frames, labels, blank, fused):
    lp = logits.log_softmax(-1) if fused else logits
    out = []
    for b in range(logits.size(0)):
        T, U = int(frames[b]), int(labels[b]) + 1
        alpha = {(0, 0): lp.new_zeros(())}
        for t in range(T):
            for u in range(U):
                ways = [alpha[t - 1, u] + lp[b, t - 1, u, blank]] if t else []
                ways += [alpha[t, u - 1] + lp[b, t, u - 1, int(targets[b, u - 1])]] if u else []
                if ways:
                    alpha[t, u] = torch.logsumexp(torch.stack(ways), 0)
        out.append(-(alpha[T - 1, U - 1] + lp[b, T - 1, U - 1, blank]))
    return torch.stack(out)


def rnnt_loss(logits, targets, frames, labels, blank, clamp, fused=True):
    if logits.dtype not in (torch.float32, torch.float16) or targets.dtype != torch.int32:
        raise RuntimeError("dtype")
    blank = blank % logits.size(-1)
    x = logits.double().requires_grad_()
    with torch.enable_grad():
        costs = transducer_costs(x, targets, frames, labels, blank, fused)
        gradient, = torch.autograd.grad(costs.sum(), x)
    gradient = gradient.clamp(-clamp, clamp) if clamp > 0 else gradient
    return costs.detach().to(logits.dtype), gradient.to(logits.dtype)


def forced_align(log_probs, targets, input_lengths, target_lengths, blank):
    ids, T = targets[0].tolist(), log_probs.size(1)
    repeats = sum(a == b for a, b in zip(ids, ids[1:]))
    if T < len(ids) + repeats:
        raise RuntimeError(f"targets length is too long for CTC. Found log_probs length: {T}, targets length: {len(ids)}, "
                           f"and number of repeats: {repeats}")
    states = [blank]
    for i in ids:
        states += [i, blank]
    best = {s: ([s], float(log_probs[0, 0, states[s]])) for s in range(min(2, len(states)))}
    for t in range(1, T):
        now = {}
        for s, label in enumerate(states):
            before = [s, s - 1] + ([s - 2] if s > 1 and label != blank and label != states[s - 2] else [])
            ways = [best[p] for p in before if p in best]
            if ways:
                path, score = max(ways, key=lambda w: w[1])
                now[s] = (path + [s], score + float(log_probs[0, t, label]))
        best = now
    path = max((best[s] for s in (len(states) - 1, len(states) - 2) if s in best), key=lambda w: w[1])[0]
    path = torch.tensor([[states[s] for s in path]], dtype=targets.dtype)
    return path, log_probs[0].gather(1, path[0].long()[:, None]).t().contiguous()


later("torchaudio::_lfilter_core_loop(Tensor input_signal_windows, Tensor a_coeff_flipped, "
      "Tensor(a!) padded_output_waveform) -> Tensor(a!)", recurse)
later("torchaudio::_lfilter(Tensor waveforms, Tensor a_coeffs, Tensor b_coeffs) -> Tensor", lfilter)
later("torchaudio::_overdrive_core_loop(Tensor waveform, Tensor temp, Tensor(a!) last_in, Tensor(b!) last_out, "
      "Tensor(c!) output_waveform) -> (Tensor(a!), Tensor(b!), Tensor(c!))", overdrive)
for name, default in (("rnnt_loss", "=True) -> (Tensor, Tensor?)"), ("rnnt_loss_forward", ") -> (Tensor, Tensor)")):
    later(f"torchaudio::{name}(Tensor logits, Tensor targets, Tensor logit_lengths, Tensor target_lengths, int blank, "
          f"float clamp, bool fused_log_softmax{default}", rnnt_loss)
later("torchaudio::forced_align(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths, "
      "int blank) -> (Tensor, Tensor)", forced_align)


def filters():
    for d in (torch.float32, torch.float64):
        for order in (1, 2, 3, 6):
            x, a = make((2, 3, 20), d), make((3, order), d, -0.3, 0.3, seed=1)
            yield case("torchaudio::_lfilter_core_loop", x, a, torch.zeros(2, 3, 20 + order - 1, dtype=d))
            a[:, 0] = torch.tensor([1.0, 2.0, -1.5])
            yield case("torchaudio::_lfilter", x, a, make((3, order), d, seed=2), rtol=1e-4 if d == torch.float32 else 1e-9)
    yield case("torchaudio::_lfilter_core_loop", make((2, 3, 20), layout=TRANSPOSED), make((3, 2), low=-0.3, high=0.3),
               torch.zeros(2, 3, 21))
    yield case("torchaudio::_lfilter_core_loop", make((2, 1, 0)), make((1, 3)), torch.zeros(2, 1, 2))
    x, a = make((1, 2, 8)), make((2, 3))
    yield from errors("torchaudio::_lfilter_core_loop", (x, a, torch.zeros(1, 2, 8)), (x, a, torch.zeros(2, 2, 10)),
                      (x, a.double(), torch.zeros(1, 2, 10)), (x, a, torch.zeros(1, 2, 10).double()))
    for d in (torch.float32, torch.float64):
        yield case("torchaudio::_overdrive_core_loop", make((2, 30), d), make((2, 30), d, seed=1), torch.zeros(2, dtype=d),
                   torch.zeros(2, dtype=d), torch.zeros(2, 30, dtype=d))


def losses():
    def int32(*values):
        return torch.tensor(values, dtype=torch.int32)
    for name in ("rnnt_loss", "rnnt_loss_forward"):
        for fused in (True, False):
            for blank in (-1, 0, 2):
                for clamp in (-1.0, 0.05):
                    yield case(f"torchaudio::{name}", make((2, 5, 4, 6), seed=blank + 3), int32((1, 3, 1), (4, 3, 0)),
                               int32(5, 3), int32(3, 1), blank, clamp, fused, rtol=1e-4, atol=1e-5)
    x = make((1, 3, 2, 4))
    yield case("torchaudio::rnnt_loss", x.half(), int32((1,)), int32(3), int32(1), -1, -1.0, rtol=1e-2, atol=1e-2)
    yield from errors("torchaudio::rnnt_loss", (x.double(), int32((1,)), int32(3), int32(1), -1, -1.0),
                      (x, torch.tensor([[1]]), int32(3), int32(1), -1, -1.0))


def alignment():
    lengths = torch.tensor
    for frames, ids in ((6, [1, 2]), (5, [1, 1, 2]), (4, [1, 2, 3, 1]), (9, [3, 3, 3]), (3, []), (1, [2]), (12, [2, 1, 1, 3])):
        for d in (torch.float32, torch.float64):
            probs = make((1, frames, 4), d, seed=frames + len(ids)).log_softmax(-1)
            for kind in (torch.int32, torch.int64):
                yield case("torchaudio::forced_align", probs, torch.tensor([ids], dtype=kind), lengths([frames]),
                           lengths([len(ids)]), 0)
    short = make((1, 2, 4)).log_softmax(-1)
    yield from errors("torchaudio::forced_align", (short, lengths([[1, 1]]), lengths([2]), lengths([2]), 0), message=True)


def cases():
    yield from filters()
    yield from losses()
    yield from alignment()
