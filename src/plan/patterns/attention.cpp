// Attention: scaled_dot_product_attention, and the products, scale, mask and softmax it is written as elsewhere.
#include <cmath>
#include <limits>

#include "kernels/math.h"
#include "plan/patterns/patterns.h"
#include "plan/patterns/pointwise.h"
#include "plan/record/read.h"
#include "plan/steps/attention_step.h"

namespace wick::plan {
namespace {

using kernels::Attention;
using kernels::Heads;

// A mask that hides by so much hides altogether, whatever the score.
constexpr double kHidden = -1e8;

struct Pattern {
  TensorId q = kNoTensor, k = kNoTensor, v = kNoTensor;
  bool k_transposed = false;  // k is [..., depth, keys]
  TensorId mask = kNoTensor;  // floats to be added, or bools
  bool hides = false;         // a mask of bools: which of them hide a key
  float hidden = 0;           // and by what
  Attention attention;
  TensorId out = kNoTensor;
  std::vector<size_t> steps;  // taken together
};

// [batch, heads, rows, columns], without heads or batch where there are fewer dims.
struct Dims {
  int64_t size[4] = {1, 1, 1, 1};
  int64_t stride[4] = {};
};
Dims dims_of(IntSpan sizes, IntSpan strides) {
  Dims out;
  const size_t n = sizes.size();
  for (size_t d = 0; d < n; ++d) {
    const size_t at = n == 3 && d == 0 ? 0 : 4 - n + d;
    out.size[at] = sizes[d];
    out.stride[at] = sizes[d] == 1 ? 0 : strides[d];
  }
  return out;
}
Dims dims_of(const TracedTensor& t) { return dims_of(t.sizes, t.strides); }

template <class T>
Heads<T> heads_of(const Dims& d, bool transposed = false) {
  return {nullptr, d.stride[0], d.stride[1], d.stride[transposed ? 3 : 2]};
}
bool has_dense_rows(const Dims& d, bool transposed = false) {
  const int column = transposed ? 2 : 3;
  return d.size[column] == 1 || d.stride[column] == 1;
}

bool is_operand(const Builder& b, TensorId id) {
  return id != kNoTensor && b.is_float(id) && b.is_stable(id) && b.tensor(id).sizes.size() >= 3 &&
         b.tensor(id).sizes.size() <= 4 && checked_numel(b.tensor(id).sizes) > 0;
}

// Extents and strides of the operands; false when the kernel can't take them.
bool describe_operands(const Builder& b, Pattern& p) {
  if (!is_operand(b, p.q) || !is_operand(b, p.k) || !is_operand(b, p.v)) return false;
  const size_t dims = b.tensor(p.q).sizes.size();
  if (b.tensor(p.k).sizes.size() != dims || b.tensor(p.v).sizes.size() != dims) return false;
  const Dims q = dims_of(b.tensor(p.q)), k = dims_of(b.tensor(p.k)), v = dims_of(b.tensor(p.v));
  Attention& a = p.attention;
  a.batch = q.size[0];
  a.heads = q.size[1];
  a.queries = q.size[2];
  a.depth = q.size[3];
  a.keys = k.size[p.k_transposed ? 3 : 2];
  a.value_depth = v.size[3];
  a.shared = a.heads / k.size[1];
  a.q = heads_of<const float>(q);
  a.k = heads_of<const float>(k, p.k_transposed);
  a.v = heads_of<const float>(v);
  return k.size[0] == a.batch && v.size[0] == a.batch && k.size[1] == v.size[1] && k.size[1] * a.shared == a.heads &&
         k.size[p.k_transposed ? 2 : 3] == a.depth && v.size[2] == a.keys && has_dense_rows(q) &&
         has_dense_rows(k, p.k_transposed) && has_dense_rows(v);
}

// Whether the mask, of bools or floats, fits the scores.
bool mask_fits(const Builder& b, const Pattern& p) {
  const TracedTensor& t = b.tensor(p.mask);
  const Attention& a = p.attention;
  if (!b.is_stable(p.mask) || t.sizes.empty() || t.sizes.size() > b.tensor(p.q).sizes.size()) return false;
  const Dims m = dims_of(t);
  const int64_t scores[4] = {a.batch, a.heads, a.queries, a.keys};
  for (int d = 0; d < 4; ++d) {
    if (m.size[d] != scores[d] && (m.size[d] != 1 || d == 3)) return false;
  }
  return t.dtype == DType::kBool || (t.dtype == DType::kFloat && has_dense_rows(m));
}

// Where the elements of a tensor lie in a row-major copy of a permutation of it; false when it is none.
bool permuted(const TracedTensor& t, const TracedTensor& view, Dims& out) {
  const IntVec dense = contiguous_strides(view.sizes);
  out = dims_of(t);
  const size_t n = t.sizes.size();
  for (size_t d = 0; d < n; ++d) {
    if (t.sizes[d] == 1) continue;
    size_t match = SIZE_MAX;
    for (size_t e = 0; e < view.sizes.size(); ++e) {
      if (view.sizes[e] == t.sizes[d] && view.strides[e] == t.strides[d]) match = e;
    }
    if (match == SIZE_MAX) return false;
    out.stride[n == 3 && d == 0 ? 0 : 4 - n + d] = dense[match];
  }
  return true;
}

// The copy of a permutation of the result, when that is its only use: it is written there directly.
void absorb_copy(const Builder& b, Pattern& p, Dims& out) {
  const size_t view = b.only_user(p.out);
  const TensorId viewed = view == SIZE_MAX ? kNoTensor : b.result(view);
  if (viewed == kNoTensor || b.is_taken(view) || b.tensor(viewed).storage != b.tensor(p.out).storage) return;
  const size_t copy = b.only_user(viewed);
  const TensorId copied = copy == SIZE_MAX ? kNoTensor : b.result(copy);
  if (copied == kNoTensor || b.is_taken(copy) || !b.can_define_plain(copied)) return;
  const std::string_view name = b.step(copy).op->schema.name;
  const TracedTensor& c = b.tensor(copied);
  if ((name != "aten::contiguous" && name != "aten::clone" && name != "aten::reshape") || !b.is_float(copied) ||
      tensor_arg(b.step(copy), 0) != viewed || !is_contiguous(c.sizes, c.strides)) {
    return;
  }
  Dims there;
  if (!permuted(b.tensor(p.out), b.tensor(viewed), there) || !has_dense_rows(there)) return;
  out = there;
  p.steps.insert(p.steps.end(), {view, copy});
  p.out = copied;
}

bool finish(Builder& b, size_t s, Pattern p, StepName name) {
  if (p.out == kNoTensor || !b.is_float(p.out) || !b.can_define_plain(p.out)) return false;
  Dims out = dims_of(b.tensor(p.out));
  const Attention& a = p.attention;
  if (out.size[0] != a.batch || out.size[1] != a.heads || out.size[2] != a.queries || out.size[3] != a.value_depth) {
    return false;
  }
  absorb_copy(b, p, out);
  if (!has_dense_rows(out)) return false;
  p.attention.out = heads_of<float>(out);
  for (size_t step : p.steps) b.take(step);
  const size_t last = p.steps.back();
  b.emit_at(last, [&b, s, p = std::move(p), name = std::move(name)]() mutable {
    const ir::Node* node = b.step(s).node;
    AttentionOperand mask;
    if (p.mask != kNoTensor) {
      const TracedTensor& t = b.tensor(p.mask);
      const bool is_bool = t.dtype == DType::kBool;
      mask.slot = is_bool ? emit_additive_mask(b, node, p.mask, p.hides, p.hidden) : b.plain(p.mask);
      p.attention.mask = heads_of<const float>(is_bool ? dims_of(t.sizes, contiguous_strides(t.sizes)) : dims_of(t));
      name.add(" mask");
    }
    const AttentionOperand q{b.plain(p.q)}, k{b.plain(p.k)}, v{b.plain(p.v)};
    emit_attention(b, node, p.attention, q, k, v, mask, {b.define_plain(p.out)}, name);
  });
  return true;
}

// Where the forms of the operator have their arguments.
struct AttentionForm {
  size_t mask = 3, dropout = 4, causal = 6;
  bool has_scale = true;
  bool may_group = false;     // heads of keys may be shared by several of queries ...
  size_t grouping = 0;        // ... where this argument says so; 0: always
  bool zero_if_blind = true;  // what a query that may look at nothing gives
};
std::optional<AttentionForm> form_of_attention(const TracedStep& step) {
  const std::string_view name = step.op->schema.name;
  if (!step.op->schema.overload.empty()) return std::nullopt;
  if (name == "aten::scaled_dot_product_attention") return AttentionForm{3, 4, 5, true, true, 7, true};
  if (name == "aten::_scaled_dot_product_flash_attention_for_cpu") return AttentionForm{5, 3, 4, true, true, 0, true};
  const bool early = name == "aten::_scaled_dot_product_attention" ||
                     name == "aten::_scaled_dot_product_attention_math" ||
                     name == "aten::_scaled_dot_product_attention_forward";
  return early ? std::optional(AttentionForm{3, 4, 6, false, false, 0, false}) : std::nullopt;
}

// The operator itself, in its forms.
bool build_operator(Builder& b, size_t s) {
  const TracedStep& step = b.step(s);
  const std::optional<AttentionForm> form = form_of_attention(step);
  if (!form || step.outs.empty() || step.outs[0].kind != TracedValue::Kind::kTensor) return false;
  if (step.outs.size() > 1 && step.outs[1].kind == TracedValue::Kind::kTensor && !b.is_unused(step.outs[1].ids[0])) {
    return false;
  }
  if (number_arg(step, form->dropout).value_or(1) != 0) return false;
  Pattern p;
  p.q = tensor_arg(step, 0);
  p.k = tensor_arg(step, 1);
  p.v = tensor_arg(step, 2);
  if (!describe_operands(b, p)) return false;
  const bool may_group = form->may_group && (form->grouping == 0 || bool_arg(step, form->grouping));
  if (p.attention.shared != 1 && !may_group) return false;
  p.attention.causal = bool_arg(step, form->causal);
  const std::optional<double> scale = form->has_scale ? number_arg(step, 6) : std::nullopt;
  p.attention.scale = static_cast<float>(scale.value_or(1 / std::sqrt(static_cast<double>(p.attention.depth))));
  if (is_given(step, form->mask)) {
    p.mask = tensor_arg(step, form->mask);
    if (p.mask == kNoTensor || p.attention.causal || !mask_fits(b, p)) return false;
    p.hides = false;
    p.hidden = -std::numeric_limits<float>::infinity();
    p.attention.zero_if_blind = form->zero_if_blind;
  }
  p.out = step.outs[0].ids[0];
  p.steps = {s};
  return finish(b, s, std::move(p), "attention");
}

bool is_product(const TracedStep& step) {
  const std::string_view name = step.op->schema.name;
  return (name == "aten::matmul" || name == "aten::bmm") && step.op->schema.overload.empty() && step.args.size() == 2;
}
bool is_softmax(const Builder& b, const TracedStep& step) {
  const std::string_view name = step.op->schema.name, overload = step.op->schema.overload;
  if (!(name == "aten::softmax" && overload == "int") && !(name == "aten::_softmax" && overload.empty())) return false;
  const TensorId in = tensor_arg(step, 0);
  if (in == kNoTensor || !b.is_float(in)) return false;
  const auto dims = static_cast<int64_t>(b.tensor(in).sizes.size());
  const int64_t dim = int_arg(step, 1).value_or(0);
  return dim == -1 || dim == dims - 1;
}

// A step between the scores and their softmax: a factor, or a mask.
bool absorb_scores(const Builder& b, size_t s, TensorId scores, Pattern& p) {
  const TracedStep& step = b.step(s);
  if (step.op->schema.name == "aten::masked_fill" && step.op->schema.overload == "Scalar") {
    const std::optional<double> value = number_arg(step, 2);
    p.mask = p.mask == kNoTensor && tensor_arg(step, 0) == scores ? tensor_arg(step, 1) : kNoTensor;
    if (p.mask == kNoTensor || !value || !(*value <= kHidden) || b.tensor(p.mask).dtype != DType::kBool) return false;
    p.hides = true;
    p.hidden = static_cast<float>(*value);
    return mask_fits(b, p);
  }
  const std::optional<PointwiseOp> op = describe_pointwise(b, s);
  if (!op || op->operands.size() != 2 || op->has_relu || p.mask != kNoTensor) return false;
  const bool first = op->operands[0].tensor == scores;
  const PointwiseOperand& other = op->operands[first ? 1 : 0];
  if (other.tensor == scores) return false;
  if (other.tensor == kNoTensor) {
    if (op->kernel == kernels::mul_f32) {
      p.attention.scale *= other.number;
    } else if (op->kernel == kernels::div_f32 && first) {
      p.attention.scale /= other.number;
    } else {
      return false;
    }
    return std::isfinite(p.attention.scale);
  }
  p.mask = other.tensor;
  return op->kernel == kernels::add_f32 && mask_fits(b, p);
}

// Goes on from the scores to their softmax, through what each step alone uses; kNoTensor where there is none.
TensorId absorb_to_softmax(const Builder& b, TensorId at, Pattern& p) {
  while (true) {
    const size_t user = b.only_user(at);
    if (user == SIZE_MAX || b.is_taken(user)) return kNoTensor;
    const TensorId result = b.result(user);
    if (result == kNoTensor || b.tensor(result).sizes != b.tensor(at).sizes) return kNoTensor;
    p.steps.push_back(user);
    if (is_softmax(b, b.step(user))) return result;
    if (!absorb_scores(b, user, at, p)) return kNoTensor;
    at = result;
  }
}

// Products with a softmax between them.
bool build_products(Builder& b, size_t s) {
  const TracedStep& step = b.step(s);
  const bool masked = step.op->schema.name == "aten::baddbmm" && step.op->schema.overload.empty() &&
                      number_arg(step, 3) == 1.0 && number_arg(step, 4) == 1.0;
  if (!is_product(step) && !masked) return false;
  Pattern p;
  p.k_transposed = true;
  p.q = tensor_arg(step, masked ? 1 : 0);
  p.k = tensor_arg(step, masked ? 2 : 1);
  p.v = p.k;
  const TensorId product = b.result(s);
  if (!is_operand(b, p.q) || !is_operand(b, p.k) || product == kNoTensor) return false;
  p.steps = {s};
  // The values are known at the end; until then only the scores' extents matter.
  const Dims scores = dims_of(b.tensor(product));
  p.attention.batch = scores.size[0];
  p.attention.heads = scores.size[1];
  p.attention.queries = scores.size[2];
  p.attention.keys = scores.size[3];
  if (masked) {
    p.mask = tensor_arg(step, 0);
    if (p.mask == kNoTensor || !b.is_float(p.mask) || !mask_fits(b, p)) return false;
  }
  const TensorId weights = absorb_to_softmax(b, product, p);
  const size_t last = b.only_user(weights);
  if (last == SIZE_MAX || b.is_taken(last) || !is_product(b.step(last)) || tensor_arg(b.step(last), 0) != weights) {
    return false;
  }
  p.v = tensor_arg(b.step(last), 1);
  p.out = b.result(last);
  p.steps.push_back(last);
  return describe_operands(b, p) && p.attention.shared == 1 && finish(b, s, std::move(p), "attention");
}

}  // namespace

bool build_attention(Builder& b, size_t s) { return build_operator(b, s) || build_products(b, s); }

}  // namespace wick::plan
