"""Tensors for case tables: every dtype, shape and stride pattern, from fixed seeds."""
import zlib

import torch

FLOATS = [torch.float32, torch.float64]
HALVES = [torch.float16, torch.bfloat16]
INTS = [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64]
BOOL = [torch.bool]
COMPLEX = [torch.complex64, torch.complex128]
FLOATING = FLOATS + HALVES
REAL = FLOATING + INTS + BOOL
ALL = REAL + COMPLEX

STANDARD = [(), (1,), (7,), (0,), (3, 4), (2, 3, 4), (2, 0, 3), (2, 3, 4, 5), (33, 17)]
SMALL = [(), (5,), (0,), (3, 4), (2, 3, 4)]
MATRICES = [(3, 4), (1, 1), (0, 3), (17, 9)]
IMAGES = [(1, 3, 8, 8), (2, 4, 5, 7), (2, 1, 6, 6), (0, 3, 4, 4)]

# Pairs of shapes that broadcast.
BROADCAST = [((3, 4), (4,)), ((3, 1), (1, 4)), ((), (2, 3)), ((2, 3), ()), ((2, 1, 4), (3, 1)), ((0, 3), (3,)),
             ((1,), (5,)), ((2, 3, 4, 5), (3, 1, 5))]

CONTIGUOUS, TRANSPOSED, SLICED, EXPANDED, CHANNELS_LAST, OFFSET = (
    "contiguous", "transposed", "sliced", "expanded", "channels_last", "offset")
LAYOUTS = [CONTIGUOUS, TRANSPOSED, SLICED, EXPANDED, CHANNELS_LAST, OFFSET]

SPECIAL_FLOATS = [float("nan"), float("inf"), float("-inf"), 0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 1e-30, 1e30, 65504.0]


def seed_of(*key):
    """A seed that depends on the key's text only."""
    return zlib.crc32(repr(key).encode())


def fits(shape, layout):
    """Whether a stride pattern makes sense for (and differs on) a shape."""
    if layout in (CONTIGUOUS, OFFSET):
        return True
    if layout == CHANNELS_LAST:
        return len(shape) == 4
    if layout == TRANSPOSED:
        return len(shape) >= 2
    return len(shape) >= 1  # sliced, expanded


def strided(tensor, layout):
    """The same values as `tensor` under another stride pattern (expanded: the first row repeated)."""
    if layout == CONTIGUOUS:
        return tensor
    if layout == OFFSET:
        base = torch.zeros(tensor.numel() + 3, dtype=tensor.dtype)
        base[3:] = tensor.reshape(-1)
        return base[3:].view(tensor.shape)
    if layout == TRANSPOSED:
        return tensor.transpose(0, -1).contiguous().transpose(0, -1)
    if layout == CHANNELS_LAST:
        return tensor.contiguous(memory_format=torch.channels_last)
    if layout == SLICED:
        base = torch.zeros([2 * n + 1 for n in tensor.shape], dtype=tensor.dtype)
        view = base[tuple(slice(1, 2 * n + 1, 2) for n in tensor.shape)]
        return view.copy_(tensor)
    if layout == EXPANDED:
        return tensor[:1].clone().expand(tensor.shape) if tensor.shape[0] > 0 else tensor
    raise ValueError(f"unknown layout {layout}")


def make(shape, dtype=torch.float32, low=None, high=None, layout=CONTIGUOUS, seed=0, special=False):
    """Values in [low, high) from a fixed seed. special: NaN, infinities, zeros and extremes spread among them."""
    generator = torch.Generator().manual_seed(seed_of(tuple(shape), str(dtype), low, high, layout, seed))
    shape = list(shape)
    if dtype == torch.bool:
        t = torch.randint(0, 2, shape, generator=generator).bool()
    elif dtype.is_complex:
        lo, hi = (-2 if low is None else low), (2 if high is None else high)
        parts = torch.rand([2] + shape, generator=generator, dtype=torch.float64) * (hi - lo) + lo
        t = torch.complex(parts[0], parts[1]).to(dtype)
    elif dtype.is_floating_point:
        lo, hi = (-3 if low is None else low), (3 if high is None else high)
        t = (torch.rand(shape, generator=generator, dtype=torch.float64) * (hi - lo) + lo).to(dtype)
        if special and t.numel():
            flat = t.reshape(-1)
            for i, value in enumerate(SPECIAL_FLOATS[: flat.numel()]):
                flat[i] = torch.tensor(value, dtype=torch.float64).to(dtype)
            t = flat.view(shape)
    else:
        smallest = 0 if dtype == torch.uint8 else -9
        lo, hi = (smallest if low is None else int(low)), (10 if high is None else int(high))
        if dtype == torch.uint8:
            lo = max(lo, 0)
        t = torch.randint(lo, max(hi, lo + 1), shape, generator=generator).to(dtype)
        if special and t.numel():
            info = torch.iinfo(dtype)
            flat = t.reshape(-1)
            for i, value in enumerate([info.min, info.max, 0, 1][: flat.numel()]):
                flat[i] = value
            t = flat.view(shape)
    return strided(t, layout)


def indices(shape, limit, seed=0, dtype=torch.int64, negative=False):
    """Random indices below `limit`, negative ones too when asked."""
    generator = torch.Generator().manual_seed(seed_of(tuple(shape), limit, seed))
    return torch.randint(-limit if negative else 0, limit, list(shape), generator=generator).to(dtype)


def short(dtype):
    return str(dtype).replace("torch.", "")
