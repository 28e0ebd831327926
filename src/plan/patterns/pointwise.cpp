// Chains of pointwise operators as one pass.
#include "plan/patterns/pointwise.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/selection.h"
#include "kernels/half.h"
#include "kernels/math.h"
#include "plan/builder.h"
#include "plan/patterns/patterns.h"
#include "plan/patterns/widen.h"
#include "plan/steps/pointwise_step.h"

namespace wick::plan {
namespace {

// In a selective build, what takes an operator that is not there refers to no kernel.
#define IS(op) (std::bool_constant<selects_op(op)>::value && name == op)
// Where nothing is made of them but tails of other layers, sums and activations are all that is described.
#define IS_IN_PASS(op) (std::bool_constant < kHasPasses && selects_op(op) > ::value && name == op)

constexpr bool kHasPasses =
    selects_step("pointwise") || selects_step("scale") || selects_any_op("aten::softmax", "aten::_softmax");

struct Unary {
  std::string_view name;
  TileKernel kernel;
};
constexpr Unary kAllUnary[] = {
#define X(name) {"aten::" #name, selects_op("aten::" #name) ? kernels::name##_f32 : nullptr},
    WICK_UNARY_KERNELS(X)
#undef X
};
consteval size_t count_unary() {
  size_t count = 0;
  for (const Unary& u : kAllUnary) count += u.kernel != nullptr;
  return count;
}
// Those of this build.
constexpr auto kUnary = [] {
  std::array<Unary, count_unary()> out;
  size_t at = 0;
  for (const Unary& u : kAllUnary) {
    if (u.kernel != nullptr) out[at++] = u;
  }
  return out;
}();

constexpr bool kHasAddRelu = selects_op("aten::_add_relu");

std::optional<float> number(const TracedValue& v) {
  if (v.kind != TracedValue::Kind::kStatic || !v.value.is_number() || v.value.is_complex()) return std::nullopt;
  return static_cast<float>(v.value.to_scalar().to<double>());
}

// What a step computes of each element.
class Description {
 public:
  Description(const Builder& builder, size_t s) : builder_(builder), step_(builder.step(s)) {
    const TensorId out = builder.result(s);
    if (out == kNoTensor || !builder.is_float(out) || !builder.is_stable(out)) return;
    ok_ = match();
    for (const PointwiseOperand& o : op_.operands) {
      if (o.tensor != kNoTensor) ok_ = ok_ && builder.is_float(o.tensor) && builder.is_stable(o.tensor);
    }
  }
  std::optional<PointwiseOp> take() { return ok_ ? std::optional(std::move(op_)) : std::nullopt; }

 private:
  bool has(size_t k) const { return k < step_.args.size(); }

  bool operand(size_t k) {
    if (!has(k)) return false;
    const TracedValue& v = step_.args[k];
    if (v.kind == TracedValue::Kind::kTensor) {
      const TensorId id = v.ids[0];
      // A number in the form of a tensor.
      if (builder_.is_constant(id) && builder_.tensor(id).sizes.empty() && !is_complex(builder_.tensor(id).dtype)) {
        op_.operands.push_back({kNoTensor, static_cast<float>(builder_.constant(id).item().to<double>())});
      } else {
        op_.operands.push_back({id, 0});
      }
      return true;
    }
    const std::optional<float> n = number(v);
    if (!n) return false;
    op_.operands.push_back({kNoTensor, *n});
    return true;
  }
  bool param(size_t at, size_t k) {
    const std::optional<float> n = has(k) ? number(step_.args[k]) : std::nullopt;
    if (!n) return false;
    op_.params[at] = *n;
    return true;
  }
  bool unary(TileKernel kernel) {
    op_.kernel = kernel;
    return operand(0);
  }
  bool binary(TileKernel kernel, size_t a = 0, size_t b = 1) {
    op_.kernel = kernel;
    return operand(a) && operand(b);
  }
  // +-: a third argument scales the second operand.
  bool scaled(TileKernel kernel, TileKernel with_scale) {
    const std::optional<float> alpha = has(2) ? number(step_.args[2]) : 1.0F;
    if (!alpha) return false;
    op_.params[0] = *alpha;
    if (!kHasPasses && *alpha != 1) return false;
    return binary(*alpha == 1 ? kernel : with_scale);
  }
  bool is_none(size_t k) const {
    return !has(k) || (step_.args[k].kind == TracedValue::Kind::kStatic && step_.args[k].value.is_none());
  }

