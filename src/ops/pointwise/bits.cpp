// Bitwise and logical operators.
#include "ops/pointwise/kernels.h"
#include "ops/pointwise/math.h"
#include "ops/pointwise/pointwise.h"

namespace wick::ops {

namespace {

constexpr Kernels kAnd = kernels<kInts | kBools, 2>([]<class T>(T a, T b) -> T { return a & b; });
constexpr Kernels kOr = kernels<kInts | kBools, 2>([]<class T>(T a, T b) -> T { return a | b; });
constexpr Kernels kXor = kernels<kInts | kBools, 2>([]<class T>(T a, T b) -> T { return a ^ b; });

// A shift past the width leaves nothing (or the sign).
constexpr Kernels kLeft = kernels<kInts, 2>([](int64_t a, int64_t b) -> int64_t {
  return b < 0 || b > 63 ? 0 : static_cast<int64_t>(static_cast<uint64_t>(a) << b);
});
constexpr Kernels kRight =
    kernels<kInts, 2>([](int64_t a, int64_t b) -> int64_t { return a >> (b < 0 || b > 63 ? 63 : b); });

Tensor combine(const char* name, const Kernels& k, const Arg& a, const Arg& b, Out out) {
  const DType common = result_type(a, b);
  return map(out, common, common, k.of(common, name), nullptr, a, b);
}

// Operands are compared with zero in their promoted dtype; the result is bool, or what an out tensor holds.
template <class F>
Tensor logical(const char* name, const Tensor& a, const Tensor& b, Out out, F) {
  static constexpr Kernels k = kernels<kReals | kBools | kComplexes, 2, bool>(
      []<class T>(T x, T y) -> bool { return F{}(x != T(0), y != T(0)); });
  const DType common = result_type(a, b);
  return map(out, DType::kBool, common, k.of(common, name), nullptr, a, b);
}

}  // namespace

#define WICK_BIT_OPERATOR(name, table)                                            \
  Tensor name(const Tensor& self, const Tensor& other, Out out) {                 \
    return combine(#name "_cpu", table, self, other, out);                        \
  }                                                                               \
  Tensor name##_scalar(const Tensor& self, const Scalar& other, Out out) {        \
    return combine(#name "_cpu", table, self, other, out);                        \
  }                                                                               \
  Tensor name##_scalar_tensor(const Scalar& self, const Tensor& other, Out out) { \
    return combine(#name "_cpu", table, self, other, out);                        \
  }
WICK_BIT_OPERATOR(bitwise_and, kAnd)
WICK_BIT_OPERATOR(bitwise_or, kOr)
WICK_BIT_OPERATOR(bitwise_xor, kXor)
WICK_BIT_OPERATOR(shift_left, kLeft)
WICK_BIT_OPERATOR(shift_right, kRight)
#undef WICK_BIT_OPERATOR

Tensor bitwise_not(const Tensor& self, Out out) {
  static constexpr Kernels k = kernels<kInts | kBools, 1>([]<class T>(T a) -> T {
    if constexpr (std::is_same_v<T, bool>)
      return !a;
    else
      return ~a;
  });
  return map(out, self.dtype(), self.dtype(), k.of(self.dtype(), "bitwise_not_cpu"), nullptr, self);
}

Tensor logical_and(const Tensor& self, const Tensor& other, Out out) {
  return logical("logical_and_cpu", self, other, out, [](bool a, bool b) { return a && b; });
}
Tensor logical_or(const Tensor& self, const Tensor& other, Out out) {
  return logical("logical_or_cpu", self, other, out, [](bool a, bool b) { return a || b; });
}
Tensor logical_xor(const Tensor& self, const Tensor& other, Out out) {
  return logical("logical_xor_cpu", self, other, out, [](bool a, bool b) { return a != b; });
}
Tensor logical_not(const Tensor& self, Out out) {
  static constexpr Kernels k =
      kernels<kReals | kBools | kComplexes, 1, bool>([]<class T>(T a) -> bool { return a == T(0); });
  return map(out, DType::kBool, self.dtype(), k.of(self.dtype(), "logical_not_cpu"), nullptr, self);
}

}  // namespace wick::ops
