"""Text models as people write them: encoders and decoders with caches, search, tokenizers, taggers."""
import math
from enum import Enum
from typing import Dict, List, NamedTuple, Optional, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lib.case import *


class RMSNorm(nn.Module):
    def __init__(self, width: int, eps: float = 1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(width) + 0.5)
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        return self.weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)).to(x.dtype)


def rotated(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    first, second = x.chunk(2, dim=-1)
    return x * cos + torch.cat((-second, first), dim=-1) * sin


class RotaryAttention(nn.Module):
    """Grouped heads, rotary positions, keys and values kept in a dict that the caller owns."""

    def __init__(self, width: int, heads: int, groups: int, layer: int):
        super().__init__()
        self.heads, self.groups, self.size, self.layer = heads, groups, width // heads, layer
        self.q = nn.Linear(width, width, bias=False)
        self.k = nn.Linear(width, groups * self.size, bias=False)
        self.v = nn.Linear(width, groups * self.size, bias=False)
        self.o = nn.Linear(width, width, bias=False)
        self.register_buffer("rate", 1.0 / (10000 ** (torch.arange(0, self.size, 2).float() / self.size)))

    def forward(self, x: Tensor, start: int, cache: Dict[str, Tensor]) -> Tensor:
        batch, length, _ = x.shape
        q = self.q(x).view(batch, length, self.heads, self.size).transpose(1, 2)
        k = self.k(x).view(batch, length, self.groups, self.size).transpose(1, 2)
        v = self.v(x).view(batch, length, self.groups, self.size).transpose(1, 2)
        angles = torch.outer(torch.arange(start, start + length, device=x.device).float(), self.rate)
        angles = torch.cat((angles, angles), dim=-1)
        q, k = rotated(q, angles.cos(), angles.sin()), rotated(k, angles.cos(), angles.sin())
        key, value = f"k{self.layer}", f"v{self.layer}"
        if key in cache:
            k, v = torch.cat([cache[key], k], dim=2), torch.cat([cache[value], v], dim=2)
        cache[key], cache[value] = k, v
        k, v = k.repeat_interleave(self.heads // self.groups, 1), v.repeat_interleave(self.heads // self.groups, 1)
        scores = q @ k.transpose(-1, -2) / math.sqrt(self.size)
        mask = torch.ones(length, k.size(2), dtype=torch.bool, device=x.device).tril(k.size(2) - length)
        scores = scores.masked_fill(~mask, float("-inf"))
        return self.o((scores.softmax(-1) @ v).transpose(1, 2).reshape(batch, length, -1))


class DecoderLayer(nn.Module):
    def __init__(self, width: int, layer: int):
        super().__init__()
        self.attention = RotaryAttention(width, 4, 2, layer)
        self.first, self.second = RMSNorm(width), RMSNorm(width)
        self.gate, self.up, self.down = nn.Linear(width, 24), nn.Linear(width, 24), nn.Linear(24, width)

    def forward(self, x: Tensor, start: int, cache: Dict[str, Tensor]) -> Tensor:
        x = x + self.attention(self.first(x), start, cache)
        y = self.second(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))


class CausalModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(40, 16)
        self.layers = nn.ModuleList([DecoderLayer(16, i) for i in range(2)])
        self.norm = RMSNorm(16)

    def forward(self, tokens: Tensor, start: int, cache: Dict[str, Tensor]) -> Tuple[Tensor, Dict[str, Tensor]]:
        x = self.embedding(tokens)
        for layer in self.layers:
            x = layer(x, start, cache)
        return F.linear(self.norm(x), self.embedding.weight), cache

    @torch.jit.export
    def generate(self, prompt: Tensor, steps: int, stop: int = -1) -> Tuple[Tensor, List[float]]:
        cache: Dict[str, Tensor] = {}
        logits, cache = self.forward(prompt, 0, cache)
        tokens = [prompt]
        scores: List[float] = []
        n = prompt.size(1)
        for _ in range(steps):
            best = logits[:, -1].log_softmax(-1).max(-1)
            token = best.indices.unsqueeze(1)
            scores.append(best.values.sum().item())
            tokens.append(token)
            if bool((token == stop).all()):
                break
            logits, cache = self.forward(token, n, cache)
            n += 1
        return torch.cat(tokens, 1), scores

    @torch.jit.export
    def sampled_filter(self, logits: Tensor, k: int, p: float, temperature: float) -> Tensor:
        """Top-k and nucleus filtering, without the draw."""
        logits = logits / temperature
        limit = torch.topk(logits, k).values[..., -1, None]
        logits = torch.where(logits < limit, torch.full_like(logits, -float("inf")), logits)
        ordered, index = torch.sort(logits, descending=True)
        removed = ordered.softmax(-1).cumsum(-1) > p
        removed[..., 1:] = removed[..., :-1].clone()
        removed[..., 0] = False
        return logits.masked_fill(removed.scatter(1, index, removed), float("-inf"))


class RelativeAttention(nn.Module):
    """Buckets of relative positions, as T5 has them."""

    def __init__(self, heads: int = 2, width: int = 8, bidirectional: bool = True):
        super().__init__()
        self.bias = nn.Embedding(16, heads)
        self.qkv = nn.Linear(width, 3 * width)
        self.heads, self.bidirectional = heads, bidirectional

    def bucket(self, relative: Tensor, buckets: int = 16, distance: int = 32) -> Tensor:
        out = torch.zeros_like(relative)
        if self.bidirectional:
            buckets = buckets // 2
            out += (relative > 0).to(torch.long) * buckets
            relative = torch.abs(relative)
        else:
            relative = -torch.min(relative, torch.zeros_like(relative))
        exact = buckets // 2
        large = exact + (torch.log(relative.float() / exact) / math.log(distance / exact) * (buckets - exact)).to(
            torch.long)
        large = torch.min(large, torch.full_like(large, buckets - 1))
        return out + torch.where(relative < exact, relative, large)

    def forward(self, x: Tensor, mask: Optional[Tensor] = None) -> Tuple[Tensor, Optional[Tensor]]:
        n = x.size(1)
        positions = torch.arange(n)[None, :] - torch.arange(n)[:, None]
        bias = self.bias(self.bucket(positions)).permute([2, 0, 1]).unsqueeze(0)
        q, k, v = [t.view(x.size(0), n, self.heads, -1).transpose(1, 2) for t in self.qkv(x).split(x.size(-1), -1)]
        scores = torch.einsum("bhid,bhjd->bhij", q, k) + bias
        if mask is not None:
            scores = scores + (1.0 - mask[:, None, None, :].to(scores.dtype)) * -10000.0
        weights = scores.float().softmax(dim=-1).type_as(scores)
        out = torch.einsum("bhij,bhjd->bhid", weights, v).contiguous().view(x.size(0), n, -1)
        return out, weights if mask is not None else None


class Hypothesis(NamedTuple):
    tokens: List[int]
    score: float


class BeamSearch(nn.Module):
    """Beams as lists of named tuples, scored by a recurrent step."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(12, 8)
        self.cell = nn.GRUCell(8, 8)
        self.out = nn.Linear(8, 12)

    def step(self, token: int, state: Tensor) -> Tuple[Tensor, Tensor]:
        state = self.cell(self.embedding(torch.tensor([token])), state)
        return torch.log_softmax(self.out(state), dim=1)[0], state

    def forward(self, width: int, steps: int, end: int = 0) -> List[Hypothesis]:
        beams: List[Tuple[float, List[int], Tensor]] = [(0.0, [1], torch.zeros(1, 8))]
        finished: List[Hypothesis] = []
        for t in range(steps):
            candidates: List[Tuple[float, List[int], Tensor]] = []
            for score, tokens, state in beams:
                if tokens[-1] == end:
                    finished.append(Hypothesis(tokens, score / len(tokens)))
                    continue
                logp, state = self.step(tokens[-1], state)
                values, indices = logp.topk(width)
                gains: List[float] = values.tolist()
                nexts: List[int] = indices.tolist()
                for value, index in zip(gains, nexts):
                    candidates.append((score + value, tokens + [index], state))
            order: List[int] = torch.tensor([c[0] for c in candidates]).argsort(descending=True).tolist()
            beams = [candidates[i] for i in order[:width]]
            if len(beams) == 0:
                break
        for score, tokens, _ in beams:
            finished.append(Hypothesis(tokens, score / len(tokens)))
        return finished


class CTCDecoder(nn.Module):
    """A small convolutional recognizer of lines with greedy and prefix decoding."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4), nn.LeakyReLU(0.1),
                                  nn.MaxPool2d((2, 1)))
        self.rnn = nn.LSTM(4 * 4, 6, bidirectional=True)
        self.out = nn.Linear(12, 5)
        self.alphabet = "-abcd"

    def forward(self, x: Tensor) -> Tuple[List[str], Tensor]:
        y = self.conv(x).permute(3, 0, 1, 2).flatten(2)
        logp = self.out(self.rnn(y)[0]).log_softmax(2)
        texts: List[str] = []
        best = logp.argmax(2)
        for b in range(x.size(0)):
            chars: List[str] = []
            last = -1
            for t in range(best.size(0)):
                c = int(best[t, b])
                if c != 0 and c != last:
                    chars.append(self.alphabet[c])
                last = c
            texts.append("".join(chars))
        return texts, logp

    @torch.jit.export
    def prefixes(self, logp: Tensor, width: int) -> Dict[str, float]:
        beams = {"": (0.0, -float("inf"))}
        for t in range(logp.size(0)):
            new: Dict[str, Tuple[float, float]] = {}
            for prefix, (blank, other) in beams.items():
                for c in range(logp.size(1)):
                    p = float(logp[t, c])
                    if c == 0:
                        text, gain_blank, gain = prefix, self.join(blank, other) + p, -float("inf")
                    elif len(prefix) > 0 and prefix[-1] == self.alphabet[c]:
                        text, gain_blank, gain = prefix, -float("inf"), other + p
                    else:
                        text, gain_blank, gain = prefix + self.alphabet[c], -float("inf"), self.join(blank, other) + p
                    old = new.get(text, (-float("inf"), -float("inf")))
                    new[text] = (self.join(old[0], gain_blank), self.join(old[1], gain))
            scored = sorted([(-self.join(v[0], v[1]), k) for k, v in new.items()])
            beams = {k: new[k] for _, k in scored[:width]}
        return {k: self.join(v[0], v[1]) for k, v in beams.items()}

    def join(self, a: float, b: float) -> float:
        if a == -math.inf:
            return b
        if b == -math.inf:
            return a
        return max(a, b) + math.log1p(math.exp(-abs(a - b)))