  bool match() {
    const std::string_view name = step_.op->schema.name, overload = step_.op->schema.overload;
    if (step_.args.empty()) return false;
    if constexpr (selects_dtype(DType::kHalf) || selects_dtype(DType::kBFloat16)) {
      if (const RoundingKernel kernel = rounding_of(step_)) return unary(kernel);
    }
    for (const Unary& u : kUnary) {
      if (name == u.name && overload.empty()) return unary(u.kernel);
    }
    if ((overload == "Tensor" || overload == "Scalar") && arithmetic(name)) return true;
    if (!overload.empty()) return IS_IN_PASS("aten::pow") && overload == "Tensor_Scalar" && power();
    if (IS_IN_PASS("aten::maximum")) return binary(kernels::maximum_f32);
    if (IS_IN_PASS("aten::minimum")) return binary(kernels::minimum_f32);
    return range(name) || activation(name);
  }

  bool arithmetic(std::string_view name) {
    if (IS("aten::add")) return scaled(kernels::add_f32, kernels::add_scaled_f32);
    if (IS("aten::_add_relu")) {
      op_.has_relu = true;
      return scaled(kernels::add_f32, kernels::add_scaled_f32);
    }
    if (IS_IN_PASS("aten::sub")) return scaled(kernels::sub_f32, kernels::sub_scaled_f32);
    if (IS_IN_PASS("aten::mul")) return binary(kernels::mul_f32);
    if (IS_IN_PASS("aten::div") && !has(2)) return binary(kernels::div_f32);
    return IS_IN_PASS("aten::rsub") && (!has(2) || number(step_.args[2]) == 1.0F) && binary(kernels::sub_f32, 1, 0);
  }

  bool range(std::string_view name) {
    if (IS("aten::relu6")) {
      op_.params = {0, 6, 0};
      return unary(kernels::clamp_f32);
    }
    if (IS("aten::hardtanh")) return param(0, 1) && param(1, 2) && unary(kernels::clamp_f32);
    if (IS("aten::clamp") || IS("aten::clip")) return clamp();
    if (IS("aten::clamp_min")) return param(0, 1) && unary(kernels::clamp_min_f32);
    return IS("aten::clamp_max") && param(1, 1) && unary(kernels::clamp_max_f32);
  }

  // Activations with parameters.
  bool activation(std::string_view name) {
    if (IS_IN_PASS("aten::leaky_relu")) return param(0, 1) && unary(kernels::leaky_relu_f32);
    if (IS_IN_PASS("aten::softplus")) return param(0, 1) && param(1, 2) && unary(kernels::softplus_f32);
    if (IS_IN_PASS("aten::elu")) {
      if (!param(0, 1) || !param(1, 2) || !param(2, 3)) return false;
      op_.params[0] *= op_.params[1];
      return unary(kernels::elu_f32);
    }
    if (!IS("aten::gelu")) return false;
    const bool tanh = has(1) && step_.args[1].value.is_string() && step_.args[1].value.to_string() == "tanh";
    return unary(tanh ? kernels::gelu_tanh_f32 : kernels::gelu_f32);
  }

  bool clamp() {
    if (is_none(1) && is_none(2)) return false;
    if (is_none(2)) return param(0, 1) && !std::isnan(op_.params[0]) && unary(kernels::clamp_min_f32);
    if (is_none(1)) return param(1, 2) && !std::isnan(op_.params[1]) && unary(kernels::clamp_max_f32);
    return param(0, 1) && param(1, 2) && !std::isnan(op_.params[0]) && !std::isnan(op_.params[1]) &&
           unary(kernels::clamp_f32);
  }

  bool power() {
    if (!param(0, 1)) return false;
    const float exponent = op_.params[0];
    if (exponent == 2.0F) return unary(kernels::square_f32);
    if (exponent == 0.5F) return unary(kernels::sqrt_f32);
    if (exponent == -0.5F) return unary(kernels::rsqrt_f32);
    return exponent == -1.0F && unary(kernels::reciprocal_f32);
  }

