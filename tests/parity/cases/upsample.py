"""Resampling of images and volumes."""
import torch

from lib.case import *
from lib.tensors import *

SIZES = {1: ([3], [9], [7], [14], [1]), 2: ([3, 9], [8, 5], [12, 14], [1, 1], [6, 7]), 3: ([3, 4, 9], [8, 5, 2], [1, 1, 1])}
SHAPES = {1: (2, 3, 7), 2: (2, 3, 6, 7), 3: (2, 2, 3, 4, 5)}
SCALES = {1: ([2.0], [0.6], [1.7]), 2: ([2.0, 2.0], [0.6, 1.3], [1.7, 0.4], [3.0, 3.0]), 3: ([2.0, 2.0, 2.0], [0.7, 1.3, 0.5])}


def with_scales(dims):
    for size in SIZES[dims]:
        yield size, [None] * dims
    for scales in SCALES[dims]:
        yield [int(s * f) for s, f in zip(SHAPES[dims][2:], scales)], scales


def cases():
    for name in ("upsample_nearest", "_upsample_nearest_exact"):
        for dims in (1, 2, 3):
            op = f"aten::{name}{dims}d"
            for dtype in (torch.float32, torch.float64, torch.uint8, torch.float16):
                x = make(SHAPES[dims], dtype)
                for size, scales in with_scales(dims):
                    yield case(op, x, size, *scales)
                for scales in SCALES[dims]:
                    yield case(op + ".vec", x, None, scales)
                yield case(op + ".vec", x, SIZES[dims][0], None)
            yield from with_variants(op, make(SHAPES[dims]), SIZES[dims][0])
    for op, dims in (("aten::upsample_linear1d", 1), ("aten::upsample_bilinear2d", 2), ("aten::upsample_trilinear3d", 3),
                     ("aten::upsample_bicubic2d", 2), ("aten::_upsample_bilinear2d_aa", 2), ("aten::_upsample_bicubic2d_aa", 2)):
        for align in (False, True):
            for dtype in (torch.float32, torch.float64):
                x = make(SHAPES[dims], dtype)
                for size, scales in with_scales(dims):
                    yield case(op, x, size, align, *scales, rtol=1e-5, atol=2e-5)
                for scales in SCALES[dims]:
                    yield case(op + ".vec", x, None, align, scales, atol=2e-5)
                yield case(op + ".vec", x, SIZES[dims][0], align, None, atol=2e-5)
        yield from with_variants(op, make(SHAPES[dims]), SIZES[dims][0], False)
    for layout in (TRANSPOSED, SLICED, EXPANDED, CHANNELS_LAST, OFFSET):
        x = make((2, 5, 4, 6), layout=layout)
        yield case("aten::upsample_nearest2d", x, [7, 9])
        yield case("aten::_upsample_nearest_exact2d", x, [7, 9])
        for op in ("upsample_bilinear2d", "upsample_bicubic2d", "_upsample_bilinear2d_aa", "_upsample_bicubic2d_aa"):
            yield case(f"aten::{op}", x, [7, 9], False)
            yield case(f"aten::{op}", x, [3, 2], True)
    volume = make((2, 3, 3, 4, 5)).contiguous(memory_format=torch.channels_last_3d)
    yield case("aten::upsample_nearest3d", volume, [5, 6, 7])
    yield case("aten::upsample_trilinear3d", volume, [5, 6, 7], False)
    yield case("aten::upsample_nearest2d", make((0, 3, 4, 4)), [2, 2])
    yield case("aten::upsample_bilinear2d", make((1, 3, 40, 40)), [13, 17], False, atol=5e-5)
    yield case("aten::_upsample_bilinear2d_aa", make((1, 3, 40, 40)), [13, 17], False, atol=5e-5)
    # Models round the resized pixels of a picture to bytes: every bit counts where they are halves.
    picture = make((2, 3, 40, 36), torch.uint8).float()
    for size in ([20, 24], [33, 7], [50, 60], [5, 13]):
        yield case("aten::_upsample_bilinear2d_aa", picture, size, False, rtol=0, atol=0)
    edge = make((1, 2, 9, 11))
    edge[..., -1] = float("inf")
    edge[..., -1, :] = float("nan")
    for op in ("_upsample_bilinear2d_aa", "_upsample_bicubic2d_aa"):
        yield case(f"aten::{op}", edge, [5, 6], False)

    x = make((2, 3, 6, 7))
    for mode in ("nearest", "area", "bilinear", "bicubic"):
        yield case("aten::__interpolate", x, 5, None, mode)
        yield case("aten::__interpolate", x, None, 1.7, mode)
        yield case("aten::__interpolate", x, None, 1.7, mode, None, True)
        yield case("aten::__interpolate.scale_list", x, None, [1.7, 0.6], mode)
        yield case("aten::__interpolate.size_list", x, [4, 9], None, mode)
        yield case("aten::__interpolate.size_list_scale_list", x, None, [1.5, 2.0], mode, None, False)
    for mode in ("bilinear", "bicubic"):
        yield case("aten::__interpolate", x, 5, None, mode, True)
    for mode in ("nearest", "linear", "area"):
        yield case("aten::__interpolate", make((2, 3, 7)), 5, None, mode)
    for mode in ("nearest", "trilinear", "area"):
        yield case("aten::__interpolate", make((2, 3, 4, 5, 3)), None, 2.0, mode)
    for mode in ("nearest", "bilinear"):
        yield case("aten::__upsample", x, None, 2, mode)
        yield case("aten::__upsample.size_list", x, [3, 4], None, mode)
    yield case("aten::__upsample_bilinear", x, None, 2)
    yield case("aten::__upsample_bilinear.size_list", x, [9, 8], None)
    yield case("aten::__upsample_bilinear.scale_list", x, None, [2, 3])
    yield case("aten::__upsample_nearest", x, 4, None)
    yield case("aten::__upsample_nearest.size_list", x, [9, 8], None)
    for bad in ((None, None, "nearest"), (3, None, "linear"), (3, None, "trilinear"), (3, None, "nearest", True), (3, None, "nonsense"),
                (3, None, "nearest", None, None, True)):
        yield from errors("aten::__interpolate", (x, *bad))
    for bad in ((x[0], [3, 3]), (x, [3, 0]), (x, [3]), (make((2, 0, 4, 4)), [3, 3]), (make((2, 3, 0, 4)), [3, 3])):
        yield from errors("aten::upsample_nearest2d", bad, message=True)
        yield from errors("aten::upsample_bilinear2d", (*bad, False), message=True)
    yield from errors("aten::upsample_nearest2d.vec", (x, None, None), message=True)
    yield from errors("aten::upsample_nearest2d.vec", (x, [2, 2], [1.0, 1.0]), message=True)
    yield from errors("aten::upsample_nearest2d.vec", (x, None, [1.0]))
    yield from errors("aten::upsample_nearest1d", (x, [3]), message=True)
    yield from errors("aten::upsample_bilinear2d", (x.long(), [3, 3], False))
