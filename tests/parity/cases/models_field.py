"""Other models as people write them: pictures, boxes, graphs, points, policies, tables."""
import math
from enum import Enum
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lib.case import *


class DoubleConv(nn.Sequential):
    def __init__(self, a: int, b: int):
        super().__init__(nn.Conv2d(a, b, 3, padding=1, bias=False), nn.InstanceNorm2d(b, affine=True), nn.ELU(),
                         nn.Conv2d(b, b, 3, padding=1, padding_mode="reflect"), nn.GroupNorm(2, b), nn.SiLU())


class Gate(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.g, self.x, self.out = nn.Conv2d(width, 4, 1), nn.Conv2d(width, 4, 1), nn.Conv2d(4, 1, 1)

    def forward(self, g: Tensor, x: Tensor) -> Tensor:
        return x * self.out(F.relu(self.g(g) + self.x(x))).sigmoid()


class UNet(nn.Module):
    """Odd sizes are padded; the decoder has transposed convolutions and gates."""

    def __init__(self):
        super().__init__()
        widths = [4, 8, 12]
        self.down = nn.ModuleList([DoubleConv(a, b) for a, b in zip([3] + widths, widths)])
        self.up = nn.ModuleList([nn.ConvTranspose2d(b, a, 2, stride=2) for a, b in zip(widths[:-1], widths[1:])][::-1])
        self.gates = nn.ModuleList([Gate(w) for w in widths[:-1]][::-1])
        self.join = nn.ModuleList([DoubleConv(2 * w, w) for w in widths[:-1]][::-1])
        self.head = nn.Conv2d(4, 2, 1)

    def forward(self, x: Tensor) -> Dict[str, Tensor]:
        size = x.shape[-2:]
        skips: List[Tensor] = []
        for i, block in enumerate(self.down):
            x = block(x)
            if i + 1 < len(self.down):
                skips.append(x)
                x = F.max_pool2d(x, 2, ceil_mode=True)
        for i, (up, gate, join) in enumerate(zip(self.up, self.gates, self.join)):
            x, skip = up(x), skips[-1 - i]
            dy, dx = skip.size(2) - x.size(2), skip.size(3) - x.size(3)
            x = F.pad(x, [min(dx, 0), max(dx, 0), min(dy, 0), max(dy, 0)])
            x = join(torch.cat([gate(x, skip), x], dim=1))
        logits = F.interpolate(self.head(x), size=size, mode="bicubic", align_corners=False)
        return {"logits": logits, "mask": logits.argmax(1).to(torch.uint8)}


def boxes_of(x: Tensor) -> Tensor:
    center, half = x[..., :2], x[..., 2:4] / 2
    return torch.cat([center - half, center + half], -1)


def overlap(a: Tensor, b: Tensor) -> Tensor:
    inner = (torch.min(a[:, None, 2:], b[:, 2:]) - torch.max(a[:, None, :2], b[:, :2])).clamp(0).prod(2)
    areas = [(t[:, 2] - t[:, 0]) * (t[:, 3] - t[:, 1]) for t in (a, b)]
    return inner / (areas[0][:, None] + areas[1] - inner + 1e-7)


class Yolo(nn.Module):
    """Grids and anchors at two scales, decoded, filtered a class at a time and kept best first."""

    def __init__(self, classes: int = 3):
        super().__init__()
        self.classes = classes
        self.stem = nn.Sequential(nn.Conv2d(3, 8, 6, 2, 2), nn.BatchNorm2d(8), nn.SiLU(), nn.Conv2d(8, 8, 3, 2, 1))
        self.next = nn.Conv2d(8, 8, 3, 2, 1)
        self.heads = nn.ModuleList([nn.Conv2d(8, 2 * (5 + classes), 1) for _ in range(2)])
        self.register_buffer("anchors", torch.tensor([[[4.0, 6.0], [8.0, 5.0]], [[12.0, 14.0], [20.0, 16.0]]]))
        self.strides = [4.0, 8.0]

    def decode(self, x: Tensor, level: int) -> Tensor:
        b, _, h, w = x.shape
        x = x.view(b, 2, 5 + self.classes, h, w).permute(0, 1, 3, 4, 2).contiguous().sigmoid()
        ys, xs = torch.meshgrid(torch.arange(h), torch.arange(w), indexing="ij")
        grid = torch.stack((xs, ys), 2).view(1, 1, h, w, 2).to(x.dtype)
        x[..., 0:2] = (x[..., 0:2] * 2 - 0.5 + grid) * self.strides[level]
        x[..., 2:4] = (x[..., 2:4] * 2) ** 2 * self.anchors[level].view(1, 2, 1, 1, 2)
        return x.view(b, -1, 5 + self.classes)

    def forward(self, x: Tensor, threshold: float = 0.25, limit: int = 20) -> List[Tensor]:
        features = [self.stem(x)]
        features.append(self.next(features[0]))
        decoded: List[Tensor] = []
        for i, head in enumerate(self.heads):
            decoded.append(self.decode(head(features[i]), i))
        out: List[Tensor] = []
        for row in torch.cat(decoded, 1):
            row = row[row[:, 4] > threshold]
            if row.shape[0] == 0:
                out.append(torch.zeros((0, 6)))
                continue
            scores = row[:, 5:] * row[:, 4:5]
            which, label = (scores > threshold).nonzero().unbind(1)
            boxes = torch.cat((boxes_of(row[which, :4]), scores[which, label, None], label[:, None].float()), 1)
            out.append(boxes[self.keep(boxes)][:limit])
        return out

    def keep(self, boxes: Tensor) -> Tensor:
        order = boxes[:, 4].argsort(dim=0, descending=True)
        apart = boxes[:, :4] + boxes[:, 5:6] * 4096.0
        kept: List[int] = []
        gone = torch.zeros(boxes.size(0), dtype=torch.bool)
        for i in range(order.numel()):
            k = int(order[i])
            if bool(gone[k]):
                continue
            kept.append(k)
            gone |= overlap(apart[k:k + 1], apart)[0] > 0.45
        return torch.tensor(kept, dtype=torch.long)


class GraphNet(nn.Module):
    """Messages along edges: attention normalized at the target, mean and largest over graphs."""

    def __init__(self):
        super().__init__()
        self.inputs, self.score = nn.Linear(5, 6), nn.Parameter(torch.randn(12))
        self.update = nn.GRUCell(6, 6)
        self.out = nn.Linear(12, 2)

    def forward(self, x: Tensor, edges: Tensor, graph: Tensor, weights: Optional[Tensor] = None) -> Tensor:
        h = self.inputs(x).tanh()
        source, target = edges[0], edges[1]
        n = x.size(0)
        for _ in range(2):
            score = F.leaky_relu((torch.cat([h[source], h[target]], 1) * self.score).sum(1), 0.2)
            score = (score - score.max()).exp()
            if weights is not None:
                score = score * weights
            total = torch.zeros(n).index_add_(0, target, score)
            messages = h.index_select(0, source) * (score / (total[target] + 1e-9)).unsqueeze(1)
            gathered = torch.zeros_like(h).scatter_add_(0, target.unsqueeze(1).expand_as(messages), messages)
            h = self.update(gathered, h)
        count = int(graph.max()) + 1
        sums = torch.zeros(count, 6).index_add(0, graph, h)
        mean = sums / torch.bincount(graph, minlength=count).clamp(min=1).unsqueeze(1)
        largest = torch.stack([h[graph == g].amax(0) for g in range(count)])
        return self.out(torch.cat([mean, largest], 1))


class PointNet(nn.Module):
    """Farthest points, groups of neighbors, a learned transform, the largest of each group."""

    def __init__(self):
        super().__init__()
        self.transform = nn.Linear(3, 9)
        self.features = nn.Sequential(nn.Conv1d(3, 8, 1), nn.BatchNorm1d(8), nn.Softplus())

    def farthest(self, points: Tensor, count: int) -> Tensor:
        batch, n, _ = points.shape
        chosen = torch.zeros(batch, count, dtype=torch.long)
        distance = torch.full((batch, n), 1e10)
        last = torch.zeros(batch, dtype=torch.long)
        rows = torch.arange(batch)
        for i in range(count):
            chosen[:, i] = last
            center = points[rows, last, :].view(batch, 1, 3)
            apart = torch.sum((points - center) ** 2, -1)
            distance = torch.min(distance, apart)
            last = torch.max(distance, -1)[1]
        return chosen

    def forward(self, points: Tensor) -> Tuple[Tensor, Tensor]:
        matrix = self.transform(points.mean(1)).view(-1, 3, 3) + torch.eye(3)
        points = torch.bmm(points, matrix)
        index = self.farthest(points, 4)
        centers = torch.gather(points, 1, index.unsqueeze(-1).expand(-1, -1, 3))
        near = torch.cdist(centers, points).topk(3, dim=-1, largest=False)[1]
        groups = points.unsqueeze(1).expand(-1, 4, -1, -1).gather(2, near.unsqueeze(-1).expand(-1, -1, -1, 3))
        y = self.features((groups - centers.unsqueeze(2)).flatten(0, 1).transpose(1, 2)).max(2)[0]
        return y.view(points.size(0), 4, -1), near


class Action(NamedTuple):
    mean: Tensor
    spread: Tensor
    log_prob: Tensor
    value: float


class Mode(Enum):
    EXPLORE = 0
    EXPLOIT = 1


class Policy(nn.Module):
    """Running statistics of observations, squashed Gaussians, a dict of parts as observation."""

    def __init__(self, mode: Mode):
        super().__init__()
        self.mode = mode
        self.register_buffer("mean", torch.zeros(4))
        self.register_buffer("var", torch.ones(4))
        self.register_buffer("count", torch.tensor(1e-4))
        self.body = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.LayerNorm(8))
        self.actor, self.critic = nn.Linear(8, 4), nn.Linear(8, 1)

    @torch.jit.export
    def observe(self, x: Tensor) -> Tensor:
        mean, var, n = x.mean(0), x.var(0, unbiased=False), x.shape[0]
        delta, total = mean - self.mean, self.count + n
        self.var = (self.var * self.count + var * n + delta ** 2 * self.count * n / total) / total
        self.mean += delta * n / total
        self.count = total
        return torch.stack([self.mean, self.var])

    def forward(self, parts: Dict[str, Tensor], noise: Tensor) -> Action:
        x = torch.cat([parts[k] for k in sorted(parts.keys())], -1)
        x = ((x - self.mean) / torch.sqrt(self.var + 1e-8)).clamp(-5.0, 5.0)
        y = self.body(x)
        mean, log_spread = self.actor(y).chunk(2, -1)
        spread = log_spread.clamp(-20, 2).exp()
        raw = mean + (noise * spread if self.mode == Mode.EXPLORE else torch.zeros_like(spread))
        log_prob = -((raw - mean) ** 2) / (2 * spread ** 2) - spread.log() - 0.5 * math.log(2 * math.pi)
        log_prob = (log_prob - 2 * (math.log(2) - raw - F.softplus(-2 * raw))).sum(-1)
        return Action(torch.tanh(raw), spread, log_prob, float(self.critic(y).mean()))


