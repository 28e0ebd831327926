// Absorbs the sum and activation after a layer into its epilogue.
#include "plan/patterns/tail.h"

#include "core/selection.h"
#include "kernels/math.h"
#include "plan/patterns/pointwise.h"

namespace wick::plan {
namespace {

using kernels::Activation;
using kernels::Epilogue;

constexpr bool kHasRelu = selects_op("aten::relu");
constexpr bool kHasClamp =
    selects_any_op("aten::relu6", "aten::hardtanh", "aten::clamp", "aten::clip", "aten::clamp_min", "aten::clamp_max");

bool is_plain(const Epilogue& e) {
  const Epilogue none;
  return e.activation == Activation::kNone && e.low == none.low && e.high == none.high && !e.residual_last;
}

bool set_activation(Epilogue& e, const PointwiseOp& op) {
  struct Named {
    TileKernel kernel;
    Activation activation;
  };
  // One that this build does not have refers to no kernel.
  constexpr auto named = [](TileKernel kernel, Activation activation) {
    return Named{kernels::has_activation(activation) ? kernel : nullptr, activation};
  };
  constexpr Named kNamed[] = {
#define X(Name, kernel, flag) named(kernels::kernel##_f32, Activation::k##Name),
      WICK_FUSED_ACTIVATIONS(X)
#undef X
  };
  for (const Named& n : kNamed) {
    if (op.kernel == n.kernel) {
      e.activation = n.activation;
      return true;
    }
  }
  if (kHasRelu && op.kernel == kernels::relu_f32) {
    e.low = 0;
  } else if (kHasClamp && op.kernel == kernels::clamp_f32) {
    e.low = op.params[0];
    e.high = op.params[1];
  } else if (kHasClamp && op.kernel == kernels::clamp_min_f32) {
    e.low = op.params[0];
  } else if (kHasClamp && op.kernel == kernels::clamp_max_f32) {
    e.high = op.params[1];
  } else {
    return false;
  }
  return e.low <= e.high;
}

// The other operand of a sum with `id`; kNoTensor when the step is none.
TensorId other_summand(const Builder& builder, const PointwiseOp& op, TensorId id) {
  if (!selects_any_op("aten::add", "aten::_add_relu") || op.kernel != kernels::add_f32 || op.operands.size() != 2)
    return kNoTensor;
  const TensorId a = op.operands[0].tensor, b = op.operands[1].tensor;
  const TensorId other = a == id ? b : a;
  if (other == kNoTensor || other == id || builder.tensor(other).sizes != builder.tensor(id).sizes) return kNoTensor;
  return other;
}

}  // namespace

Tail absorb_tail(Builder& builder, size_t s, const Callback<bool(TensorId)>& fits, bool with_sum) {
  return absorb_tail_of(builder, s, builder.result(s), fits, with_sum);
}

Tail absorb_tail_of(Builder& builder, size_t s, TensorId of, const Callback<bool(TensorId)>& fits, bool with_sum) {
  Tail tail;
  tail.last = s;
  tail.result = of;
  while (true) {
    const size_t user = builder.only_user(tail.result);
    if (user == SIZE_MAX || builder.is_taken(user)) return tail;
    const TensorId result = builder.result(user);
    const std::optional<PointwiseOp> op = describe_pointwise(builder, user);
    if (!op || builder.tensor(result).sizes != builder.tensor(tail.result).sizes || !builder.can_define_plain(result) ||
        !fits(result)) {
      return tail;
    }
    const TensorId other = other_summand(builder, *op, tail.result);
    Epilogue next = tail.epilogue;
    if (with_sum && other != kNoTensor && tail.residual == kNoTensor && fits(other) &&
        (!op->has_relu || is_plain(tail.epilogue))) {
      tail.residual = other;
      next.residual_last = !is_plain(tail.epilogue);
      if (op->has_relu) next.low = 0;
    } else if (!is_plain(tail.epilogue) || op->operands.size() != 1 || !set_activation(next, *op)) {
      return tail;
    }
    tail.epilogue = next;
    if constexpr (build::kProfiles) tail.name.add(" ", builder.step(user).op->schema.name.substr(6));
    tail.last = user;
    tail.result = result;
    builder.take(user);
  }
}

void set_range(kernels::Epilogue& epilogue, const IValue& low, const IValue& high) {
  if (low.is_number()) epilogue.low = static_cast<float>(low.to_scalar().to_double());
  if (high.is_number()) epilogue.high = static_cast<float>(high.to_scalar().to_double());
}

}  // namespace wick::plan
