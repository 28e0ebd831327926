"""Operators of the language itself."""
import torch

from lib.case import case
from lib.tensors import make


def cases():
    for a, b in [(1, 1), (1, 2), (None, None), (1, None), ("a", "b"), (1.5, 1.5), (True, True), (True, 1),
                 (None, "a"), (2, 2.0)]:
        yield case("aten::__is__", a, b)
        yield case("aten::__isnot__", a, b)
    for v in (True, False):
        yield case("aten::__not__", v)
        yield case("prim::NumToTensor.bool", v)
        yield case("aten::set_grad_enabled", True)
        yield case("prim::IfThenElse", v, 1, "x")
    for v in (1, 1.5, "a", [1, 2], (1, "a"), {"a": 1}, True):
        yield case("prim::unchecked_cast", v)
        yield case("aten::_unwrap_optional", v)
        yield case("prim::unchecked_unwrap_optional", v)
    yield case("aten::_unwrap_optional", None, message=True)
    for i in (0, 1, 2, -1, -3, 3, -4):
        yield case("prim::TupleIndex", (1, "x", 2.5), i, message=True)
    for v in (1, 2.5, -3, 1j):
        yield case("prim::NumToTensor.Scalar", v)
    yield case("prim::RaiseException", "it went wrong", "builtins.ValueError", message="it went wrong")
    for v in (0, 1, -5, 2**40, 1.5, 0.0, -2.25, True, False, "a", "hello", "", None, (1, 2), (1, "a", 2.5), ((1,), 2),
              torch.device("cpu"), torch.device("cuda:1"), [1], {"a": 1}):
        yield case("aten::hash.generic", v, message=True)
    for text in ("cpu", "cuda", "cuda:1", "cpu:0", "vulkan", "meta", "foo", "cpu:x", ""):
        yield case("aten::device", text, message=True)
    devices = [torch.device("cpu"), torch.device("cuda:1"), torch.device("cuda")]
    for a in devices:
        yield case("prim::type", a)
        yield case("prim::index", a)
        for b in devices:
            yield case("aten::eq.device", a, b)
            yield case("aten::ne.device", a, b)
    for t in (torch.tensor([1, 2], dtype=torch.int32), torch.zeros(0, dtype=torch.int32)):
        yield case("aten::_tensor_to_list", t)
    yield case("aten::_tensor_to_list", torch.tensor([1, 2]), message=True)
    yield case("aten::_list_to_tensor", [1, 2, -3])
    yield case("aten::Size", [1, 2])
    for a, b in [([2, 1], [3]), ([2], [3]), ([4, 1, 3], [5, 1]), ([], [2]), ([0], [1])]:
        yield case("aten::_infer_size", a or [1], b, message=True)
        yield case("aten::_size_if_not_equal", a or [1], b)
        yield case("aten::_size_if_not_equal", b, b)
    yield case("prim::infer_squeeze_size", [1, 2, 1])
    for dim in (0, 1, 2, -1):
        yield case("prim::infer_squeeze_size.dim", [1, 2, 1], dim)
        yield case("prim::infer_unsqueeze_size", [1, 2], dim)
    for op in ("is_autocast_enabled", "is_autocast_cpu_enabled", "is_scripting", "_get_tracing_state",
               "is_vulkan_available", "_use_cudnn_rnn_flatten_weight"):
        yield case(f"aten::{op}")
    yield case("aten::has_torch_function", 1, 2)
    yield case("prim::Print", "printed", 1)
    yield case("prim::abs", make((2, 1, 3)))
