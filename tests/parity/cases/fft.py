"""Fourier transforms."""
import torch

from lib.case import *
from lib.tensors import *

KINDS = FLOATS + [torch.complex64, torch.complex128, torch.int64]


def cases():
    for name in ("fft", "ifft", "hfft", "irfft"):
        for d in KINDS:
            for shape, n, dim in (((8,), None, -1), ((3, 7), None, 1), ((4, 6), 9, 0), ((2, 3, 5), 4, 1), ((37,), None, 0), ((2, 74), 67, 1)):
                yield case(f"aten::fft_{name}", make(shape, d), n, dim)
            yield case(f"aten::fft_{name}", make((3, 8), d, layout=TRANSPOSED))
    for name in ("rfft", "ihfft"):
        for d in FLOATS + [torch.int64, torch.bool]:
            for shape, n, dim in (((8,), None, -1), ((3, 7), None, 1), ((4, 6), 9, 0), ((2, 3, 5), 4, 1), ((101,), None, 0)):
                yield case(f"aten::fft_{name}", make(shape, d), n, dim)
    for norm in ("backward", "forward", "ortho"):
        for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
            yield case(f"aten::fft_{name}", make((3, 6)), None, 1, norm)
        for name in ("fftn", "ifftn", "rfftn", "irfftn", "hfftn", "ihfftn"):
            yield case(f"aten::fft_{name}", make((3, 4, 6)), None, [0, 2], norm)
    for name in ("fftn", "ifftn", "rfftn", "irfftn", "hfftn", "ihfftn"):
        for s, dim in ((None, None), ([5, 4], None), ([4, 3], [0, 1]), (None, [1, 0]), ([-1, 8], [-1, 0])):
            for d in (torch.float32, torch.float64):
                yield case(f"aten::fft_{name}", make((3, 4, 6), d), s, dim)
        yield from with_variants(f"aten::fft_{name}", make((3, 4)))
        yield from with_variants(f"aten::fft_{name[:-1]}2", make((2, 3, 4)))
    for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
        yield from with_variants(f"aten::fft_{name}", make((3, 6)))
        yield from errors(f"aten::fft_{name}", (make((3, 4)), 0), (make((3, 4)), None, 2), (make(()),), (make((3,)), None, -1, "odd"))
    yield from errors("aten::fft_rfft", (make((3, 4), torch.complex64),))
    for n in (1, 5, 8):
        for name in ("fftfreq", "rfftfreq"):
            yield case(f"aten::fft_{name}", n, 0.5)
            yield case(f"aten::fft_{name}", n, 2.0, dtype=torch.float64)
            yield case(f"aten::fft_{name}.out", n, 1.0, out=torch.empty(0))
    for name in ("fftshift", "ifftshift"):
        for d in (torch.float32, torch.int64):
            for dim in (None, [0], [1, -1][:1], [0, 1]):
                yield case(f"aten::fft_{name}", make((5, 4), d), dim)
    yield case("aten::_fft_c2c", make((4, 5), torch.complex64), [1], 0, True)
    yield case("aten::_fft_c2c", make((4, 5), torch.complex64), [0, 1], 2, False)
    yield case("aten::_fft_r2c", make((4, 5)), [1], 1, True)
    yield case("aten::_fft_r2c", make((4, 5)), [0, 1], 0, False)
    # Lines of even length are halved, others are not; factors 2, 3, 4, 5 and a prime.
    for n in (1, 2, 3, 4, 6, 7, 37, 74, 100, 128, 200):
        for dtype in (torch.float32, torch.float64):
            for layout in (CONTIGUOUS, TRANSPOSED):
                x = make((3, n), dtype, layout=layout)
                yield case("aten::_fft_r2c", x, [1], 2, True)
                yield case("aten::_fft_r2c", x, [0], 0, False)
    yield case("aten::_fft_c2r", make((4, 3), torch.complex64), [1], 2, 5)
    for op, form in (("aten::_fft_c2c", (make((4, 5), torch.complex64), [1], 0, True)),
                     ("aten::_fft_r2c", (make((4, 5)), [1], 1, True)),
                     ("aten::_fft_c2r", (make((4, 3), torch.complex64), [1], 2, 5))):
        yield from with_variants(op, *form)

    window = torch.hann_window(16)
    for d in FLOATS:
        w = window.to(d)
        for x in (make((50,), d), make((2, 64), d)):
            yield case("aten::stft", x, 16, None, None, w, False, True, True)
            yield case("aten::stft", x, 16, 5, None, None, True, False, True)
            yield case("aten::stft", x, 20, 4, 16, w, False, None, False)
            yield case("aten::stft.center", x, 16, 4, 16, w, True, "reflect", False, True, True)
            yield case("aten::stft.center", x, 16, 4, 16, w, True, "constant", True, True, True)
            yield case("aten::stft.center", x, 16, 4, 16, w, False, "reflect", False, True, False)
    yield case("aten::stft", make((2, 40), torch.complex64), 16, None, None, None, False, None, True)
    yield from errors("aten::stft", (make((10,)), 16), (make((2, 3, 40)), 8), (make((40,)), 16, 0))
    for length in (None, 60, 30):
        for normalized in (False, True):
            spectrum = torch.stft(make((2, 64)), 16, 4, window=window, normalized=normalized, return_complex=True)
            yield case("aten::istft", spectrum, 16, 4, 16, window, True, normalized, True, length)
            yield case("aten::istft", spectrum[0], 16, 4, 16, window, True, normalized, None, length)
    whole = torch.stft(make((64,)), 16, 4, window=window, onesided=False, return_complex=True)
    yield case("aten::istft", whole, 16, 4, 16, window, True, False, False, None, False)
    yield case("aten::istft", whole, 16, 4, 16, window, True, False, False, None, True)
    yield from errors("aten::istft", (whole, 16, 4, 16, torch.zeros(16)), (whole, 20, 4))
