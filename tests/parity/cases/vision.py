"""Sampling grids, sliding blocks and torchvision's detection operators."""
import torch
import torchvision  # noqa: F401  (registers the torchvision operators)

from lib import schemas
from lib.case import *
from lib.tensors import *

schemas.all_schemas.cache_clear()  # torchvision has just added its own

NAN, INF = float("nan"), float("inf")


def boxes(n, size=20.0, seed=0):
    corner = make((n, 2), low=0, high=size, seed=seed)
    return torch.cat([corner, corner + make((n, 2), low=1, high=size / 2, seed=seed + 1)], 1)


def rois(n, batch, seed=0):
    index = torch.arange(n).remainder(batch).float().view(n, 1)
    return torch.cat([index, boxes(n, 14.0, seed)], 1)


def cases():
    for mode in (0, 1, 2):
        for padding in (0, 1, 2):
            for align in (False, True):
                for dtype in (torch.float32, torch.float64):
                    x, g = make((2, 3, 5, 6), dtype), make((2, 4, 7, 2), dtype, -1.6, 1.6)
                    yield case("aten::grid_sampler", x, g, mode, padding, align)
                    if mode != 2:
                        v, h = make((2, 3, 3, 5, 4), dtype), make((2, 2, 3, 4, 3), dtype, -1.6, 1.6)
                        yield case("aten::grid_sampler", v, h, mode, padding, align)
                yield case("aten::grid_sampler_2d", make((1, 1, 3, 3)), torch.tensor([[[[NAN, 0.0], [INF, 0.5], [-INF, 0.0], [1.0, 1.0], [-1.0, -1.0]]]]),
                           mode, padding, align)
    x, g = make((2, 3, 5, 6)), make((2, 4, 7, 2), low=-1.2, high=1.2)
    yield case("aten::_grid_sampler_2d_cpu_fallback", x, g, 0, 0, False)
    yield case("aten::grid_sampler", make((2, 3, 5, 6), layout=CHANNELS_LAST), g, 0, 0, False)
    yield case("aten::grid_sampler", make((2, 3, 5, 6), layout=SLICED), make((2, 4, 7, 2), layout=TRANSPOSED), 0, 1, True)
    yield case("aten::grid_sampler_3d", make((2, 3, 3, 5, 4)), make((2, 2, 3, 4, 3)), 0, 0, True)
    for bad in ((x, g[:1], 0), (x, g[..., :1], 0), (x[:, :, :0], g, 0), (x, g.double(), 0), (x[0], g, 0)):
        yield from errors("aten::grid_sampler", (*bad, 0, False), message=True)
    yield from errors("aten::grid_sampler", (make((2, 3, 3, 5, 4)), make((2, 2, 3, 4, 3)), 2, 0, False), message=True)
    for align in (False, True):
        for dtype in (torch.float32, torch.float64):
            yield case("aten::affine_grid_generator", make((2, 2, 3), dtype), [2, 3, 4, 5], align)
            yield case("aten::affine_grid_generator", make((2, 3, 4), dtype), [2, 3, 3, 4, 5], align)
            yield case("aten::affine_grid_generator", make((2, 2, 3), dtype), [2, 3, 1, 5], align)
    yield from errors("aten::affine_grid_generator", (make((2, 3, 4)), [2, 3, 4], True), message=True)

    x = make((2, 3, 6, 7))
    for kernel, dilation, padding, stride in (([2, 2], [1, 1], [0, 0], [1, 1]), ([3, 2], [1, 2], [1, 1], [2, 1]), ([1, 3], [1, 1], [2, 0], [3, 2])):
        for dtype in (torch.float32, torch.float64):
            for y in (x.to(dtype), x[0].to(dtype)):
                yield case("aten::im2col", y, kernel, dilation, padding, stride)
                columns = torch.nn.functional.unfold(y, kernel, dilation, padding, stride)
                yield case("aten::col2im", columns, [6, 7], kernel, dilation, padding, stride)
    yield case("aten::im2col", make((2, 3, 6, 7), layout=CHANNELS_LAST), [2, 2], [1, 1], [0, 0], [1, 1])
    yield from with_variants("aten::im2col", x, [2, 2], [1, 1], [0, 0], [1, 1])
    yield from with_variants("aten::col2im", make((2, 12, 30)), [6, 7], [2, 2], [1, 1], [0, 0], [1, 1])
    one, none = [1, 1], [0, 0]
    for bad in ((x, [9, 2], one, none, one), (x, [0, 2], one, none, one), (x, [2, 2], [0, 1], none, one), (x, [2, 2], one, none, [0, 1]),
                (x, [2, 2], one, [-1, 0], one)):
        yield from errors("aten::im2col", bad)
    for bad in (([5, 5], [2, 2]), ([6, 7], [5, 2]), ([6], [2, 2])):
        yield from errors("aten::col2im", (make((2, 12, 30)), *bad, one, none, one), message=True)

    for n in (0, 1, 40):
        for threshold in (0.1, 0.5, 0.9):
            for dtype in (torch.float32, torch.float64):
                yield case("torchvision::nms", boxes(n).to(dtype), make((n,), dtype), threshold)
    yield case("torchvision::nms", boxes(10), torch.ones(10), 0.3)
    for bad in ((boxes(3), make((2,))), (boxes(3)[:, :3], make((3,))), (boxes(3), make((3, 1))), (boxes(3)[0], make((3,)))):
        yield from errors("torchvision::nms", (*bad, 0.5), message=True)

    x = make((2, 8, 16, 16))
    for dtype in (torch.float32, torch.float64):
        y, r = x.to(dtype), rois(5, 2).to(dtype)
        for ratio in (-1, 2):
            for aligned in (False, True):
                yield case("torchvision::roi_align", y, r, 0.7, 3, 2, ratio, aligned)
            yield case("torchvision::ps_roi_align", y, r, 0.7, 2, 2, ratio)
        yield case("torchvision::roi_pool", y, r, 0.7, 3, 2)
        yield case("torchvision::ps_roi_pool", y, r, 0.7, 2, 2)
    yield case("torchvision::roi_align", x, rois(0, 2), 0.7, 3, 2, 2, False)
    yield case("torchvision::roi_align", make((2, 8, 16, 16), layout=CHANNELS_LAST), rois(5, 2), 1.0, 7, 7, 2, True)
    yield from errors("torchvision::roi_align", (x, boxes(3), 1.0, 2, 2, 2, False), message=True)
    yield from errors("torchvision::ps_roi_align", (x, rois(3, 2), 1.0, 3, 3, 2), message=True)

    for groups, offset_groups, use_mask in ((1, 1, False), (2, 1, True), (1, 2, True), (2, 4, False)):
        for stride, pad, dilation in ((1, 0, 1), (2, 1, 2)):
            y, w = make((2, 4, 9, 8)), make((6, 4 // groups, 3, 2))
            h = (9 + 2 * pad - (dilation * 2 + 1)) // stride + 1
            wd = (8 + 2 * pad - (dilation + 1)) // stride + 1
            offset = make((2, 2 * offset_groups * 6, h, wd))
            mask = make((2, offset_groups * 6, h, wd)) if use_mask else torch.zeros(2, 1)
            yield case("torchvision::deform_conv2d", y, w, offset, mask, make((6,)), stride, stride, pad, pad, dilation, dilation, groups, offset_groups,
                       use_mask, atol=1e-4)
