// The activation functions that have kernels: the one table that declarations, the planner and selective builds follow.
//
// A new one is a line here, its vector functions in math.cpp and, where it is fused, in epilogue-inl.h, and the
// operator in ops/pointwise.
#pragma once

// Of one tensor and no parameters. NAME_f32 is the kernel (math.h), ops::NAME the function, aten::NAME the operator.
// clang-format off
#define WICK_ACTIVATIONS(X) X(relu) X(silu) X(mish) X(hardswish) X(hardsigmoid) X(log_sigmoid)

// Those that a convolution or product applies to its results before it stores them (epilogue.h): the enumerator, the
// kernel that computes the same, and the operator that a selective build has it for. relu and clamp are ranges instead.
#define WICK_FUSED_ACTIVATIONS(X)                    \
  X(HardSwish, hardswish, "aten::hardswish")       \
  X(HardSigmoid, hardsigmoid, "aten::hardsigmoid") \
  X(Silu, silu, "aten::silu")                      \
  X(Sigmoid, sigmoid, "aten::sigmoid")             \
  X(Tanh, tanh, "aten::tanh")                      \
  X(Gelu, gelu, "aten::gelu")                      \
  X(GeluTanh, gelu_tanh, "aten::gelu")             \
  X(Mish, mish, "aten::mish")
// clang-format on
