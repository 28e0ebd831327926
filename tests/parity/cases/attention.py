"""Attention and the fused transformer layer."""
import torch

from lib.case import *
from lib.tensors import *


def layer_weights(embed, feed, dtype=torch.float32):
    shapes = [(3 * embed, embed), (3 * embed,), (embed, embed), (embed,)]
    rest = [(embed,), (embed,), (embed,), (embed,), (feed, embed), (feed,), (embed, feed), (embed,)]
    return [make(s, dtype, -0.5, 0.5, seed=i) for i, s in enumerate(shapes)], [make(s, dtype, -0.5, 0.5, seed=10 + i) for i, s in enumerate(rest)]


def cases():
    for dtype in (torch.float32, torch.float64):
        for shape, keys in (((3, 4), 5), ((2, 3, 4), 3), ((2, 2, 7, 8), 9)):
            q, k, v = make(shape, dtype), make((*shape[:-2], keys, shape[-1]), dtype, seed=1), make((*shape[:-2], keys, 6), dtype, seed=2)
            for name in ("_scaled_dot_product_attention", "_scaled_dot_product_attention_math"):
                for weights in (False, True):
                    yield case(f"aten::{name}", q, k, v, None, 0.0, weights, aliases=False)
            yield case("aten::_scaled_dot_product_attention", q, k, v, make((shape[-2], keys), dtype), 0.0, True, aliases=False)
            yield case("aten::_scaled_dot_product_attention", q, k, v, torch.ones(shape[-2], keys).tril(1).bool(), 0.0, True, aliases=False)
            yield case("aten::_scaled_dot_product_attention", q, k, v, None, 0.0, True, True, aliases=False)
    q = make((2, 2, 3, 4))
    yield case("aten::_scaled_dot_product_attention", q, q, q, None, 0.3, True, aliases=False)
    yield from errors("aten::_scaled_dot_product_attention", (q, q, q, torch.ones(3, 3), 0.0, False, True), message=True)

    x = make((2, 2, 3, 3))
    mask = torch.zeros(2, 2, 3, 3, dtype=torch.bool)
    mask[0, 0, 0, 1] = mask[1, 1, 2, 0] = True
    mask[0, 1, 1] = True
    for dim in (-1, 3, 1):
        yield case("aten::_masked_softmax", x, mask, dim, 2)
    yield case("aten::_masked_softmax", x, mask, None, 2)
    for bad in ((x, mask), (x, mask.float(), -1, 2), (x, mask, -1, 5), (x, mask[:1], -1, 2)):
        yield from errors("aten::_masked_softmax", bad, message=True)

    for dtype in (torch.float32, torch.float64):
        for heads in (1, 2, 4):
            first, rest = layer_weights(8, 12, dtype)
            x = make((2, 3, 8), dtype)
            padding = torch.tensor([[False, False, True], [False, True, True]])
            yield case("aten::_transform_bias_rescale_qkv", make((2, 3, 24), dtype), first[1], heads)
            for need, average in ((True, True), (True, False), (False, True)):
                yield case("aten::_native_multi_head_attention", x, x, x, 8, heads, *first, None, need, average)
                yield case("aten::_native_multi_head_attention", x, make((2, 3, 8), dtype, seed=1), make((2, 3, 8), dtype, seed=2), 8, heads, *first, None, need, average)
                yield case("aten::_native_multi_head_attention", x, x, x, 8, heads, *first, padding, need, average, 1)
            for gelu in (False, True):
                for norm_first in (False, True):
                    yield case("aten::_transformer_encoder_layer_fwd", x, 8, heads, *first, gelu, norm_first, 1e-5, *rest)
                    yield case("aten::_transformer_encoder_layer_fwd", x, 8, heads, *first, gelu, norm_first, 1e-5, *rest, padding, 1)
    first, _ = layer_weights(8, 12)
    x = make((2, 3, 8))
    for bad in ((x[0], x[0], x[0], 8, 2, *first), (x, x, x, 9, 2, *first), (x, x, x, 8, 3, *first), (x, x, x, 8, 2, first[0][:-1], *first[1:]),
                (x, x[:, :2], x[:, :2], 8, 2, *first)):
        yield from errors("aten::_native_multi_head_attention", bad, message=True)

    torch.manual_seed(3)
    layer = torch.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
    encoder = torch.nn.TransformerEncoder(layer, 2, enable_nested_tensor=False).eval()
    yield model("transformer encoder", encoder, make((2, 5, 8)))
    decoder = torch.nn.TransformerDecoderLayer(8, 2, 16, batch_first=True).eval()
    yield model("transformer decoder layer", decoder, make((2, 5, 8)), make((2, 4, 8)))
    yield model("multi-head attention", torch.nn.MultiheadAttention(8, 2).eval(), make((5, 2, 8)), make((4, 2, 8)), make((4, 2, 8)))
