// Reducers made of a fold over single elements.
#pragma once

#include "ops/pointwise/kernels.h"
#include "ops/reduce/engine.h"

namespace wick::ops {

// Op: Acc start(ctx); Acc fold(Acc, T, index, ctx); Acc join(Acc, Acc); void finish(void* const* outs, i, Acc, ctx).
template <class T, class Acc, class Op>
struct Fold {
  static void init(void* acc, int64_t n, const void* ctx) {
    Acc* a = static_cast<Acc*>(acc);
    const Acc start = Op::start(ctx);
    for (int64_t i = 0; i < n; ++i) a[i] = start;
  }
  static void across(void* acc, const void* x, int64_t n, int64_t index, const void* ctx) {
    Acc* a = static_cast<Acc*>(acc);
    const T* v = static_cast<const T*>(x);
    WICK_LOOP
    for (int64_t i = 0; i < n; ++i) a[i] = Op::fold(a[i], v[i], index, ctx);
  }
  static void along(void* acc, const void* x, int64_t n, int64_t index, const void* ctx) {
    const T* v = static_cast<const T*>(x);
    Acc total = *static_cast<Acc*>(acc);
    int64_t i = 0;
    // Independent lanes: the compiler can keep them in vectors.
    constexpr int64_t kLanes = 16;
    if (n >= 2 * kLanes) {
      Acc lanes[kLanes];
      const Acc start = Op::start(ctx);
      for (int64_t l = 0; l < kLanes; ++l) lanes[l] = start;
      for (; i + kLanes <= n; i += kLanes) {
        WICK_LOOP
        for (int64_t l = 0; l < kLanes; ++l) lanes[l] = Op::fold(lanes[l], v[i + l], index + i + l, ctx);
      }
      for (int64_t l = 0; l < kLanes; ++l) total = Op::join(total, lanes[l]);
    }
    for (; i < n; ++i) total = Op::fold(total, v[i], index + i, ctx);
    *static_cast<Acc*>(acc) = total;
  }
  static void merge(void* acc, const void* other) {
    Acc* a = static_cast<Acc*>(acc);
    *a = Op::join(*a, *static_cast<const Acc*>(other));
  }
  static void finish(void* const* outs, const void* acc, int64_t n, const void* ctx) {
    const Acc* a = static_cast<const Acc*>(acc);
    for (int64_t i = 0; i < n; ++i) Op::finish(outs, i, a[i], ctx);
  }
  static constexpr Reducer kReducer{sizeof(Acc), &init, &across, &along, &merge, &finish};
};

// A reducer per compute dtype; null where the reduction does not exist.
struct Reducers {
  const Reducer* f32 = nullptr;
  const Reducer* f64 = nullptr;
  const Reducer* i64 = nullptr;
  const Reducer* b8 = nullptr;
  const Reducer* c64 = nullptr;
  const Reducer* c128 = nullptr;
  const Reducer& of(DType t, const char* name) const {
    const Reducer* r = nullptr;
    switch (t) {
      case DType::kFloat:
      case DType::kHalf:
      case DType::kBFloat16:
        r = f32;
        break;
      case DType::kDouble:
        r = f64;
        break;
      case DType::kBool:
        r = b8;
        break;
      case DType::kComplexHalf:
      case DType::kComplexFloat:
        r = c64;
        break;
      case DType::kComplexDouble:
        r = c128;
        break;
      default:
        r = is_integral(t, false) ? i64 : nullptr;
    }
    check_dtype(r != nullptr, name, t);
    return *r;
  }
};

// Sums of floats are kept in double: exact enough in any order.
template <class T>
struct WideSum {
  using type = T;
};
template <>
struct WideSum<float> {
  using type = double;
};
template <>
struct WideSum<c64> {
  using type = c128;
};

}  // namespace wick::ops
