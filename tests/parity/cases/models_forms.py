"""Modules as PyTorch's own tools leave them: traced, frozen, mixed, parametrized, packed, rewritten by FX."""
from typing import Optional, Tuple

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from lib.case import model
from lib.language import runs


def filled(net, seed=0):
    random = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for p in net.parameters():
            p.copy_(torch.rand(p.shape, generator=random) - 0.5)
    return net.eval()


@torch.jit.script
def scripted_loop(x: Tensor, n: int) -> Tensor:
    for i in range(n):
        if bool(x.sum() > 100):
            return x
        x = x * 2 + i
    return x


class CallsScript(nn.Module):
    """Tracing keeps the control flow of scripted functions."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)

    def forward(self, x, y):
        z = scripted_loop(self.layer(x), 5)
        return {"sum": z + y, "size": torch.tensor(z.shape[0])}, (z.unbind(0), [y, y * 2])


@runs((torch.ones(2, 3), torch.ones(3)), (torch.full((4, 3), 50.0), torch.zeros(3)), form="script")
def traced_mixture():
    return torch.jit.trace(filled(CallsScript()), (torch.ones(2, 3), torch.ones(3)), strict=False)


class Methods(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)

    def forward(self, x):
        return self.layer(x)

    def weighted(self, x):
        return x @ self.layer.weight


@runs((torch.ones(2, 3),))
def traced_methods():
    return torch.jit.trace_module(filled(Methods()), {"forward": torch.ones(2, 3), "weighted": torch.ones(1, 3)})


class Branches(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)
        self.norm = nn.BatchNorm2d(4)
        self.use = True
        self.state = 3

    @torch.jit.export
    def scaled(self, x: Tensor) -> Tensor:
        return x * self.state

    def forward(self, x: Tensor) -> Tensor:
        if self.training:
            x = x + 100
        x = self.norm(self.conv(x)) if self.use else x
        return torch.dropout(x, 0.5, self.training)


@runs((torch.ones(1, 3, 5, 5),))
def frozen():
    return torch.jit.freeze(torch.jit.script(filled(Branches())), preserved_attrs=["scaled", "state"])


@runs((torch.ones(1, 3, 5, 5),), form="script")
def frozen_for_inference():
    module = torch.jit.freeze(torch.jit.script(filled(Branches())))
    torch._C._jit_pass_fold_frozen_conv_bn(module.graph)
    return module


@runs((torch.arange(6.0).view(2, 3),))
def weight_norms():
    torch.manual_seed(1)
    return torch.jit.trace(nn.Sequential(nn.utils.weight_norm(filled(nn.Linear(3, 4))),
                                         nn.utils.spectral_norm(filled(nn.Linear(4, 2), 1))).eval(), torch.ones(2, 3))


@runs((torch.arange(6.0).view(2, 3),), form="script")
def parametrized():
    torch.manual_seed(1)
    net = nn.utils.parametrizations.spectral_norm(filled(nn.Linear(3, 4)))
    return torch.jit.trace(net.eval(), torch.ones(2, 3))


@runs((torch.arange(12.0).view(2, 2, 3) / 10,))
def symbolic():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.first = filled(nn.Linear(3, 4))
            self.second = filled(nn.Linear(4, 2), 1)

        def forward(self, x):
            y = torch.relu(self.first(x)).transpose(-1, -2)
            return self.second(y.transpose(-1, -2)).sum(dim=-1, keepdim=True), y.size(-1)

    return torch.jit.script(torch.fx.symbolic_trace(Net()))


class Packed(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(3, 4, num_layers=2, bidirectional=True, batch_first=True)

    def forward(self, x: Tensor, lengths: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
        packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        y, h = self.rnn(packed)
        out, sizes = pad_packed_sequence(y, batch_first=True)
        return out, sizes, h


@runs((torch.arange(24.0).view(2, 4, 3) / 24, torch.tensor([2, 4])), (torch.ones(1, 2, 3), torch.tensor([2])),
      form="script")
def packed_sequences():
    return torch.jit.script(filled(Packed()))


@runs((torch.arange(24.0).view(2, 4, 3) / 24, torch.ones(2, 5, 3)), form="script")
def transformer():
    torch.manual_seed(0)
    net = nn.Transformer(3, 1, 1, 1, 8, 0.1, batch_first=True)
    return torch.jit.script(filled(net))


@runs((torch.arange(24.0).view(4, 2, 3) / 24,))
def attention():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.mha = nn.MultiheadAttention(3, 3, add_bias_kv=True)

        def forward(self, x: Tensor) -> Tuple[Tensor, Optional[Tensor]]:
            mask = torch.triu(torch.ones(4, 4, dtype=torch.bool), 1)
            return self.mha(x, x, x, attn_mask=mask)

    return torch.jit.script(filled(Net()))


@runs((torch.tensor([[1, 2], [3, 0]]), torch.tensor([0, 2])))
def embeddings():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.table = nn.Embedding(5, 3, padding_idx=0, max_norm=1.0)
            self.bag = nn.EmbeddingBag(5, 3, mode="mean")

        def forward(self, x: Tensor, offsets: Tensor) -> Tuple[Tensor, Tensor]:
            return self.table(x), self.bag(x.flatten(), offsets)

    return torch.jit.script(filled(Net()))


@runs((torch.ones(2, 2),))
def lazy():
    net = nn.Sequential(nn.LazyLinear(3), nn.ReLU(), nn.Unflatten(1, (3, 1)), nn.Flatten())
    net(torch.ones(1, 2))
    return torch.jit.script(filled(net))


@runs((torch.ones(2, 3),))
def trained_mode():
    return torch.jit.script(filled(nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3))).train())


@runs((torch.tensor([3, 1, 2]),))
def traced_constants():
    class Net(nn.Module):
        def forward(self, x):
            table = torch.arange(10) * 2
            y = table[x].float()
            return y.to(torch.float64), y.new_zeros(2), torch.full((2,), 3), x.shape[0] * y

    return torch.jit.trace(Net(), torch.tensor([0, 1]))


@runs((torch.tensor([3.0, 1.0, 2.0]),), (torch.tensor([3.0, 1.0, 2.0], dtype=torch.float16),), (torch.tensor([3, 1, 2]),))
def traced_numbers():
    """PyTorch makes the constant tensors of a trace numbers again, which shows where there are no dimensions."""
    class Net(nn.Module):
        def forward(self, x):
            top, rows = x.max(), x.view(1, -1)
            constant = torch.tensor(0.5, dtype=torch.float64)
            return (10 * top - 0.7, top * 2.5, top / 3, top - 2.5 * (top + 1), 2.5 - top, 1 / top, rows * 2.5, constant * top,
                    top * constant, (top > 1) + 1, (top > 1) * 2.5, top.double() + 1, torch.where(rows > 1, rows, rows * 0.5))

    return torch.jit.trace(Net(), torch.tensor([0.0, 1.0]))


def cases():
    for name, target in list(globals().items()):
        for i, arguments in enumerate(getattr(target, "argument_lists", ())):
            torch.manual_seed(0)
            yield model(f"{name}/{i}", target(), *arguments, form=target.form, rtol=1e-4)