class Factorized(nn.Module):
    """Columns of a table: embeddings by name, pairs multiplied, gated experts."""

    def __init__(self, columns: Dict[str, int]):
        super().__init__()
        self.tables = nn.ModuleDict({k: nn.EmbeddingBag(v, 4, mode="sum") for k, v in columns.items()})
        self.experts = nn.ModuleList([nn.Linear(4, 3) for _ in range(3)])
        self.gate = nn.Linear(4, 3)
        self.names = list(columns)

    def forward(self, rows: Dict[str, List[List[int]]]) -> Tuple[Tensor, Dict[str, Tensor]]:
        embedded: Dict[str, Tensor] = {}
        for name, table in self.tables.items():
            values: List[int] = []
            offsets: List[int] = []
            for row in rows[name]:
                offsets.append(len(values))
                values += row
            embedded[name] = table(torch.tensor(values), torch.tensor(offsets))
        x = torch.stack(list(embedded.values()), 1)
        pairs = 0.5 * (x.sum(1) ** 2 - (x ** 2).sum(1))
        weights = self.gate(pairs).softmax(-1)
        top = weights.topk(2, dim=-1)
        out = torch.zeros(x.size(0), 3)
        for i, expert in enumerate(self.experts):
            share = torch.where(top.indices == i, top.values, torch.zeros_like(top.values)).sum(-1, keepdim=True)
            if bool((share > 0).any()):
                out = out + expert(pairs) * share
        return out, embedded


