// Chains of pointwise operators as one dispatch, and those that follow a layer as part of it.
#include <algorithm>
#include <cmath>

#include "gpu/lowering.h"
#include "kernels/math.h"
#include "plan/record/read.h"

namespace wick::gpu {

using kernels::Activation;
using plan::PointwiseOp;
using plan::PointwiseOperand;

namespace {

// Operators of shaders/pointwise.comp.
enum class Op : uint8_t {
  kCopy,
  kAdd,
  kSub,
  kMul,
  kDiv,
  kMaximum,
  kMinimum,
  kAddScaled,
  kSubScaled,
  kNumber,
  kNeg,
  kAbs,
  kSquare,
  kSqrt,
  kRsqrt,
  kReciprocal,
  kFloor,
  kCeil,
  kTrunc,
  kExp,
  kLog,
  kSin,
  kCos,
  kTanh,
  kSigmoid,
  kErf,
  kRelu,
  kSilu,
  kMish,
  kHardSwish,
  kHardSigmoid,
  kLogSigmoid,
  kGelu,
  kGeluTanh,
  kClamp,
  kClampMin,
  kClampMax,
  kLeakyRelu,
  kElu,
  kSoftplus,
};

// The processor's kernel of the same function says which it is.
struct Known {
  plan::TileKernel kernel;
  Op op;
};
#define OP_OF(name, op) \
  { kernels::name##_f32, Op::op }
constexpr Known kKnown[] = {
    OP_OF(add, kAdd),
    OP_OF(sub, kSub),
    OP_OF(mul, kMul),
    OP_OF(div, kDiv),
    OP_OF(maximum, kMaximum),
    OP_OF(minimum, kMinimum),
    OP_OF(add_scaled, kAddScaled),
    OP_OF(sub_scaled, kSubScaled),
    OP_OF(neg, kNeg),
    OP_OF(abs, kAbs),
    OP_OF(square, kSquare),
    OP_OF(sqrt, kSqrt),
    OP_OF(rsqrt, kRsqrt),
    OP_OF(reciprocal, kReciprocal),
    OP_OF(floor, kFloor),
    OP_OF(ceil, kCeil),
    OP_OF(trunc, kTrunc),
    OP_OF(exp, kExp),
    OP_OF(log, kLog),
    OP_OF(sin, kSin),
    OP_OF(cos, kCos),
    OP_OF(tanh, kTanh),
    OP_OF(sigmoid, kSigmoid),
    OP_OF(erf, kErf),
    OP_OF(relu, kRelu),
    OP_OF(silu, kSilu),
    OP_OF(mish, kMish),
    OP_OF(hardswish, kHardSwish),
    OP_OF(hardsigmoid, kHardSigmoid),
    OP_OF(log_sigmoid, kLogSigmoid),
    OP_OF(gelu, kGelu),
    OP_OF(gelu_tanh, kGeluTanh),
    OP_OF(clamp, kClamp),
    OP_OF(clamp_min, kClampMin),
    OP_OF(clamp_max, kClampMax),
    OP_OF(leaky_relu, kLeakyRelu),
    OP_OF(elu, kElu),
    OP_OF(softplus, kSoftplus),
};
#undef OP_OF

std::optional<Op> op_of(const PointwiseOp& op) {
  for (const Known& k : kKnown) {
    if (k.kernel == op.kernel) return k.op;
  }
  return std::nullopt;
}

Activation activation_of(Op op) {
  switch (op) {
    case Op::kHardSwish:
      return Activation::kHardSwish;
    case Op::kHardSigmoid:
      return Activation::kHardSigmoid;
    case Op::kSilu:
      return Activation::kSilu;
    case Op::kSigmoid:
      return Activation::kSigmoid;
    case Op::kTanh:
      return Activation::kTanh;
    case Op::kGelu:
      return Activation::kGelu;
    case Op::kGeluTanh:
      return Activation::kGeluTanh;
    case Op::kMish:
      return Activation::kMish;
    default:
      return Activation::kNone;
  }
}

bool is_identity(const kernels::Epilogue& e) {
  const kernels::Epilogue none;
  return e.activation == Activation::kNone && e.low == none.low && e.high == none.high && !e.residual_last;
}

bool set_activation(kernels::Epilogue& e, Op op, const PointwiseOp& from) {
  if (op == Op::kRelu) {
    e.low = 0;
  } else if (op == Op::kClamp) {
    e.low = from.params[0];
    e.high = from.params[1];
  } else if (op == Op::kClampMin) {
    e.low = from.params[0];
  } else if (op == Op::kClampMax) {
    e.high = from.params[1];
  } else {
    e.activation = activation_of(op);
    return e.activation != Activation::kNone;
  }
  return e.low <= e.high;
}

constexpr size_t kMaxInstructions = 12;
constexpr size_t kMaxInputs = 3;
constexpr size_t kMaxDims = 4;

// Instructions of one dispatch.
class Chain {
 public:
  Chain(Lowering& g, IntVec sizes) : g_(g), sizes_(std::move(sizes)) {}

  size_t input(TensorId id, const Value& v) {
    for (size_t k = 0; k < ids_.size(); ++k) {
      if (ids_[k] == id && id != kNoTensor) return k;
    }
    ids_.push_back(id);
    values_.push_back(v);
    return ids_.size() - 1;
  }
  // The number of the result.
  size_t push(Op op, size_t a, size_t b, float p = 0, float q = 0, float r = 0) {
    words_.push_back(static_cast<uint32_t>(op) | static_cast<uint32_t>(a) << 8 | static_cast<uint32_t>(b) << 16);
    numbers_.insert(numbers_.end(), {p, q, r});
    return kMaxInputs + words_.size() - 1;
  }
  bool fits(size_t more_inputs, size_t more_instructions) const {
    return ids_.size() + more_inputs <= kMaxInputs && words_.size() + more_instructions <= kMaxInstructions;
  }
  // How many inputs an operator would add.
  size_t new_inputs(const PointwiseOp& op, TensorId known) const {
    std::vector<TensorId> fresh;
    for (const PointwiseOperand& o : op.operands) {
      if (o.tensor == kNoTensor || o.tensor == known) continue;
      const bool there = std::find(ids_.begin(), ids_.end(), o.tensor) != ids_.end() ||
                         std::find(fresh.begin(), fresh.end(), o.tensor) != fresh.end();
      if (!there) fresh.push_back(o.tensor);
    }
    return fresh.size();
  }
  // Adds an operator; `known`, if it is an operand, is the result number `at`.
  size_t add(const PointwiseOp& op, Op kind, TensorId known, size_t at) {
    size_t operands[2] = {0, 0};
    for (size_t k = 0; k < op.operands.size(); ++k) {
      const PointwiseOperand& o = op.operands[k];
      if (o.tensor == kNoTensor) {
        operands[k] = push(Op::kNumber, 0, 0, o.number);
      } else {
        operands[k] = o.tensor == known ? at : input(o.tensor, g_.value(o.tensor));
      }
    }
    size_t result = push(kind, operands[0], operands[1], op.params[0], op.params[1], op.params[2]);
    if (op.has_relu) result = push(Op::kRelu, result, 0);
    return result;
  }

  Value emit(const ir::Node* node, std::string name) {
    // The order of dims of the first input that has them all.
    IntVec like = dense_strides(sizes_);
    for (const Value& v : values_) {
      if (v.sizes != sizes_ || std::find(v.strides.begin(), v.strides.end(), 0) != v.strides.end()) continue;
      like = v.strides;
      break;
    }
    const Value y = g_.make(sizes_, strides_in_order(sizes_, like));
    IntVec order;
    for (size_t d = 0; d < sizes_.size(); ++d) {
      size_t at = order.size();
      while (at > 0 && y.strides[static_cast<size_t>(order[at - 1])] < y.strides[d]) --at;
      order.insert(at, static_cast<int64_t>(d));
    }
    std::vector<IntVec> strides(kMaxInputs + 1);
    IntVec sizes;
    for (int64_t d64 : order) {
      const auto d = static_cast<size_t>(d64);
      sizes.push_back(sizes_[d]);
      for (size_t k = 0; k < kMaxInputs; ++k) strides[k].push_back(k < values_.size() ? stride_of(values_[k], d) : 0);
      strides[kMaxInputs].push_back(y.strides[d]);
    }
    coalesce(sizes, {&strides[0], &strides[1], &strides[2], &strides[3]});
    if (sizes.size() > kMaxDims) throw Declined();
    bool fours = sizes.back() % 4 == 0;
    uint32_t repeated = 0;
    for (size_t k = 0; k < values_.size() && fours; ++k) {
      if (strides[k].back() == 0) {
        repeated |= 1u << k;
        continue;
      }
      fours = strides[k].back() == 1 && values_[k].at % 4 == 0;
      for (size_t d = 0; d + 1 < sizes.size(); ++d) fours = fours && strides[k][d] % 4 == 0;
    }
    Dispatch d;
    d.shader = Shader::k_pointwise;
    d.constants = {g_.element_threads(),
                   static_cast<uint32_t>(words_.size()),
                   static_cast<uint32_t>(values_.size()),
                   static_cast<uint32_t>(sizes.size()),
                   fours,
                   repeated};
    d.constants.resize(10);
    d.constants.insert(d.constants.end(), words_.begin(), words_.end());
    d.constants.resize(30);
    for (float n : numbers_) d.constants.push_back(std::bit_cast<uint32_t>(n));
    const int64_t count = checked_numel(sizes_) / (fours ? 4 : 1);
    d.push.add(count);
    d.push.add_first(sizes, kMaxDims, 1);
    for (const IntVec& s : strides) d.push.add_first(s, kMaxDims, 0);
    for (size_t k = 0; k < kMaxInputs; ++k) d.push.add(k < values_.size() ? values_[k].at : int64_t{0});
    d.push.add(y.at);
    for (size_t k = 0; k < values_.size(); ++k) d.reads[k] = values_[k].memory;
    d.write = y.memory;
    d.name = std::move(name);
    d.node = node;
    g_.add(std::move(d), count);
    return y;
  }

 private:
  int64_t stride_of(const Value& v, size_t d) const {
    if (v.sizes.size() > sizes_.size()) throw Declined();
    const size_t missing = sizes_.size() - v.sizes.size();
    if (d < missing || v.sizes[d - missing] == 1) return 0;
    if (v.sizes[d - missing] != sizes_[d]) throw Declined();
    return v.strides[d - missing];
  }

  Lowering& g_;
  const IntVec sizes_;
  std::vector<TensorId> ids_;
  std::vector<Value> values_;
  std::vector<uint32_t> words_;
  std::vector<float> numbers_;
};

// What step s computes, when every operand is there before step `at`, but `known`.
std::optional<PointwiseOp> describe(const Lowering& g, size_t s, size_t at, TensorId known) {
  if (g.is_done(s) || !g.is_plain(s)) return std::nullopt;
  const plan::Builder& b = g.builder();
  std::optional<PointwiseOp> op = plan::describe_pointwise(b, s);
  if (!op || !op_of(*op) || op->operands.size() > 2 || !b.can_define_plain(b.result(s))) return std::nullopt;
  for (const PointwiseOperand& o : op->operands) {
    if (o.tensor != kNoTensor && o.tensor != known && !g.is_available(o.tensor, at)) return std::nullopt;
  }
  return op;
}

std::string short_name(const plan::Builder& b, size_t s) {
  const std::string_view name = b.step(s).op->schema.name;
  return std::string(name.substr(name.find("::") + 2));
}

// Goes on from a result while one pointwise step after the other is all that uses it.
TensorId extend(Lowering& g, Chain& chain, size_t s, TensorId last, size_t at, std::string& name) {
  const plan::Builder& b = g.builder();
  while (true) {
    const size_t user = b.only_user(last);
    if (user == SIZE_MAX) return last;
    const std::optional<PointwiseOp> op = describe(g, user, s, last);
    if (!op || b.tensor(b.result(user)).sizes != b.tensor(last).sizes) return last;
    const size_t numbers = static_cast<size_t>(std::count_if(
        op->operands.begin(), op->operands.end(), [](const PointwiseOperand& o) { return o.tensor == kNoTensor; }));
    if (!chain.fits(chain.new_inputs(*op, last), 1 + numbers + op->has_relu)) return last;
    at = chain.add(*op, *op_of(*op), last, at);
    g.take_step(user);
    name += " " + short_name(b, user);
    last = b.result(user);
  }
}

}  // namespace

Finish Lowering::absorb(size_t s, TensorId result, Sums sums) {
  Finish finish;
  finish.result = result;
  while (true) {
    const size_t user = b_.only_user(finish.result);
    if (user == SIZE_MAX) return finish;
    const std::optional<PointwiseOp> op = describe(*this, user, s, finish.result);
    if (!op || b_.tensor(b_.result(user)).sizes != b_.tensor(finish.result).sizes) return finish;
    const Op kind = *op_of(*op);
    kernels::Epilogue next = finish.epilogue;
    Value residual;
    int64_t distance = 0;
    if (kind == Op::kAdd && sums != Sums::kNone && !finish.residual.defined() && op->operands.size() == 2 &&
        (!op->has_relu || is_identity(next))) {
      const TensorId a = op->operands[0].tensor, c = op->operands[1].tensor;
      const TensorId other = a == finish.result ? c : a;
      if (other == kNoTensor || other == finish.result || b_.tensor(other).sizes != b_.tensor(finish.result).sizes) {
        return finish;
      }
      residual = value(other);
      const std::optional<int64_t> found = pixel_distance(residual, sums == Sums::kImages);
      if (!found) return finish;
      distance = *found;
      next.residual_last = !is_identity(next);
      if (op->has_relu) next.low = 0;
    } else if (!is_identity(next) || op->operands.size() != 1 || !set_activation(next, kind, *op)) {
      return finish;
    }
    if (residual.defined()) {
      finish.residual = residual;
      finish.residual_pixel = distance;
    }
    finish.epilogue = next;
    finish.result = b_.result(user);
    finish.name += " " + short_name(b_, user);
    take_step(user);
  }
}

bool lower_pointwise(Lowering& g, size_t s) {
  const plan::Builder& b = g.builder();
  const std::optional<PointwiseOp> op = describe(g, s, s, kNoTensor);
  if (!op) return false;
  Chain chain(g, b.tensor(b.result(s)).sizes);
  const size_t at = chain.add(*op, *op_of(*op), kNoTensor, 0);
  if (!chain.fits(0, 0)) return false;
  std::string name = short_name(b, s);
  const TensorId last = extend(g, chain, s, b.result(s), at, name);
  g.set(last, chain.emit(b.step(s).node, std::move(name)));
  return true;
}

bool lower_batch_norm(Lowering& g, size_t s) {
  const plan::Builder& b = g.builder();
  const TensorId result = b.result(s);
  const std::optional<ChannelAffine> norm = read_batch_norm(b, s);
  if (!norm || result == kNoTensor || !b.can_define_plain(result)) return false;
  const Value x = g.value(plan::tensor_arg(b.step(s), 0));
  const auto channels = static_cast<int64_t>(norm->scale.size());
  if (x.sizes.size() < 2 || x.sizes[1] != channels) return false;
  const auto factors = [&](const std::vector<float>& numbers, int64_t form) {
    Value v = g.constant(plan::PackKey(norm->sources, {form}), numbers.size(),
                         [&](float* to) { std::copy(numbers.begin(), numbers.end(), to); });
    v.sizes = IntVec(x.sizes.size() - 1, 1);
    v.sizes[0] = channels;
    v.strides = IntVec(x.sizes.size() - 1, 0);
    v.strides[0] = 1;
    return v;
  };
  Chain chain(g, x.sizes);
  const size_t in = chain.input(kNoTensor, x), scale = chain.input(kNoTensor, factors(norm->scale, 5)),
               shift = chain.input(kNoTensor, factors(norm->shift, 6));
  const size_t at = chain.push(Op::kAdd, chain.push(Op::kMul, in, scale), shift);
  std::string name = "batch_norm";
  const TensorId last = extend(g, chain, s, result, at, name);
  g.set(last, chain.emit(b.step(s).node, std::move(name)));
  return true;
}

}  // namespace wick::gpu
