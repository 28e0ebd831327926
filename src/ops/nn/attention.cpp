// Scaled dot-product and multi-head attention.
#include "ops/nn/attention.h"

#include <cmath>
#include <limits>

#include "ops/matmul/matmul.h"
#include "ops/nn/common.h"
#include "ops/nn/softmax.h"
#include "ops/pointwise/pointwise.h"
#include "ops/random/random.h"
#include "ops/reduce/reduce.h"
#include "ops/shape/creation.h"
#include "ops/shape/view.h"

namespace wick::ops {

namespace {

// Additive mask of a causal attention: -inf above the diagonal.
Tensor causal_mask(int64_t rows, int64_t columns, DType dtype) {
  Tensor m = Tensor::zeros({rows, columns}, DType::kFloat);
  float* p = m.data_ptr<float>();
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t c = r + 1; c < columns; ++c) p[r * columns + c] = -std::numeric_limits<float>::infinity();
  }
  return to_dtype(m, dtype);
}

Tensor additive_mask(const Tensor& mask, DType dtype) {
  if (mask.dtype() != DType::kBool) return mask;
  return to_dtype(where_scalars(mask, 0.0, -std::numeric_limits<double>::infinity()), dtype);
}

// [..., heads, length, dim] with each head repeated `times` times.
Tensor repeat_heads(const Tensor& t, int64_t times) {
  if (times == 1) return t;
  const size_t head = static_cast<size_t>(t.dim()) - 3;
  IntVec wide(t.sizes());
  wide.insert(head + 1, times);
  IntVec merged(t.sizes());
  merged[head] *= times;
  return reshaped(contiguous(expand(unsqueeze(t, static_cast<int64_t>(head) + 1), wide)), merged);
}

std::tuple<Tensor, Tensor> attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                     const OptTensor& attn_mask, double dropout_p, bool is_causal,
                                     std::optional<double> scale, bool safe, const char* op) {
  WICK_CHECK(
      query.dtype() == key.dtype() && query.dtype() == value.dtype(), kTypeMismatch,
      "Expected query, key, and value to have the same dtype, but got query.dtype: ", torch_name_of(query.dtype()),
      " key.dtype: ", torch_name_of(key.dtype()), " and value.dtype: ", torch_name_of(value.dtype()), " instead.");
  WICK_CHECK(query.dim() >= 2 && key.dim() >= 2 && value.dim() >= 2, kShapeMismatch,
             "Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: ", query.dim(),
             " key.dim: ", key.dim(), " and value.dim: ", value.dim(), " instead.");
  WICK_CHECK(!is_causal || !has(attn_mask), kInvalidArgument, op,
             ": Explicit attn_mask should not be set when is_causal=True");
  check_dtype(is_floating(query.dtype()), op, query.dtype());
  const DType dtype = query.dtype();
  const Tensor q = widened(query), k = widened(key), v = widened(value);
  // Both factors carry the root of the scale, which keeps the products in range.
  const double factor = scale.value_or(1 / std::sqrt(static_cast<double>(query.size(-1))));
  const double root = std::sqrt(std::abs(factor));
  Tensor scores = matmul(mul_scalar(q, factor < 0 ? -root : root), mul_scalar(transpose(k, -2, -1), root));
  if (is_causal) {
    scores = add(scores, causal_mask(scores.size(-2), scores.size(-1), scores.dtype()));
  } else if (has(attn_mask)) {
    scores = add(scores, additive_mask(*attn_mask, scores.dtype()));
  }
  Tensor weights = safe && has(attn_mask) ? safe_softmax(scores, -1, std::nullopt) : softmax(scores, -1, std::nullopt);
  if (dropout_p > 0) weights = dropout(weights, dropout_p, true);
  return {to_dtype(matmul(weights, v), dtype), to_dtype(weights, dtype)};
}