class Level(Enum):
    CHARACTER = "c"
    WORD = "w"


class Tokenizer(nn.Module):
    """Lower case, punctuation apart, greedy pieces of a vocabulary, padding and masks."""

    def __init__(self, level: Level):
        super().__init__()
        words = ["[pad]", "[unk]", "the", "cat", "sat", "##s", "##ting", "on", "mat", ".", ",", "run", "##ning", "a"]
        self.vocabulary: Dict[str, int] = {w: i for i, w in enumerate(words)}
        self.inverse: Dict[int, str] = {i: w for i, w in enumerate(words)}
        self.level = level

    def split(self, text: str) -> List[str]:
        out: List[str] = []
        word = ""
        for c in text.lower():
            if c.isspace():
                if word != "":
                    out.append(word)
                word = ""
            elif c in ".,!?":
                if word != "":
                    out.append(word)
                word = ""
                out.append(c)
            else:
                word += c
        if len(word) > 0:
            out.append(word)
        return out

    def pieces(self, word: str) -> List[str]:
        out: List[str] = []
        start = 0
        while start < len(word):
            end = len(word)
            found: Optional[str] = None
            while start < end:
                piece = ("##" if start > 0 else "") + word[start:end]
                if piece in self.vocabulary:
                    found = piece
                    break
                end -= 1
            if found is None:
                return ["[unk]"]
            out.append(found)
            start = end
        return out

    def forward(self, texts: List[str], limit: int = 8) -> Tuple[Tensor, Tensor, List[List[str]]]:
        rows: List[List[int]] = []
        for text in texts:
            ids: List[int] = []
            if self.level == Level.WORD:
                for word in self.split(text):
                    ids += [self.vocabulary[p] for p in self.pieces(word)]
            else:
                ids.extend([ord(c) for c in text])
            rows.append(ids[:limit])
        longest = max([len(r) for r in rows])
        mask = torch.tensor([[1] * len(r) + [0] * (longest - len(r)) for r in rows])
        ids = torch.tensor([r + [0] * (longest - len(r)) for r in rows])
        return ids, mask, [self.decoded(r) for r in rows]

    def decoded(self, ids: List[int]) -> List[str]:
        return [self.inverse[i] if i in self.inverse else chr(i) for i in ids]


