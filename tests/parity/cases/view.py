"""Views and rearrangements: shapes, strides, aliasing and errors."""
import torch

from lib.case import case, errors, with_variants
from lib.tensors import ALL, CHANNELS_LAST, CONTIGUOUS, EXPANDED, LAYOUTS, SLICED, TRANSPOSED, fits, make

STRIDED = [CONTIGUOUS, TRANSPOSED, SLICED, EXPANDED]


def _layouts(shape):
    return [make(shape, layout=layout) for layout in LAYOUTS if fits(shape, layout)]


def _each(op, shape, argument_lists, **options):
    for tensor in _layouts(shape):
        for args in argument_lists:
            yield case(op, tensor, *args, exact_strides=True, **options)


def _fitting(op, *args):
    """PyTorch's copying views and scatters do not resize their out tensor."""
    return (c for c in with_variants(op, *args) if "out empty" not in c.name)


def _reshaping():
    for op in ("aten::view", "aten::reshape", "aten::_unsafe_view"):
        yield from _each(op, (2, 3, 4), [([24],), ([6, 4],), ([2, 12],), ([-1, 3],), ([2, 3, 2, 2],), ([2, 1, 3, 1, 4],),
                                         ([1, 2, 3, 4, 1],), ([4, 3, 2],), ([2, -1, 4],)], message=True)
        yield case(op, make((0, 3)), [3, 0, 2], exact_strides=True)
        yield case(op, make((0, 3)), [0, 3], exact_strides=True)
        yield case(op, make(()), [1, 1], exact_strides=True)
        yield case(op, make((1,)), [], exact_strides=True)
        yield from errors(op, (make((2, 3)), [5]), (make((2, 3)), [-1, -1]), (make((2, 3)), [-2, 3]),
                          (make((0, 3)), [-1, 0]), (make((2, 3)), [-1, 4]), (make((2, 3)), [4, 0]), message=True)
    yield from with_variants("aten::_unsafe_view", make((2, 6)), [3, 4])
    yield from _each("aten::reshape_as", (2, 6), [(make((3, 4)),)])
    yield case("aten::view_as", make((2, 6)), make((3, 4)))
    yield from errors("aten::view_as", (make((2, 6), layout=TRANSPOSED), make((3, 4))), message=True)
    yield case("aten::_reshape_alias", make((2, 6)), [3, 4], [4, 1], exact_strides=True)
    yield from _each("aten::flatten.using_ints", (2, 3, 4), [(), (1,), (0, 1), (1, 1), (-2, -1)])
    yield case("aten::flatten.using_ints", make(()))
    yield from errors("aten::flatten.using_ints", (make((2, 3)), 1, 0), (make((2, 3)), 0, 2), message=True)
    yield from _each("aten::ravel", (2, 3, 4), [()])
    yield case("aten::ravel", make(()))
    for tensor in _layouts((2, 12)):
        yield case("aten::unflatten.int", tensor, 1, [3, 4], exact_strides=True)
        yield case("aten::unflatten.int", tensor, -1, [3, -1], exact_strides=True)
    yield from errors("aten::unflatten.int", (make((2, 12)), 1, [5, 2]), (make((2, 12)), 1, []),
                      (make((2, 12)), 2, [2]), (make((2, 12)), 1, [-1, 5]), message=True)


