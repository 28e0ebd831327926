// Chains of pointwise operators as one dispatch, and those that follow a layer as part of it.
#include <algorithm>
#include <bit>
#include <cmath>

#include "gpu/pointwise_ops.h"
#include "plan/record/read.h"

namespace wick::gpu {

using kernels::Activation;
using plan::PointwiseOp;
using plan::PointwiseOperand;

namespace {

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
constexpr size_t kMaxSeldom = 6;  // where operators are among them that are used seldom
constexpr size_t kMaxInputs = 3;
constexpr size_t kMaxDims = 4;

bool same_operand(const Operand& a, const Operand& b) {
  return a.tensor == b.tensor && a.channel_dims == b.channel_dims;
}

// A tensor of one dim as channels with that many dims behind them.
Value with_dims_behind(Value v, size_t dims) {
  for (size_t d = 0; d < dims; ++d) {
    v.sizes.push_back(1);
    v.strides.push_back(0);
  }
  return v;
}

// Instructions of one dispatch.
class Chain {
 public:
  Chain(Lowering& g, IntVec sizes) : g_(g), sizes_(std::move(sizes)) {}

  size_t input(const Operand& o, const Value& v) {
    for (size_t k = 0; k < operands_.size(); ++k) {
      if (o.tensor != kNoTensor && same_operand(operands_[k], o)) return k;
    }
    operands_.push_back(o);
    values_.push_back(with_dims_behind(v, o.channel_dims));
    return operands_.size() - 1;
  }
  // The number of the result.
  size_t push(Op op, size_t a, size_t b, size_t c = 0, float p = 0, float q = 0, float r = 0) {
    words_.push_back(static_cast<uint32_t>(op) | static_cast<uint32_t>(a) << 8 | static_cast<uint32_t>(b) << 16 |
                     static_cast<uint32_t>(c) << 24);
    numbers_.insert(numbers_.end(), {p, q, r});
    is_seldom_ = is_seldom_ || op >= Op::kRound;
    return kMaxInputs + words_.size() - 1;
  }
  // Whether the instructions fit behind those that are there; `known`, if it is an operand, is a result of them.
  bool fits(const Recipe& recipe, TensorId known) const {
    size_t instructions = recipe.list.size();
    bool seldom = is_seldom_;
    std::vector<Operand> fresh;
    for (const Instruction& i : recipe.list) {
      seldom = seldom || i.op >= Op::kRound;
      for (const Operand* o : {&i.a, &i.b, &i.c}) {
        if (o->kind == Operand::Kind::kNumber) ++instructions;
        if (o->kind != Operand::Kind::kTensor || o->tensor == known) continue;
        const auto is_it = [o](const Operand& other) { return same_operand(*o, other); };
        const bool there =
            std::any_of(operands_.begin(), operands_.end(), is_it) || std::any_of(fresh.begin(), fresh.end(), is_it);
        if (!there) fresh.push_back(*o);
      }
    }
    if (seldom && !has_shader(Shader::k_pointwise_all)) return false;
    return operands_.size() + fresh.size() <= kMaxInputs &&
           words_.size() + instructions <= (seldom ? kMaxSeldom : kMaxInstructions);
  }
  // Adds them; `known` is the result number `at`.
  size_t add(const Recipe& recipe, TensorId known, size_t at) {
    std::vector<size_t> results;
    const auto number_of = [&](const Operand& o) -> size_t {
      switch (o.kind) {
        case Operand::Kind::kNumber:
          return push(Op::kNumber, 0, 0, 0, o.number);
        case Operand::Kind::kTensor:
          return o.tensor == known ? at : input(o, g_.value(o.tensor));
        case Operand::Kind::kResult:
          return results[o.result];
        default:
          return 0;
      }
    };
    for (const Instruction& i : recipe.list) {
      const size_t a = number_of(i.a), b = number_of(i.b), c = number_of(i.c);
      results.push_back(push(i.op, a, b, c, i.p, i.q, i.r));
    }
    return results.back();
  }

