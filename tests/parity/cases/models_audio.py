"""Sound models as people write them: spectra, filter banks, synthesis, separation, detection of speech."""
import math
from typing import Dict, List, Optional, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lib.case import *


def mel_filters(bins: int, low: float, high: float, filters: int, rate: int) -> Tensor:
    frequencies = torch.linspace(0, rate // 2, bins)
    mels = torch.linspace(2595.0 * math.log10(1.0 + low / 700.0), 2595.0 * math.log10(1.0 + high / 700.0), filters + 2)
    points = 700.0 * (10.0 ** (mels / 2595.0) - 1.0)
    slopes = points.unsqueeze(0) - frequencies.unsqueeze(1)
    width = points[1:] - points[:-1]
    down, up = -slopes[:, :-2] / width[:-1], slopes[:, 2:] / width[1:]
    return torch.max(torch.zeros(1), torch.min(down, up))


class MelSpectrogram(nn.Module):
    def __init__(self, size: int = 64, hop: int = 16, filters: int = 12, top: Optional[float] = 80.0):
        super().__init__()
        self.size, self.hop, self.top = size, hop, top
        self.register_buffer("window", torch.hann_window(size))
        self.register_buffer("filters", mel_filters(size // 2 + 1, 0.0, 4000.0, filters, 8000))

    def forward(self, wave: Tensor) -> Tensor:
        shape = wave.size()
        wave = wave.reshape(-1, shape[-1])
        spectrum = torch.stft(wave, self.size, self.hop, self.size, self.window, center=True, pad_mode="reflect",
                              normalized=False, onesided=True, return_complex=True)
        power = spectrum.abs().pow(2.0)
        power = power.reshape(shape[:-1] + power.shape[-2:])
        mel = torch.matmul(power.transpose(-1, -2), self.filters).transpose(-1, -2)
        decibels = 10.0 * torch.log10(torch.clamp(mel, min=1e-10))
        top = self.top
        if top is not None:
            decibels = torch.max(decibels, decibels.amax(dim=(-2, -1), keepdim=True) - top)
        return decibels


class Cepstrum(nn.Module):
    """Mel cepstrum with differences over time and normalization."""

    def __init__(self, count: int = 6):
        super().__init__()
        self.mel = MelSpectrogram(top=None)
        n = torch.arange(12.0)
        k = torch.arange(float(count)).unsqueeze(1)
        self.register_buffer("cosines", torch.cos(math.pi / 12.0 * (n + 0.5) * k).t() * math.sqrt(2.0 / 12))

    def differences(self, x: Tensor, width: int = 5) -> Tensor:
        n = (width - 1) // 2
        kernel = torch.arange(-n, n + 1, 1, device=x.device, dtype=x.dtype).repeat(x.shape[1], 1, 1)
        padded = F.pad(x, (n, n), mode="replicate")
        return F.conv1d(padded, kernel, groups=x.shape[1]) / (n * (n + 1) * (2 * n + 1) / 3)

    def forward(self, wave: Tensor) -> Dict[str, Tensor]:
        static = torch.matmul(self.mel(wave).transpose(-1, -2), self.cosines).transpose(-1, -2)
        first = self.differences(static)
        mean, spread = static.mean(-1, keepdim=True), static.std(-1, keepdim=True)
        return {"static": static, "delta": first, "delta2": self.differences(first),
                "normal": (static - mean) / (spread + 1e-5)}


class GriffinLim(nn.Module):
    """Phases for magnitudes, by going back and forth."""

    def __init__(self):
        super().__init__()
        self.register_buffer("window", torch.hamming_window(32))

    def forward(self, magnitude: Tensor, rounds: int, momentum: float, length: Optional[int] = None) -> Tensor:
        angles = torch.ones_like(magnitude).to(torch.complex64)
        before = torch.zeros_like(angles)
        for _ in range(rounds):
            wave = torch.istft(magnitude * angles, 32, 8, 32, self.window, length=length)
            again = torch.stft(wave, 32, 8, 32, self.window, center=True, pad_mode="reflect", return_complex=True)
            angles = again - before * (momentum / (1 + momentum))
            angles = angles.div(angles.abs().add(1e-16))
            before = again
        return torch.istft(magnitude * angles, 32, 8, 32, self.window, length=length)


class CausalConv(nn.Module):
    def __init__(self, width: int, dilation: int):
        super().__init__()
        self.pad = dilation
        self.conv = nn.Conv1d(width, 2 * width, 2, dilation=dilation)
        self.mix = nn.Conv1d(width, width, 1)

    def forward(self, x: Tensor) -> Tuple[Tensor, Tensor]:
        a, b = self.conv(F.pad(x, (self.pad, 0))).chunk(2, 1)
        y = self.mix(torch.tanh(a) * torch.sigmoid(b))
        return x + y, y


class WaveNet(nn.Module):
    """Dilated gated layers; one quantized sample after the other when generating."""

    def __init__(self):
        super().__init__()
        self.inputs = nn.Embedding(32, 6)
        self.layers = nn.ModuleList([CausalConv(6, 2 ** i) for i in range(4)])
        self.out = nn.Sequential(nn.ReLU(), nn.Conv1d(6, 32, 1))

    def forward(self, codes: Tensor) -> Tensor:
        x = self.inputs(codes).transpose(1, 2)
        skip = torch.zeros_like(x)
        for layer in self.layers:
            x, y = layer(x)
            skip = skip + y
        return self.out(skip)

    @torch.jit.export
    def generate(self, codes: Tensor, steps: int) -> Tensor:
        for _ in range(steps):
            logits = self.forward(codes[:, -16:])
            codes = torch.cat([codes, logits[:, :, -1].argmax(1, keepdim=True)], 1)
        y = codes.float() / 31.0 * 2 - 1
        return torch.sign(y) * ((1 + 31.0) ** y.abs() - 1) / 31.0


class Attention(nn.Module):
    """Attention that knows where it has looked."""

    def __init__(self, width: int):
        super().__init__()
        self.query, self.memory = nn.Linear(width, 8, bias=False), nn.Linear(width, 8, bias=False)
        self.place = nn.Conv1d(2, 8, 5, padding=2, bias=False)
        self.score = nn.Linear(8, 1)

    def forward(self, query: Tensor, memory: Tensor, seen: Tensor, mask: Tensor) -> Tuple[Tensor, Tensor]:
        places = self.place(seen).transpose(1, 2)
        energy = self.score(torch.tanh(self.query(query.unsqueeze(1)) + self.memory(memory) + places)).squeeze(-1)
        weights = energy.masked_fill(mask, -float("inf")).softmax(1)
        return torch.bmm(weights.unsqueeze(1), memory).squeeze(1), weights


class Speaker(nn.Module):
    """Text to frames, until the gate opens."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(20, 8)
        self.encoder = nn.LSTM(8, 4, batch_first=True, bidirectional=True)
        self.before = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Dropout(0.5))
        self.cell = nn.LSTMCell(16, 8)
        self.attention = Attention(8)
        self.frame, self.gate = nn.Linear(16, 4), nn.Linear(16, 1)
        self.after = nn.ModuleList([nn.Conv1d(4, 4, 5, padding=2) for _ in range(2)])

    def forward(self, tokens: Tensor, lengths: Tensor, limit: int = 12) -> Tuple[Tensor, Tensor, int]:
        packed = nn.utils.rnn.pack_padded_sequence(self.embedding(tokens), lengths, batch_first=True)
        memory, _ = nn.utils.rnn.pad_packed_sequence(self.encoder(packed)[0], batch_first=True)
        mask = torch.arange(memory.size(1))[None] >= lengths[:, None]
        batch = tokens.size(0)
        h, c = memory.new_zeros(batch, 8), memory.new_zeros(batch, 8)
        context, frame = memory.new_zeros(batch, 8), memory.new_zeros(batch, 4)
        weights = memory.new_zeros(batch, memory.size(1))
        total = weights
        frames: List[Tensor] = []
        alignments: List[Tensor] = []
        while len(frames) < limit:
            h, c = self.cell(torch.cat([self.before(frame), context], 1), (h, c))
            context, weights = self.attention(h, memory, torch.stack([weights, total], 1), mask)
            total = total + weights
            both = torch.cat([h, context], -1)
            frame = self.frame(both)
            frames.append(frame)
            alignments.append(weights)
            if bool((torch.sigmoid(self.gate(both)) > 0.95).all()):
                break
        out = torch.stack(frames, 2)
        for i, conv in enumerate(self.after):
            out = out + (torch.tanh(conv(out)) if i == 0 else conv(out))
        return out, torch.stack(alignments, 1), len(frames)


class Separator(nn.Module):
    """Learned filters, normalized masks over blocks of time, and back to waves."""

    def __init__(self, sources: int = 2):
        super().__init__()
        self.sources = sources
        self.encode = nn.Conv1d(1, 8, 16, stride=8, bias=False)
        self.norm = nn.GroupNorm(1, 8, eps=1e-8)
        self.blocks = nn.Sequential(*[nn.Sequential(nn.Conv1d(8, 8, 3, padding=2 ** i, dilation=2 ** i, groups=8),
                                                    nn.PReLU(), nn.GroupNorm(1, 8)) for i in range(3)])
        self.masks = nn.Conv1d(8, 8 * sources, 1)
        self.decode = nn.ConvTranspose1d(8, 1, 16, stride=8, bias=False)

    def forward(self, wave: Tensor) -> Tensor:
        batch, length = wave.shape
        rest = (8 - (length - 16) % 8) % 8
        padded = F.pad(wave, [0, rest]).unsqueeze(1)
        features = self.encode(padded).relu()
        masks = self.masks(self.blocks(self.norm(features))).view(batch, self.sources, 8, -1).softmax(1)
        out = self.decode((features.unsqueeze(1) * masks).flatten(0, 1)).view(batch, self.sources, -1)
        return out[..., :length] - out[..., :length].mean(-1, keepdim=True)


class SpeechDetector(nn.Module):
    """Chunks in, one probability a chunk, its state kept in the module; two sample rates."""

    h: Tensor

    def __init__(self):
        super().__init__()
        self.models = nn.ModuleDict({"slow": nn.Conv1d(1, 6, 8, stride=4), "fast": nn.Conv1d(1, 6, 16, stride=8)})
        self.cell = nn.GRU(6, 6)
        self.out = nn.Linear(6, 1)
        self.h = torch.zeros(0)
        self.rates: List[int] = [8000, 16000]
        self.last_rate = 0

    @torch.jit.export
    def reset(self):
        self.h = torch.zeros(0)
        self.last_rate = 0

    def forward(self, x: Tensor, rate: int) -> Tensor:
        if x.dim() == 1:
            x = x.unsqueeze(0)
        if x.dim() > 2:
            raise ValueError(f"Too many dimensions for input audio chunk {x.dim()}")
        if rate not in self.rates:
            raise ValueError(f"Supported sampling rates: {self.rates}")
        if self.last_rate != 0 and self.last_rate != rate:
            self.reset()
        if len(self.h) == 0:
            self.h = torch.zeros(1, x.size(0), 6)
        y = self.models["slow"](x.unsqueeze(1)) if rate == 8000 else self.models["fast"](x.unsqueeze(1))
        y, self.h = self.cell(F.relu(y).permute(2, 0, 1), self.h)
        self.last_rate = rate
        return torch.sigmoid(self.out(y[-1])).squeeze(1)

    @torch.jit.export
    def timestamps(self, wave: Tensor, rate: int, threshold: float = 0.5) -> List[Dict[str, int]]:
        self.reset()
        chunk = 32
        out: List[Dict[str, int]] = []
        current: Dict[str, int] = {}
        for i in range(0, wave.numel(), chunk):
            part = wave[i:i + chunk]
            if part.numel() < chunk:
                part = F.pad(part, (0, chunk - part.numel()))
            if float(self.forward(part, rate)) >= threshold:
                if "start" not in current:
                    current["start"] = i
            elif len(current) > 0:
                current["end"] = i
                out.append(current)
                current = torch.jit.annotate(Dict[str, int], {})
        if len(current) > 0:
            current["end"] = wave.numel()
            out.append(current)
        return out


class Resampler(nn.Module):
    def __init__(self, before: int = 3, after: int = 2, width: int = 6):
        super().__init__()
        self.before, self.after, self.width = before, after, width
        base = min(before, after) * 0.99
        index = torch.arange(-width, width + before).double() / before
        t = (torch.arange(0, -after, -1).double() / after)[:, None] + index[None]
        t = (t * base).clamp(-6, 6)
        window = torch.cos(t * math.pi / 6 / 2) ** 2
        self.register_buffer("kernels", (torch.sinc(t) * window * base / before).float().unsqueeze(1))

    def forward(self, wave: Tensor) -> Tensor:
        length = wave.size(-1)
        padded = F.pad(wave, (self.width, self.width + self.before))
        out = F.conv1d(padded[:, None], self.kernels, stride=self.before)
        out = out.transpose(1, 2).reshape(wave.size(0), -1)
        return out[..., : int(math.ceil(self.after * length / self.before))]


def made(kind, *args):
    torch.manual_seed(3)
    return kind(*args).eval()


def wave(*shape):
    return torch.randn(shape, generator=torch.Generator().manual_seed(9)) * 0.3


def cases():
    yield model("mel spectrogram", made(MelSpectrogram), wave(2, 400), rtol=1e-4)
    yield model("mel spectrogram of channels", made(MelSpectrogram), wave(2, 3, 300), rtol=1e-4)
    yield model("mel spectrogram traced", torch.jit.trace(made(MelSpectrogram), wave(1, 200)), wave(1, 200), rtol=1e-4)
    yield model("cepstrum", made(Cepstrum), wave(2, 400), rtol=1e-4)
    yield model("griffin-lim", made(GriffinLim), wave(1, 17, 12).abs(), 4, 0.9, rtol=1e-3)
    yield model("griffin-lim of a length", made(GriffinLim), wave(1, 17, 12).abs(), 2, 0.0, 88, rtol=1e-3)
    net = made(WaveNet)
    codes = torch.randint(0, 32, (2, 20), generator=torch.Generator().manual_seed(1))
    yield model("wavenet", net, codes)
    yield model("wavenet generates", net, codes, 6, method="generate")
    tokens = torch.randint(0, 20, (2, 6), generator=torch.Generator().manual_seed(2))
    yield model("speaker", made(Speaker), tokens, torch.tensor([6, 4]))
    yield model("separator", made(Separator), wave(2, 133))
    yield model("separator frozen", torch.jit.freeze(torch.jit.script(made(Separator))), wave(2, 133))
    detector = made(SpeechDetector)
    yield model("speech detector", detector, wave(32), 8000)
    yield model("speech detector, two rows", detector, wave(2, 64), 16000)
    yield model("speech detector refuses", detector, wave(32), 44100, message=True)
    yield model("speech detector over time", detector, wave(500), 8000, 0.46, method="timestamps")
    yield model("resampler", made(Resampler), wave(2, 100))
