// Products of computed matrices, and attention made of them.
#include <algorithm>
#include <cmath>

#include "gpu/lowering.h"
#include "kernels/divide.h"
#include "plan/record/read.h"

namespace wick::gpu {

using kernels::ceil_div;
using plan::TracedStep;
using plan::TracedValue;

namespace {

struct Tile {
  uint32_t rows, fours, own;
  uint32_t threads() const { return fours * rows / own; }
};
constexpr Tile kTiles[] = {{64, 16, 4}, {32, 8, 4}, {16, 4, 4}, {8, 2, 4}, {4, 1, 4}};
constexpr uint32_t kDepth = 16;

// A value as batches of matrices: outer, inner, row, column. Dims that are missing or repeated have stride 0.
struct Matrices {
  Value v;
  int64_t sizes[4] = {1, 1, 1, 1};
  int64_t strides[4] = {0, 0, 0, 0};
};
std::optional<Matrices> matrices_of(const Value& v) {
  const size_t dims = v.sizes.size();
  if (dims < 2 || dims > 4) return std::nullopt;
  Matrices out;
  out.v = v;
  for (size_t d = 0; d < dims; ++d) {
    out.sizes[4 - dims + d] = v.sizes[d];
    out.strides[4 - dims + d] = v.strides[d];
  }
  return out;
}

// The largest tile of which the device has enough to do; null where it can't run any.
const Tile* choose_tile(const Limits& limits, int64_t rows, int64_t columns, int64_t batches) {
  const Tile* best = nullptr;
  for (const Tile& tile : kTiles) {
    if (tile.threads() > limits.max_invocations ||
        kDepth * (tile.rows + tile.fours * 4) * 4 > limits.max_shared_bytes) {
      continue;
    }
    best = &tile;
    const int64_t tiles = ceil_div(rows, tile.rows) * ceil_div(columns, tile.fours * 4);
    if (tiles * batches >= 128 || tile.rows <= 16) break;
  }
  return best;
}

// What is added to a product, repeated where it has fewer dims; none where it does not fit.
std::optional<Matrices> added_matrices(Value c, const Matrices& y) {
  while (c.sizes.size() < 2) {
    c.sizes.insert(0, 1);
    c.strides.insert(0, 0);
  }
  std::optional<Matrices> out = matrices_of(c);
  for (size_t k = 2; k < 4 && out; ++k) {
    if (out->sizes[k] != 1 && out->sizes[k] != y.sizes[k]) return std::nullopt;
  }
  return out;
}

// y = scale * a b + c; c may be undefined. Of a mask of truth values -infinity is added where it is false.
bool add_matmul(Lowering& g, const Value& a_value, const Value& b_value, const Value& c_value, bool is_mask,
                const Value& y_value, double scale, const ir::Node* node, std::string name) {
  const std::optional<Matrices> a = matrices_of(a_value), b = matrices_of(b_value), y = matrices_of(y_value);
  if (!a || !b || !y || a->sizes[3] != b->sizes[2] || a->sizes[2] != y->sizes[2] || b->sizes[3] != y->sizes[3]) {
    return false;
  }
  std::optional<Matrices> c;
  if (c_value.defined()) {
    c = added_matrices(c_value, *y);
    if (!c) return false;
  }
  const auto stride = [&](const Matrices& m, size_t d) -> int64_t {
    if (m.sizes[d] == 1) return 0;
    if (d < 2 && m.sizes[d] != y->sizes[d]) throw Declined();
    return m.strides[d];
  };
  const int64_t rows = y->sizes[2], columns = y->sizes[3], depth = a->sizes[3];
  const int64_t batches = y->sizes[0] * y->sizes[1];
  const Tile* best = choose_tile(g.limits(), rows, columns, batches);
  if (best == nullptr) return false;
  Dispatch d;
  d.shader = Shader::k_matmul;
  d.constants = {best->threads(),
                 best->rows,
                 best->fours,
                 best->own,
                 kDepth,
                 a->strides[3] == 1 || depth == 1,
                 !(b->strides[3] == 1 || columns == 1),
                 !c        ? 0u
                 : is_mask ? 2u
                           : 1u};
  d.push.all_of(rows, columns, depth, y->sizes[1], a->v.at, stride(*a, 0), stride(*a, 1), stride(*a, 2), stride(*a, 3));
  d.push.all_of(b->v.at, stride(*b, 0), stride(*b, 1), stride(*b, 2), stride(*b, 3));
  if (c) {
    d.push.all_of(c->v.at, stride(*c, 0), stride(*c, 1), stride(*c, 2), stride(*c, 3));
  } else {
    d.push.all_of(0, 0, 0, 0, 0);
  }
  d.push.all_of(y->v.at, y->strides[0], y->strides[1], y->strides[2], y->strides[3], scale);
  d.reads = {a->v.memory, b->v.memory, c ? c->v.memory : kNoMemory};
  d.write = y->v.memory;
  d.workgroups = {static_cast<uint32_t>(ceil_div(rows, best->rows)),
                  static_cast<uint32_t>(ceil_div(columns, best->fours * 4)), static_cast<uint32_t>(batches)};
  d.name = std::move(name);
  d.node = node;
  g.add(std::move(d));
  return true;
}

Value transposed(Value v) {
  const size_t n = v.sizes.size();
  std::swap(v.sizes[n - 1], v.sizes[n - 2]);
  std::swap(v.strides[n - 1], v.strides[n - 2]);
  return v;
}

struct Mask {
  Value value;              // undefined: none
  bool has_truths = false;  // true: a key counts; else numbers that are added
};

bool add_attention(Lowering& g, const Value& q, const Value& k, const Value& v, const Mask& mask, const Value& out,
                   double scale, bool causal, const ir::Node* node) {
  const bool masked = mask.value.defined();
  if (!masked && add_fused_attention(g, q, k, v, out, scale, causal, node)) return true;
  if (causal) return false;
  IntVec sizes = q.sizes;
  sizes[sizes.size() - 1] = k.sizes[k.sizes.size() - 2];
  const Value scores = g.make_dense(sizes);
  if (!add_matmul(g, q, transposed(k), mask.value, mask.has_truths, scores, scale, node, "attention scores")) {
    return false;
  }
  const Value weights = g.make_dense(sizes);
  // A query that may look at nothing gives zeros.
  add_softmax(g, scores, weights, sizes.size() - 1, masked ? Softmax::kSafe : Softmax::kPlain, node);
  return add_matmul(g, weights, v, Value(), false, out, 1.0, node, "attention values");
}

}  // namespace

namespace {

// The arguments of a product: which are its factors, and what is added.
struct ProductArguments {
  size_t left = 0, right = 1;
  std::optional<size_t> added;
  bool right_transposed = false;
  double scale = 1;
};
std::optional<ProductArguments> read_product(const TracedStep& step) {
  const std::string_view name = step.op->schema.name;
  if (!step.op->schema.overload.empty()) return std::nullopt;
  ProductArguments out;
  if (name == "aten::matmul" || name == "aten::bmm" || name == "aten::mm") {
    return step.args.size() == 2 ? std::optional(out) : std::nullopt;
  }
  if (name == "aten::linear" && step.args.size() == 3) {
    out.right_transposed = true;
    if (plan::is_given(step, 2)) out.added = 2;
    return out;
  }
  if ((name != "aten::baddbmm" && name != "aten::addmm") || step.args.size() != 5) return std::nullopt;
  if (plan::number_arg(step, 3) != 1.0) return std::nullopt;
  out.left = 1;
  out.right = 2;
  out.added = 0;
  out.scale = plan::number_arg(step, 4).value_or(1);
  return out;
}

}  // namespace

bool lower_matmul(Lowering& g, size_t s) {
  const plan::Builder& b = g.builder();
  const TracedStep& step = b.step(s);
  const TensorId result = b.result(s);
  if (result == kNoTensor || !b.can_define_plain(result)) return false;
  const std::optional<ProductArguments> product = read_product(step);
  if (!product) return false;
  const TensorId left = plan::tensor_arg(step, product->left), right = plan::tensor_arg(step, product->right);
  if (left == kNoTensor || right == kNoTensor) return false;
  const Value added = product->added ? g.value(plan::tensor_arg(step, *product->added)) : Value();
  const Value x = g.value(left), given = g.value(right);
  if (x.sizes.size() < 2 || given.sizes.size() < 2) return false;
  const Value w = product->right_transposed ? transposed(given) : given;
  const Value y = g.make_dense(b.tensor(result).sizes);
  if (y.sizes.size() != std::max(x.sizes.size(), w.sizes.size())) return false;
  if (!add_matmul(g, x, w, added, false, y, product->scale, step.node, step.op->schema.name.substr(6))) return false;
  g.set(result, y);
  return true;
}

namespace {

// The operator itself.
bool lower_scaled_attention(Lowering& g, const TracedStep& step, TensorId result) {
  const plan::Builder& b = g.builder();
  if (step.args.size() < 6 || plan::number_arg(step, 4).value_or(1) != 0 || plan::bool_arg(step, 7)) return false;
  const TensorId q = plan::tensor_arg(step, 0), k = plan::tensor_arg(step, 1), v = plan::tensor_arg(step, 2);
  for (TensorId id : {q, k, v}) {
    if (id == kNoTensor || !b.is_float(id)) return false;
  }
  const Value vq = g.value(q), vk = g.value(k), vv = g.value(v);
  if (vq.sizes.size() < 2 || vq.sizes.size() != vk.sizes.size() || vq.sizes.size() != vv.sizes.size()) return false;
  Mask mask;
  if (plan::is_given(step, 3)) {
    const TensorId id = plan::tensor_arg(step, 3);
    mask.has_truths = b.tensor(id).dtype == DType::kBool;
    if (!mask.has_truths && !b.is_float(id)) return false;
    mask.value = g.value(id);
  }
  const double scale =
      plan::number_arg(step, 6).value_or(1 / std::sqrt(static_cast<double>(vq.sizes[vq.sizes.size() - 1])));
  // Rows of all heads side by side, which is what the layer after it reads.
  const IntVec& sizes = b.tensor(result).sizes;
  const Value y = sizes.size() == 4 ? g.make(sizes, strides_in_order(sizes, {3, 1, 2, 0})) : g.make_dense(sizes);
  if (!add_attention(g, vq, vk, vv, mask, y, scale, plan::bool_arg(step, 5), step.node)) return false;
  g.set(result, y);
  return true;
}

struct Dense {
  Tensor weight, bias;

