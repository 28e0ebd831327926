// Tile kernels made of element functions, and the table an operator picks its kernel from.
#pragma once

#include <complex>
#include <type_traits>
#include <utility>

#include "core/selection.h"
#include "core/shape.h"
#include "ops/iterator.h"

#if defined(__clang__)
#define WICK_LOOP _Pragma("clang loop vectorize(assume_safety)")
#else
// Exact aliases (in-place operators) carry no dependency from one element to the next.
#define WICK_LOOP _Pragma("GCC ivdep")
#endif

namespace wick::ops {

using c64 = std::complex<float>;
using c128 = std::complex<double>;

namespace detail {

// Bools are read as bytes: memory may hold others than 0 and 1, and loops over bytes are vectorized.
template <class T>
using Held = std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>;

template <class T>
constexpr T element(const Held<T>& held) {
  if constexpr (std::is_same_v<T, bool>)
    return held != 0;
  else
    return held;
}

template <class Sig, class F, class Ctx>
struct Tile;

template <class R, class... A, class F, class Ctx>
struct Tile<R(A...), F, Ctx> {
  static void run(void* const* p, int64_t n, const void* ctx) { loop(p, n, ctx, std::index_sequence_for<A...>{}); }
  template <size_t... I>
  static void loop(void* const* p, int64_t n, const void* ctx, std::index_sequence<I...>) {
    auto* out = static_cast<Held<R>*>(p[0]);
    const F f{};
    // Captured as separate pointers: the compiler then sees plain arrays.
    [&](const Held<A>*... in) {
      if constexpr (std::is_void_v<Ctx>) {
        WICK_LOOP
        for (int64_t i = 0; i < n; ++i) out[i] = f(element<A>(in[i])...);
      } else {
        const Ctx c = *static_cast<const Ctx*>(ctx);
        WICK_LOOP
        for (int64_t i = 0; i < n; ++i) out[i] = f(c, element<A>(in[i])...);
      }
    }(static_cast<const Held<A>*>(p[I + 1])...);
  }
};

template <class R, class T, int kArity>
struct Signature;
template <class R, class T>
struct Signature<R, T, 0> {
  using type = R();
};
template <class R, class T>
struct Signature<R, T, 1> {
  using type = R(T);
};
template <class R, class T>
struct Signature<R, T, 2> {
  using type = R(T, T);
};
template <class R, class T>
struct Signature<R, T, 3> {
  using type = R(T, T, T);
};

}  // namespace detail

// tile<float(float, float)>([](float a, float b) { return a + b; }): the function must not capture.
template <class Sig, class F>
constexpr TileFn tile(F) {
  return &detail::Tile<Sig, F, void>::run;
}
// The function gets the operator's parameters (a Ctx, passed as the run's context) first.
template <class Sig, class Ctx, class F>
constexpr TileFn tile_with(F) {
  return &detail::Tile<Sig, F, Ctx>::run;
}

// Kernels of one operator by compute dtype; null where PyTorch has none.
struct Kernels {
  TileFn f32 = nullptr;
  TileFn f64 = nullptr;
  TileFn i64 = nullptr;
  TileFn b8 = nullptr;
  TileFn c64 = nullptr;
  TileFn c128 = nullptr;
  TileFn i32 = nullptr;  // of integers of 32 bits and fewer, where it is worth its code
  TileFn u8 = nullptr;   // of unsigned bytes

  // The kernel for elements of dtype t; refuses as check_dtype does.
  TileFn of(DType t, const char* name) const {
    TileFn fn = nullptr;
    switch (t) {
      case DType::kFloat:
      case DType::kHalf:
      case DType::kBFloat16:
        fn = f32;
        break;
      case DType::kDouble:
        fn = f64;
        break;
      case DType::kBool:
        fn = b8;
        break;
      case DType::kComplexFloat:
        fn = c64;
        break;
      case DType::kComplexDouble:
        fn = c128;
        break;
      default:
        fn = is_integral(t, false) ? i64 : nullptr;
    }
    if (fn == nullptr && build::kIsSelective) refuse_dtype(name, t);
    check_dtype(fn != nullptr, name, t);
    return fn;
  }

