// Pointwise operators as instructions of shaders/pointwise.glsl.
#pragma once

#include <optional>
#include <vector>

#include "gpu/lowering.h"

namespace wick::gpu {

// By the shader's numbers. Those from kRound on are in its form with all operators only.
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
  kRound,
  kSign,
  kFrac,
  kExp2,
  kExpm1,
  kLog2,
  kLog10,
  kLog1p,
  kTan,
  kAsin,
  kAcos,
  kAtan,
  kSinh,
  kCosh,
  kAsinh,
  kAcosh,
  kAtanh,
  kErfc,
  kNot,
  kEq,
  kNe,
  kLt,
  kLe,
  kGt,
  kGe,
  kAnd,
  kOr,
  kXor,
  kSelect,
  kIsNan,
  kIsInf,
  kIsFinite,
  kPow,
  kAtan2,
  kFmod,
  kRemainder,
  kFloorDivide,
  kTruncDivide,
  kHypot,
  kCopysign,
  kLogAddExp,
  kXlogy,
  kHeaviside,
  kFmax,
  kFmin,
  kNanToNum,
  kThreshold,
  kHardshrink,
  kSoftshrink,
  kCelu,
  kIsInfOf,
  kSignbit,
  kPrelu,
};

struct Operand {
  enum class Kind : uint8_t { kNone, kTensor, kNumber, kResult } kind = Kind::kNone;
  plan::TensorId tensor = plan::kNoTensor;
  float number = 0;
  size_t result = 0;        // of an instruction before, by number
  size_t channel_dims = 0;  // of a tensor of one dim: dims behind the channels it stands for

  static Operand of(plan::TensorId id) { return {Kind::kTensor, id, 0, 0, 0}; }
  static Operand of_number(double n) { return {Kind::kNumber, plan::kNoTensor, static_cast<float>(n), 0, 0}; }
  static Operand of_result(size_t n) { return {Kind::kResult, plan::kNoTensor, 0, n, 0}; }
};

struct Instruction {
  Op op = Op::kCopy;
  Operand a, b, c;
  float p = 0, q = 0, r = 0;
};

// What a step computes of each element; the last instruction gives its result.
struct Recipe {
  std::vector<Instruction> list;
  // Of an integer result: what it lies between.
  int64_t low = 0, high = 0;
};

// What a step computes, when it is pointwise. Integers only where no result can leave what a float holds exactly.
std::optional<Recipe> recipe_of(const Lowering& g, size_t s);

// The processor's kernel of the same function says which it is.
std::optional<Op> op_of(const plan::PointwiseOp& op);

}  // namespace wick::gpu
