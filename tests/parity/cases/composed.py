"""Random programs, from fixed seeds: chains of operators, views, writes through views and changes of dtype.

Every tensor of a program is compared at its end, so a write that missed an alias shows. A statement is kept when PyTorch
runs it and its results stay small; exact programs hold no rounding, so that they may compare, sort and convert."""
import random

import torch

from lib.case import *
from lib.tensors import *

PROGRAMS, STATEMENTS = 260, 14
LARGEST = 1 << 14

VIEWS = ["{a}.transpose({d}, {e})", "{a}.permute({order})", "{a}.unsqueeze({u})", "{a}.squeeze({d})", "{a}.select({d}, {i})",
         "{a}.narrow({d}, {i}, 1)", "{a}[{slices}]", "{a}.reshape(-1)", "{a}.flatten({d0}, -1)", "{a}.diagonal(0, {d}, {e})",
         "{a}.unsqueeze(0).expand({wide})", "{a}.chunk(2, {d})[0]", "{a}.unfold({d}, 1, 1)", "{a}.T", "{a}.movedim({d}, {e})",
         "{a}.view(-1)", "{a}.expand_as({b})", "{a}.contiguous()", "{a}.split(1, {d})[-1]", "{a}.unbind({d})[{i}]", "{a}.detach()"]
WRITES = ["{a}.add_({b})", "{a}.mul_({k})", "{a}.sub_({b}, alpha=2)", "{a}.copy_({b})", "{a}.fill_({k})", "{a}.zero_()",
          "{a}.masked_fill_({b} > 0, {k})", "{a}.clamp_(-4, 4)", "{a}.neg_()", "{a}.transpose_({d}, {e})", "{a}.unsqueeze_({u})",
          "{a}.squeeze_()", "{a}.index_fill_({d}, torch.tensor([{i}]), {k})", "{a}.relu_()", "{a}.abs_()", "{a}.t_()",
          "{a}.index_add_({d}, torch.tensor([{i}]), {a}.narrow({d}, {i}, 1).clone())", "{a}.bitwise_and_({b})",
          "{a}.scatter_({d}, torch.zeros_like({a}, dtype=torch.int64), {k})", "{a}.logical_not_()"]
SETS = ["{a}[{slices}] = {k}", "{a}[{slices}] += 1", "{a}[{a} > 1] = {k}", "{a}[torch.tensor([{i}, 0])] = {b}", "{a}[..., -1] *= 2"]
EXACT = ["torch.add({a}, {b})", "torch.sub({a}, {b}, alpha=3)", "torch.mul({a}, {b})", "{a} * {k}", "{a} + {k}", "{k} - {a}",
         "torch.maximum({a}, {b})", "torch.where({a} > {b}, {a}, {b})", "torch.cat([{a}, {a}], {d})", "torch.stack([{a}, {b}], {d})",
         "{a}.sum({d}, keepdim=True)", "{a}.sum()", "{a}.amax({d})", "{a}.min({d})[0]", "torch.argmax({a} * 1, {d})", "{a}.sort({d})[0]",
         "{a}.flip({d})", "{a}.roll(1, {d})", "{a}.cumsum({d})", "torch.clamp({a}, -2, 3)", "{a}.abs()", "{a}.floor()", "{a}.sign()",
         "{a} == {b}", "{a} < {k}", "torch.logical_and({a}, {b})", "{a}.tril()", "torch.matmul({a}, {b})", "{a}.repeat_interleave(2, {d})",
         "{a}.gather({d}, torch.zeros_like({a}, dtype=torch.int64))", "{a}.index_select({d}, torch.tensor({two}))",
         "{a}.to(torch.{exact})", "{a}.to(torch.{exact}).to(torch.{exact})", "{a}.clone()", "{a}.nonzero()", "{a}[{a} != 0]", "{a}.any({d})",
         "{a}.topk(1, {d})[0]", "torch.floor_divide({a}, 2)", "torch.remainder({a}, 3)", "{a}.prod({d})", "torch.full_like({a}, {k})",
         "{a} & {b}", "{a} | {b}", "torch.outer({a}, {b})", "{a}.masked_fill({a} > 0, {k})", "{a}.type_as({b})",
         "{a}.mean({d})", "{a}.pow(2)", "torch.lerp({a}, {b}, 0.5)", "torch.addcmul({a}, {a}, {b})", "torch.zeros_like({a}).scatter_add("
         "{d}, torch.zeros_like({a}, dtype=torch.int64), {a})"]
