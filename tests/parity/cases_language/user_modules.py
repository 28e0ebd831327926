from typing import Dict, Final, List, NamedTuple, Optional, Tuple

import torch
from torch import Tensor, nn

from lib.language import runs


class Output(NamedTuple):
    logits: Tensor
    hidden: List[Tensor]
    extra: Dict[str, Tensor]


class Options(NamedTuple):
    size: int
    name: str = "none"
    rates: Tuple[float, float] = (0.5, 1.5)
    maybe: Optional[List[int]] = None


def filled(net: nn.Module, seed: int = 0) -> nn.Module:
    random = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for p in net.parameters():
            p.copy_(torch.rand(p.shape, generator=random) - 0.5)
    return net


class Base(nn.Module):
    scale: Final[float]

    def __init__(self, scale: float = 2.0):
        super().__init__()
        self.linear = filled(nn.Linear(3, 3))
        self.scale = scale

    def forward(self, x: Tensor) -> Tensor:
        return self.transformed(x) * self.scale

    def transformed(self, x: Tensor) -> Tensor:
        return self.linear(x)


@runs((torch.ones(2, 3),))
class Derived(Base):
    """Inherits forward, which calls what is overridden here."""

    def __init__(self):
        super().__init__(3.0)
        self.norm = nn.LayerNorm(3)

    def transformed(self, x: Tensor) -> Tensor:
        return self.norm(self.linear(x))


