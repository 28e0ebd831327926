"""Programs as applications write them: decoders, tokenizers, state machines, nets of nets."""
import math
from dataclasses import dataclass
from enum import Enum
from typing import Dict, List, NamedTuple, Optional, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lib.language import runs


@torch.jit.script
@dataclass
class Hyp:
    score: float
    tokens: List[int]
    done: bool = False

    def extended(self, token: int, logp: float, eos: int) -> "Hyp":
        return Hyp(self.score + logp, self.tokens + [token], token == eos)


@torch.jit.script
class Vocab:
    def __init__(self, words: List[str]):
        self.index: Dict[str, int] = {}
        self.words = words
        for i, w in enumerate(words):
            self.index[w] = i

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, w: str) -> bool:
        return w in self.index

    def __getitem__(self, w: str) -> int:
        return self.index[w] if w in self.index else self.unknown

    @property
    def unknown(self) -> int:
        return len(self.words)

    @staticmethod
    def clean(w: str) -> str:
        return w.strip(".,!?").lower()


class Phase(Enum):
    IDLE = 0
    RUN = 1
    STOP = 2


class Step(NamedTuple):
    phase: int
    value: float
    note: Optional[str] = None


@runs((2, 4), (3, 6), (1, 2))
class Beam(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(11, 8)
        self.cell = nn.GRUCell(8, 8)
        self.out = nn.Linear(8, 11)
        torch.manual_seed(0)
        for p in self.parameters():
            nn.init.uniform_(p, -1, 1)

    def forward(self, width: int, steps: int) -> Tuple[List[List[int]], List[float]]:
        hyps = [Hyp(0.0, [1])]
        states = [torch.zeros(1, 8)]
        for _ in range(steps):
            cand: List[Tuple[float, int, int]] = []
            logps: List[Tensor] = []
            nxt: List[Tensor] = []
            for i, h in enumerate(hyps):
                s = self.cell(self.emb(torch.tensor([h.tokens[-1]])), states[i])
                lp = F.log_softmax(self.out(s), dim=-1)[0]
                nxt.append(s)
                v, k = lp.topk(width)
                for j in range(width):
                    cand.append((-(h.score + float(v[j])), i, int(k[j])))
                logps.append(lp)
            cand.sort()
            new: List[Hyp] = []
            ns: List[Tensor] = []
            for neg, i, tok in cand[:width]:
                new.append(hyps[i].extended(tok, -neg - hyps[i].score, 2))
                ns.append(nxt[i])
            hyps = new
            states = ns
            if all([h.done for h in hyps]):
                break
        return [h.tokens for h in hyps], [round(h.score * 1000.0) / 1000.0 for h in hyps]


@runs("Hello, world! the world is Big.", "", "a  b\tc")
class Tokenize(nn.Module):
    def forward(self, text: str) -> Tuple[List[int], int, bool, str]:
        v = Vocab(["hello", "world", "the"])
        out: List[int] = []
        for w in text.split():
            out.append(v[Vocab.clean(w)])
        return out, len(v), "the" in v, "|".join([str(i) for i in out])


@runs((torch.tensor([[0.1, 0.7, 0.2], [0.1, 0.7, 0.2], [0.8, 0.1, 0.1], [0.2, 0.2, 0.6]]), 0))
class Ctc(nn.Module):
    def forward(self, p: Tensor, blank: int) -> Tuple[str, float]:
        prev = -1
        out = ""
        score = 0.0
        for row in p:
            v, k = row.max(0)
            score += math.log(v.item())
            if int(k) != prev and int(k) != blank:
                out += chr(ord("a") + int(k))
            prev = int(k)
        return out, score


@runs((torch.tensor([[0., 0, 10, 10], [1, 1, 11, 11], [20, 20, 30, 30], [0, 0, 9, 9]]), torch.tensor([0.9, 0.8, 0.7, 0.95]), 0.5))
class Nms(nn.Module):
    def forward(self, boxes: Tensor, scores: Tensor, t: float) -> Tensor:
        x1, y1, x2, y2 = boxes.unbind(1)
        area = (x2 - x1) * (y2 - y1)
        order = scores.argsort(descending=True)
        keep: List[int] = []
        while order.numel() > 0:
            i = int(order[0])
            keep.append(i)
            if order.numel() == 1:
                break
            o = order[1:]
            w = (torch.min(x2[i], x2[o]) - torch.max(x1[i], x1[o])).clamp(min=0)
            h = (torch.min(y2[i], y2[o]) - torch.max(y1[i], y1[o])).clamp_(min=0)
            iou = w * h / (area[i] + area[o] - w * h)
            order = o[iou <= t]
        return torch.tensor(keep)


@runs((["go", "tick", "halt"],), (["tick", "go", "go"],))
class Machine(nn.Module):
    def forward(self, events: List[str]) -> Tuple[List[int], List[str]]:
        state = Phase.IDLE
        seen: List[int] = []
        notes: List[str] = []
        for i, e in enumerate(events):
            if state == Phase.IDLE and e == "go":
                state = Phase.RUN
            elif state == Phase.RUN and e == "halt":
                state = Phase.STOP
            elif e == "bad":
                raise ValueError(f"event {i}: {e}")
            s = Step(state.value, i / 2, e if i % 2 == 0 else None)
            n = s.note
            if n is not None:
                notes.append(n.upper() + "%d" % s.phase)
            seen.append(s.phase)
        return seen, notes


class Block(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.l = nn.Linear(n, n)
        nn.init.eye_(self.l.weight)
        nn.init.zeros_(self.l.bias)
        self.calls: int = 0

    def forward(self, x: Tensor, scale: float = 1.0) -> Tensor:
        self.calls += 1
        return self.l(x) * scale

    @torch.jit.export
    def twice(self, x: Tensor) -> Tensor:
        return self.forward(self.forward(x, 1.0), 1.0)

    @torch.jit.unused
    def never(self, x: Tensor) -> Tensor:
        return x.numpy()


@runs((torch.arange(6.).reshape(2, 3), "b"), (torch.ones(1, 3), "zz"))
class Nets(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block(3), Block(3)])
        self.named = nn.ModuleDict({"a": Block(3), "b": Block(3)})
        self.seq = nn.Sequential(nn.ReLU(), nn.Hardtanh(-1.0, 4.0))
        self.register_buffer("count", torch.zeros(1, dtype=torch.int64))
        self.table: Dict[str, float] = {"a": 0.5, "b": 2.0}

    def forward(self, x: Tensor, key: str) -> Tuple[Tensor, int, List[str], Dict[str, float]]:
        with torch.no_grad():
            futures: List[torch.jit.Future[Tensor]] = []
            for b in self.blocks:
                futures.append(torch.jit.fork(b, x, 0.5))
            y = torch.stack([torch.jit.wait(f) for f in futures]).sum(0)
        names: List[str] = []
        for k, m in self.named.items():
            if k == key:
                y = m.twice(y)
            names.append(k)
        for i, m in enumerate(self.seq):
            y = m(y) + i
        self.count += 1
        self.table[key] = self.table.get(key, 1.0) * 2
        return y, int(self.count), names, self.table


@runs((torch.arange(24.).reshape(2, 3, 4),))
class Subscripts(nn.Module):
    def forward(self, x: Tensor) -> List[Tensor]:
        y = x.clone()
        i = torch.tensor([1, 0])
        m = x[0, 0] > 1
        y[:, 1] += 1
        y[..., -1] *= 2
        y[0, :, m] = -1.0
        y[i, 2, 1:3] = y[:, 0, :2] - 5
        y[1][x[1] > 20] = 0
        return [x[None, ..., 1], x[:, [0, 2]], x[i, :, i], x[0][m[:3]], x[:, None, -2:, ::2],
                x[i.unsqueeze(1), torch.tensor([0, 2])], x[1, 2, 3], y, x[:, :, m], x[-1:, 0]]


@runs((7, -2), (-7, 2), (9, 4))
class Ints(nn.Module):
    def forward(self, a: int, b: int) -> Tuple[int, int, float, Tuple[int, int], float, bool, int, str]:
        c = a
        c -= b
        c *= 3
        return a // b, a % b, a / b, divmod(a, b), float(a) // float(b), b < 0 <= a, (a << 3) ^ (b & 255), f"{a}/{b}={a / b} {c}"


@runs(("key=value; other = 3 ;flag",), ("",))
class Parse(nn.Module):
    def forward(self, s: str) -> Tuple[Dict[str, str], List[str], int]:
        out: Dict[str, str] = {}
        bad: List[str] = []
        for part in s.split(";"):
            k, sep, v = part.partition("=")
            if sep == "=":
                out[k.strip()] = v.strip().zfill(3)
            elif len(part) > 0:
                bad.append(part.replace("f", "F").rjust(6, "."))
        return out, bad, s.find("=", 4)


def outer(x: Tensor, k: int = 2, bias: Optional[float] = None) -> Tensor:
    r = x * k
    if bias is not None:
        r = r + bias
    return r


@runs((torch.ones(2), None), (torch.ones(2), 3))
class Defaults(nn.Module):
    def forward(self, x: Tensor, n: Optional[int]) -> Tensor:
        if n is None:
            return outer(x)
        assert n > 0, "n must be positive"
        return outer(x, n, bias=0.5) + outer(x, bias=float(n))


@runs((["pear", "fig", "apple"], [3, 1, 2]))
class Sorting(nn.Module):
    def forward(self, names: List[str], sizes: List[int]) -> Tuple[List[str], List[Tuple[int, str]], List[int], Dict[str, int]]:
        pairs = [(s, n) for s, n in zip(sizes, names)]
        pairs.sort()
        d = {n: s for n, s in zip(names, sizes)}
        return sorted(names), pairs, sorted(sizes), d