// Where PyTorch has a fused kernel its result has the query's memory layout.
Tensor laid_as_query(const Tensor& out, const Tensor& query, const Tensor& key, const Tensor& value, double dropout_p) {
  const bool fused = dropout_p == 0 && query.dim() == 4 && key.dim() == 4 && value.dim() == 4 &&
                     out.sizes() == query.sizes() && key.size(-1) == value.size(-1) && key.size(0) == query.size(0) &&
                     value.size(0) == query.size(0) && query.stride(-1) == 1 && key.stride(-1) == 1 &&
                     value.stride(-1) == 1;
  if (!fused || query.is_contiguous()) return out;
  const Tensor laid = empty_like_op(query, {}, {});
  copy_into(laid, out);
  return laid;
}

}  // namespace

Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                    const OptTensor& attn_mask, double dropout_p, bool is_causal,
                                    std::optional<double> scale, bool enable_gqa) {
  const auto attend = [&](const Tensor& k, const Tensor& v) {
    const Tensor out = std::get<0>(
        attention(query, k, v, attn_mask, dropout_p, is_causal, scale, true, "_scaled_dot_product_attention"));
    return laid_as_query(out, query, key, value, dropout_p);
  };
  if (!enable_gqa) return attend(key, value);
  WICK_CHECK(query.dim() >= 3 && key.dim() >= 3 && value.dim() >= 3 && key.size(-3) > 0 && value.size(-3) > 0 &&
                 query.size(-3) % key.size(-3) == 0 && query.size(-3) % value.size(-3) == 0,
             kShapeMismatch, "Number of heads in key and value must divide the number of heads in query");
  return attend(repeat_heads(key, query.size(-3) / key.size(-3)), repeat_heads(value, query.size(-3) / value.size(-3)));
}

std::tuple<Tensor, Tensor> scaled_dot_product_attention_weights(const Tensor& query, const Tensor& key,
                                                                const Tensor& value, const OptTensor& attn_mask,
                                                                double dropout_p, bool, bool is_causal) {
  return attention(query, key, value, attn_mask, dropout_p, is_causal, {}, false, "_scaled_dot_product_attention");
}

std::tuple<Tensor, Tensor> scaled_dot_product_flash_attention_for_cpu(const Tensor& query, const Tensor& key,
                                                                      const Tensor& value, double dropout_p,
                                                                      bool is_causal, const OptTensor& attn_mask,
                                                                      std::optional<double> scale) {
  constexpr const char* kName = "scaled_dot_product_attention_flash_attention";
  WICK_CHECK(is_floating(query.dtype()), kTypeMismatch, kName,
             ": Expected data type in FP32, FP64, BF16, FP16, but got ", name_of(query.dtype()), " instead.");
  WICK_CHECK(query.dim() == 4 && key.dim() == 4 && value.dim() == 4, kShapeMismatch, kName,
             ": Accept only 4 dims inputs shape of {B, H, T, K}");
  WICK_CHECK(dropout_p == 0, kUnsupported, kName, ": Currently do not support dropout > 0");
  WICK_CHECK(query.size(3) == value.size(3) && key.size(3) == value.size(3), kShapeMismatch, kName,
             ": Q/K/V should have the same head size");
  const Tensor out =
      scaled_dot_product_attention(query, key, value, attn_mask, 0, is_causal, scale, query.size(1) != key.size(1));
  const int64_t groups = key.size(1) == 0 ? 1 : query.size(1) / key.size(1);
  const double factor = scale.value_or(1 / std::sqrt(static_cast<double>(query.size(-1))));
  Tensor scores = mul_scalar(matmul(widened(query), transpose(repeat_heads(widened(key), groups), -2, -1)), factor);
  if (is_causal) scores = add(scores, causal_mask(scores.size(-2), scores.size(-1), scores.dtype()));
  if (has(attn_mask)) scores = add(scores, additive_mask(*attn_mask, scores.dtype()));
  const Tensor sums = logsumexp(scores, {-1});
  // The kernel keeps the heads innermost.
  const Tensor laid = transpose(Tensor::empty({sums.size(0), sums.size(2), sums.size(1)}, sums.dtype()), 1, 2);
  copy_into(laid, sums);
  return {out, laid};
}