  // The result, of this dtype.
  Value emit(DType dtype, const ir::Node* node, std::string name) {
    // Of integers that float16 can't hold, everything is computed in floats.
    const bool wide =
        is_integer(dtype) || std::any_of(values_.begin(), values_.end(), [](const Value& v) { return v.wide; });
    if (wide) {
      for (Value& v : values_) v = g_.widened(v, node);
    }
    Value y = g_.make(sizes_, strides_in_order(sizes_, order_of_input()), wide);
    if (is_integer(dtype)) bound(y);
    const Lines lines = lines_of(y);
    const Fours fours = fours_of(lines);
    Dispatch d;
    d.shader = is_seldom_ ? Shader::k_pointwise_all : Shader::k_pointwise;
    d.wide = wide;
    d.constants = {g_.element_threads(),
                   static_cast<uint32_t>(words_.size()),
                   static_cast<uint32_t>(values_.size()),
                   static_cast<uint32_t>(lines.sizes.size()),
                   fours.suit,
                   fours.repeated};
    d.constants.resize(10);
    d.constants.insert(d.constants.end(), words_.begin(), words_.end());
    d.constants.resize(30);
    for (float n : numbers_) d.constants.push_back(std::bit_cast<uint32_t>(n));
    const int64_t count = checked_numel(sizes_) / (fours.suit ? 4 : 1);
    d.push.add(count);
    d.push.add_first(lines.sizes, kMaxDims, 1);
    for (const IntVec& s : lines.strides) d.push.add_first(s, kMaxDims, 0);
    for (size_t k = 0; k < kMaxInputs; ++k) d.push.add(k < values_.size() ? values_[k].at : int64_t{0});
    d.push.add(y.at);
    for (size_t k = 0; k < values_.size(); ++k) d.reads[k] = values_[k].memory;
    d.write = y.memory;
    d.name = std::move(name);
    d.node = node;
    g_.add(std::move(d), count);
    return is_integer(dtype) ? y : g_.narrowed(y, node);
  }

 private:
  // Strides of the first input that has all elements of the result.
  IntVec order_of_input() const {
    for (const Value& v : values_) {
      if (v.sizes == sizes_ && std::find(v.strides.begin(), v.strides.end(), 0) == v.strides.end()) return v.strides;
    }
    return dense_strides(sizes_);
  }

  // What an integer result lies between. It is one of the integers that there are, or a truth value: of the chain's
  // own, or of a tensor.
  void bound(Value& y) const {
    y.low = 0;
    y.high = 1;
    for (size_t k = 0; k < values_.size(); ++k) {
      if (operands_[k].tensor == kNoTensor || !is_integer(g_.builder().tensor(operands_[k].tensor).dtype)) continue;
      y.low = std::min(y.low, values_[k].low);
      y.high = std::max(y.high, values_[k].high);
    }
    for (float n : numbers_) {
      y.low = std::min(y.low, static_cast<int64_t>(n));
      y.high = std::max(y.high, static_cast<int64_t>(n));
    }
  }

  // The dims in the order of the result's memory, and strides of the inputs and of the result, which is the last.
  struct Lines {
    IntVec sizes;
    std::vector<IntVec> strides;
  };
  Lines lines_of(const Value& y) const {
    IntVec order;
    for (size_t d = 0; d < sizes_.size(); ++d) {
      size_t at = order.size();
      while (at > 0 && y.strides[static_cast<size_t>(order[at - 1])] < y.strides[d]) --at;
      order.insert(at, static_cast<int64_t>(d));
    }
    Lines out;
    out.strides.resize(kMaxInputs + 1);
    for (int64_t d64 : order) {
      const auto d = static_cast<size_t>(d64);
      out.sizes.push_back(sizes_[d]);
      for (size_t k = 0; k < kMaxInputs; ++k) {
        out.strides[k].push_back(k < values_.size() ? stride_of(values_[k], d) : 0);
      }
      out.strides[kMaxInputs].push_back(y.strides[d]);
    }
    coalesce(out.sizes, {&out.strides[0], &out.strides[1], &out.strides[2], &out.strides[3]});
    if (out.sizes.size() > kMaxDims) throw Declined();
    return out;
  }

  // Whether an invocation may compute four elements that lie side by side, and which inputs have one for all of them.
  struct Fours {
    bool suit = false;
    uint32_t repeated = 0;
  };
  Fours fours_of(const Lines& lines) const {
    Fours out;
    out.suit = !is_seldom_ && lines.sizes.back() % 4 == 0;
    for (size_t k = 0; k < values_.size() && out.suit; ++k) {
      const IntVec& strides = lines.strides[k];
      if (strides.back() == 0) {
        out.repeated |= 1u << k;
        continue;
      }
      out.suit = strides.back() == 1 && values_[k].at % 4 == 0;
      for (size_t d = 0; d + 1 < strides.size(); ++d) out.suit = out.suit && strides[d] % 4 == 0;
    }
    return out;
  }

  int64_t stride_of(const Value& v, size_t d) const {
    if (v.sizes.size() > sizes_.size()) throw Declined();
    const size_t missing = sizes_.size() - v.sizes.size();
    if (d < missing || v.sizes[d - missing] == 1) return 0;
    if (v.sizes[d - missing] != sizes_[d]) throw Declined();
    return v.strides[d - missing];
  }

