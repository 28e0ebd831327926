// The activation functions that have kernels: the one table that declarations, the planner and selective builds follow.
//
// A new one is a line here, its vector functions in math.cpp and, where it is fused, in epilogue-inl.h, and the
// operator in ops/pointwise.
#pragma once

// Of one tensor and no parameters. NAME_f32 is the kernel (math.h), ops::NAME the function, aten::NAME the operator.
// clang-format off
#define WICK_ACTIVATIONS(X) X(relu) X(silu) X(mish) X(hardswish) X(hardsigmoid) X(log_sigmoid)

// Those that a convolution or product applies to its results before it stores them (epilogue.h): the enumerator, the
// kernel that computes the same, and the operator's flag in a selective build. relu and clamp are ranges instead.
#define WICK_FUSED_ACTIVATIONS(X)          \
  X(HardSwish, hardswish, HardSwish)       \
  X(HardSigmoid, hardsigmoid, HardSigmoid) \
  X(Silu, silu, Silu)                      \
  X(Sigmoid, sigmoid, Sigmoid)             \
  X(Tanh, tanh, Tanh)                      \
  X(Gelu, gelu, Gelu)                      \
  X(GeluTanh, gelu_tanh, Gelu)
// clang-format on
