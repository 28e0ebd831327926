"""What can be asked of a tensor."""
import torch

from lib.case import case
from lib.tensors import ALL, make

SHAPES = [(), (1,), (5,), (2, 3), (2, 0, 3), (1, 3, 1, 2)]
NO_ARGUMENT = ["aten::size", "aten::stride", "aten::sym_size", "aten::sym_stride", "aten::sym_numel", "aten::dim", "aten::numel",
               "aten::storage_offset", "aten::sym_storage_offset", "aten::element_size", "aten::is_contiguous",
               "aten::is_non_overlapping_and_dense", "aten::is_floating_point", "aten::is_complex", "aten::is_signed",
               "aten::data", "prim::data", "prim::device", "prim::dtype", "prim::layout", "prim::requires_grad",
               "prim::is_cpu", "prim::is_cuda", "prim::is_ipu", "prim::is_meta", "prim::is_mkldnn", "prim::is_mps",
               "prim::is_nested", "prim::is_ort", "prim::is_quantized", "prim::is_sparse", "prim::is_sparse_csr",
               "prim::is_vulkan", "prim::is_xpu", "aten::is_leaf", "aten::retains_grad", "aten::output_nr", "aten::_version",
               "aten::get_device", "aten::is_pinned", "aten::is_conj", "aten::is_neg", "aten::_is_zerotensor", "aten::is_inference",
               "aten::is_distributed", "prim::name"]


def tensors():
    for shape in SHAPES:
        yield make(shape)
    yield make((4, 6)).t()
    yield make((4, 6))[1:3, ::2]
    yield make((2, 3, 4, 5)).to(memory_format=torch.channels_last)
    yield make((1, 3, 1, 1)).to(memory_format=torch.channels_last)
    yield make((2, 3, 2, 2, 2)).to(memory_format=torch.channels_last_3d)
    yield make((1, 4)).expand(3, 4)
    for dtype in ALL:
        yield make((2, 3), dtype)


def cases():
    for t in tensors():
        for op in NO_ARGUMENT:
            yield case(op, t, exact_strides=True)
        yield case("aten::len.Tensor", t, message=True)
        for dim in (0, -1, t.dim(), -t.dim() - 1, 1):
            yield case("aten::size.int", t, dim, message=True)
            yield case("aten::stride.int", t, dim, message=True)
            if 0 <= dim < t.dim():  # PyTorch 1.13 does not check these
                yield case("aten::sym_size.int", t, dim)
                yield case("aten::sym_stride.int", t, dim)
        for form in (torch.contiguous_format, torch.channels_last, torch.channels_last_3d):
            yield case("aten::is_contiguous.memory_format", t, form)
            yield case("aten::is_strides_like_format", t, form)
        yield case("aten::is_same_size", t, make((2, 3)))
        yield case("aten::_has_same_storage_numel", t, make((2, 3)))
        yield case("aten::is_set_to", t, make((2, 3)))
        yield case("aten::requires_grad_", t, False)
    yield case("aten::requires_grad_", torch.tensor([1, 2]), True, message=True)
    for a in ALL:
        for b in ALL:
            yield case("aten::promote_types", a, b)
            yield case("aten::can_cast", a, b)
            for x, y in ((make((2,), a), make((2,), b)), (make((2,), a), make((), b)), (make((), a), make((), b))):
                yield case("aten::result_type.Tensor", x, y)
        for number in (2, 2.5, 1j):
            yield case("aten::result_type.Scalar", make((2,), a), number)
            yield case("aten::result_type.Scalar_Tensor", number, make((), a))
    for x in (2, 2.5, 1j):
        for y in (2, 2.5, 1j):
            yield case("aten::result_type.Scalar_Scalar", x, y)
    t = make((2, 3))
    yield case("aten::_assert_tensor_metadata", t, [2, 3], [3, 1], torch.float32)
    yield case("aten::_assert_tensor_metadata", t, [2, 4], message="Tensor sizes mismatch!")
    yield case("aten::_assert_tensor_metadata", t, None, [1, 2], message="Tensor strides mismatch!")
    yield case("aten::_assert_tensor_metadata", t, None, None, torch.int64, message="Tensor dtype mismatch!")
    yield case("aten::_assert_async", torch.tensor(1))
    yield case("aten::_assert_async", torch.tensor(0), message=True)
    yield case("aten::_assert_async", torch.tensor([1, 2]), message=True)
    yield case("aten::_assert_async", torch.tensor([]), message=True)
