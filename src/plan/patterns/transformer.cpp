// PyTorch's fused attention and encoder layers, as the dense layers, attention and norms they consist of.
#include <cmath>
#include <limits>

#include "plan/patterns/patterns.h"
#include "plan/patterns/tail.h"
#include "plan/steps/attention_step.h"
#include "plan/steps/linear_step.h"
#include "plan/steps/rows_step.h"

namespace wick::plan {
namespace {

// Self-attention of `batch` sequences of `length` vectors.
struct SelfAttention {
  int64_t batch = 0, length = 0, width = 0, heads = 0;
  DenseLayer qkv, projection;
  TensorId mask = kNoTensor;
  int64_t mask_type = 0;

  int64_t rows() const { return batch * length; }
};

bool read_dense(const Builder& b, const TracedStep& step, size_t at, DenseLayer& out) {
  return at + 1 < step.args.size() && read_constant(b, step.args[at], out.weight) &&
         read_constant(b, step.args[at + 1], out.bias) && out.is_sound();
}

// The sizes of the sequences, when they lie in memory one after the other.
bool read_sequences(const Builder& b, TensorId in, SelfAttention& a) {
  if (in == kNoTensor || !b.is_float(in) || !b.is_stable(in)) return false;
  const TracedTensor& t = b.tensor(in);
  if (t.sizes.size() != 3 || checked_numel(t.sizes) == 0 || !is_contiguous(t.sizes, t.strides)) return false;
  a.batch = t.sizes[0];
  a.length = t.sizes[1];
  a.width = t.sizes[2];
  return true;
}

bool is_sound(const Builder& b, const SelfAttention& a) {
  if (a.heads <= 0 || a.width % a.heads != 0 || a.qkv.inputs() != a.width || a.qkv.outputs() != 3 * a.width ||
      a.projection.inputs() != a.width || a.projection.outputs() != a.width) {
    return false;
  }
  if (a.mask == kNoTensor) return true;
  const TracedTensor& m = b.tensor(a.mask);
  if ((m.dtype != DType::kBool && m.dtype != DType::kFloat) || !b.is_stable(a.mask)) return false;
  switch (a.mask_type) {
    case 0:
      return m.sizes == IntVec{a.length, a.length};
    case 1:
      return m.sizes == IntVec{a.batch, a.length};
    default:
      return a.mask_type == 2 && m.sizes == IntVec{a.batch, a.heads, a.length, a.length};
  }
}

// The steps up to the projection; returns what it projects.
Slot emit_heads(Builder& b, const ir::Node* node, const SelfAttention& s, Slot in) {
  const int64_t width = s.width, head = width / s.heads, row = 3 * width;
  const Slot qkv = b.define_temporary({s.batch, s.length, row});
  emit_dense(b, node, s.qkv, {dense_rows(s.rows(), width), dense_rows(s.rows(), row), {}}, in, kNoSlot, qkv, {},
             "linear");
  kernels::Attention a;
  a.batch = s.batch;
  a.heads = s.heads;
  a.queries = a.keys = s.length;
  a.depth = a.value_depth = head;
  a.scale = 1 / std::sqrt(static_cast<float>(head));
  a.q = a.k = a.v = {nullptr, s.length * row, head, row};
  a.out = {nullptr, s.length * width, head, width};
  AttentionOperand mask;
  if (s.mask != kNoTensor) {
    mask.slot = emit_additive_mask(b, node, s.mask, true, -std::numeric_limits<float>::infinity());
    const int64_t all = s.length * s.length;
    a.mask = s.mask_type == 0   ? kernels::Heads<const float>{nullptr, 0, 0, s.length}
             : s.mask_type == 1 ? kernels::Heads<const float>{nullptr, s.length, 0, 0}
                                : kernels::Heads<const float>{nullptr, s.heads * all, all, s.length};
  }
  const Slot context = b.define_temporary({s.batch, s.length, width});
  emit_attention(b, node, a, {qkv, 0}, {qkv, width}, {qkv, 2 * width}, mask, {context, 0},
                 mask.slot == kNoSlot ? "attention" : "attention mask");
  return context;
}

bool build_multi_head(Builder& b, size_t s) {
  const TracedStep& step = b.step(s);
  if (step.op->schema.name != "aten::_native_multi_head_attention" || !step.op->schema.overload.empty() ||
      step.outs.empty() || step.outs[0].kind != TracedValue::Kind::kTensor) {
    return false;
  }
  const TensorId in = tensor_arg(step, 0), result = step.outs[0].ids[0];
  if (tensor_arg(step, 1) != in || tensor_arg(step, 2) != in || !b.can_define_plain(result)) return false;
  if (step.outs.size() > 1 && step.outs[1].kind == TracedValue::Kind::kTensor && !b.is_unused(step.outs[1].ids[0])) {
    return false;
  }
  SelfAttention a;
  if (!read_sequences(b, in, a) || int_arg(step, 3) != a.width || !read_dense(b, step, 5, a.qkv) ||
      !read_dense(b, step, 7, a.projection)) {
    return false;
  }
  a.heads = int_arg(step, 4).value_or(0);
  if (is_given(step, 9)) {
    a.mask = tensor_arg(step, 9);
    a.mask_type = int_arg(step, 12).value_or(-1);
    if (a.mask == kNoTensor) return false;
  }
  const TracedTensor& out = b.tensor(result);
  if (!is_sound(b, a) || out.dtype != DType::kFloat || !is_contiguous(out.sizes, out.strides)) return false;
  const Tail tail = absorb_tail_of(b, s, result, [&](TensorId id) {
    return b.is_float(id) && is_contiguous(b.tensor(id).sizes, b.tensor(id).strides);
  });
  b.take(s);
  b.emit_at(tail.last, [&b, s, in, a, tail] {
    const ir::Node* node = b.step(s).node;
    const Slot context = emit_heads(b, node, a, b.plain(in));
    const Slot residual = tail.residual == kNoTensor ? kNoSlot : b.plain(tail.residual);
    const RowGrid rows = dense_rows(a.rows(), a.width);
    emit_dense(b, node, a.projection, {rows, rows, rows}, context, residual, b.define_plain(tail.result), tail.epilogue,
               StepName("linear", tail.name.text()));
  });
  return true;
}

struct Norm {
  Tensor weight, bias;
};
bool read_norm(const Builder& b, const TracedStep& step, size_t at, int64_t width, Norm& out) {
  return read_constant(b, step.args[at], out.weight) && read_constant(b, step.args[at + 1], out.bias) &&
         out.weight.defined() && out.bias.defined() && out.weight.numel() == width && out.bias.numel() == width;
}

// Self-attention and two dense layers, each with a residual and a norm.
struct EncoderLayer {
  SelfAttention attention;
  Norm norm[2];
  DenseLayer up, down;
  bool gelu = false, norm_first = false;
  double epsilon = 1e-5;
};

bool read_encoder_layer(const Builder& b, const TracedStep& step, TensorId in, EncoderLayer& e) {
  if (step.op->schema.name != "aten::_transformer_encoder_layer_fwd" || !step.op->schema.overload.empty() ||
      step.args.size() < 18) {
    return false;
  }
  SelfAttention& a = e.attention;
  if (!read_sequences(b, in, a) || int_arg(step, 1) != a.width || !read_dense(b, step, 3, a.qkv) ||
      !read_dense(b, step, 5, a.projection) || !read_norm(b, step, 10, a.width, e.norm[0]) ||
      !read_norm(b, step, 12, a.width, e.norm[1]) || !read_dense(b, step, 14, e.up) ||
      !read_dense(b, step, 16, e.down)) {
    return false;
  }
  a.heads = int_arg(step, 2).value_or(0);
  if (is_given(step, 18)) {
    a.mask = tensor_arg(step, 18);
    a.mask_type = int_arg(step, 19).value_or(-1);
    if (a.mask == kNoTensor) return false;
  }
  e.gelu = bool_arg(step, 7);
  e.norm_first = bool_arg(step, 8);
  e.epsilon = number_arg(step, 9).value_or(1e-5);
  return is_sound(b, a) && e.up.inputs() == a.width && e.down.inputs() == e.up.outputs() && e.down.outputs() == a.width;
}

bool build_encoder_layer(Builder& b, size_t s) {
  const TracedStep& step = b.step(s);
  const TensorId in = tensor_arg(step, 0), result = b.result(s);
  EncoderLayer e;
  if (result == kNoTensor || !b.can_define_plain(result) || !read_encoder_layer(b, step, in, e)) return false;
  const TracedTensor& out = b.tensor(result);
  if (out.dtype != DType::kFloat || !is_contiguous(out.sizes, out.strides)) return false;
  const SelfAttention& a = e.attention;
  const DenseLayer &up = e.up, &down = e.down;
  const bool gelu = e.gelu, norm_first = e.norm_first;
  const ir::Node* node = step.node;
  const RowGrid rows = dense_rows(a.rows(), a.width), wide = dense_rows(a.rows(), up.outputs());
  const auto temporary = [&](int64_t width) { return b.define_temporary({a.batch, a.length, width}); };
  const auto normalize = [&](int k, Slot from, Slot to) {
    emit_layer_norm(b, node, e.norm[k].weight, e.norm[k].bias, e.epsilon, rows, from, to);
    return to;
  };

  const Slot source = b.plain(in);
  const Slot context = emit_heads(b, node, a, norm_first ? normalize(0, source, temporary(a.width)) : source);
  const Slot attended = temporary(a.width);
  emit_dense(b, node, a.projection, {rows, rows, rows}, context, source, attended, {}, "linear add");
  // What the feed-forward layers start from and what they are added to.
  const Slot residual = norm_first ? attended : normalize(0, attended, temporary(a.width));
  const Slot start = norm_first ? normalize(1, attended, temporary(a.width)) : residual;
  const Slot hidden = temporary(up.outputs());
  kernels::Epilogue activation;
  if (gelu) {
    activation.activation = kernels::Activation::kGelu;
  } else {
    activation.low = 0;
  }
  emit_dense(b, node, up, {rows, wide, {}}, start, kNoSlot, hidden, activation, gelu ? "linear gelu" : "linear relu");
  const Slot last = norm_first ? b.define_plain(result) : temporary(a.width);
  emit_dense(b, node, down, {wide, rows, rows}, hidden, residual, last, {}, "linear add");
  if (!norm_first) normalize(1, last, b.define_plain(result));
  return true;
}

}  // namespace

bool build_transformer(Builder& b, size_t s) { return build_multi_head(b, s) || build_encoder_layer(b, s); }

}  // namespace wick::plan