@runs((torch.ones(2, 3),), form="script")
class NamedOutput(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([filled(nn.Linear(3, 3), i) for i in range(3)])

    def forward(self, x: Tensor) -> Output:
        hidden: List[Tensor] = []
        for layer in self.layers:
            x = torch.tanh(layer(x))
            hidden.append(x)
        return Output(x, hidden, {"last": hidden[-1], "sum": torch.stack(hidden).sum(0)})


@runs((torch.ones(2, 3), 1), (torch.ones(2, 3), 5))
class ContainersTogether(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.ModuleList([filled(nn.Linear(3, 3), i) for i in range(3)])
        self.second = nn.ModuleList([nn.ReLU(), nn.Tanh(), nn.Sigmoid()])
        self.heads = nn.ModuleDict({"a": filled(nn.Linear(3, 2), 5), "b": filled(nn.Linear(3, 1), 6)})
        self.nested = nn.ModuleList([nn.ModuleList([nn.ReLU(), nn.Tanh()]), nn.ModuleList([nn.Sigmoid()])])
        self.weights = nn.ParameterList([nn.Parameter(torch.full((3,), float(i))) for i in range(2)])

    def forward(self, x: Tensor, n: int) -> Tuple[Tensor, Dict[str, Tensor], List[str]]:
        for i, (a, b) in enumerate(zip(self.first, self.second)):
            x = b(a(x)) if i < n else x
        for group in self.nested:
            for act in group:
                x = act(x)
        for w in self.weights:
            x = x + w
        out: Dict[str, Tensor] = {}
        names: List[str] = []
        for name, head in self.heads.items():
            out[name] = head(x)
            names.append(name)
        for key in self.heads.keys():
            names.append(key + "!")
        for head in self.heads.values():
            x = x + head(x).sum()
        if "a" in self.heads:
            names.append("has a")
        return x + self.first[0](x) + self.first[-1](x), out, names


@runs((torch.ones(4),))
class Properties(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(1))
        self._width = 4

    @property
    def width(self) -> int:
        return self._width * 2

    @width.setter
    def width(self, value: int):
        self._width = value

    def forward(self, x: Tensor) -> Tuple[Tensor, int]:
        before = self.width
        self.width = 5
        self.count += 1
        return x * self.count, before + self.width


@runs((torch.ones(2, 3),), (torch.ones(2, 4),))
class Checked(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        if x.size(1) != 3:
            raise ValueError(f"expected 3 columns, got {x.size(1)}")
        torch._assert(x.dim() == 2, "two dims")
        return x.mean(1)


@runs((torch.ones(3),))
class Exported(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls: int = 0

    @torch.jit.export
    def reset(self) -> int:
        old = self.calls
        self.calls = 0
        return old

    @torch.jit.ignore
    def python_only(self, x: Tensor) -> Tensor:
        return x.numpy()

    @torch.jit.unused
    def never(self, x: Tensor) -> Tensor:
        return x.numpy()

    def forward(self, x: Tensor) -> Tuple[Tensor, int]:
        self.calls += 2
        if not torch.jit.is_scripting():
            x = self.never(x)
        return x * self.calls, self.reset()


@runs((torch.ones(2, 3),))
class Hooked(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = filled(nn.Linear(3, 3))

        def before(self, input: Tuple[Tensor]) -> Tuple[Tensor]:
            return (input[0] * 2,)

        def after(self, input: Tuple[Tensor], output: Tensor) -> Tensor:
            return output + input[0].sum()

        self.layer.register_forward_pre_hook(before)
        self.layer.register_forward_hook(after)

    def forward(self, x: Tensor) -> Tensor:
        return self.layer(x)


@runs((torch.arange(6.0).view(2, 3),))
class ForkedMethods(nn.Module):
    def __init__(self):
        super().__init__()
        self.branches = nn.ModuleList([filled(nn.Linear(3, 3), i) for i in range(3)])

    def part(self, x: Tensor, k: int) -> Tuple[Tensor, int]:
        return x * k, k

    def forward(self, x: Tensor) -> Tuple[Tensor, int]:
        futures: List[torch.jit.Future[Tuple[Tensor, int]]] = []
        for i in range(3):
            futures.append(torch.jit.fork(self.part, x, i))
        total = 0
        for f in futures:
            y, k = torch.jit.wait(f)
            x = x + y
            total += k
        for layer in self.branches:
            x = x + torch.jit.wait(torch.jit.fork(layer, x))
        return x, total


@runs((torch.ones(2, 3, 4),), (torch.ones(1, 3, 4),))
class TypicalAttention(nn.Module):
    dropout: Final[float]

    def __init__(self):
        super().__init__()
        self.heads = 2
        self.dropout = 0.1
        self.qkv = filled(nn.Linear(4, 12), 1)
        self.proj = filled(nn.Linear(4, 4), 2)
        self.eval()

    def forward(self, x: Tensor, mask: Optional[Tensor] = None,
                need_weights: bool = True) -> Tuple[Tensor, Optional[Tensor]]:
        b, n, c = x.shape
        qkv = self.qkv(x).reshape(b, n, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
        q, k, v = qkv.unbind(0)
        attn = (q @ k.transpose(-2, -1)) * (c // self.heads) ** -0.5
        if mask is not None:
            attn = attn.masked_fill(mask == 0, float("-inf"))
        attn = nn.functional.dropout(attn.softmax(dim=-1), self.dropout, self.training)
        out = self.proj((attn @ v).transpose(1, 2).reshape(b, n, c))
        if need_weights:
            return out, attn
        return out, None


@runs((torch.ones(2, 5, 3), [5, 3]), (torch.ones(1, 2, 3), [2]))
class TypicalRecurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = filled(nn.LSTMCell(3, 4), 3)

    def init_state(self, n: int, like: Tensor) -> Tuple[Tensor, Tensor]:
        return torch.zeros(n, 4, dtype=like.dtype, device=like.device), torch.zeros(n, 4).to(like)

    def forward(self, x: Tensor, lengths: List[int]) -> Tuple[Tensor, List[Tensor]]:
        state = self.init_state(x.size(0), x)
        outputs: List[Tensor] = []
        for step in x.unbind(1):
            state = self.cell(step, state)
            outputs.append(state[0])
        stacked = torch.stack(outputs, dim=1)
        return stacked, [stacked[i, :n] for i, n in enumerate(lengths)]


class Table(nn.Module):
    names: Dict[str, int]
    sizes: List[int]
    pairs: List[Tuple[str, float]]
    maybe: Optional[Tensor]

    def __init__(self):
        super().__init__()
        self.names = {"one": 1, "two": 2}
        self.sizes = [1, 2, 3]
        self.pairs = [("a", 0.5), ("b", 1.5)]
        self.maybe = None


@runs(("one",), ("three",))
class Attributes(Table):
    def forward(self, key: str) -> Tuple[int, float, bool]:
        m = self.maybe
        if m is None:
            self.maybe = torch.ones(1)
        else:
            self.sizes.append(int(m))
        total = 0.0
        for name, weight in self.pairs:
            total += weight * len(name)
        n = self.names.get(key, 0) if key != "three" else self.names[key]
        return n + len(self.sizes), total, self.maybe is None


@runs((torch.ones(2, 2), 0), (torch.ones(2, 2), 1), (torch.ones(2, 2), 2))
class Chosen(nn.Module):
    def __init__(self):
        super().__init__()
        self.choices = nn.ModuleDict({"relu": nn.ReLU(), "tanh": nn.Tanh()})
        self.blocks = nn.ModuleList([nn.Sequential(filled(nn.Linear(2, 2), i), nn.ReLU()) for i in range(3)])

    def forward(self, x: Tensor, n: int) -> Tensor:
        for i, block in enumerate(self.blocks):
            if i == n:
                x = block(x)
        if n == 1:
            return self.choices["tanh"](x)
        return self.choices["relu"](x - 0.5)


class Inner(nn.Module):
    def __init__(self, k: int):
        super().__init__()
        self.k = k

    @torch.jit.export
    def helper(self, x: Tensor, flag: bool = False) -> Tensor:
        return x * self.k if flag else x - self.k

    def forward(self, x: Tensor) -> Tensor:
        return self.helper(x, flag=True)


@runs((torch.ones(2),))
class SharedInner(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = Inner(3)
        self.b = self.a
        self.c = Inner(4)

    def forward(self, x: Tensor) -> Tensor:
        return self.a(x) + self.b.helper(x) + self.c.helper(x, True)


@runs((torch.ones(2, 3),), form="script")
class TracedInside(nn.Module):
    def __init__(self):
        super().__init__()
        self.traced = torch.jit.trace(filled(nn.Sequential(nn.Linear(3, 3), nn.Tanh())), torch.ones(2, 3))

    def forward(self, x: Tensor) -> Tensor:
        for _ in range(int(x.size(0))):
            x = self.traced(x)
        return x


@runs((torch.ones(2, 3),), form="script")
class OutOfGradients(nn.Module):
    def forward(self, x: Tensor) -> Tuple[Tensor, bool]:
        with torch.no_grad():
            y = x * 2
            flag = y.requires_grad
        return y.detach(), flag


@runs((torch.rand(1, 3, 4, 4, generator=torch.Generator().manual_seed(0)), [8, 8]),
      (torch.rand(1, 3, 4, 4, generator=torch.Generator().manual_seed(0)), None))
class Resized(nn.Module):
    def forward(self, x: Tensor, size: Optional[List[int]]) -> Tensor:
        if size is None:
            size = [x.shape[-2] // 2, x.shape[-1] // 2]
        return nn.functional.interpolate(x, size=size, mode="bilinear", align_corners=False)


@runs((torch.ones(2, 3), "sum"), (torch.ones(2, 3), "mean"), (torch.ones(2, 3), "other"))
class ByName(nn.Module):
    def forward(self, x: Tensor, reduction: str) -> Tensor:
        if reduction == "sum":
            return x.sum()
        elif reduction == "mean":
            return x.mean()
        raise RuntimeError("unknown reduction '{}'".format(reduction))


@runs((7,))
class NamedTupleDefaults(nn.Module):
    def forward(self, n: int) -> Tuple[int, str, float, bool]:
        o = Options(n)
        p = Options(n, rates=(2.0, 3.0), maybe=[1])
        return o.size + p.size, o.name, o.rates[1] * p.rates[0], o.maybe is None


@runs((2,), (-1,))
class Unused(nn.Module):
    @torch.jit.unused
    def never(self, n: int) -> int:
        return len(str(n))

    def forward(self, n: int) -> int:
        if n < 0:
            return self.never(n)
        return n


@runs((torch.ones(2, 3, 4, 4),), (torch.ones(2, 3),))
class Overloaded(nn.Module):
    def forward(self, x: Tensor) -> Tuple[Tensor, List[int]]:
        if x.dim() == 4:
            y = x.flatten(1).max(dim=1)
            where: List[int] = y.indices.tolist()
            return y.values, where
        values, indices = torch.topk(x, k=2, dim=-1, sorted=True)
        return values, list(indices.shape)
