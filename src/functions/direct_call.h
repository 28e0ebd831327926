// Calls of an operator's C++ function with the arguments of a function of the API, without the table and, where the
// types allow, without boxing.
//
// apply_plain, apply_inplace and apply_out do what OP, OP_INPLACE and OP_OUT make of a function (ops/op_entry.h).
// Arguments come in the order of the schema, the four of TensorOptions as one.
#pragma once

#include <array>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/check.h"
#include "ops/boxing.h"
#include "wick/arguments.h"

namespace wick::direct {

// In place of a Generator argument: functions draw from the default generator.
struct DefaultGenerator {};

[[noreturn]] inline void refuse_undefined() {
  fail_with<ErrorCode::kInvalidArgument>("an undefined tensor was given where an operator needs one");
}
inline const Tensor& defined(const Tensor& t) {
  if (!t.defined()) refuse_undefined();
  return t;
}

// --- Arguments as parameters of the operator's function. ---

template <class To, class From>
struct Pass {
  static constexpr bool kKnown = false;
};
template <class T>
struct Pass<T, T> {
  static constexpr bool kKnown = true;
  static const T& get(const T& v) { return v; }
};
template <>
struct Pass<Tensor, Tensor> {
  static constexpr bool kKnown = true;
  static const Tensor& get(const Tensor& v) { return defined(v); }
};
#define WICK_PASS(to, from, expression)                 \
  template <>                                           \
  struct Pass<to, from> {                               \
    static constexpr bool kKnown = true;                \
    static to get(const from& v) { return expression; } \
  };
WICK_PASS(OptTensor, OptTensor, v && v->defined() ? v : std::nullopt)
WICK_PASS(IntSpan, IntList, v)
WICK_PASS(IntVec, IntList, IntSpan(v))
WICK_PASS(std::optional<IntVec>, OptIntList, v.has_value() ? std::optional<IntVec>(*v) : std::nullopt)
WICK_PASS(std::vector<double>, Span<double>, v.vec())
WICK_PASS(std::optional<std::vector<double>>, std::optional<Span<double>>,
          v ? std::optional<std::vector<double>>(v->vec()) : std::nullopt)
WICK_PASS(std::string, std::string_view, std::string(v))
WICK_PASS(std::optional<std::string>, std::optional<std::string_view>,
          v ? std::optional<std::string>(*v) : std::nullopt)
WICK_PASS(GeneratorArg, DefaultGenerator, (static_cast<void>(v), GeneratorArg{}))
WICK_PASS(int64_t, DType, static_cast<int64_t>(v))
#undef WICK_PASS
template <>
struct Pass<TensorList, Span<Tensor>> {
  static constexpr bool kKnown = true;
  static TensorList get(Span<Tensor> v) {
    for (const Tensor& t : v) defined(t);
    return v.vec();
  }
};
template <>
struct Pass<OptTensorList, Span<OptTensor>> {
  static constexpr bool kKnown = true;
  static OptTensorList get(Span<OptTensor> v) {
    OptTensorList out = v.vec();
    for (OptTensor& t : out) {
      if (t && !t->defined()) t.reset();
    }
    return out;
  }
};

// --- Arguments as IValues. ---

using Boxes = std::vector<IValue>;
inline void box(Boxes& out, const Tensor& v) { out.emplace_back(defined(v)); }
inline void box(Boxes& out, const OptTensor& v) { out.push_back(v ? IValue(*v) : IValue()); }
inline void box(Boxes& out, int64_t v) { out.emplace_back(v); }
inline void box(Boxes& out, double v) { out.emplace_back(v); }
inline void box(Boxes& out, bool v) { out.emplace_back(v); }
inline void box(Boxes& out, std::string_view v) { out.emplace_back(std::string(v)); }
inline void box(Boxes& out, const Scalar& v) { out.emplace_back(v); }
inline void box(Boxes& out, DType v) { out.emplace_back(static_cast<int64_t>(v)); }
inline void box(Boxes& out, Layout v) { out.emplace_back(static_cast<int64_t>(v)); }
inline void box(Boxes& out, MemoryFormat v) { out.emplace_back(static_cast<int64_t>(v)); }
inline void box(Boxes& out, Device v) { out.emplace_back(v); }
inline void box(Boxes& out, DefaultGenerator) { out.emplace_back(); }
inline void box(Boxes& out, const IntList& v) { out.push_back(IValue::int_list(v)); }
inline void box(Boxes& out, const OptIntList& v) { out.push_back(v.has_value() ? IValue::int_list(*v) : IValue()); }
inline void box(Boxes& out, Span<double> v) { out.push_back(IValue::double_list(v)); }
inline void box(Boxes& out, Span<bool> v) { out.push_back(IValue::bool_list(std::vector<bool>(v.begin(), v.end()))); }
inline void box(Boxes& out, Span<Tensor> v) { out.push_back(IValue::tensor_list(v.vec())); }
inline void box(Boxes& out, Span<Scalar> v) {
  out.push_back(IValue::list(types::number(), std::vector<IValue>(v.begin(), v.end())));
}
inline void box(Boxes& out, Span<OptTensor> v) {
  std::vector<IValue> items;
  for (const OptTensor& t : v) items.push_back(t ? IValue(*t) : IValue());
  out.push_back(IValue::list(types::optional(types::tensor()), std::move(items)));
}
template <class T>
void box(Boxes& out, const std::optional<T>& v) {
  if (v) {
    box(out, *v);
  } else {
    out.emplace_back();
  }
}
inline void box(Boxes& out, const TensorOptions& v) {
  box(out, v.dtype);
  out.emplace_back();  // layout
  box(out, v.device);
  out.emplace_back();  // pin_memory
}

// --- Results. ---

template <class R>
struct Result;
#define WICK_RESULT(type, expression)                       \
  template <>                                               \
  struct Result<type> {                                     \
    static type get(const IValue& v) { return expression; } \
  };
WICK_RESULT(Tensor, v.is_none() ? Tensor() : v.to_tensor())
WICK_RESULT(int64_t, v.to_int())
WICK_RESULT(double, v.to_double())
WICK_RESULT(bool, v.to_bool())
WICK_RESULT(Scalar, v.to_scalar())
WICK_RESULT(DType, to_dtype_arg(v))
WICK_RESULT(Layout, static_cast<Layout>(v.to_int()))
WICK_RESULT(Device, v.to_device())
WICK_RESULT(std::string, v.to_string())
WICK_RESULT(std::vector<Tensor>, v.to_tensor_vec())
WICK_RESULT(std::vector<double>, v.to_double_vec())
WICK_RESULT(std::vector<int64_t>, IntSpan(v.to_int_vec()).vec())
#undef WICK_RESULT
template <class T>
struct Result<std::optional<T>> {
  static std::optional<T> get(const IValue& v) {
    return v.is_none() ? std::nullopt : std::optional<T>(Result<T>::get(v));
  }
};
template <class R>
struct Results {
  static constexpr size_t kCount = 1;
  static R get(const IValue* v) { return Result<R>::get(*v); }
};
template <>
struct Results<void> {
  static constexpr size_t kCount = 1;
  static void get(const IValue*) {}
};
template <class... Rs>
struct Results<std::tuple<Rs...>> {
  static constexpr size_t kCount = sizeof...(Rs);
  static std::tuple<Rs...> get(const IValue* v) {
    return [&]<size_t... I>(std::index_sequence<I...>) { return std::tuple<Rs...>(Result<Rs>::get(v[I])...); }
    (std::index_sequence_for<Rs...>{});
  }
};

template <class R, class From>
R give(From&& from) {
  if constexpr (std::is_same_v<R, std::remove_cvref_t<From>> || std::is_void_v<R>) {
    return static_cast<R>(std::forward<From>(from));
  } else {
    std::array<IValue, Results<R>::kCount> values;
    put_results(std::move(from), values.data());
    return Results<R>::get(values.data());
  }
}

// --- Calls. ---

template <class F, class... A>
struct Direct;

template <class R, class... P, class... A>
struct Direct<R (*)(P...), A...> {
  static constexpr bool kTakesOut = (std::is_same_v<std::remove_cvref_t<P>, Out> || ... || false);
  using Params = std::tuple<std::remove_cvref_t<P>...>;

