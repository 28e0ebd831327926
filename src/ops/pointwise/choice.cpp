// where and clamp.
#include <cstring>

#include "kernels/math.h"
#include "ops/pointwise/kernels.h"
#include "ops/pointwise/math.h"
#include "ops/pointwise/pointwise.h"
#include "ops/quantize/layers.h"

namespace wick::ops {

namespace {

template <class T>
struct Bounds {
  T low, high;
};

// where on the elements' bits: nothing is computed, so nothing is converted, and a mask needs no branch.
template <class Bits>
void select_tile(void* const* p, int64_t n, const void*) {
  char* out = static_cast<char*>(p[0]);
  const uint8_t* condition = static_cast<const uint8_t*>(p[1]);
  const char* a = static_cast<const char*>(p[2]);
  const char* b = static_cast<const char*>(p[3]);
  WICK_LOOP
  for (int64_t i = 0; i < n; ++i) {
    Bits x, y;
    std::memcpy(&x, a + i * static_cast<int64_t>(sizeof x), sizeof x);
    std::memcpy(&y, b + i * static_cast<int64_t>(sizeof y), sizeof y);
    const Bits mask = static_cast<Bits>(Bits{0} - Bits{condition[i] != 0});
    x = static_cast<Bits>((x & mask) | (y & static_cast<Bits>(~mask)));
    std::memcpy(out + i * static_cast<int64_t>(sizeof x), &x, sizeof x);
  }
}
void select_pairs(void* const* p, int64_t n, const void*) {
  c128* out = static_cast<c128*>(p[0]);
  const uint8_t* condition = static_cast<const uint8_t*>(p[1]);
  const c128 *a = static_cast<const c128*>(p[2]), *b = static_cast<const c128*>(p[3]);
  for (int64_t i = 0; i < n; ++i) out[i] = condition[i] != 0 ? a[i] : b[i];
}

Tensor where_args(const Tensor& condition, const Arg& a, const Arg& b, Out out) {
  WICK_CHECK(condition.dtype() == DType::kBool || condition.dtype() == DType::kByte, kTypeMismatch,
             "where expected condition to be a boolean tensor, but got a tensor with dtype ",
             name_of(condition.dtype()));
  const DType common = result_type(a, b);
  static constexpr Kernels k{&select_tile<uint32_t>, &select_tile<uint64_t>, &select_tile<uint64_t>,
                             &select_tile<uint8_t>,  &select_tile<uint64_t>, &select_pairs,
                             &select_tile<uint32_t>, &select_tile<uint8_t>};
  const auto [fn, seen] = k.narrow(common, "where_cpu");
  Iterator it;
  it.see_as(common, seen).output(out, common).input(condition, DType::kBool);
  add_input(it, a, common);
  add_input(it, b, common);
  it.run(fn);
  return it.result();
}

constexpr Kernels kClamp = with_f32(kernels_with<kReals | kNarrow, 1, Bounds>([]<class T>(Bounds<T> p, T a) -> T {
                                      // NaN stays NaN; when low > high every element becomes high.
                                      const T raised = a < p.low ? p.low : a;
                                      return p.high < raised ? p.high : raised;
                                    }),
                                    kernels::clamp_f32);
constexpr Kernels kClampMin = with_f32(
    kernels_with<kReals | kNarrow, 1, Bounds>([]<class T>(Bounds<T> p, T a) -> T { return a < p.low ? p.low : a; }),
    kernels::clamp_min_f32);
constexpr Kernels kClampMax = with_f32(
    kernels_with<kReals | kNarrow, 1, Bounds>([]<class T>(Bounds<T> p, T a) -> T { return p.high < a ? p.high : a; }),
    kernels::clamp_max_f32);

// By vectors; the result may overlap any of the inputs, so what the lower bound leaves is kept apart.
void clamp_between_f32(void* const* p, int64_t n, const void*) {
  constexpr int64_t kPart = 256;
  float raised[kPart];
  for (int64_t i = 0; i < n; i += kPart) {
    const int64_t m = std::min(kPart, n - i);
    const auto at = [&](int k) -> void* { return static_cast<float*>(p[k]) + i; };
    void* const low[] = {raised, at(1), at(2)};
    kernels::maximum_f32(low, m, nullptr);
    void* const high[] = {at(0), raised, at(3)};
    kernels::minimum_f32(high, m, nullptr);
  }
}

bool is_nan(const std::optional<Scalar>& s) { return s && s->is_double() && s->to_double() != s->to_double(); }

}  // namespace

Tensor where(const Tensor& condition, const Tensor& self, const Tensor& other, Out out) {
  return where_args(condition, self, other, out);
}
Tensor where_scalar_self(const Tensor& condition, const Scalar& self, const Tensor& other) {
  return where_args(condition, self, other, {});
}
Tensor where_scalar_other(const Tensor& condition, const Tensor& self, const Scalar& other) {
  return where_args(condition, self, other, {});
}
Tensor where_scalars(const Tensor& condition, const Scalar& self, const Scalar& other) {
  return where_args(condition, self, other, {});
}

Tensor clamp(const Tensor& self, const std::optional<Scalar>& min, const std::optional<Scalar>& max, Out out) {
  if (is_quantized(self)) return placed(quantized_clamp(self, min, max), out);
  WICK_CHECK(min || max, kInvalidArgument, "torch.clamp: At least one of 'min' or 'max' must not be None");
  WICK_CHECK(!is_complex(self.dtype()), kUnsupported, "clamp is not supported for complex types");
  ResultType type;
  type.add(self);
  if (min) type.add(*min);
  if (max) type.add(*max);
  const DType common = out && out.tensor->is_same(self) ? self.dtype() : type.get();
  WICK_CHECK(can_cast(type.get(), common), kTypeMismatch, "result type ", name_of(type.get()),
             " can't be cast to the desired output type ", name_of(common));
  return with_compute_type(common, [&]<class T>(T) -> Tensor {
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, int64_t>) {
      if (min && max && (is_nan(min) || is_nan(max))) {
        static constexpr Kernels nan =
            kernels<kFloats, 1>([]<class U>(U) -> U { return std::numeric_limits<U>::quiet_NaN(); });
        return map(out, common, common, nan.of(common, "clamp"), nullptr, self);
      }
      const Bounds<T> p{min ? number_as<T>(*min, common) : T(0), max ? number_as<T>(*max, common) : T(0)};
      const Kernels& k = min && max ? kClamp : min ? kClampMin : kClampMax;
      if constexpr (std::is_same_v<T, int64_t>) {
        if (k.narrow(common, "clamp").second == DType::kInt) {
          const Bounds<int32_t> narrow{static_cast<int32_t>(p.low), static_cast<int32_t>(p.high)};
          return map_narrow(out, common, common, k, "clamp", &narrow, self);
        }
      }
      return map(out, common, common, k.of(common, "clamp"), &p, self);
    } else {
      check_dtype(false, "clamp_scalar_kernel_impl", common);
      return {};
    }
  });
}