def _dims():
    for shape in ((2, 1, 3, 1), (1, 1), (2, 3), (), (0, 1)):
        for tensor in _layouts(shape):
            yield case("aten::squeeze", tensor, exact_strides=True)
            yield case("aten::squeeze_", tensor, exact_strides=True)
            for dim in (0, -1, 1):
                if dim < max(len(shape), 1):
                    yield case("aten::squeeze.dim", tensor, dim, exact_strides=True)
                    yield case("aten::squeeze_.dim", tensor, dim, exact_strides=True)
                    yield case("aten::unsqueeze", tensor, dim, exact_strides=True)
                    yield case("aten::unsqueeze_", tensor, dim, exact_strides=True)
            yield case("aten::unsqueeze", tensor, len(shape), exact_strides=True)
    yield from errors("aten::squeeze.dim", (make((2, 3)), 2), message=True)
    yield from errors("aten::unsqueeze", (make((2, 3)), 3), (make((2, 3)), -4), message=True)
    for op in ("aten::transpose.int", "aten::swapaxes", "aten::swapdims", "aten::transpose_", "aten::swapaxes_",
               "aten::swapdims_"):
        yield from _each(op, (2, 3, 4), [(0, 1), (-1, 0), (1, 1)])
        yield case(op, make(()), 0, -1)
        yield from errors(op, (make((2, 3)), 0, 2), message=True)
    for op in ("aten::t", "aten::t_"):
        for shape in ((2, 3), (3,), ()):
            yield case(op, make(shape), exact_strides=True)
        yield from errors(op, (make((2, 3, 4)),), message=True)
    yield from _each("aten::permute", (2, 3, 4), [([2, 0, 1],), ([0, 1, 2],), ([-1, -3, -2],)])
    yield case("aten::permute", make(()), [])
    yield from errors("aten::permute", (make((2, 3)), [0, 0]), (make((2, 3)), [0]), (make((2, 3)), [0, 2]), message=True)
    for op in ("aten::movedim", "aten::moveaxis"):
        yield from _each(op + ".int", (2, 3, 4), [(0, 2), (-1, 0), (1, 1)])
        yield from _each(op + ".intlist", (2, 3, 4), [([0, 1], [2, 0]), ([-1], [0]), ([], [])])
        yield case(op + ".int", make(()), 0, 0)
        yield from errors(op + ".intlist", (make((2, 3)), [0, 0], [0, 1]), (make((2, 3)), [0, 1], [1, 1]),
                          (make((2, 3)), [0], [0, 1]), (make((2, 3)), [2], [0]), message=True)
    for op in ("aten::numpy_T", "aten::mT", "aten::mH", "aten::adjoint", "aten::matrix_H"):
        for shape in ((2, 3), (), (2, 3, 4), (3,)):
            yield case(op, make(shape), message=True)
        yield case(op, make((2, 3), torch.complex64), aliases=False)
    for shape, size in (((3, 1), [3, 4]), ((3, 1), [2, 3, 4]), ((1,), [-1]), ((), [2, 2]), ((3, 1), [-1, 5]), ((0, 1), [0, 4]),
                        ((1, 3), [0, 3]), ((2, 3), [1, 1, 2, 3])):
        for op in ("aten::expand", "aten::broadcast_to"):
            yield case(op, make(shape), size, exact_strides=True)
    yield from errors("aten::expand", (make((3, 2)), [3, 4]), (make((3, 2)), [3]), (make((3,)), [-1, 3]), message=True)
    yield case("aten::expand_as", make((3, 1)), make((3, 4)))
    yield case("aten::broadcast_tensors", [make((3, 1)), make((4,)), make(())])
    yield from errors("aten::broadcast_tensors", ([make((3,)), make((4,))],))
    for op, args in (("aten::meshgrid", {}), ("aten::meshgrid.indexing", {"indexing": "xy"}),
                     ("aten::meshgrid.indexing", {"indexing": "ij"})):
        yield case(op, [make((3,)), make((4,)), make(())], exact_strides=True, **args)
        yield case(op, [make((3,))], **args)
        yield case(op, [make((2, 2))], **args)
    yield case("aten::meshgrid.indexing", [make((3,))], indexing="zz", message=True)
    for rank in (1, 2, 3):
        for shape in ((), (3,), (2, 3), (2, 3, 4), (2, 2, 2, 2)):
            yield case(f"aten::atleast_{rank}d", make(shape), exact_strides=True)
        yield case(f"aten::atleast_{rank}d.Sequence", [make(()), make((3,)), make((2, 3))])