Tensor masked_softmax(const Tensor& self, const Tensor& given, std::optional<int64_t> dim,
                      std::optional<int64_t> mask_type) {
  WICK_CHECK(given.dtype() == DType::kBool, kTypeMismatch, "Mask should be a boolean tensor");
  WICK_CHECK(mask_type.has_value(), kInvalidArgument, "Mask Type should be defined");
  WICK_CHECK(*mask_type >= 0 && *mask_type <= 2, kInvalidArgument,
             "Mask Type should be 0 (src_mask) or 1 (src_key_padding_mask), or 2 (default_mask)");
  Tensor mask = given;
  if (self.dim() == 4 && given.dim() == 2 && *mask_type < 2) {
    const bool keys = *mask_type == 1;
    if (given.size(0) == self.size(keys ? 0 : 2) && given.size(1) == self.size(3)) {
      mask = expand(keys ? reshaped(contiguous(given), {given.size(0), 1, 1, given.size(1)}) : given, self.sizes());
    }
  }
  WICK_CHECK(mask.sizes() == self.sizes(), kShapeMismatch, "Mask shape should match input shape");
  check_dtype(is_floating(self.dtype()), "masked_softmax", self.dtype());
  const Tensor scores = where_scalar_self(mask, -std::numeric_limits<double>::infinity(), self);
  return softmax(to_dtype(scores, self.dtype()), dim.value_or(self.dim() - 1), std::nullopt);
}

namespace {

struct Heads {
  Tensor query, key, value;
};

// Splits rows of `parts` consecutive embeddings into heads, adding the bias; the first of three parts is scaled.
template <class T>
void split_heads(const T* in, const T* bias, T* const* out, int64_t parts, int64_t batch, int64_t length, int64_t heads,
                 int64_t width, T scale) {
  const int64_t dim = heads * width;
  parallel_for(0, batch * length, grain_for(parts * dim), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t b = i / length, t = i % length;
      for (int64_t p = 0; p < parts; ++p) {
        const T factor = p == 0 ? scale : T(1);
        for (int64_t h = 0; h < heads; ++h) {
          const T* from = in + i * parts * dim + p * dim + h * width;
          const T* add = bias + p * dim + h * width;
          T* to = out[p] + ((b * heads + h) * length + t) * width;
          for (int64_t k = 0; k < width; ++k) to[k] = (from[k] + add[k]) * factor;
        }
      }
    }
  });
}