  bool read(const plan::Builder& b, const TracedStep& step, size_t k) {
    return plan::read_constant(b, step.args[k], weight) && plan::read_constant(b, step.args[k + 1], bias) &&
           weight.defined();
  }
  bool is(int64_t outputs, int64_t inputs) const {
    return weight.dim() == 2 && weight.size(0) == outputs && weight.size(1) == inputs;
  }
};

// PyTorch's fast path of multi-head self-attention.
// Arguments: query, key, value, embed_dim, num_head, qkv_weight, qkv_bias, proj_weight, proj_bias, mask, ...
bool lower_self_attention(Lowering& g, const TracedStep& step, TensorId result) {
  const plan::Builder& b = g.builder();
  const TensorId x = plan::tensor_arg(step, 0);
  const std::optional<int64_t> heads = plan::int_arg(step, 4);
  Dense qkv, projection;
  if (x == kNoTensor || plan::tensor_arg(step, 1) != x || plan::tensor_arg(step, 2) != x || !heads || *heads < 1 ||
      plan::is_given(step, 9) || !qkv.read(b, step, 5) || !projection.read(b, step, 7)) {
    return false;
  }
  const Value in = g.value(x);
  if (in.sizes.size() != 3) return false;
  const int64_t batch = in.sizes[0], length = in.sizes[1], width = in.sizes[2], depth = width / *heads;
  if (!qkv.is(3 * width, width) || !projection.is(width, width) || depth * *heads != width ||
      b.tensor(result).sizes != in.sizes) {
    return false;
  }
  const Value all = g.make_dense({batch, length, 3 * width});
  add_dense(g, in, pack_dense(g, qkv.weight, qkv.bias, true), qkv.bias.defined(), 3 * width, all, Finish(), step.node,
            "linear qkv");
  // The heads of queries, keys or values, or of the result.
  const auto by_heads = [&](const Value& whole, int64_t row, int64_t at) {
    Value v = whole;
    v.sizes = {batch, *heads, length, depth};
    v.strides = {length * row, depth, row, 1};
    v.at = at;
    return v;
  };
  const auto part = [&](int64_t k) { return by_heads(all, 3 * width, k * width); };
  const Value joined = g.make_dense({batch, length, width});
  if (!add_attention(g, part(0), part(1), part(2), Mask(), by_heads(joined, width, 0),
                     1 / std::sqrt(static_cast<double>(depth)), false, step.node)) {
    return false;
  }
  const Value y = g.make_dense(in.sizes);
  add_dense(g, joined, pack_dense(g, projection.weight, projection.bias, true), projection.bias.defined(), width, y,
            Finish(), step.node, "linear projection");
  g.set(result, y);
  return true;
}

}  // namespace

bool lower_attention(Lowering& g, size_t s) {
  const plan::Builder& b = g.builder();
  const TracedStep& step = b.step(s);
  const std::string_view name = step.op->schema.name;
  if (step.outs.empty() || step.outs[0].kind != TracedValue::Kind::kTensor) return false;
  const TensorId result = step.outs[0].ids[0];
  for (size_t k = 1; k < step.outs.size(); ++k) {
    for (TensorId id : step.outs[k].ids) {
      if (id != kNoTensor && !b.is_unused(id)) return false;
    }
  }
  if (result == kNoTensor || !b.can_define_plain(result)) return false;
  if (name == "aten::scaled_dot_product_attention") return lower_scaled_attention(g, step, result);
  return name == "aten::_native_multi_head_attention" && step.args.size() >= 12 && g.is_plain(s) &&
         lower_self_attention(g, step, result);
}

}  // namespace wick::gpu
