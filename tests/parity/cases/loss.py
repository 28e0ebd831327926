"""Loss functions."""
import torch

from lib.case import *
from lib.tensors import *

REDUCTIONS = (0, 1, 2)


def classes(shape, limit, seed=0):
    return torch.randint(0, limit, shape, generator=torch.Generator().manual_seed(seed))


def elementwise(op, *args, low=None, high=None, target_low=None, target_high=None, signs=False):
    for dtype in (torch.float32, torch.float64):
        for shape in ((), (5,), (3, 4), (2, 3, 4, 5), (0,)):
            x = make(shape, dtype, low, high)
            t = make(shape, dtype, target_low, target_high, seed=1)
            if signs:
                t = torch.where(t > 0, torch.ones_like(t), -torch.ones_like(t))
            for reduction in REDUCTIONS:
                yield case(op, x, t, *[reduction if a is ... else a for a in args])
    x, t = make((4, 6), low=low, high=high, layout=TRANSPOSED), make((4, 6), low=target_low, high=target_high, seed=1)
    yield case(op, x, t, *[1 if a is ... else a for a in args])


def integers():
    for d in (torch.int64, torch.int8, torch.uint8):
        a, b, t = make((3, 4), d, 0, 5), make((3, 4), d, 0, 5, seed=2), make((3,), d, 0, 2, seed=3)
        for reduction in (0, 1, 2):
            yield case("aten::poisson_nll_loss", a, b, True, True, 1e-8, reduction)
            yield case("aten::poisson_nll_loss", a, b, False, False, 1e-8, reduction)
            yield case("aten::margin_ranking_loss", a, b, make((3, 4), d, 0, 2, seed=3), 0.5, reduction)
            yield case("aten::cosine_embedding_loss", a, b, t, 0.2, reduction)
            yield case("aten::triplet_margin_loss", a, b, make((3, 4), d, 0, 5, seed=5), reduction=reduction)
        yield case("aten::pairwise_distance", a, b)
    c, e = make((3, 4), torch.complex64), make((3, 4), torch.complex64, seed=2)
    yield case("aten::pairwise_distance", c, e)
    yield case("aten::dist", c, e, 3)


