from __future__ import annotations

from typing import Dict, List, Optional, Tuple

import torch
from torch import Tensor

from lib.language import runs

X = torch.arange(12.).view(3, 4)


@runs((X,), (torch.zeros(0, 4),), (torch.ones(2, 3, 4),))
def questions(x: Tensor) -> Tuple[List[int], int, int, int, bool, bool, bool, int]:
    return (x.size(), x.dim(), x.numel(), x.size(-1), x.is_contiguous(), x.is_floating_point(), x.is_complex(),
            x.element_size())


@runs((X,), (X.t(),), (X[1:, ::2],))
def layout(x: Tensor) -> Tuple[List[int], int, int, bool]:
    return x.stride(), x.stride(0), x.storage_offset(), x.is_contiguous()


@runs((X,), (torch.tensor([1, 2]),), (torch.tensor([True]),), (torch.ones(1, dtype=torch.float16),))
def kinds(x: Tensor) -> Tuple[bool, bool, bool, bool]:
    return x.dtype == torch.float32, x.dtype == torch.int64, x.dtype == torch.bool, x.dtype == torch.float16


@runs((X,),)
def places(x: Tensor) -> Tuple[str, bool, bool, bool, int]:
    return str(x.device), x.is_cuda, x.requires_grad, x.is_quantized, x.get_device()


@runs((X, 1, 2), (X, -1, -1))
def indexing(x: Tensor, i: int, j: int) -> Tuple[Tensor, Tensor, Tensor, Tensor]:
    return x[i], x[i, j], x[:, j], x[i:, ::2]


@runs((X, torch.tensor([2, 0])), (X, torch.tensor([True, False, True])))
def index_by_tensor(x: Tensor, i: Tensor) -> Tensor:
    return x[i]


@runs((X.clone(),))
def assignment(x: Tensor) -> Tensor:
    x[0] = 5.0
    x[1, 2] = -1.0
    x[:, 3] = x[:, 0]
    x[2, :2] += 100
    return x


@runs((X,))
def none_and_ellipsis(x: Tensor) -> Tuple[List[int], List[int], Tensor]:
    return x[None].size(), x[:, None, :].size(), x[..., 1]


@runs((X, 2.0), (torch.tensor([1, 2]), 3.0))
def scalars(x: Tensor, k: float) -> List[Tensor]:
    return [x + k, x - k, x * k, x / k, k + x, k - x, k * x, x ** 2, -x, x + 1, 2 - x]


@runs((X,), (torch.tensor([1, -2]),))
def comparisons(x: Tensor) -> List[Tensor]:
    return [x > 1, x >= 1, x < 1, x <= 1, x == 1, x != 1, (x > 1) & (x < 5), ~(x > 1), (x > 1) | (x < 0)]


@runs((X.clone(),))
def inplace(x: Tensor) -> Tensor:
    x += 1
    x *= 2
    x -= 0.5
    x /= 4
    y = x
    y.add_(1)
    return x


@runs((X,))
def views_share(x: Tensor) -> Tensor:
    y = x.clone()
    row = y[1]
    row.fill_(7.0)
    y.view(-1)[0] = -3.0
    return y


@runs(([torch.ones(2), torch.zeros(2)],))
def stacking(x: List[Tensor]) -> Tuple[Tensor, Tensor]:
    return torch.stack(x), torch.cat(x, 0)


@runs((torch.tensor(3),), (torch.tensor(0),))
def tensor_as_count(n: Tensor) -> int:
    total = 0
    for i in range(int(n)):
        total += i + 1
    return total


@runs((torch.tensor([1.5, 2.5]),))
def unbinding(x: Tensor) -> float:
    a, b = x.unbind(0)
    return float(a) * 10 + float(b)


@runs((X, None), (X, torch.ones(4)))
def optional_tensor(x: Tensor, bias: Optional[Tensor]) -> Tensor:
    if bias is not None:
        x = x + bias
    return x


@runs((X, ["sum", "mean", "max"]), (X, ["min"]))
def dispatch(x: Tensor, names: List[str]) -> Dict[str, Tensor]:
    out: Dict[str, Tensor] = {}
    for n in names:
        if n == "sum":
            out[n] = x.sum()
        elif n == "mean":
            out[n] = x.mean()
        elif n == "max":
            out[n] = x.max()
        else:
            out[n] = x.min()
    return out


@runs((5,), (1,))
def make_tensors(n: int) -> List[Tensor]:
    return [torch.zeros(n), torch.ones([n, 2], dtype=torch.int64), torch.arange(n), torch.full([2], 1.5),
            torch.tensor([n, 2]), torch.tensor([[1.0], [2.0]]), torch.eye(n)]


@runs((torch.tensor([3., 1., 2.]),))
def several_results(x: Tensor) -> Tuple[Tensor, Tensor, Tensor, Tensor]:
    v, i = x.sort()
    m, at = x.max(dim=0)
    return v, i, m, at


@runs((torch.ones(2, 2), 10), (torch.ones(2, 2) * 0.1, 100))
def until_converged(x: Tensor, limit: int) -> Tuple[Tensor, int]:
    steps = 0
    while bool((x.sum() < 20.0)) and steps < limit:
        x = x * 1.5
        steps += 1
    return x, steps


@runs((torch.tensor([[1, 2], [3, 4]]),))
def shape_unpack(x: Tensor) -> int:
    a, b = x.shape
    return a * 10 + b


@runs((X,))
def tensor_len(x: Tensor) -> int:
    return len(x)


@runs((torch.tensor(1.0),))
def len_of_scalar(x: Tensor) -> int:
    return len(x)


@runs((X, [4, 3]), (X, [-1]), (X, [5, 5]))
def reshape_by_list(x: Tensor, s: List[int]) -> Tensor:
    return x.reshape(s)


@runs((torch.tensor([0.5, 1.5]), torch.tensor([0.5, 1.5])), (torch.tensor([1.0]), torch.tensor([2.0])))
def equality(x: Tensor, y: Tensor) -> Tuple[bool, bool]:
    return torch.equal(x, y), torch.allclose(x, y)


@runs((torch.tensor([1, 2, 3]),))
def dtype_changes(x: Tensor) -> List[Tensor]:
    return [x.float(), x.to(torch.float64), x.to(torch.bool), x.to(torch.int32), x.type_as(torch.ones(1)), x.to(torch.float16)]


@runs((X,))
def tuple_of_tensors(x: Tensor) -> Tuple[Tensor, Tuple[Tensor, int], List[Tensor]]:
    return x[0], (x[1], 3), [x[2], x[:, 0]]


@runs((torch.tensor(2), torch.tensor(3)))
def zero_dim_arithmetic(a: Tensor, b: Tensor) -> List[Tensor]:
    return [a + b, a * b, a / b, a // b, a % b, a ** b, torch.max(a, b)]


@runs((X,))
def promotion(x: Tensor) -> Tuple[int, int, bool]:
    i = torch.ones(2, dtype=torch.int32)
    return torch.result_type(x, i), torch.promote_types(torch.int32, torch.int64), torch.can_cast(torch.float32, torch.int32)