  const Builder& builder_;
  const TracedStep& step_;
  PointwiseOp op_;
  bool ok_ = false;
};

// Whether step `user` computes `s`'s result on the way, instead of reading it.
bool absorbs(const Builder& builder, size_t user, size_t s) {
  const TensorId in = builder.result(s), out = builder.result(user);
  return !builder.is_taken(user) && out != kNoTensor && builder.tensor(in).sizes == builder.tensor(out).sizes &&
         describe_pointwise(builder, user).has_value();
}

// Collects the operators of one pass.
class Pass {
 public:
  Pass(Builder& builder, size_t root) : builder_(builder), root_(root), out_(builder.result(root)) {}

  bool build() {
    uint32_t result;
    if (!add(root_, result)) return false;
    choose_layout();
    for (size_t k = 0; k < tensors_.size(); ++k) {
      if (!add_input(k)) return false;
    }
    // Inputs come before results among the operands.
    for (TileInstruction& i : program_.instructions) {
      for (size_t k = 0; k < i.operand_count; ++k) i.operands[k] = renumber(i.operands[k]);
    }
    return emit();
  }

 private:
  static constexpr uint32_t kResult = 1u << 31;

  uint32_t renumber(uint32_t o) const {
    return o & kResult ? static_cast<uint32_t>(operands_.size()) + (o & ~kResult) : o;
  }

  uint32_t input(const PointwiseOperand& o) {
    for (size_t k = 0; k < operands_.size(); ++k) {
      if (o.tensor != kNoTensor && operands_[k].tensor == o.tensor) return static_cast<uint32_t>(k);
    }
    operands_.push_back(o);
    if (o.tensor != kNoTensor) tensors_.push_back(o.tensor);
    return static_cast<uint32_t>(operands_.size()) - 1;
  }

  // The part of the pass that gives step s's result.
  bool add(size_t s, uint32_t& result) {
    const std::optional<PointwiseOp> op = describe_pointwise(builder_, s);
    if (!op) return false;
    TileInstruction instruction;
    instruction.kernel = op->kernel;
    instruction.params = op->params;
    instruction.operand_count = static_cast<uint32_t>(op->operands.size());
    for (size_t k = 0; k < op->operands.size(); ++k) {
      const PointwiseOperand& o = op->operands[k];
      const size_t producer = o.tensor == kNoTensor ? SIZE_MAX : builder_.deferred_producer(o.tensor);
      const bool buffer = program_.instructions.size() + 4 < TileProgram::kMaxInstructions &&
                          operands_.size() + 4 < TileProgram::kMaxInputs;
      if (producer != SIZE_MAX && buffer && builder_.tensor(o.tensor).sizes == builder_.tensor(out_).sizes &&
          builder_.only_user(o.tensor) == s && builder_.half_source(o.tensor) == kNoTensor) {
        if (!add(producer, instruction.operands[k])) return false;
      } else {
        instruction.operands[k] = input(o);
      }
    }
    const std::string_view name = builder_.step(s).op->schema.name;
    name_.add(program_.instructions.empty() ? "" : " ", name.substr(6));
    result = push(instruction);
    if (kHasAddRelu && op->has_relu) {
      TileInstruction relu;
      relu.kernel = kernels::relu_f32;
      relu.operand_count = 1;
      relu.operands[0] = result;
      result = push(relu);
    }
    return operands_.size() <= TileProgram::kMaxInputs;
  }
  uint32_t push(const TileInstruction& instruction) {
    program_.instructions.push_back(instruction);
    return kResult | static_cast<uint32_t>(program_.instructions.size() - 1);
  }

  void choose_layout() {
    const IntVec& sizes = builder_.tensor(out_).sizes;
    const size_t dims = sizes.size();
    for (TensorId id : tensors_) {
      if (builder_.tensor(id).sizes == sizes && builder_.prefers_channels_last(id)) channels_last_ = true;
    }
    if (!channels_last_) {
      // A plain result whose inputs are in the other order of dims would have to be converted anyway.
      channels_last_ = is_channels_last(sizes, builder_.tensor(out_).strides) &&
                       !is_contiguous(sizes, builder_.tensor(out_).strides);
    }
    if (channels_last_) {
      order_ = dims == 3 ? IntVec{0, 2, 1} : IntVec{0, 2, 3, 1};
    } else {
      // The greatest stride first; equal ones stay in order. There are few.
      const IntVec& strides = builder_.tensor(out_).strides;
      for (size_t d = 0; d < dims; ++d) {
        size_t at = d;
        while (at > 0 && strides[static_cast<size_t>(order_[at - 1])] < strides[d]) --at;
        order_.insert(at, static_cast<int64_t>(d));
      }
    }
    for (int64_t d : order_) program_.sizes.push_back(sizes[static_cast<size_t>(d)]);
    for (TensorId id : tensors_) {
      if (kernels::kHasHalfKernels && is_half(id)) program_.layers = builder_.half_layers();
    }
    program_.gives_half = program_.layers && builder_.gives_half(builder_.step(root_).node, out_);
  }
  // Whether an input is there as float16 alone, in the layout of the pass.
  bool is_half(TensorId id) const {
    if (!kernels::kHasHalfKernels || !(builder_.tensor(id).sizes == builder_.tensor(out_).sizes)) return false;
    return channels_last_ ? builder_.is_half_image(id) : builder_.is_plain_half(id);
  }