def cases():
    yield from integers()

    yield from elementwise("aten::mse_loss", ...)
    yield from elementwise("aten::l1_loss", ...)
    yield from elementwise("aten::smooth_l1_loss", ..., 1.0)
    yield from elementwise("aten::smooth_l1_loss", ..., 0.3)
    yield from elementwise("aten::smooth_l1_loss", ..., 0.0)
    yield from elementwise("aten::huber_loss", ..., 0.7)
    yield from elementwise("aten::soft_margin_loss", ..., signs=True)
    yield from elementwise("aten::binary_cross_entropy", None, ..., low=0, high=1, target_low=0, target_high=1)
    yield from elementwise("aten::binary_cross_entropy_with_logits", None, None, ..., target_low=0, target_high=1)
    yield from elementwise("aten::kl_div", ..., target_low=0, target_high=1)
    yield from elementwise("aten::poisson_nll_loss", True, True, 1e-8, ..., target_low=0, target_high=6)
    yield from elementwise("aten::poisson_nll_loss", False, False, 1e-8, ..., low=0.1, target_low=0, target_high=6)
    yield from elementwise("aten::hinge_embedding_loss", 0.8, ..., signs=True)
    x, t = make((3, 4)), make((3, 4), seed=1)
    for op, *rest in (("mse_loss",), ("smooth_l1_loss",), ("huber_loss",), ("soft_margin_loss",)):
        yield from with_variants(f"aten::{op}", x, t, 0)
        yield from with_variants(f"aten::{op}", x, t, 1)
    yield case("aten::mse_loss", x, t[0])
    yield case("aten::mse_loss", x, t.double(), 0)
    yield case("aten::l1_loss", x.long(), t.long(), 2)
    yield case("aten::l1_loss", x.int(), t.int(), 0)
    yield case("aten::kl_div", x, t, 1, log_target=True)
    yield case("aten::kl_div", x, torch.tensor([[0.0, 1.0, 0.5, 0.0]] * 3), 0)
    p = torch.tensor([0.0, 1.0, 0.5, 1e-30])
    yield case("aten::binary_cross_entropy", p, torch.tensor([1.0, 0.0, 0.3, 1.0]), None, 0)
    yield case("aten::binary_cross_entropy", p, torch.tensor([1.0, 0.0, 0.3, 1.0]), make((4,)), 1)
    logits = torch.tensor([100.0, -100.0, 0.0, 3.0])
    for w, pos in ((None, None), (make((4,)), None), (None, make((4,), low=0, high=3)), (make((4,)), make((4,), low=0, high=3))):
        for reduction in REDUCTIONS:
            yield case("aten::binary_cross_entropy_with_logits", logits, torch.tensor([1.0, 0.0, 0.3, 1.0]), w, pos, reduction)
            yield case("aten::binary_cross_entropy_with_logits", make((3, 4)), make((3, 4), low=0, high=1), w, pos, reduction)
    for dtype in (torch.float64, torch.float16, torch.int64):  # the target's is the result's
        # PyTorch rounds a part of a double result to float.
        yield case("aten::binary_cross_entropy_with_logits", logits, torch.tensor([1, 0, 0, 1]).to(dtype), rtol=1e-6)
        yield case("aten::binary_cross_entropy_with_logits", logits.double(), torch.tensor([1, 0, 0, 1]).to(dtype))
    for bad in ((x.long(), t.long()),):
        for op in ("mse_loss", "smooth_l1_loss", "huber_loss"):
            yield from errors(f"aten::{op}", bad, message=True)
    yield from errors("aten::l1_loss", (x.long(), t.long()), message=True)
    yield from errors("aten::smooth_l1_loss", (x, t, 1, -1.0), message=True)
    yield from errors("aten::huber_loss", (x, t, 1, 0.0), message=True)
    yield from errors("aten::binary_cross_entropy", (x, t), message=True)
    yield from errors("aten::binary_cross_entropy", (p, p.double()), message=True)

    for reduction in REDUCTIONS:
        sign = torch.tensor([1, -1, 1])
        yield case("aten::margin_ranking_loss", make((3,)), make((3,), seed=1), sign, 0.3, reduction)
        yield case("aten::cosine_embedding_loss", x, t, sign, 0.2, reduction)
        yield case("aten::cosine_embedding_loss", x[0], t[0], torch.tensor(-1), 0.0, reduction)
        for swap in (False, True):
            yield case("aten::triplet_margin_loss", x, t, make((3, 4), seed=2), 1.0, 2.0, 1e-6, swap, reduction)
            yield case("aten::triplet_margin_loss", x, t, make((3, 4), seed=2), 0.5, 1.0, 1e-6, swap, reduction)
        ids = torch.tensor([1, 0, 3])
        for w in (None, make((4,), low=0.1, high=2)):
            for power in (1, 2):
                yield case("aten::multi_margin_loss", x, ids, power, 0.7, w, reduction)
            yield case("aten::multi_margin_loss", x[0], ids[0], 1, 1.0, w, reduction)
        labels = torch.tensor([[3, 0, -1, 1], [1, 2, 3, 0], [-1, 2, 2, 2]])
        yield case("aten::multilabel_margin_loss", x, labels, reduction)
        yield case("aten::multilabel_margin_loss", x[0], labels[0], reduction)
        yield case("aten::multilabel_margin_loss_forward", x, labels, reduction)
    yield from errors("aten::multi_margin_loss", (x, torch.tensor([1, 0, 9])), message=True)
    yield from errors("aten::multi_margin_loss", (x, torch.tensor([1, 0, 3]), 3), message=True)
    yield from errors("aten::multi_margin_loss", (x, torch.tensor([1, 0])), message=True)
    yield from errors("aten::multilabel_margin_loss", (x, torch.tensor([[9, 0, -1, 1]] * 3)), message=True)
    yield from errors("aten::cosine_embedding_loss", (x, t, torch.tensor([[1, 1, 1]])), message=True)
    yield from errors("aten::triplet_margin_loss", (x, t, t[0]), message=True)
    yield from class_cases()
    yield from ctc_cases()