// NaN as the one bound of clamp bounds nothing; these two are maximum and minimum, where it stays. With two bounds
// clamp gives NaN for a NaN, which is the same.
Tensor clamp_min(const Tensor& self, const Scalar& min, Out out) {
  return clamp(self, min, is_nan(min) ? std::optional(min) : std::nullopt, out);
}
Tensor clamp_max(const Tensor& self, const Scalar& max, Out out) {
  return clamp(self, is_nan(max) ? std::optional(max) : std::nullopt, max, out);
}

Tensor clamp_min_tensor(const Tensor& self, const Tensor& min, Out out) { return maximum(self, min, out); }
Tensor clamp_max_tensor(const Tensor& self, const Tensor& max, Out out) { return minimum(self, max, out); }

Tensor clamp_tensor(const Tensor& self, const OptTensor& min, const OptTensor& max, Out out) {
  WICK_CHECK(min || max, kInvalidArgument, "torch.clamp: At least one of 'min' or 'max' must not be None");
  if (!max) return maximum(self, *min, out);
  if (!min) return minimum(self, *max, out);
  static constexpr Kernels k =
      with_f32(kernels<kReals, 3>([]<class T>(T a, T low, T high) -> T { return nan_min(nan_max(a, low), high); }),
               clamp_between_f32);
  const DType common = result_type(self, *min, *max);
  WICK_CHECK(!is_complex(common), kUnsupported, "clamp is not supported for complex types");
  return map(out, common, common, k.of(common, "clamp"), nullptr, self, *min, *max);
}

}  // namespace wick::ops