def _parts():
    yield from _each("aten::select.int", (2, 3, 4), [(0, 1), (1, -1), (-1, 0)])
    yield from errors("aten::select.int", (make((2, 3)), 0, 2), (make((2, 3)), 1, -4), (make(()), 0, 0),
                      (make((2, 3)), 2, 0), message=True)
    yield from _each("aten::slice.Tensor", (4, 5), [(), (0, 1, 3), (1, -2), (1, 0, 100, 2), (0, 3, 1), (0, -100, -1, 3), (1, None, -1),
                                                    (0, 9)])
    yield from errors("aten::slice.Tensor", (make((2, 3)), 0, 0, 1, 0), (make(()), 0, 0, 1), (make((2, 3)), 2), message=True)
    yield from _each("aten::narrow", (4, 5), [(0, 1, 2), (1, -3, 2), (0, 4, 0)])
    yield case("aten::narrow.Tensor", make((4, 5)), 1, torch.tensor(2), 2)
    yield from errors("aten::narrow", (make((4, 5)), 0, 3, 2), (make((4, 5)), 0, 5, 0), (make((4, 5)), 0, 0, -1),
                      (make(()), 0, 0, 1), message=True)
    yield from errors("aten::narrow.Tensor", (make((4, 5)), 0, torch.tensor([1]), 2), (make((4, 5)), 0, torch.tensor(1.), 2),
                      message=True)
    for op in ("aten::as_strided", "aten::as_strided_"):
        yield case(op, make((4, 5)), [2, 3], [5, 1], exact_strides=True)
        yield case(op, make((4, 5)), [2, 3], [1, 2], 3, exact_strides=True)
        yield case(op, make((4, 5)), [3, 3], [0, 1], 2)
        yield case(op, make((20,)), [], [], 7)
        yield case(op, make((4, 5)), [0, 9], [1, 100], 3)
        yield from errors(op, (make((4, 5)), [5, 5], [5, 1]), (make((4, 5)), [2, 2], [5]), (make((4, 5)), [2], [1], 19),
                          (make((4, 5)), [2], [-1]), (make((4, 5)), [2], [1], -1), (make((4, 5)), [-1], [1]))
    for op in ("aten::diagonal", "aten::diagonal_copy"):
        yield from _each(op, (3, 4, 5), [(), (1,), (-2,), (0, 1, 2), (3, -1, 0), (9,), (-9,)])
        yield from errors(op, (make((3, 4)), 0, 0, 0), (make((3,)),), (make((3, 4)), 0, 0, 2), message=True)
    yield case("aten::linalg_diagonal", make((2, 3, 4)), offset=1)
    yield from _each("aten::unfold", (6, 5), [(0, 2, 1), (1, 3, 2), (-1, 5, 1), (0, 0, 1)])
    yield case("aten::unfold", make(()), 0, 1, 1)
    yield from errors("aten::unfold", (make((6,)), 0, 7, 1), (make((6,)), 0, 2, 0), (make((6,)), 1, 2, 1),
                      message=True)


def _splits():
    for op in ("aten::split.Tensor", "aten::unsafe_split.Tensor", "aten::split_copy.Tensor"):
        yield from _each(op, (5, 4), [(2,), (5,), (9,), (3, 1), (1, -1)])
        yield case(op, make((0, 4)), 2)
        yield case(op, make((0, 4)), 0)
        yield from errors(op, (make((5,)), -1), (make((5,)), 0), (make(()), 1), (make((5,)), 2, 1), message=True)
    for op in ("aten::split_with_sizes", "aten::split.sizes", "aten::unsafe_split_with_sizes",
               "aten::split_with_sizes_copy"):
        yield from _each(op, (5, 4), [([2, 3],), ([1, 0, 4], 0), ([1, 3], -1)])
        yield from errors(op, (make((5,)), [2, 2]), (make((5,)), [6, -1]), (make(()), [1]), message=True)
    for op in ("aten::chunk", "aten::unsafe_chunk"):
        yield from _each(op, (5, 4), [(2,), (3,), (9,), (3, 1)])
        yield case(op, make((0, 4)), 3)
        yield from errors(op, (make((5,)), 0), (make(()), 2), message=True)
    yield from _each("aten::tensor_split.sections", (5, 4), [(2,), (3,), (7,), (3, 1)])
    yield from _each("aten::tensor_split.indices", (5, 4), [([2],), ([1, 3],), ([3, 1],), ([-2, 9], 1), ([],)])
    yield case("aten::tensor_split.tensor_indices_or_sections", make((5, 4)), torch.tensor(2))
    yield case("aten::tensor_split.tensor_indices_or_sections", make((5, 4)), torch.tensor([1, 3]))
    yield from errors("aten::tensor_split.sections", (make((5,)), 0), (make(()), 1), message=True)
    yield from errors("aten::tensor_split.tensor_indices_or_sections", (make((5,)), torch.tensor([1.])),
                      (make((5,)), torch.tensor([[1]])), message=True)
    for op, shapes in (("aten::hsplit", [(6,), (4, 6)]), ("aten::vsplit", [(6, 4)]), ("aten::dsplit", [(2, 3, 6)])):
        for shape in shapes:
            yield case(op + ".int", make(shape), 3)
            yield case(op + ".array", make(shape), [1, 4])
            yield case(op + ".int", make(shape), 4, message=True)
            yield case(op + ".int", make(shape), 0, message=True)
        yield case(op + ".int", make(()), 1, message=True)
        yield case(op + ".array", make(()), [1], message=True)
    for op in ("aten::unbind.int", "aten::unbind_copy.int"):
        yield from _each(op, (3, 4), [(), (1,), (-1,)])
        yield from errors(op, (make(()),), (make((2,)), 1), message=True)
    for op, args in (("aten::split_copy.Tensor_out", (2,)), ("aten::split_with_sizes_copy.out", ([2, 2],)),
                     ("aten::unsafe_split.Tensor_out", (2,)), ("aten::unsafe_split_with_sizes.out", ([2, 2],))):
        yield case(op, make((4, 3)), *args, 0, out=[torch.zeros(2, 3), torch.zeros(2, 3)])
    yield case("aten::unbind_copy.int_out", make((2, 3)), 0, out=[torch.zeros(3), torch.zeros(3)])