@torch.jit.script
class Ring:
    """The last values, in a ring."""

    def __init__(self, size: int):
        self.items: List[Tensor] = []
        self.size = size
        self.at = 0

    def push(self, x: Tensor) -> Optional[Tensor]:
        if len(self.items) < self.size:
            self.items.append(x)
            return None
        old = self.items[self.at]
        self.items[self.at] = x
        self.at = (self.at + 1) % self.size
        return old

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, i: int) -> Tensor:
        return self.items[(self.at + i) % len(self.items)]

    def __contains__(self, x: float) -> bool:
        for item in self.items:
            if bool((item == x).any()):
                return True
        return False


class Smoother(nn.Module):
    """A class of one's own with operators, optional results, unions and Any."""

    def forward(self, x: Tensor, size: int) -> Tuple[List[Optional[float]], int, bool]:
        ring = Ring(size)
        out: List[Optional[float]] = []
        for value in x:
            old = ring.push(value)
            out.append(None if old is None else float(ring[0] + ring[len(ring) - 1]))
        return out, len(ring), 3.0 in ring

    @torch.jit.export
    def kind(self, x: Union[int, float, List[int], Tensor, None]) -> str:
        if x is None:
            return "none"
        if isinstance(x, Tensor):
            return "tensor " + str(x.dim())
        elif isinstance(x, int):
            return "int " + str(x + 1)
        elif isinstance(x, float):
            return "float {}".format(x * 2)
        else:
            assert isinstance(x, List[int])
            return "list " + ",".join([str(i) for i in x])

    @torch.jit.export
    def counted(self, x: Any) -> int:
        total = 0
        if isinstance(x, (int, bool)):
            total += 1
        if isinstance(x, str):
            total += len(x)
        if isinstance(x, Tuple[int, str]):
            total += x[0] + len(x[1])
        return total