class LinearChain(nn.Module):
    """A conditional random field: the partition function and the best path."""

    def __init__(self, labels: int = 4):
        super().__init__()
        self.transitions = nn.Parameter(torch.randn(labels, labels))
        self.start = nn.Parameter(torch.randn(labels))

    def forward(self, scores: Tensor, mask: Tensor) -> Tuple[Tensor, List[List[int]]]:
        alpha = self.start + scores[0]
        best = self.start + scores[0]
        history: List[Tensor] = []
        for i in range(1, scores.size(0)):
            keep = mask[i].unsqueeze(1)
            step = torch.logsumexp(alpha.unsqueeze(2) + self.transitions + scores[i].unsqueeze(1), dim=1)
            alpha = torch.where(keep, step, alpha)
            value, index = (best.unsqueeze(2) + self.transitions).max(dim=1)
            best = torch.where(keep, value + scores[i], best)
            history.append(index)
        paths: List[List[int]] = []
        ends = mask.long().sum(0) - 1
        for b in range(scores.size(1)):
            last = int(best[b].argmax())
            path = [last]
            for index in torch.stack(history[: int(ends[b])]).flip(0):
                last = int(index[b, last])
                path.append(last)
            path.reverse()
            paths.append(path)
        return alpha.logsumexp(1), paths