  // The kernel with narrow elements where there is one, and the dtype it sees for elements of dtype t.
  std::pair<TileFn, DType> narrow(DType t, const char* name) const {
    if (t == DType::kByte && u8) return {u8, DType::kByte};
    if (i32 && (t == DType::kInt || t == DType::kShort || t == DType::kChar || t == DType::kByte))
      return {i32, DType::kInt};
    return {of(t, name), compute_dtype(t)};
  }
};

// The same table with another kernel of floats or doubles, for functions that have a vectorized one.
constexpr Kernels with_f32(Kernels k, TileFn f32) {
  k.f32 = f32;
  return k;
}

constexpr Kernels with_f64(Kernels k, TileFn f64) {
  if (selects_dtype(DType::kDouble)) k.f64 = f64;
  return k;
}

// Whether a build has kernels that compute in T; a selective one has those for the dtypes of its models' tensors.
template <class T>
consteval bool computes_in() {
  if (std::is_same_v<T, float>) return true;
  if (std::is_same_v<T, double>) return selects_dtype(DType::kDouble);
  if (std::is_same_v<T, c64>) return selects_dtype(DType::kComplexFloat);
  if (std::is_same_v<T, c128>) return selects_dtype(DType::kComplexDouble);
  return build::kIntegers;
}

enum TypeSet : unsigned {
  kFloats = 1,
  kInts = 2,
  kBools = 4,
  kComplexes = 8,
  kNarrow = 16,  // also kernels of 32-bit integers: for operators that wrap alike in any width
  kBytes = 32,   // also kernels of unsigned bytes
  kReals = kFloats | kInts
};

namespace detail {

// The kernels `make` gives for each compute type of the set.
template <unsigned kTypes, class Make>
constexpr Kernels for_types(Make make) {
  Kernels k;
  const auto put = [&]<unsigned kOfTypes, class T>(TileFn& to, std::integral_constant<unsigned, kOfTypes>,
                                                   std::type_identity<T> type) {
    if constexpr ((kTypes & kOfTypes) != 0 && computes_in<T>()) to = make(type);
  };
  constexpr std::integral_constant<unsigned, kFloats> kFloat;
  constexpr std::integral_constant<unsigned, kComplexes> kComplex;
  put(k.f32, kFloat, std::type_identity<float>{});
  put(k.f64, kFloat, std::type_identity<double>{});
  put(k.i64, std::integral_constant<unsigned, kInts>{}, std::type_identity<int64_t>{});
  put(k.b8, std::integral_constant<unsigned, kBools>{}, std::type_identity<bool>{});
  put(k.c64, kComplex, std::type_identity<c64>{});
  put(k.c128, kComplex, std::type_identity<c128>{});
  if constexpr ((kTypes & kNarrow) != 0 && build::kAllDTypes) k.i32 = make(std::type_identity<int32_t>{});
  if constexpr ((kTypes & kBytes) != 0 && build::kAllDTypes) k.u8 = make(std::type_identity<uint8_t>{});
  return k;
}

template <class R, class T>
using ResultOr = std::conditional_t<std::is_void_v<R>, T, R>;

}  // namespace detail

// The same generic function compiled for the compute types of the set. R = void: the result has the element type.
template <unsigned kTypes, int kArity, class R = void, class F>
constexpr Kernels kernels(F f) {
  return detail::for_types<kTypes>([&]<class T>(std::type_identity<T>) {
    return tile<typename detail::Signature<detail::ResultOr<R, T>, T, kArity>::type>(f);
  });
}

// With parameters: Params<T> is the context's type for element type T.
template <unsigned kTypes, int kArity, template <class> class Params, class R = void, class F>
constexpr Kernels kernels_with(F f) {
  return detail::for_types<kTypes>([&]<class T>(std::type_identity<T>) {
    return tile_with<typename detail::Signature<detail::ResultOr<R, T>, T, kArity>::type, Params<T>>(f);
  });
}

// A tensor or a number.
struct Arg {
  Arg(const Tensor& t) : tensor(&t) {}
  Arg(const Scalar& s) : number(&s) {}
  const Tensor* tensor = nullptr;
  const Scalar* number = nullptr;
};

inline void add_input(Iterator& it, const Arg& a, DType common) {
  if (a.tensor) {
    it.input(*a.tensor, common);
  } else {
    it.input(*a.number, common);
  }
}

template <class... Args>
DType result_type(const Args&... args) {
  ResultType r;
  const auto add = [&](const Arg& a) {
    if (a.tensor) {
      r.add(*a.tensor);
    } else {
      r.add(*a.number);
    }
  };
  (add(args), ...);
  return r.get();
}

// A number as the kernel of dtype `common` sees it: integers wrap to the dtype's width.
template <class T>
T number_as(const Scalar& s, DType common) {
  if constexpr (std::is_same_v<T, int64_t>) {
    const int64_t v = s.to_int();
    switch (common) {
      case DType::kByte:
        return static_cast<uint8_t>(v);
      case DType::kChar:
        return static_cast<int8_t>(v);
      case DType::kShort:
        return static_cast<int16_t>(v);
      case DType::kInt:
        return static_cast<int32_t>(v);
      default:
        return v;
    }
  } else {
    return s.to<T>();
  }
}

// result = fn(inputs...) where inputs and the result have dtype `common` (or `result` when given).
template <class... Args>
Tensor map(Out out, DType result, DType common, TileFn fn, const void* ctx, const Args&... inputs) {
  Iterator it;
  it.output(out, result);
  (add_input(it, Arg(inputs), common), ...);
  it.run(fn, ctx);
  return it.result();
}

// The same with the kernel of the table that has the narrowest elements.
template <class... Args>
Tensor map_narrow(Out out, DType result, DType common, const Kernels& k, const char* name, const void* ctx,
                  const Args&... inputs) {
  const auto [fn, seen] = k.narrow(common, name);
  Iterator it;
  it.see_as(common, seen).output(out, result);
  (add_input(it, Arg(inputs), common), ...);
  it.run(fn, ctx);
  return it.result();
}

// Calls f with a value of the C++ type kernels compute in for dtype t.
template <class F>
auto with_compute_type(DType t, F&& f) -> decltype(f(float{})) {
  const auto call = [&]<class T>(T zero) -> decltype(f(float{})) {
    if constexpr (computes_in<T>()) {
      return f(zero);
    } else {
      refuse_dtype("pointwise", t);
    }
  };
  switch (compute_dtype(t)) {
    case DType::kFloat:
      return call(float{});
    case DType::kDouble:
      return call(double{});
    case DType::kBool:
      return call(bool{});
    case DType::kComplexFloat:
      return call(c64{});
    case DType::kComplexDouble:
      return call(c128{});
    default:
      return call(int64_t{});
  }
}

}  // namespace wick::ops