def _dtype_views():
    for dtype, other in ((torch.float32, torch.int32), (torch.float32, torch.uint8), (torch.float32, torch.float64),
                         (torch.int16, torch.int64), (torch.complex64, torch.float32), (torch.bool, torch.uint8)):
        for op in ("aten::view.dtype", "aten::view_copy.dtype"):
            yield case(op, make((3, 8), dtype), other, exact_strides=True)
            yield case(op, make((3, 5), dtype), other, message=True)
            yield case(op, make((), dtype), other, message=True)
            yield case(op, make((4, 8), dtype, layout=TRANSPOSED), other, message=True)
            yield case(op, make((4, 8), dtype)[1:, 4:], other, exact_strides=True)
    for dtype in (torch.complex64, torch.complex128):
        for layout in STRIDED:
            z = make((3, 4), dtype, layout=layout)
            for op in ("aten::view_as_real", "aten::real", "aten::imag", "aten::view_as_real_copy"):
                yield case(op, z, exact_strides=True)
            for op in ("aten::conj", "aten::_conj", "aten::conj_physical", "aten::_conj_physical", "aten::resolve_conj",
                       "aten::resolve_neg", "aten::_conj_copy"):
                yield case(op, z, aliases=False)
        yield from with_variants("aten::conj_physical", make((3, 4), dtype))
    for dtype in (torch.float32, torch.float64):
        for op in ("aten::view_as_complex", "aten::view_as_complex_copy"):
            yield case(op, make((3, 4, 2), dtype), exact_strides=True)
            yield case(op, make((4, 2), dtype)[1:], exact_strides=True)
            yield from errors(op, (make((3, 4), dtype),), (make((), dtype),), (make((2, 4), dtype, layout=TRANSPOSED)[:, :2],),
                              (make((2, 3), dtype)[:, :2],), (make((2, 3), dtype)[:, 1:],), message=True)
    yield from errors("aten::view_as_complex", (make((3, 2), torch.int32),), message=True)
    for op in ("aten::real", "aten::imag", "aten::view_as_real", "aten::conj"):
        yield case(op, make((3,)), message=True)
    for op in ("aten::detach", "aten::alias", "aten::lift", "aten::lift_fresh", "aten::detach_", "aten::detach_copy",
               "aten::alias_copy", "aten::lift_fresh_copy"):
        yield case(op, make((3, 4)), exact_strides=True)
        if op != "aten::detach_":
            yield case(op, make((3, 4), layout=TRANSPOSED), exact_strides=True)
    yield from with_variants("aten::lift", make((3, 4)))


def _copies():
    x = make((2, 3, 4))
    xt = make((2, 3, 4), layout=TRANSPOSED)
    for t in (x, xt):
        for op, args in (("view_copy", ([6, 4],)), ("squeeze_copy", ()), ("squeeze_copy.dim", (0,)),
                         ("unsqueeze_copy", (1,)), ("transpose_copy.int", (0, 2)), ("permute_copy", ([2, 0, 1],)),
                         ("expand_copy", ([5, 2, 3, 4],)), ("select_copy.int", (1, 2)), ("slice_copy.Tensor", (1, 0, 2)),
                         ("narrow_copy", (1, 1, 2)), ("as_strided_copy", ([2, 2], [3, 1], 1)), ("unfold_copy", (1, 2, 1)),
                         ("_reshape_alias_copy", ([24], [1])), ("alias_copy", ()), ("detach_copy", ()),
                         ("lift_fresh_copy", ())):
            yield from _fitting("aten::" + op, t, *args)
    yield from _fitting("aten::t_copy", make((2, 3)))
    yield from _fitting("aten::view_as_real_copy", make((2, 3), torch.complex64))
    yield from _fitting("aten::view_as_complex_copy", make((3, 2)))
    yield from _fitting("aten::diagonal_copy", make((3, 4)))
    for op, src, args in (("select_scatter", (2, 4), (1, 2)), ("slice_scatter", (2, 2, 4), (1, 0, 2)),
                          ("diagonal_scatter", (4, 2), (0, 0, 1)), ("as_strided_scatter", (2, 2), ([2, 2], [3, 1], 1))):
        for t in (x, xt):
            yield from _fitting("aten::" + op, t, make(src, seed=3), *args)
        yield case("aten::" + op, x, make((7,)), *args)


