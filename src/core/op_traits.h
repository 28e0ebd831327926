// What is known about an operator beyond its schema.
//
// An operator's line in the table names its traits:
//
//   OP("aten::sigmoid(Tensor self) -> Tensor", sigmoid, pointwise, rounds_once),
//
// A line without traits says that nothing is known: the operator may do anything, and is neither planned, folded,
// merged with an equal call nor removed. Forgetting a trait costs speed, never numbers. Mutation and aliasing are in
// the schema and are not repeated here. Names that PyTorch has as tags mean what they mean there.
#pragma once

#include <cstdint>
#include <type_traits>

namespace wick {

// A set of traits.
struct OpTraits {
  uint32_t bits = 0;

  constexpr bool has(OpTraits all) const { return (bits & all.bits) == all.bits; }
  constexpr bool has_any(OpTraits some) const { return (bits & some.bits) != 0; }
  constexpr bool empty() const { return bits == 0; }
  friend constexpr OpTraits operator|(OpTraits a, OpTraits b) { return {a.bits | b.bits}; }
  friend constexpr bool operator==(OpTraits a, OpTraits b) = default;
};

template <class... Traits>
requires(std::is_same_v<Traits, OpTraits>&&...) constexpr OpTraits combine(Traits... traits) {
  return {(0u | ... | traits.bits)};
}

namespace traits {

// What it gives and writes follows from its arguments alone, and it does nothing that its schema does not say. Of an
// in-place operator too.
inline constexpr OpTraits deterministic{1u << 0};

// PyTorch's tags.
// Draws from a generator, unless a flag among its arguments switches that off (may_draw).
inline constexpr OpTraits nondeterministic_seeded{1u << 1};
// Each element of the result follows from the elements at its place. Gives the strides of its argument, when all have
// the same; is shapes_only.
inline constexpr OpTraits pointwise{1u << 2 | 1u << 8 | deterministic.bits};
// Gives numbers that are, or follow from, the elements of a tensor, and does nothing else.
inline constexpr OpTraits data_dependent_output{1u << 3 | deterministic.bits};
// The shape of the result depends on elements; of an operator with indices only where a mask is among them.
inline constexpr OpTraits dynamic_output_shape{1u << 4 | deterministic.bits};
// Changes the sizes, strides or storage of the tensor it is given.
inline constexpr OpTraits inplace_view{1u << 5 | deterministic.bits};

// Not PyTorch's.
// Returns uninitialized memory.
inline constexpr OpTraits uninitialized{1u << 6};
// May give an argument back, or a view of one, although the schema says nothing of it.
inline constexpr OpTraits may_alias{1u << 7 | deterministic.bits};
// What it gives but for the elements does not depend on elements: may be run for its result's shape alone
// (core/shapes_only.h). Elements that it refuses, such as a zero that integers are divided by, it refuses when it runs.
inline constexpr OpTraits shapes_only{1u << 8 | deterministic.bits};
// The result follows from dtypes, sizes and strides of the arguments, or from what they are.
inline constexpr OpTraits shape_query{1u << 9 | deterministic.bits};
// The result follows from the identity of objects or from a mode of the process: the same throughout a run, but not to
// be computed ahead of it.
inline constexpr OpTraits by_context{1u << 10 | deterministic.bits};
// Writes its arguments as text.
inline constexpr OpTraits makes_text{1u << 11 | deterministic.bits};
// Runs between plans: one of its arguments or results is more than a plan can hold.
inline constexpr OpTraits not_planned{1u << 12 | deterministic.bits};
// The result is of bools, whatever the arguments.
inline constexpr OpTraits returns_bools{1u << 13 | deterministic.bits};
// On half precision it computes in floats and rounds once.
inline constexpr OpTraits rounds_once{1u << 14 | deterministic.bits};
// On half precision it rounds nothing: the result has elements of the arguments, or their negatives.
inline constexpr OpTraits rounds_never{1u << 15 | deterministic.bits};
// rounds_never, and monotone with bounds among its arguments: rounding before or after is the same where bounds are
// numbers of the dtype.
inline constexpr OpTraits clamps{1u << 16 | rounds_never.bits};
// The result has as many dimensions as the first argument. So has a pointwise operator on one tensor.
inline constexpr OpTraits keeps_rank{1u << 17 | deterministic.bits};
// The result of a quantized tensor has its scale and zero point.
inline constexpr OpTraits keeps_qparams{1u << 18 | deterministic.bits};
// Scale and zero point of the result of a quantized tensor are always the same (PyTorch's fixed_qparams).
inline constexpr OpTraits fixed_qparams{1u << 19 | deterministic.bits};
// "quantized::NAME" computes it on integers; the last arguments are scale and zero point of the result.
inline constexpr OpTraits has_quantized_form{1u << 20 | deterministic.bits};

}  // namespace traits

// Names as the table writes them, for tests and tools.
struct NamedTrait {
  const char* name;
  OpTraits trait;
};
inline constexpr NamedTrait kNamedTraits[] = {
#define X(name) {#name, traits::name},
    X(deterministic) X(nondeterministic_seeded) X(pointwise) X(data_dependent_output) X(dynamic_output_shape)
        X(inplace_view) X(uninitialized) X(may_alias) X(shapes_only) X(shape_query) X(by_context) X(makes_text)
            X(not_planned) X(returns_bools) X(rounds_once) X(rounds_never) X(clamps) X(keeps_rank) X(keeps_qparams)
                X(fixed_qparams) X(has_quantized_form)
#undef X
};

}  // namespace wick