  Lowering& g_;
  const IntVec sizes_;
  std::vector<Operand> operands_;  // of values_
  std::vector<Value> values_;
  std::vector<uint32_t> words_;
  std::vector<float> numbers_;
  bool is_seldom_ = false;
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

// The same with all operators, when its result is one that a dispatch may write.
std::optional<Recipe> recipe_at(const Lowering& g, size_t s, size_t at, TensorId known) {
  const plan::Builder& b = g.builder();
  if (g.is_done(s) || !b.can_define_plain(b.result(s))) return std::nullopt;
  std::optional<Recipe> recipe = recipe_of(g, s);
  if (!recipe) return std::nullopt;
  for (const Instruction& i : recipe->list) {
    for (const Operand* o : {&i.a, &i.b, &i.c}) {
      if (o->kind == Operand::Kind::kTensor && o->tensor != known && !g.is_available(o->tensor, at))
        return std::nullopt;
    }
  }
  return recipe;
}

// Goes on from a result while one pointwise step after the other is all that uses it.
TensorId extend(Lowering& g, Chain& chain, size_t s, TensorId last, size_t at, std::string& name) {
  const plan::Builder& b = g.builder();
  while (true) {
    const size_t user = b.only_user(last);
    if (user == SIZE_MAX) return last;
    const std::optional<Recipe> recipe = recipe_at(g, user, s, last);
    if (!recipe || b.tensor(b.result(user)).sizes != b.tensor(last).sizes || !chain.fits(*recipe, last)) return last;
    at = chain.add(*recipe, last, at);
    g.take_step(user);
    name += " " + short_name(b, user);
    last = b.result(user);
  }
}

}  // namespace

// Whether a step gives a view of a tensor with the same elements in the same order, both dense.
bool Lowering::keeps_elements(size_t s, TensorId id) const {
  const TensorId to = b_.result(s);
  if (to == kNoTensor || to == id || done_[s] || !is_plain(s)) return false;
  const plan::TracedTensor &a = b_.tensor(id), &b = b_.tensor(to);
  return a.storage == b.storage && a.offset == b.offset && checked_numel(a.sizes) == checked_numel(b.sizes) &&
         same_strides(a.sizes, a.strides, dense_strides(a.sizes)) &&
         same_strides(b.sizes, b.strides, dense_strides(b.sizes));
}

namespace {

// The tensor that an addition adds to `last`, of its sizes; kNoTensor when it is none.
TensorId added_to(const plan::Builder& b, const PointwiseOp& op, TensorId last) {
  const TensorId a = op.operands[0].tensor, c = op.operands[1].tensor;
  const TensorId other = a == last ? c : a;
  const bool fits = other != kNoTensor && other != last && b.tensor(other).sizes == b.tensor(last).sizes;
  return fits ? other : kNoTensor;
}

}  // namespace

Finish Lowering::absorb(size_t s, TensorId result, Sums sums) {
  Finish finish;
  finish.result = result;
  while (true) {
    // Rows stay rows through views that keep their elements in order.
    TensorId last = finish.result;
    std::vector<size_t> views;
    size_t user = b_.only_user(last);
    while (sums == Sums::kRows && user != SIZE_MAX && keeps_elements(user, last)) {
      views.push_back(user);
      last = b_.result(user);
      user = b_.only_user(last);
    }
    if (user == SIZE_MAX) return finish;
    const std::optional<PointwiseOp> op = describe(*this, user, s, last);
    if (!op || b_.tensor(b_.result(user)).sizes != b_.tensor(last).sizes) return finish;
    const Op kind = *op_of(*op);
    const bool starts = is_identity(finish.epilogue);
    if (kind == Op::kAdd && sums != Sums::kNone && !finish.residual.defined() && op->operands.size() == 2 &&
        (!op->has_relu || starts)) {
      const TensorId other = added_to(b_, *op, last);
      if (other == kNoTensor) return finish;
      const Value residual = value(other);
      const std::optional<int64_t> distance = pixel_distance(residual, sums == Sums::kImages);
      const bool same_rows = views.empty() || b_.tensor(last).sizes.back() == b_.tensor(result).sizes.back();
      if (!distance || !same_rows) return finish;
      finish.residual = residual;
      finish.residual_pixel = *distance;
      finish.epilogue.residual_last = !starts;
      if (op->has_relu) finish.epilogue.low = 0;
    } else {
      kernels::Epilogue next = finish.epilogue;
      if (!starts || op->operands.size() != 1 || !set_activation(next, kind, *op)) return finish;
      finish.epilogue = next;
    }
    finish.result = b_.result(user);
    finish.name += " " + short_name(b_, user);
    for (size_t view : views) take_step(view);
    take_step(user);
  }
}

bool lower_pointwise(Lowering& g, size_t s) {
  const plan::Builder& b = g.builder();
  const std::optional<Recipe> recipe = recipe_at(g, s, s, kNoTensor);
  if (!recipe) return false;
  Chain chain(g, b.tensor(b.result(s)).sizes);
  if (!chain.fits(*recipe, kNoTensor)) return false;
  const size_t at = chain.add(*recipe, kNoTensor, 0);
  std::string name = short_name(b, s);
  const TensorId last = extend(g, chain, s, b.result(s), at, name);
  g.set(last, chain.emit(b.tensor(last).dtype, b.step(s).node, std::move(name)));
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
    Value v = g.constant(plan::PackKey(norm->sources, {form, std::bit_cast<int64_t>(norm->epsilon)}), numbers.size(),
                         [&](float* to) { std::copy(numbers.begin(), numbers.end(), to); });
    v.sizes = IntVec(x.sizes.size() - 1, 1);
    v.sizes[0] = channels;
    v.strides = IntVec(x.sizes.size() - 1, 0);
    v.strides[0] = 1;
    return v;
  };
  Chain chain(g, x.sizes);
  const size_t in = chain.input({}, x), scale = chain.input({}, factors(norm->scale, 5)),
               shift = chain.input({}, factors(norm->shift, 6));
  const size_t at = chain.push(Op::kAdd, chain.push(Op::kMul, in, scale), shift);
  std::string name = "batch_norm";
  const TensorId last = extend(g, chain, s, result, at, name);
  g.set(last, chain.emit(b.tensor(last).dtype, b.step(s).node, std::move(name)));
  return true;
}

// One half of a dim times the sigmoid of the other.
bool lower_glu(Lowering& g, size_t s) {
  const plan::Builder& b = g.builder();
  const plan::TracedStep& step = b.step(s);
  const TensorId from = plan::tensor_arg(step, 0), result = b.result(s);
  const std::optional<int64_t> dim = plan::int_arg(step, 1);
  if (step.op->schema.name != "aten::glu" || from == kNoTensor || !dim || !b.can_define_plain(result)) return false;
  Value half = g.value(from);
  const auto dims = static_cast<int64_t>(half.sizes.size());
  const int64_t at = *dim < 0 ? *dim + dims : *dim;
  if (at < 0 || at >= dims) return false;
  const auto d = static_cast<size_t>(at);
  half.sizes[d] /= 2;
  Value gate = half;
  gate.at += half.sizes[d] * half.strides[d];
  if (half.sizes != b.tensor(result).sizes) return false;
  Chain chain(g, half.sizes);
  const size_t in = chain.input({}, half), other = chain.input({}, gate);
  const size_t product = chain.push(Op::kMul, in, chain.push(Op::kSigmoid, other, 0));
  std::string name = "glu";
  const TensorId last = extend(g, chain, s, result, product, name);
  g.set(last, chain.emit(b.tensor(last).dtype, step.node, std::move(name)));
  return true;
}

// The upper or lower triangle of matrices; the rest is zero.
bool lower_triangle(Lowering& g, size_t s) {
  const plan::Builder& b = g.builder();
  const plan::TracedStep& step = b.step(s);
  const std::string_view name = step.op->schema.name;
  const TensorId from = plan::tensor_arg(step, 0), result = b.result(s);
  const std::optional<int64_t> diagonal = plan::int_arg(step, 1);
  const bool upper = name == "aten::triu";
  if ((!upper && name != "aten::tril") || from == kNoTensor || !diagonal || !b.can_define_plain(result) ||
      b.tensor(from).sizes.size() < 2 || is_integer(b.tensor(from).dtype)) {
    return false;
  }
  const Value x = g.value(from);
  const int64_t columns = x.sizes[x.sizes.size() - 1], rows = x.sizes[x.sizes.size() - 2];
  constexpr int64_t kForm = 12;  // the form a key names
  Value mask = g.constant(plan::PackKey({}, {kForm, rows, columns, *diagonal, upper}),
                          static_cast<size_t>(rows * columns), [&](float* to) {
                            for (int64_t i = 0; i < rows * columns; ++i) {
                              const int64_t above = i % columns - i / columns;
                              to[i] = (upper ? above >= *diagonal : above <= *diagonal) ? 1.0F : 0.0F;
                            }
                          });
  mask.sizes = {rows, columns};
  mask.strides = {columns, 1};
  Chain chain(g, x.sizes);
  const size_t in = chain.input({}, x), kept = chain.input({}, mask);
  const size_t zero = chain.push(Op::kNumber, 0, 0, 0, 0);
  chain.push(Op::kSelect, kept, in, zero);
  g.set(result, chain.emit(b.tensor(result).dtype, step.node, std::string(name.substr(6))));
  return true;
}

}  // namespace wick::gpu