class Pyramid(nn.Module):
    """A dict of features, laterals by name, positions as sines, deformed samples."""

    def __init__(self):
        super().__init__()
        self.body = nn.ModuleDict({"c1": nn.Conv2d(3, 4, 3, 2, 1), "c2": nn.Conv2d(4, 6, 3, 2, 1), "c3": nn.Conv2d(6, 8, 3, 2, 1)})
        self.lateral = nn.ModuleList([nn.Conv2d(w, 5, 1) for w in (4, 6, 8)])
        self.offsets = nn.Conv2d(5, 2, 3, padding=1)

    def positions(self, x: Tensor) -> Tensor:
        h, w = x.shape[-2:]
        y = torch.ones(1, h, w).cumsum(1) / h * 2 * math.pi
        rate = 10000 ** (2 * torch.div(torch.arange(4), 2, rounding_mode="floor") / 4)
        p = y[:, :, :, None] / rate
        return torch.stack((p[..., 0::2].sin(), p[..., 1::2].cos()), dim=4).flatten(3).permute(0, 3, 1, 2)

    def forward(self, x: Tensor) -> Tuple[Dict[str, Tensor], Tensor]:
        features: Dict[str, Tensor] = {}
        for name, layer in self.body.items():
            x = F.hardswish(layer(x))
            features[name] = x
        names = list(features.keys())
        last = self.lateral[2](features["c3"])
        out = {"p2": last}
        for i, lateral in enumerate(self.lateral):
            if i < 2:
                top = F.interpolate(last, size=features[names[1 - i]].shape[-2:], mode="nearest")
                last = top + (self.lateral[1](features["c2"]) if i == 0 else self.lateral[0](features["c1"]))
                out["p{}".format(1 - i)] = last
        move = self.offsets(last).permute(0, 2, 3, 1).tanh()
        grid = F.affine_grid(torch.eye(2, 3).unsqueeze(0).repeat(last.size(0), 1, 1), list(last.shape), align_corners=False)
        sampled = F.grid_sample(last, grid + 0.1 * move, mode="bilinear", padding_mode="border", align_corners=False)
        return out, torch.cat([sampled, self.positions(sampled).expand(last.size(0), -1, -1, -1)], 1)