Heads heads_of(const Tensor& qkv, const Tensor& bias, int64_t num_heads) {
  WICK_CHECK(qkv.dim() == 3, kShapeMismatch, "expected 3-D `qkv`, got ", qkv.dim(), "-D tensor");
  WICK_CHECK(num_heads > 0 && qkv.size(2) % 3 == 0, kShapeMismatch,
             "expected the last dim of `qkv` to be 3x embed_dim");
  const int64_t batch = qkv.size(0), length = qkv.size(1), dim = qkv.size(2) / 3;
  WICK_CHECK(dim % num_heads == 0, kShapeMismatch, "`embed_dim` must divide evenly by `num_heads`");
  WICK_CHECK(bias.dim() == 1 && bias.numel() == 3 * dim, kShapeMismatch,
             "expected `qkv_bias` first dim and first dim of query to be equal");
  check_dtype(is_floating(qkv.dtype()), "transform_bias_rescale_qkv", qkv.dtype());
  const int64_t width = dim / num_heads;
  const Tensor x = contiguous(widened(qkv));
  const Tensor b = contiguous(to_dtype(bias, x.dtype()));
  Heads h;
  for (Tensor* t : {&h.query, &h.key, &h.value}) *t = Tensor::empty({batch, num_heads, length, width}, x.dtype());
  for_float(x.dtype(), "transform_bias_rescale_qkv", qkv.dtype(), [&](auto zero) {
    using T = decltype(zero);
    T* const out[3] = {h.query.data_ptr<T>(), h.key.data_ptr<T>(), h.value.data_ptr<T>()};
    split_heads<T>(x.data_ptr<T>(), b.data_ptr<T>(), out, 3, batch, length, num_heads, width,
                   T(1) / std::sqrt(static_cast<T>(width)));
  });
  return h;
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor> transform_bias_rescale_qkv(const Tensor& qkv, const Tensor& qkv_bias,
                                                              int64_t num_heads) {
  const Heads h = heads_of(qkv, qkv_bias, num_heads);
  return {to_dtype(h.query, qkv.dtype()), to_dtype(h.key, qkv.dtype()), to_dtype(h.value, qkv.dtype())};
}

std::tuple<Tensor, Tensor> native_multi_head_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                                       int64_t embed_dim, int64_t num_head, const Tensor& qkv_weight,
                                                       const Tensor& qkv_bias, const Tensor& proj_weight,
                                                       const Tensor& proj_bias, const OptTensor& mask,
                                                       bool need_weights, bool average_attn_weights,
                                                       std::optional<int64_t> mask_type) {
  WICK_CHECK(query.dim() == 3, kShapeMismatch, "expected 3-D `query`, got ", query.dim(), "-D tensor");
  WICK_CHECK(query.size(2) == embed_dim, kShapeMismatch, "passed-in embed_dim ", embed_dim,
             " didn't match last dim of query ", query.size(2));
  WICK_CHECK(query.sizes() == key.sizes() && key.sizes() == value.sizes(), kShapeMismatch,
             "expected `query`/`key`/`value` shapes to match");
  WICK_CHECK(qkv_weight.dim() == 2, kShapeMismatch, "expected 2-D `qkv_weight`, got ", qkv_weight.dim(), "-D tensor");
  WICK_CHECK(embed_dim * 3 == qkv_weight.size(0), kShapeMismatch, "expected `qkv_weight` first dim to be 3x embed_dim");
  WICK_CHECK(embed_dim == qkv_weight.size(1), kShapeMismatch, "expected `qkv_weight` second dim to be embed_Dim");
  WICK_CHECK(qkv_bias.dim() == 1, kShapeMismatch, "expected 1-D `qkv_bias`, got ", qkv_bias.dim(), "-D tensor");
  WICK_CHECK(qkv_bias.size(0) == 3 * embed_dim, kShapeMismatch,
             "expected `qkv_bias` first dim and first dim of query to be equal");
  WICK_CHECK(num_head > 0 && embed_dim % num_head == 0, kShapeMismatch,
             "`embed_dim` must divide evenly by `num_heads`");
  const DType dtype = query.dtype();
  const int64_t batch = query.size(0), length = query.size(1);
  Tensor qkv;
  if (query.is_same(key) && key.is_same(value)) {
    qkv = linear(query, qkv_weight, {});
  } else {
    qkv = Tensor::empty({batch, length, 3 * embed_dim}, dtype);
    const Tensor* inputs[] = {&query, &key, &value};
    for (int64_t p = 0; p < 3; ++p) {
      copy_into(narrow(qkv, 2, p * embed_dim, embed_dim),
                linear(*inputs[p], narrow(qkv_weight, 0, p * embed_dim, embed_dim), {}));
    }
  }
  const Heads h = heads_of(qkv, qkv_bias, num_head);
  Tensor weights = matmul(h.query, transpose(h.key, -2, -1));
  if (has(mask)) {
    weights = masked_softmax(weights, to_dtype(*mask, DType::kBool), weights.dim() - 1, mask_type);
  } else {
    weights = softmax(weights, -1, std::nullopt);
  }
  const Tensor context = contiguous(transpose(matmul(weights, h.value), 1, 2));
  const Tensor joined = to_dtype(reshaped(context, {batch, length, embed_dim}), dtype);
  const Tensor out = linear(joined, proj_weight, proj_bias);
  if (!need_weights) return {out, Tensor()};
  if (average_attn_weights) {
    Tensor sum = clone(select(weights, 1, 0), MemoryFormat::kContiguous);
    for (int64_t i = 1; i < num_head; ++i) sum = add(sum, select(weights, 1, i));
    weights = div_scalar(sum, static_cast<double>(num_head));
  }
  return {out, to_dtype(weights, dtype)};
}

}  // namespace wick::ops