def _inplace_storage():
    for shape in ([2, 3], [7], [], [0, 3], [3, 4], [40], [2, 2, 2]):
        yield case("aten::resize_", make((3, 4)), shape, compare="meta")
        yield case("aten::resize_", make((3, 4), layout=TRANSPOSED), shape, compare="meta")
    yield case("aten::resize_", make((3, 4)), [2, 3])
    yield case("aten::resize_", make((2, 3, 4, 5)), [1, 2, 3, 4], memory_format=torch.channels_last, compare="meta")
    yield from errors("aten::resize_", (make((3, 4)), [-1]))
    yield case("aten::resize_as_", make((3, 4)), make((2, 6)))
    yield case("aten::resize_as_", make((24,)), make((1, 2, 3, 4), layout=CHANNELS_LAST), memory_format=torch.preserve_format)
    yield case("aten::set_", make((3, 4)))
    yield case("aten::set_.source_Tensor", make((3, 4)), make((5,)))
    yield case("aten::set_.source_Tensor_storage_offset", make((3, 4)), make((12,)), 2, [2, 3])
    yield case("aten::set_.source_Tensor_storage_offset", make((3, 4)), make((12,)), 1, [2, 3], [1, 2])


def _rearranged():
    for dtype in ALL:
        yield case("aten::flip", make((3, 4), dtype), [0])
        yield case("aten::roll", make((3, 4), dtype), [1], [1])
        yield case("aten::repeat", make((2, 3), dtype), [2, 2])
        yield case("aten::tril", make((3, 4), dtype), 0)
        yield case("aten::triu", make((3, 4), dtype), 1)
        if dtype != torch.bool:
            yield case("aten::trace", make((3, 4), dtype))
        yield case("aten::diag", make((3,), dtype), 1)
        yield case("aten::diag_embed", make((2, 3), dtype))
    for layout in LAYOUTS:
        t = make((2, 4, 6, 6), layout=layout)
        for dims in ([0], [1, -1], [], [0, 1, 2, 3], [3]):
            yield case("aten::flip", t, dims, exact_strides=True)
        for shifts, dims in (([1], [0]), ([2, -1], [1, 3]), ([5], []), ([-7], [3])):
            yield case("aten::roll", t, shifts, dims)
        yield case("aten::rot90", t, 1, [2, 3])
        for k in (0, 2, 3, -1, 5):
            yield case("aten::rot90", t, k)
        for k in (-2, 0, 3, 100, -100):
            for op in ("aten::tril", "aten::triu"):
                if layout == EXPANDED:
                    yield case(op, t, k)
                else:
                    yield from with_variants(op, t, k)
        yield case("aten::pixel_shuffle", t, 2)
        yield case("aten::pixel_unshuffle", t, 2)
        yield case("aten::pixel_unshuffle", t, 3)
        yield case("aten::pixel_shuffle", t[:0], 2)
        yield case("aten::pixel_unshuffle", t[:0], 2)
        yield case("aten::channel_shuffle", t, 2)
        for op in ("pixel_shuffle", "pixel_unshuffle", "channel_shuffle"):  # a copy all the same
            yield case(f"aten::{op}", t, 1)
        yield case("aten::repeat", t, [1, 2, 1, 3])
        yield case("aten::repeat", t, [2, 1, 1, 1, 1])
        yield case("aten::tile", t, [2, 2])
        yield case("aten::fliplr", t)
        yield case("aten::flipud", t)
        yield case("aten::repeat_interleave.self_int", t, 2)
        yield case("aten::repeat_interleave.self_int", t, 3, 1)
        yield case("aten::repeat_interleave.self_Tensor", t, torch.tensor([1, 0, 2, 3]), 1)
        yield case("aten::repeat_interleave.self_Tensor", t, torch.tensor([2]), -1)
    for op, args in (("flip", ([0],)), ("roll", ([1], [0])), ("repeat", ([2, 1],)), ("trace", ()), ("diag", ()),
                     ("diag_embed", ())):
        yield from with_variants("aten::" + op, make((3, 3)), *args)
    yield from _fitting("aten::rot90", make((3, 3)))
    for op in ("pixel_shuffle", "pixel_unshuffle", "channel_shuffle"):
        yield from with_variants("aten::" + op, make((1, 4, 4, 4)), 2)
        yield from errors("aten::" + op, (make((4, 4)), 2), (make((1, 3, 5, 5)), 2), (make((1, 4, 4, 4)), 0), message=True)
    yield case("aten::native_channel_shuffle", make((1, 4, 4, 4)), 2)
    yield case("aten::pixel_shuffle", make((8, 2, 3)), 2)
    yield case("aten::pixel_shuffle", make((0, 4, 2, 3)), 2)
    yield case("aten::flip", make(()), [])
    yield case("aten::flip", make((0, 3)), [0])
    yield case("aten::roll", make((0, 3)), [1], [0])
    yield from errors("aten::flip", (make((3,)), [1]), (make((3,)), [0, 0]), message=True)
    yield from errors("aten::roll", (make((3, 3)), [1, 2]), (make((3, 3)), []), (make((3, 3)), [1], [2]),
                      (make((3, 3)), [1], [0, 1]), message=True)
    yield from errors("aten::rot90", (make((3,)),), (make((3, 3)), 1, [0]), (make((3, 3)), 1, [0, 0]), (make((3, 3)), 1, [0, 2]),
                      message=True)
    yield from errors("aten::repeat", (make((3, 3)), [2]), (make((3,)), [-1]), message=True)
    yield case("aten::repeat", make((3,)), [0, 2])
    yield case("aten::repeat", make(()), [])
    yield case("aten::repeat", make(()), [3])
    yield case("aten::tile", make((2, 3, 4)), [2])
    yield case("aten::tile", make((2,)), [2, 1, 3])
    for dtype in (torch.int64, torch.int32):
        yield from with_variants("aten::repeat_interleave.Tensor", torch.tensor([1, 0, 3], dtype=dtype))
    yield case("aten::repeat_interleave.Tensor", torch.tensor([1, 2]), output_size=3)
    yield case("aten::repeat_interleave.self_Tensor", make((2, 2)), torch.tensor(2), output_size=8)
    yield from errors("aten::repeat_interleave.Tensor", (torch.tensor([-1]),), (torch.tensor(1),), (torch.tensor([1.]),),
                      message=True)
    yield from errors("aten::repeat_interleave.self_Tensor", (make((3,)), torch.tensor([1, 2])),
                      (make((3,)), torch.tensor([[1]])), message=True)
    for op in ("aten::tril", "aten::triu"):
        yield from errors(op, (make((3,)),), message=True)
        yield case(op, make((0, 3)))
        yield case(op, make((3, 4), torch.bool, layout=TRANSPOSED), -1)
    for shape in ((3, 3), (2, 5), (5, 2)):
        for k in (-1, 0, 2):
            yield case("aten::diag", make(shape), k)
            yield case("aten::diag", make(shape, layout=TRANSPOSED), k)
    yield case("aten::diagflat", make((2, 2)), 1)
    yield case("aten::diag", make((3,)), -2)
    yield from errors("aten::diag", (make((2, 2, 2)),), (make(()),), message=True)
    yield from errors("aten::trace", (make((2,)),), message=True)
    yield case("aten::diag_embed", make((2, 3, 4)), -1, 0, 2)
    yield from errors("aten::diag_embed", (make((2, 3)), 0, 1, 1), (make((2, 3)), 0, 0, 4), message=True)
    yield case("aten::block_diag", [make((2, 3)), make(()), make((4,)), make((2, 0))])
    yield case("aten::block_diag", [make((2, 3), torch.int32), make((1, 2))])
    yield from errors("aten::block_diag", ([make((2, 3, 4))],), message=True)
    yield case("aten::cartesian_prod", [make((3,))])
    yield case("aten::cartesian_prod", [make((3,)), make((2,)), make((4,))])
    yield from errors("aten::cartesian_prod", ([make((2, 2))],), message=True)
    for n, r, again in ((4, 2, False), (4, 3, True), (3, 3, False), (2, 3, False), (0, 2, True), (4, 0, False), (4, 1, False)):
        yield case("aten::combinations", make((n,)), r, again)
    yield from errors("aten::combinations", (make((2, 2)),), (make((2,)), -1), message=True)


def cases():
    yield from _reshaping()
    yield from _dims()
    yield from _parts()
    yield from _splits()
    yield from _dtype_views()
    yield from _copies()
    yield from _inplace_storage()
    yield from _rearranged()