ROUNDED = ["torch.exp(-{a}.abs())", "torch.sigmoid({a})", "torch.tanh({a})", "torch.softmax({a}, {d})", "torch.log1p({a}.abs())",
           "torch.sqrt({a}.abs())", "{a}.mean({d})", "{a}.var({d}, unbiased=False)", "{a}.norm(2, {d}, keepdim=True)", "torch.add({a}, {b})",
           "torch.mul({a}, {b})", "torch.matmul({a}, {b})", "torch.nn.functional.gelu({a})", "torch.nn.functional.silu({a})",
           "torch.cat([{a}, {b}], {d})", "{a}.sum({d})", "torch.sin({a})", "torch.logsumexp({a}, {d})", "{a} / 3", "torch.rsqrt({a}.abs() + 1)",
           "torch.nn.functional.layer_norm({a}, [{a}.size(-1)])", "torch.erf({a})", "torch.atan2({a}, {b})", "{a}.to(torch.{rounded})",
           "torch.addmm({a}, {a}, {b})", "torch.bmm({a}, {b})", "torch.einsum('i...,j...->ij', [{a}, {b}])", "torch.nn.functional.pad({a}, [1, 0])",
           "{a}.cumsum({d})", "torch.hypot({a}, {b})", "torch.where({a} > 0, {a}, {b} * 0.1)", "torch.nn.functional.normalize({a}, 2.0, {d})"]
SHAPES = [(2, 3, 4), (4, 4), (3, 4), (4,), (2, 1, 3), (), (2, 2, 3, 2), (1, 4)]


def start(rng, exact):
    dtype = rng.choice([torch.float32, torch.float64, torch.int64, torch.int32, torch.uint8, torch.bool] if exact else
                       [torch.float32, torch.float32, torch.float64])
    shape = rng.choice(SHAPES)
    layout = rng.choice([l for l in LAYOUTS if fits(shape, l) and l != EXPANDED])
    x = make(shape, dtype, 0 if dtype == torch.uint8 else -4, 4, layout=layout, seed=rng.randrange(1000))
    return x.mul_(4).floor_().div_(4) if exact and dtype.is_floating_point else x


def statement(rng, values, exact):
    """Text of a random statement about the tensors in `values`, and the name it defines (or None)."""
    a, b = rng.choice(list(values)), rng.choice(list(values))
    rank = values[a].dim()
    dims = [rng.randrange(-rank, rank) if rank else 0 for _ in range(2)]
    size = values[a].size(dims[0]) if rank else 1
    order = rng.sample(range(rank), rank)
    slices = [rng.choice([":", "::2", "1:", ":-1", "0", ":1"]) for _ in range(rng.randint(1, max(rank, 1)))]
    parts = dict(a=a, b=b, d=dims[0], e=dims[1], d0=rng.randrange(rank) if rank else 0, u=rng.randint(-rank - 1, rank),
                 i=rng.randrange(size) if size else 0, two=[rng.randrange(size), 0] if rank and size else [0], k=rng.choice([-1, 0, 2, 3, 0.5]), order=", ".join(map(str, order)),
                 slices=", ".join(slices), wide=", ".join(["2"] + ["-1"] * rank),
                 exact=rng.choice(["float32", "float64", "int64", "int32", "int16", "bool"]), rounded=rng.choice(["float32", "float64"]))
    kind = rng.random()
    if kind < 0.3:
        return rng.choice(WRITES).format(**parts), None
    if kind < 0.4:
        return rng.choice(SETS).format(**parts), None
    name = f"t{len(values)}"
    text = rng.choice(VIEWS if kind < 0.65 else EXACT if exact else ROUNDED).format(**parts)
    return f"{name} = {text}", name


def sound(tensor, exact):
    if tensor.numel() > 400:
        return False
    if tensor.dtype in (torch.bool, torch.uint8) or not tensor.numel():
        return True
    return bool((tensor.double().abs() <= LARGEST).all()) and (not exact or bool(
        (tensor.double() * 1024 == (tensor.double() * 1024).round()).all()))


def written(rng, exact):
    """(source, arguments)"""
    arguments = [start(rng, exact) for _ in range(3)]
    lines = []

    def run():
        values = {"torch": torch, **{f"x{i}": x.clone() if x.is_contiguous() else torch.empty_strided(
            x.shape, x.stride(), dtype=x.dtype).copy_(x) for i, x in enumerate(arguments)}}
        exec("\n".join(lines), values)
        return {k: v for k, v in values.items() if isinstance(v, torch.Tensor)}

    values = run()
    for _ in range(STATEMENTS * 4):
        if len(lines) == STATEMENTS:
            break
        text, _ = statement(rng, values, exact)
        lines.append(text)
        try:
            after = run()
        except Exception:
            after = None
        if after is None or not all(sound(v, exact) for v in after.values()):
            lines.pop()
        else:
            values = after
    body = "".join(f"  {line}\n" for line in lines)
    given = ", ".join(f"x{i}: Tensor" for i in range(len(arguments)))
    return f"def forward(self, {given}):\n{body}  return [{', '.join(values)}]", arguments


def cases():
    for seed in range(PROGRAMS):
        rng = random.Random(seed)
        exact = seed % 3 != 0
        source, arguments = written(rng, exact)
        yield program(f"composed {seed}", source, *arguments, rtol=None if exact else 1e-4, atol=None if exact else 1e-5)