def class_cases():
    for dtype in (torch.float32, torch.float64):
        for shape, target in (((5,), ()), ((3, 5), (3,)), ((2, 5, 4), (2, 4)), ((2, 5, 3, 4), (2, 3, 4)), ((2, 5, 2, 3, 2), (2, 2, 3, 2))):
            x, ids = make(shape, dtype), classes(target, 5)
            probabilities = make(shape, dtype, 0, 1, seed=2)
            for w in (None, make((5,), dtype, 0.1, 2)):
                for reduction in REDUCTIONS:
                    for ignore in (-100, 2):
                        yield case("aten::nll_loss_nd", x, ids, w, reduction, ignore)
                        for smoothing in (0.0, 0.2):
                            yield case("aten::cross_entropy_loss", x, ids, w, reduction, ignore, smoothing)
                    for smoothing in (0.0, 0.2):
                        yield case("aten::cross_entropy_loss", x, probabilities, w, reduction, -100, smoothing)
    x, ids = make((3, 4)), torch.tensor([1, 0, 3])
    for reduction in REDUCTIONS:
        yield case("aten::nll_loss", x, ids, None, reduction)
        yield case("aten::nll_loss_forward", x, ids, make((4,)), reduction, 0)
        yield case("aten::nll_loss2d", make((2, 3, 4, 5)), classes((2, 4, 5), 3), None, reduction)
        yield case("aten::nll_loss2d_forward", make((2, 3, 4, 5)), classes((2, 4, 5), 3), make((3,)), reduction, -100)
        yield case("aten::nll_loss", x[:0], ids[:0], None, reduction)
        yield case("aten::nll_loss", x, torch.tensor([-100] * 3), None, reduction)
    yield case("aten::nll_loss", x, ids.byte())
    for bad in ((x, torch.tensor([1, 0, 4])), (x, ids[:2]), (x, ids[None]), (x, ids.int()), (x, ids, make((3,))), (x[None], ids), (x.long(), ids)):
        yield from errors("aten::nll_loss", bad, message=True)
    for bad in ((make((3, 4, 5)), ids), (make((3, 4, 5)), classes((2, 5), 4)), (make(()), ids)):
        yield from errors("aten::nll_loss_nd", bad, message=True)
    for bad in ((x, x.long()), (x, ids, None, 1, -100, 1.5), (x, make((3, 4)), None, 1, 2)):
        yield from errors("aten::cross_entropy_loss", bad, message=True)


def ctc_cases():
    probs = make((6, 2, 4)).log_softmax(2)
    padded, packed = torch.tensor([[1, 2, 2], [3, 1, 0]]), torch.tensor([1, 2, 2, 3, 1])
    for dtype in (torch.float32, torch.float64):
        for reduction in REDUCTIONS:
            for targets in (padded, packed, padded.int()):
                yield case("aten::ctc_loss.IntList", probs.to(dtype), targets, [6, 5], [3, 2], 0, reduction)
                yield case("aten::ctc_loss.Tensor", probs.to(dtype), targets, torch.tensor([6, 5]), torch.tensor([3, 2]), 0, reduction)
            yield case("aten::ctc_loss.IntList", probs.to(dtype), packed[:3], [6, 2], [3, 0], 0, reduction)
            for zero in (False, True):
                yield case("aten::ctc_loss.IntList", probs.to(dtype), padded, [2, 5], [3, 2], 0, reduction, zero)
            yield case("aten::ctc_loss.Tensor", probs[:, 0].to(dtype), torch.tensor([1, 2]), torch.tensor(6), torch.tensor(2), 0, reduction)
    yield case("aten::_ctc_loss", probs, padded, [6, 6], [3, 3], 3)
    yield from errors("aten::_ctc_loss", (probs, padded, [6, 5], [3]), message=True)
    yield from errors("aten::_ctc_loss", (probs, padded, [6, 9], [3, 2]), message=True)
    yield from errors("aten::_ctc_loss", (probs, padded, [6, 5], [3, 4]), message=True)
    yield from errors("aten::_ctc_loss", (probs, packed, [6, 5], [3, 3]))
    yield from errors("aten::_ctc_loss", (probs, padded, [6, 5], [3, 2], 9), message=True)
    yield from errors("aten::_ctc_loss", (probs, padded.float(), [6, 5], [3, 2]), message=True)
