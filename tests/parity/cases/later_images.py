"""Image operators that PyTorch 1.13 and its torchvision lack, as later.py has the others."""
import math

import torch

from lib.case import *
from lib.schemas import later
from lib.tensors import *


def lanczos(x):
    x = abs(x)
    if x >= 3 or x == 0:
        return float(x == 0)
    return 3 * math.sin(math.pi * x) * math.sin(math.pi * x / 3) / (math.pi * x) ** 2


def lanczos_weights(n, m, align, scale):
    step = ((n - 1) / (m - 1) if m > 1 else 0) if align else 1 / scale if scale else n / m
    wide = max(step, 1)
    rows = []
    for i in range(m):
        center = step * (i + 0.5)
        low, high = max(int(center - 3 * wide + 0.5), 0), min(int(center + 3 * wide + 0.5), n)
        row = [lanczos((j - center + 0.5) / wide) if low <= j < high else 0 for j in range(n)]
        rows.append([w / sum(row) for w in row])
    return torch.tensor(rows, dtype=torch.float64)


def upsample_lanczos(x, size, align, scale_h=None, scale_w=None):
    (h, w), (height, width) = size, x.shape[2:]
    result = lanczos_weights(height, h, align, scale_h) @ x.double() @ lanczos_weights(width, w, align, scale_w).t()
    kind = torch.channels_last if x.is_contiguous(memory_format=torch.channels_last) else torch.contiguous_format
    return result.to(x.dtype).contiguous(memory_format=kind)


def upsample_lanczos_by(x, size, align, scales):
    size = size or [int(n * s) for n, s in zip(x.shape[2:], scales)]
    return upsample_lanczos(x, size, align, *(scales or ()))


later("aten::_upsample_lanczos2d_aa(Tensor self, int[2] output_size, bool align_corners, float? scales_h=None, "
      "float? scales_w=None) -> Tensor", upsample_lanczos)
later("aten::_upsample_lanczos2d_aa.vec(Tensor input, int[]? output_size, bool align_corners, float[]? scale_factors) "
      "-> Tensor", upsample_lanczos_by)


def resampling():
    for x in (make((2, 3, 6, 7)), make((2, 3, 6, 7), torch.float64), make((2, 3, 6, 7), layout=CHANNELS_LAST)):
        for align in (False, True):
            for size in ([3, 4], [12, 14], [5, 9], [6, 7], [1, 1]):
                yield case("aten::_upsample_lanczos2d_aa", x, size, align)
                yield case("aten::_upsample_lanczos2d_aa.vec", x, size, align, None)
        yield case("aten::_upsample_lanczos2d_aa.vec", x, None, False, [0.6, 1.7])


def corners(box):
    x, y, w, h, degrees = box
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return [(x + c * u * w / 2 + s * v * h / 2, y - s * u * w / 2 + c * v * h / 2)
            for u, v in ((1, 1), (-1, 1), (-1, -1), (1, -1))]


def area(polygon):
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(polygon, polygon[1:] + polygon[:1])) / 2


def clipped(polygon, p, q):
    """The part of a polygon to the left of the line from p to q."""
    def side(a):
        return (q[0] - p[0]) * (a[1] - p[1]) - (q[1] - p[1]) * (a[0] - p[0])

    kept = []
    for a, b in zip(polygon, polygon[1:] + polygon[:1]):
        if side(a) >= 0:
            kept.append(a)
        if side(a) * side(b) < 0:
            t = side(a) / (side(a) - side(b))
            kept.append((a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])))
    return kept


def overlap(a, b):
    common, edges = corners(a), corners(b)
    for p, q in zip(edges, edges[1:] + edges[:1]):
        common = clipped(common, p, q) if common else []
    both = area(common) if len(common) > 2 else 0
    return both / max(a[2] * a[3] + b[2] * b[3] - both, 1e-14)


later("torchvision::box_iou_rotated(Tensor boxes1, Tensor boxes2) -> Tensor",
      lambda a, b: torch.tensor([[overlap(p, q) for q in b.tolist()] for p in a.tolist()]).view(len(a), len(b)))
later("torchvision::_cuda_version() -> int", lambda: -1)


def boxes():
    a = torch.cat([make((6, 2), low=0, high=4), make((6, 2), low=1, high=5), make((6, 1), low=-180, high=180)], 1)
    b = torch.cat([make((5, 2), low=0, high=4), make((5, 2), low=1, high=5), make((5, 1), low=-90, high=90)], 1)
    yield case("torchvision::box_iou_rotated", a, b, rtol=1e-4, atol=1e-5)
    far = b + torch.tensor([100.0, 0, 0, 0, 0])
    yield case("torchvision::box_iou_rotated", a, far, rtol=1e-4, atol=1e-5)
    yield case("torchvision::box_iou_rotated", a[:0], b)
    upright = torch.cat([a[:, :4], torch.zeros(6, 1)], 1)
    yield case("torchvision::box_iou_rotated", upright, upright + 0.25 * torch.tensor([1.0, 1, 0, 0, 0]),
               rtol=1e-4, atol=1e-5)
    yield case("torchvision::_cuda_version")


later("torchvision::_new_empty_tensor_op(Tensor input, int[] shape) -> Tensor", lambda x, shape: x.new_empty(shape))


def cases():
    yield case("torchvision::_new_empty_tensor_op", make((2, 3), torch.float64), [0, 4], compare="meta")
    yield case("torchvision::_new_empty_tensor_op", make((2, 3)), [2, 1, 3], compare="meta")
    yield from resampling()
    yield from boxes()
