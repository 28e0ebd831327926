// The table of pointwise operators: their instructions.
#include "gpu/pointwise_ops.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/selection.h"
#include "kernels/activations.h"
#include "kernels/math.h"
#include "plan/record/read.h"

namespace wick::gpu {

using plan::PointwiseOp;
using plan::PointwiseOperand;
using plan::TracedStep;

namespace {

// The processor's kernel of the same function says which it is. Null: the build has none of the operators.
struct Known {
  plan::TileKernel kernel;
  Op op;
};
#define OP_OF(name, op, ...) \
  { selects_any_op("aten::" #name __VA_OPT__(, ) __VA_ARGS__) ? kernels::name##_f32 : nullptr, Op::op }
constexpr Known kKnown[] = {
    OP_OF(add, kAdd),
    OP_OF(sub, kSub, "aten::rsub"),
    OP_OF(mul, kMul),
    OP_OF(div, kDiv),
    OP_OF(maximum, kMaximum),
    OP_OF(minimum, kMinimum),
    OP_OF(add_scaled, kAddScaled, "aten::add"),
    OP_OF(sub_scaled, kSubScaled, "aten::sub"),
    OP_OF(neg, kNeg),
    OP_OF(abs, kAbs),
    OP_OF(square, kSquare, "aten::pow"),
    OP_OF(sqrt, kSqrt, "aten::pow"),
    OP_OF(rsqrt, kRsqrt, "aten::pow"),
    OP_OF(reciprocal, kReciprocal, "aten::pow"),
    OP_OF(floor, kFloor),
    OP_OF(ceil, kCeil),
    OP_OF(trunc, kTrunc),
    OP_OF(exp, kExp),
    OP_OF(log, kLog),
    OP_OF(sin, kSin),
    OP_OF(cos, kCos),
    OP_OF(erf, kErf),
    OP_OF(relu, kRelu),
    OP_OF(log_sigmoid, kLogSigmoid),
    OP_OF(clamp, kClamp, "aten::clip", "aten::hardtanh", "aten::relu6"),
    OP_OF(clamp_min, kClampMin, "aten::clamp", "aten::clip"),
    OP_OF(clamp_max, kClampMax, "aten::clamp", "aten::clip"),
    OP_OF(leaky_relu, kLeakyRelu),
    OP_OF(elu, kElu, "aten::celu", "aten::selu"),
    OP_OF(softplus, kSoftplus),
};
#undef OP_OF
#define ACTIVATION(enumerator, name, op) {selects_op(op) ? kernels::name##_f32 : nullptr, Op::k##enumerator},
constexpr Known kActivations[] = {WICK_FUSED_ACTIVATIONS(ACTIVATION)};
#undef ACTIVATION

// Operators of one element, by name.
struct Unary {
  std::string_view name;
  Op op;
};
constexpr Unary kUnary[] = {
    {"aten::round", Op::kRound},
    {"aten::sign", Op::kSign},
    {"aten::sgn", Op::kSign},
    {"aten::frac", Op::kFrac},
    {"aten::exp2", Op::kExp2},
    {"aten::special_exp2", Op::kExp2},
    {"aten::expm1", Op::kExpm1},
    {"aten::special_expm1", Op::kExpm1},
    {"aten::log2", Op::kLog2},
    {"aten::log10", Op::kLog10},
    {"aten::log1p", Op::kLog1p},
    {"aten::special_log1p", Op::kLog1p},
    {"aten::tan", Op::kTan},
    {"aten::asin", Op::kAsin},
    {"aten::arcsin", Op::kAsin},
    {"aten::acos", Op::kAcos},
    {"aten::arccos", Op::kAcos},
    {"aten::atan", Op::kAtan},
    {"aten::arctan", Op::kAtan},
    {"aten::sinh", Op::kSinh},
    {"aten::cosh", Op::kCosh},
    {"aten::asinh", Op::kAsinh},
    {"aten::arcsinh", Op::kAsinh},
    {"aten::acosh", Op::kAcosh},
    {"aten::arccosh", Op::kAcosh},
    {"aten::atanh", Op::kAtanh},
    {"aten::arctanh", Op::kAtanh},
    {"aten::erfc", Op::kErfc},
    {"aten::special_erfc", Op::kErfc},
    {"aten::special_erf", Op::kErf},
    {"aten::special_round", Op::kRound},
    {"aten::special_expit", Op::kSigmoid},
    // Those that the processor has a kernel for, of other dtypes or by other names.
    {"aten::abs", Op::kAbs},
    {"aten::absolute", Op::kAbs},
    {"aten::neg", Op::kNeg},
    {"aten::negative", Op::kNeg},
    {"aten::square", Op::kSquare},
    {"aten::sqrt", Op::kSqrt},
    {"aten::rsqrt", Op::kRsqrt},
    {"aten::reciprocal", Op::kReciprocal},
    {"aten::floor", Op::kFloor},
    {"aten::ceil", Op::kCeil},
    {"aten::trunc", Op::kTrunc},
    {"aten::fix", Op::kTrunc},
    {"aten::exp", Op::kExp},
    {"aten::log", Op::kLog},
    {"aten::sin", Op::kSin},
    {"aten::cos", Op::kCos},
    {"aten::tanh", Op::kTanh},
    {"aten::sigmoid", Op::kSigmoid},
    {"aten::erf", Op::kErf},
    {"aten::positive", Op::kCopy},
};
// Their result is of truth values.
constexpr Unary kTests[] = {
    {"aten::logical_not", Op::kNot},   {"aten::isnan", Op::kIsNan},     {"aten::isinf", Op::kIsInf},
    {"aten::isfinite", Op::kIsFinite}, {"aten::signbit", Op::kSignbit},
};
constexpr Unary kComparisons[] = {
    {"aten::eq", Op::kEq},
    {"aten::ne", Op::kNe},
    {"aten::not_equal", Op::kNe},
    {"aten::lt", Op::kLt},
    {"aten::less", Op::kLt},
    {"aten::le", Op::kLe},
    {"aten::less_equal", Op::kLe},
    {"aten::gt", Op::kGt},
    {"aten::greater", Op::kGt},
    {"aten::ge", Op::kGe},
    {"aten::greater_equal", Op::kGe},
    {"aten::logical_and", Op::kAnd},
    {"aten::logical_or", Op::kOr},
    {"aten::logical_xor", Op::kXor},
};
// Of truth values alone these are the logical ones.
constexpr Unary kBits[] = {
    {"aten::bitwise_and", Op::kAnd}, {"aten::__and__", Op::kAnd},     {"aten::bitwise_or", Op::kOr},
    {"aten::__or__", Op::kOr},       {"aten::bitwise_xor", Op::kXor}, {"aten::__xor__", Op::kXor},
};
constexpr Unary kBinary[] = {
    {"aten::pow", Op::kPow},
    {"aten::atan2", Op::kAtan2},
    {"aten::arctan2", Op::kAtan2},
    {"aten::fmod", Op::kFmod},
    {"aten::remainder", Op::kRemainder},
    {"aten::floor_divide", Op::kFloorDivide},
    {"aten::hypot", Op::kHypot},
    {"aten::copysign", Op::kCopysign},
    {"aten::logaddexp", Op::kLogAddExp},
    {"aten::xlogy", Op::kXlogy},
    {"aten::special_xlogy", Op::kXlogy},
    {"aten::heaviside", Op::kHeaviside},
    {"aten::fmax", Op::kFmax},
    {"aten::fmin", Op::kFmin},
    {"aten::maximum", Op::kMaximum},
    {"aten::minimum", Op::kMinimum},
    {"aten::mul", Op::kMul},
    {"aten::multiply", Op::kMul},
    {"aten::true_divide", Op::kDiv},
};

std::optional<Op> find(std::string_view name, const Unary* begin, const Unary* end) {
  for (const Unary* u = begin; u != end; ++u) {
    if (u->name == name) return u->op;
  }
  return std::nullopt;
}
template <size_t kCount>
std::optional<Op> find(std::string_view name, const Unary (&list)[kCount]) {
  return find(name, list, list + kCount);
}

// Where floats stop holding every integer.
constexpr double kExact = double{kLargestInteger};

class Reader {
 public:
  Reader(const Lowering& g, size_t s) : b_(g.builder()), step_(b_.step(s)) {
    const TensorId out = b_.result(s);
    if (out == kNoTensor) return;
    result_ = b_.tensor(out).dtype;
    ok_ = match(step_.op->schema.name, step_.op->schema.overload) && !recipe_.list.empty();
  }
  std::optional<Recipe> take() { return ok_ ? std::optional(std::move(recipe_)) : std::nullopt; }

 private:
  bool to_float() const { return result_ == DType::kFloat; }
  bool to_bool() const { return result_ == DType::kBool; }
  DType dtype(size_t k) const {
    const TensorId id = plan::tensor_arg(step_, k);
    return id == kNoTensor ? DType::kFloat : b_.tensor(id).dtype;
  }
  bool is_integer(size_t k) const {
    const TensorId id = plan::tensor_arg(step_, k);
    return id != kNoTensor && b_.tensor(id).dtype != DType::kFloat && b_.tensor(id).dtype != DType::kBool;
  }

  // Argument k: a tensor, a number, or a number in the form of a tensor.
  bool read(size_t k, Operand& out) {
    if (k >= step_.args.size()) return false;
    const TensorId id = plan::tensor_arg(step_, k);
    std::optional<double> number = plan::number_arg(step_, k);
    if (!number && step_.args[k].value.is_bool()) number = step_.args[k].value.to_bool() ? 1 : 0;
    if (id != kNoTensor && b_.is_constant(id) && b_.tensor(id).sizes.empty()) {
      number = b_.constant(id).item().to<double>();
    }
    if (number) {
      // Compared with integers it must be what it is.
      const bool is_whole = std::trunc(*number) == *number;
      if (is_whole && std::abs(*number) > kExact && std::isfinite(*number) && !to_float()) return false;
      out = Operand::of_number(*number);
      return true;
    }
    if (id == kNoTensor) return false;
    out = Operand::of(id);
    return true;
  }
  bool number(size_t k, float& out) const {
    const std::optional<double> n = plan::number_arg(step_, k);
    if (n) out = static_cast<float>(*n);
    return n.has_value();
  }
  Operand add(Instruction i) {
    recipe_.list.push_back(i);
    return Operand::of_result(recipe_.list.size() - 1);
  }
  Operand add(Op op, Operand a, Operand b = {}, Operand c = {}, float p = 0, float q = 0, float r = 0) {
    return add(Instruction{op, a, b, c, p, q, r});
  }
  bool unary(Op op, float p = 0, float q = 0, float r = 0) {
    Operand a;
    if (!read(0, a)) return false;
    add(op, a, {}, {}, p, q, r);
    return true;
  }
  bool binary(Op op, size_t first = 0, size_t second = 1) {
    Operand a, b;
    if (!read(first, a) || !read(second, b)) return false;
    add(op, a, b);
    return true;
  }

  bool match(std::string_view name, std::string_view overload) {
    if (step_.args.empty()) return false;
    if (to_bool()) return test(name);
    if (choose(name)) return true;
    if (name == "aten::to" || name == "aten::_to_copy" || name == "aten::type_as") return convert();
    if (!to_float()) return false;
    const bool of_one = overload.empty() && step_.args.size() == 1;
    if (const std::optional<Op> op = find(name, kUnary); op && of_one) return unary(*op);
    return arithmetic(name, overload) || with_parameters(name);
  }

  bool test(std::string_view name) {
    if (name == "aten::to" || name == "aten::_to_copy") {
      Operand a;
      if (!read(0, a)) return false;
      add(Op::kNe, a, Operand::of_number(0));
      return true;
    }
    if (const std::optional<Op> op = find(name, kTests)) return unary(*op);
    if (name == "aten::bitwise_not" && dtype(0) == DType::kBool) return unary(Op::kNot);
    if (name == "aten::isposinf") return unary(Op::kIsInfOf, 1);
    if (name == "aten::isneginf") return unary(Op::kIsInfOf, -1);
    if (const std::optional<Op> op = find(name, kComparisons)) return binary(*op);
    if (const std::optional<Op> op = find(name, kBits)) {
      return dtype(0) == DType::kBool && dtype(1) == DType::kBool && binary(*op);
    }
    if (name == "aten::mul" && dtype(0) == DType::kBool && plan::tensor_arg(step_, 1) != kNoTensor) {
      return dtype(1) == DType::kBool && binary(Op::kAnd);
    }
    return choose(name);
  }

  // Results that are one of the arguments' elements.
  bool choose(std::string_view name) {
    Operand a, b, c;
    if (name == "aten::where" && step_.args.size() == 3) {
      if (dtype(0) != DType::kBool || !read(0, c) || !read(1, a) || !read(2, b)) return false;
      if (!keeps(1) || !keeps(2)) return false;
      add(Op::kSelect, c, a, b);
      return true;
    }
    if (name == "aten::masked_fill" && step_.args.size() == 3) {
      if (dtype(1) != DType::kBool || !read(0, a) || !read(1, c) || !read(2, b) || !keeps(0) || !keeps(2)) return false;
      add(Op::kSelect, c, b, a);
      return true;
    }
    return false;
  }
  // Whether argument k's elements are those of the result's dtype when they are chosen.
  bool keeps(size_t k) const {
    if (to_float()) return true;
    if (plan::tensor_arg(step_, k) != kNoTensor) return dtype(k) == result_;
    const std::optional<int64_t> n = plan::int_arg(step_, k);
    return to_bool() ? step_.args[k].value.is_bool() : n && std::abs(static_cast<double>(*n)) <= kExact;
  }

  bool convert() {
    Operand a;
    if (!read(0, a) || a.kind != Operand::Kind::kTensor) return false;
    const DType from = dtype(0);
    if (from == DType::kFloat && !to_float()) return false;  // may be beyond what is exact
    // Narrower integers wrap around.
    if (!to_float() && result_ != DType::kLong && result_ != DType::kInt && from != DType::kBool) return false;
    add(Op::kCopy, a);
    return true;
  }

  bool arithmetic(std::string_view name, std::string_view overload) {
    if (name == "aten::add") return sum(Op::kAdd, Op::kAddScaled);
    if (name == "aten::sub" || name == "aten::subtract") return sum(Op::kSub, Op::kSubScaled);
    if (name == "aten::rsub") return difference_from();
    if (name == "aten::div" || name == "aten::divide") {
      if (!plan::is_given(step_, 2)) return binary(Op::kDiv);
      if (!step_.args[2].value.is_string()) return false;
      return binary(step_.args[2].value.to_string() == "floor" ? Op::kFloorDivide : Op::kTruncDivide);
    }
    if (name == "aten::pow" || name == "aten::float_power") {
      Operand exponent;
      if (plan::tensor_arg(step_, 0) != kNoTensor && read(1, exponent) && exponent.kind == Operand::Kind::kNumber &&
          power(exponent.number)) {
        return true;
      }
      return binary(Op::kPow);
    }
    if ((name == "aten::max" || name == "aten::min") && overload == "other") {
      return binary(name == "aten::max" ? Op::kMaximum : Op::kMinimum);
    }
    const std::optional<Op> op = find(name, kBinary);
    return op && binary(*op);
  }
  // Argument 2 is a factor of the second operand.
  bool read_alpha(float& alpha) const {
    alpha = 1;
    return step_.args.size() <= 2 || number(2, alpha);
  }
  bool sum(Op plain, Op scaled) {
    float alpha = 1;
    Operand a, b;
    if (!read_alpha(alpha) || !read(0, a) || !read(1, b)) return false;
    add(alpha == 1 ? plain : scaled, a, b, {}, alpha == 1 ? 0 : alpha);
    return true;
  }
  bool difference_from() {
    float alpha = 1;
    return read_alpha(alpha) && alpha == 1 && binary(Op::kSub, 1, 0);
  }

  // Small whole exponents as products, as the processor has them.
  bool power(float exponent) {
    Operand a;
    if (!read(0, a)) return false;
    if (exponent == 1) {
      add(Op::kCopy, a);
    } else if (exponent == 2) {
      add(Op::kSquare, a);
    } else if (exponent == 3) {
      add(Op::kMul, add(Op::kSquare, a), a);
    } else if (exponent == 4) {
      add(Op::kSquare, add(Op::kSquare, a));
    } else if (exponent == 0.5F) {
      add(Op::kSqrt, a);
    } else if (exponent == -0.5F) {
      add(Op::kRsqrt, a);
    } else if (exponent == -1) {
      add(Op::kReciprocal, a);
    } else if (exponent == -2) {
      add(Op::kReciprocal, add(Op::kSquare, a));
    } else {
      return false;
    }
    return true;
  }

  bool with_parameters(std::string_view name) {
    return scaled(name) || composed(name) || of_three(name) || clamp(name);
  }

  // Functions with numbers among their arguments.
  bool scaled(std::string_view name) {
    float p = 0, q = 0;
    if (name == "aten::threshold") return number(1, p) && number(2, q) && unary(Op::kThreshold, p, q);
    if (name == "aten::hardshrink") return number(1, p) && unary(Op::kHardshrink, p);
    if (name == "aten::softshrink") return number(1, p) && unary(Op::kSoftshrink, p);
    if (name == "aten::celu") return number(1, p) && unary(Op::kCelu, p);
    if (name == "aten::elu") {
      float scale = 1;
      return number(1, p) && number(2, q) && number(3, scale) && unary(Op::kElu, p * q, q, scale);
    }
    if (name == "aten::selu") {
      constexpr float kAlpha = 1.6732632423543772F, kScale = 1.0507009873554804F;
      return unary(Op::kElu, kAlpha * kScale, kScale, 1);
    }
    if (name == "aten::relu6") return unary(Op::kClamp, 0, 6);
    if (name == "aten::relu") return unary(Op::kRelu);
    return name == "aten::nan_to_num" && nan_to_num();
  }
  bool nan_to_num() {
    constexpr float kMost = std::numeric_limits<float>::max();
    float numbers[3] = {0, kMost, -kMost};  // for NaN and both infinities
    for (size_t k = 0; k < 3; ++k) {
      if (plan::is_given(step_, k + 1) && !number(k + 1, numbers[k])) return false;
    }
    return unary(Op::kNanToNum, numbers[0], numbers[1], numbers[2]);
  }

  // Functions of one operand that are several instructions.
  bool composed(std::string_view name) {
    const bool logit = name == "aten::logit" || name == "aten::special_logit";
    const bool degrees = name == "aten::deg2rad", radians = name == "aten::rad2deg";
    const bool softsign = name == "aten::softsign", tanhshrink = name == "aten::tanhshrink";
    Operand a;
    if (!(logit || degrees || radians || softsign || tanhshrink) || !read(0, a)) return false;
    if (degrees || radians) {
      add(Op::kMul, a, Operand::of_number(degrees ? 0.017453292519943295 : 57.29577951308232));
    } else if (softsign) {
      add(Op::kDiv, a, add(Op::kAdd, add(Op::kAbs, a), Operand::of_number(1)));
    } else if (tanhshrink) {
      add(Op::kSub, a, add(Op::kTanh, a));
    } else {
      float bound = 0;
      if (plan::is_given(step_, 1)) {
        if (!number(1, bound) || bound < 0) return false;
        a = add(Op::kClamp, a, {}, {}, bound, 1 - bound);
      }
      add(Op::kLog, add(Op::kDiv, a, add(Op::kSub, Operand::of_number(1), a)));
    }
    return true;
  }

  bool of_three(std::string_view name) {
    if (name == "aten::prelu") return prelu();
    Operand a, b, c;
    const bool products = name == "aten::addcmul", quotients = name == "aten::addcdiv";
    if (!(products || quotients || name == "aten::lerp") || !read(0, a) || !read(1, b) || !read(2, c)) return false;
    if (!products && !quotients) return lerp(a, b, c);
    float factor = 1;
    if (step_.args.size() > 3 && !number(3, factor)) return false;
    add(Op::kAddScaled, a, add(products ? Op::kMul : Op::kDiv, b, c), {}, factor);
    return true;
  }
  // a + w (b - a), from the nearer end.
  bool lerp(const Operand& a, const Operand& b, const Operand& w) {
    const Operand distance = add(Op::kSub, b, a);
    if (w.kind == Operand::Kind::kNumber) {
      const bool near = w.number < 0.5F;
      add(near ? Op::kAddScaled : Op::kSubScaled, near ? a : b, distance, {}, near ? w.number : 1 - w.number);
      return true;
    }
    const Operand near = add(Op::kAdd, a, add(Op::kMul, w, distance));
    const Operand far = add(Op::kSub, b, add(Op::kMul, distance, add(Op::kSub, Operand::of_number(1), w)));
    add(Op::kSelect, add(Op::kLt, add(Op::kAbs, w), Operand::of_number(0.5)), near, far);
    return true;
  }

  bool clamp(std::string_view name) {
    Operand a, low, high;
    if (name == "aten::clamp_min" || name == "aten::clamp_max") {
      if (!read(0, a) || !read(1, low)) return false;
      add(name == "aten::clamp_min" ? Op::kMaximum : Op::kMinimum, a, low);
      return true;
    }
    if ((name != "aten::clamp" && name != "aten::clip") || !read(0, a)) return false;
    const bool has_low = plan::is_given(step_, 1), has_high = plan::is_given(step_, 2);
    if ((!has_low && !has_high) || (has_low && !read(1, low)) || (has_high && !read(2, high))) return false;
    if (has_low) a = add(Op::kMaximum, a, low);
    if (has_high) add(Op::kMinimum, a, high);
    return true;
  }

  // Slopes of channels, the second dim.
  bool prelu() {
    Operand a, slope;
    if (!read(0, a) || !read(1, slope) || a.kind != Operand::Kind::kTensor) return false;
    if (slope.kind == Operand::Kind::kTensor) {
      const size_t dims = b_.tensor(a.tensor).sizes.size();
      if (b_.tensor(slope.tensor).sizes.size() != 1) return false;
      if (b_.tensor(slope.tensor).sizes[0] != 1) {
        if (dims < 2) return false;
        slope.channel_dims = dims - 2;
      }
    }
    add(Op::kPrelu, a, slope);
    return true;
  }

  const plan::Builder& b_;
  const TracedStep& step_;
  DType result_ = DType::kFloat;
  Recipe recipe_;
  bool ok_ = false;
};

Operand operand_of(const PointwiseOperand& o) {
  return o.tensor == kNoTensor ? Operand::of_number(o.number) : Operand::of(o.tensor);
}

}  // namespace

std::optional<Op> op_of(const PointwiseOp& op) {
  for (const std::span<const Known> known : {std::span<const Known>(kKnown), std::span<const Known>(kActivations)}) {
    for (const Known& k : known) {
      if (k.kernel == op.kernel) return k.op;
    }
  }
  return std::nullopt;
}

std::optional<Recipe> recipe_of(const Lowering& g, size_t s) {
  const plan::Builder& b = g.builder();
  if (g.is_plain(s)) {
    if (const std::optional<PointwiseOp> op = plan::describe_pointwise(b, s); op && op->operands.size() <= 2) {
      if (const std::optional<Op> kind = op_of(*op)) {
        Recipe recipe;
        Instruction i;
        i.op = *kind;
        if (!op->operands.empty()) i.a = operand_of(op->operands[0]);
        if (op->operands.size() > 1) i.b = operand_of(op->operands[1]);
        i.p = op->params[0];
        i.q = op->params[1];
        i.r = op->params[2];
        // The upper end counts where they are the wrong way round.
        if (i.op == Op::kClamp && (std::isnan(i.p) || std::isnan(i.q))) return std::nullopt;
        if (i.op == Op::kClamp && i.p > i.q) i.p = i.q;
        recipe.list.push_back(i);
        if (op->has_relu) {
          Instruction relu;
          relu.op = Op::kRelu;
          relu.a = Operand::of_result(0);
          recipe.list.push_back(relu);
        }
        return recipe;
      }
    }
  }
  return g.is_fit(s) ? Reader(g, s).take() : std::nullopt;
}

}  // namespace wick::gpu