  // The slot of an input tensor, and its strides in the pass's order of dims.
  bool add_input(size_t k) {
    const TensorId id = tensors_[k];
    const TracedTensor& t = builder_.tensor(id);
    const IntVec& sizes = builder_.tensor(out_).sizes;
    const bool whole = t.sizes == sizes;
    halves_.push_back(is_half(id));
    const ir::Node* const node = builder_.step(root_).node;
    const Slot slot = halves_.back() ? channels_last_ ? builder_.half(id, node) : builder_.plain_half(id, node)
                      : whole && channels_last_ ? builder_.channels_last(id)
                                                : builder_.plain(id);
    const IntVec strides = whole && channels_last_ ? channels_last_strides(sizes) : t.strides;
    if (t.sizes.size() > sizes.size()) return false;
    const size_t missing = sizes.size() - t.sizes.size();
    IntVec in_order;
    for (int64_t d : order_) {
      const auto at = static_cast<size_t>(d);
      const bool repeated = at < missing || t.sizes[at - missing] == 1;
      if (!repeated && t.sizes[at - missing] != sizes[at]) return false;
      in_order.push_back(repeated ? 0 : strides[at - missing]);
    }
    slots_.push_back(slot);
    strides_.push_back(std::move(in_order));
    return true;
  }

  bool emit() {
    size_t tensor = 0;
    for (const PointwiseOperand& o : operands_) {
      TileInput in;
      in.is_number = o.tensor == kNoTensor;
      in.number = o.number;
      if (!in.is_number) {
        in.is_half = halves_[tensor];
        in.strides = strides_[tensor++];
      }
      program_.inputs.push_back(std::move(in));
    }
    coalesce(program_);
    for (const TileInput& in : program_.inputs) {
      if (!in.is_number && in.strides.back() != 0 && in.strides.back() != 1) return false;
    }
    const bool halves = kernels::kHasHalfKernels && program_.gives_half;
    const Slot out = channels_last_ ? halves ? builder_.define_half(out_) : builder_.define_channels_last(out_)
                     : halves ? builder_.define_plain_half(out_)
                                    : builder_.define_plain(out_);
    builder_.emit(pointwise_step(builder_.step(root_).node, std::move(program_), name_), std::move(slots_), {out});
    return true;
  }

  Builder& builder_;
  const size_t root_;
  const TensorId out_;
  TileProgram program_;
  std::vector<PointwiseOperand> operands_;
  std::vector<TensorId> tensors_;  // of the operands that are tensors, in order
  std::vector<Slot> slots_;
  std::vector<IntVec> strides_;
  std::vector<bool> halves_;  // by slot
  IntVec order_;
  bool channels_last_ = false;
  StepName name_;
};

}  // namespace

std::optional<PointwiseOp> describe_pointwise(const Builder& builder, size_t s) {
  return Description(builder, s).take();
}

bool build_pointwise(Builder& builder, size_t s) {
  if (!describe_pointwise(builder, s)) return false;
  const TensorId out = builder.result(s);
  const size_t user = builder.only_user(out);
  if (user != SIZE_MAX && absorbs(builder, user, s) && builder.defer(s)) return true;
  return emit_pointwise(builder, s);
}

bool emit_pointwise(Builder& builder, size_t s) {
  const TensorId out = builder.result(s);
  constexpr bool kHasProducts = selects_op("aten::mul") && selects_step("scale");
  if (kHasProducts && builder.can_define_plain(out) && emit_scaling(builder, s)) return true;
  return selects_step("pointwise") && builder.can_define_plain(out) && builder.tensor(out).sizes.size() <= 8 &&
         Pass(builder, s).build();
}

}  // namespace wick::plan