  static constexpr bool known() {
    if constexpr (sizeof...(P) - kTakesOut != sizeof...(A) || (std::is_same_v<std::remove_cvref_t<P>, Args> || ...)) {
      return false;
    } else {
      return []<size_t... I>(std::index_sequence<I...>) {
        return (Pass<std::tuple_element_t<I, Params>, A>::kKnown && ... && true);
      }
      (std::index_sequence_for<A...>{});
    }
  }
  static constexpr bool kKnown = known();

  static R call(R (*fn)(P...), Out out, const A&... args) {
    return [&]<size_t... I>(std::index_sequence<I...>)->R {
      if constexpr (kTakesOut) {
        return fn(Pass<std::tuple_element_t<I, Params>, A>::get(args)..., out);
      } else {
        return fn(Pass<std::tuple_element_t<I, Params>, A>::get(args)...);
      }
    }
    (std::index_sequence_for<A...>{});
  }
};

template <class R, class... A>
R call_boxed(OpCall call, const A&... args) {
  Boxes boxes;
  boxes.reserve(sizeof...(A) + 3);
  (box(boxes, args), ...);
  std::array<IValue, Results<R>::kCount> results;
  call(boxes.data(), boxes.size(), results.data());
  return Results<R>::get(results.data());
}

template <auto kFn, class R, class... A>
R apply_plain(const A&... args) {
  using Call = Direct<decltype(kFn), A...>;
  if constexpr (!Call::kKnown) {
    return call_boxed<R>(&call_plain<kFn>, args...);
  } else if constexpr (std::is_void_v<R>) {
    Call::call(kFn, Out{}, args...);
  } else {
    return give<R>(Call::call(kFn, Out{}, args...));
  }
}

template <auto kFn, class R, class... A>
R apply_inplace(const Tensor& self, const A&... args) {
  using Call = Direct<decltype(kFn), Tensor, A...>;
  if constexpr (!Call::kKnown) {
    return call_boxed<R>(&call_inplace<kFn>, self, args...);
  } else if constexpr (Call::kTakesOut) {
    Call::call(kFn, Out{&defined(self)}, self, args...);
    return self;
  } else {
    assign_inplace(defined(self), Call::call(kFn, Out{}, self, args...));
    return self;
  }
}

template <auto kFn, class R, class... A>
R apply_out(const A&... args) {
  return call_boxed<R>(&call_out<kFn>, args...);
}

}  // namespace wick::direct