class Sinkhorn(nn.Module):
    """Iterations to convergence, with early exit; solves and decompositions around."""

    def forward(self, cost: Tensor, eps: float = 0.1, limit: int = 50) -> Tuple[Tensor, int]:
        n, m = cost.shape
        u, v = torch.zeros(n), torch.zeros(m)
        steps = 0
        while True:
            before = u
            u = eps * (math.log(1 / n) - torch.logsumexp((-cost + v[None]) / eps, 1))
            v = eps * (math.log(1 / m) - torch.logsumexp((-cost + u[:, None]) / eps, 0))
            steps += 1
            if steps >= limit or float((u - before).abs().max()) < 1e-4:
                break
        return torch.exp((u[:, None] + v[None] - cost) / eps), steps

    @torch.jit.export
    def align(self, a: Tensor, b: Tensor) -> Tuple[Tensor, Tensor, float]:
        a0, b0 = a - a.mean(0), b - b.mean(0)
        u, s, v = torch.svd(a0.t() @ b0)
        d = torch.sign(torch.det(v @ u.t()))
        fix = torch.diag(torch.stack([torch.ones_like(d), torch.ones_like(d), d]))
        r = v @ fix @ u.t()
        return r, b.mean(0) - r @ a.mean(0), float(torch.norm(a0 @ r.t() - b0))


def made(kind, *args):
    torch.manual_seed(3)
    return kind(*args).eval()


def noise(*shape):
    return torch.randn(shape, generator=torch.Generator().manual_seed(9))


def cases():
    yield model("u-net", made(UNet), noise(1, 3, 21, 26), rtol=1e-4)
    yield model("u-net frozen", torch.jit.freeze(torch.jit.script(made(UNet))), noise(2, 3, 16, 16), rtol=1e-4)
    yield model("yolo", made(Yolo), noise(2, 3, 32, 40), 0.3, rtol=1e-4)
    yield model("yolo finds nothing", made(Yolo), noise(1, 3, 32, 32), 0.99)
    edges = torch.tensor([[0, 1, 2, 3, 4, 5, 6, 1, 0], [1, 2, 0, 4, 3, 6, 5, 0, 2]])
    graph = torch.tensor([0, 0, 0, 1, 1, 2, 2])
    yield model("graph net", made(GraphNet), noise(7, 5), edges, graph, rtol=1e-4)
    yield model("graph net with weights", made(GraphNet), noise(7, 5), edges, graph, noise(9).abs(), rtol=1e-4)
    yield model("points", made(PointNet), noise(2, 12, 3), rtol=1e-4)
    parts = {"speed": noise(3, 2), "position": noise(3, 2) * 2}
    yield model("policy explores", made(Policy, Mode.EXPLORE), parts, noise(3, 2), rtol=1e-4)
    yield model("policy exploits", made(Policy, Mode.EXPLOIT), parts, noise(3, 2), rtol=1e-4)
    yield model("policy observes", made(Policy, Mode.EXPLOIT), noise(6, 4), method="observe", rtol=1e-4)
    rows = {"user": [[1], [2], [3]], "tags": [[0, 4], [], [1, 1, 2]]}
    yield model("factorized", made(Factorized, {"user": 5, "tags": 6}), rows, rtol=1e-4, form="script")
    smoother = made(Smoother)
    yield model("smoother", smoother, torch.arange(6.0), 3, form="script")
    for x in (None, 3, 2.5, [1, 2], torch.zeros(1, 2)):
        yield model(f"kind of {x}", smoother, x, method="kind", form="script")
    for x in (True, "abc", (4, "xy"), 2.5):
        yield model(f"counted {x}", smoother, x, method="counted", form="script")
    yield model("pyramid", made(Pyramid), noise(2, 3, 20, 28), rtol=1e-4)
    yield model("sinkhorn", made(Sinkhorn), noise(4, 5).abs(), rtol=1e-4)
    yield model("aligned points", made(Sinkhorn), noise(6, 3), noise(6, 3).flip(0), method="align", rtol=1e-3)