def made(kind, *args):
    torch.manual_seed(3)
    return kind(*args).eval()


def cases():
    tokens = torch.tensor([[1, 5, 9, 2], [3, 3, 8, 7]])
    causal = made(CausalModel)
    yield model("causal decoder with a cache", causal, tokens, 0, {"other": torch.zeros(1)})
    yield model("causal decoder generates", causal, tokens, 5, method="generate", rtol=1e-5)
    yield model("causal decoder stops", causal, tokens[:1], 12, 30, method="generate", rtol=1e-5)
    logits = torch.randn(2, 40, generator=torch.Generator().manual_seed(4))
    yield model("filtered logits", causal, logits, 12, 0.8, 0.7, method="sampled_filter")
    x = torch.randn(2, 6, 8, generator=torch.Generator().manual_seed(5))
    mask = torch.tensor([[1, 1, 1, 1, 0, 0], [1] * 6])
    yield model("relative attention", made(RelativeAttention), x)
    yield model("relative attention with a mask", made(RelativeAttention, 2, 8, False), x, mask)
    yield model("beam search", made(BeamSearch), 3, 6, rtol=1e-5)
    recognizer = made(CTCDecoder)
    picture = torch.randn(2, 1, 8, 20, generator=torch.Generator().manual_seed(6))
    yield model("recognizer of lines", recognizer, picture)
    yield model("prefix search", recognizer, torch.randn(6, 5, generator=torch.Generator().manual_seed(7)).log_softmax(1), 4,
                method="prefixes")
    texts = ["The cats sat, running on a mat.", "A dog!", "sitting"]
    yield model("pieces of words", made(Tokenizer, Level.WORD), texts)
    yield model("characters", made(Tokenizer, Level.CHARACTER), texts, 5)
    scores = torch.randn(5, 2, 4, generator=torch.Generator().manual_seed(8))
    yield model("linear chain", made(LinearChain), scores, torch.tensor([[1, 1], [1, 1], [1, 1], [1, 0], [1, 0]]).bool())
