// Adapters between IValues and typed C++ functions. One adapter serves all functions of the same type.
//
// Parameter types an operator function may have, and what they take:
//   const Tensor&                 Tensor                 const OptTensor&        Tensor?
//   const TensorList&             Tensor[]               const OptTensorList&    Tensor?[]
//   int64_t / double / bool       int / float / bool     std::optional<...>      int? ...
//   const Scalar&                 Scalar                 IntSpan                 int[]
//   Span<double>                  float[]                const std::optional<IntVec>&   int[]?
//   std::string_view              str                    DType, MemoryFormat     their int codes
//   Device                        Device                 TensorOptions           dtype, layout, device, pin_memory
//   (four arguments) GeneratorArg                  Generator?             const IValue&           anything ListImpl&
//   DictImpl& TupleImpl& ObjectImpl&           lists, dicts, ... by reference Args                          all
//   remaining arguments (varargs) Out                           last parameter only, no argument: where to write the
//   result
// Return types: void, Tensor, IValue, numbers, std::string, Scalar, IntVec, std::vector<int64_t/double/Tensor>,
// std::optional of these, std::tuple of these (several results).
#pragma once

#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "core/check.h"
#include "core/operator.h"
#include "wick/arguments.h"
#include "wick/ivalue.h"

namespace wick {

using AnyFn = void (*)();

using OptTensor = std::optional<Tensor>;
using TensorList = std::vector<Tensor>;
using OptTensorList = std::vector<OptTensor>;

struct GeneratorArg {
  GeneratorImpl* generator = nullptr;  // null: the default generator
};
struct Args {
  IValue* values;
  size_t count;
  const IValue& operator[](size_t i) const { return values[i]; }
};
// Destination of a result. Null in the functional form: allocate.
struct Out {
  const Tensor* tensor = nullptr;
  explicit operator bool() const { return tensor != nullptr; }
};

// Writes `result` to the self of an in-place operator: same shape and castable dtype required.
void assign_inplace(const Tensor& self, const Tensor& result);
// Writes `result` to an out argument: resized to the result's shape, castable dtype required.
void assign_out(const Tensor& out, const Tensor& result);

DType to_dtype_arg(const IValue& v);
MemoryFormat to_memory_format_arg(const IValue& v);

template <class T>
struct Unbox;

#define WICK_UNBOX(type, expression)                        \
  template <>                                               \
  struct Unbox<type> {                                      \
    static constexpr size_t kCount = 1;                     \
    using Held = type;                                      \
    static type get(const IValue* v) { return expression; } \
  };
WICK_UNBOX(int64_t, v->to_int())
WICK_UNBOX(double, v->to_double())
WICK_UNBOX(bool, v->to_bool())
WICK_UNBOX(Scalar, v->to_scalar())
WICK_UNBOX(Device, v->to_device())
WICK_UNBOX(DType, to_dtype_arg(*v))
WICK_UNBOX(MemoryFormat, to_memory_format_arg(*v))
WICK_UNBOX(TensorList, v->to_tensor_vec())
WICK_UNBOX(IntVec, v->to_int_vec())
WICK_UNBOX(std::vector<double>, v->to_double_vec())
WICK_UNBOX(std::string, v->to_string())
WICK_UNBOX(std::complex<double>, v->to_complex())
#undef WICK_UNBOX
template <>
struct Unbox<OptTensorList> {
  static constexpr size_t kCount = 1;
  using Held = OptTensorList;
  static OptTensorList get(const IValue* v);
};
template <>
struct Unbox<IntSpan> : Unbox<IntVec> {};
template <>
struct Unbox<Span<double>> : Unbox<std::vector<double>> {};
template <>
struct Unbox<Tensor> {
  static constexpr size_t kCount = 1;
  using Held = const Tensor&;
  static const Tensor& get(const IValue* v) { return v->to_tensor(); }
};
template <>
struct Unbox<std::string_view> {
  static constexpr size_t kCount = 1;
  using Held = std::string_view;
  static std::string_view get(const IValue* v) { return v->to_string(); }
};
template <>
struct Unbox<IValue> {
  static constexpr size_t kCount = 1;
  using Held = const IValue&;
  static const IValue& get(const IValue* v) { return *v; }
};
#define WICK_UNBOX_REF(type, accessor)                          \
  template <>                                                   \
  struct Unbox<type> {                                          \
    static constexpr size_t kCount = 1;                         \
    using Held = type&;                                         \
    static type& get(const IValue* v) { return v->accessor(); } \
  };
WICK_UNBOX_REF(ListImpl, to_list)
WICK_UNBOX_REF(DictImpl, to_dict)
WICK_UNBOX_REF(TupleImpl, to_tuple)
WICK_UNBOX_REF(ObjectImpl, to_object)
WICK_UNBOX_REF(CustomObject, to_custom)
#undef WICK_UNBOX_REF
template <>
struct Unbox<GeneratorArg> {
  static constexpr size_t kCount = 1;
  using Held = GeneratorArg;
  static GeneratorArg get(const IValue* v) { return {v->is_none() ? nullptr : &v->to_generator()}; }
};
template <>
struct Unbox<TensorOptions> {
  static constexpr size_t kCount = 4;
  using Held = TensorOptions;
  static TensorOptions get(const IValue* v);
};
template <class T>
struct Unbox<std::optional<T>> {
  static constexpr size_t kCount = 1;
  using Held = std::optional<T>;
  static std::optional<T> get(const IValue* v) {
    if (v->is_none()) return std::nullopt;
    return std::optional<T>(Unbox<T>::get(v));
  }
};
template <>
struct Unbox<Out> {
  static constexpr size_t kCount = 0;
  using Held = Out;
};
template <>
struct Unbox<Args> {
  static constexpr size_t kCount = 0;
  using Held = Args;
};

inline IValue to_ivalue(IValue v) { return v; }
inline IValue to_ivalue(Tensor v) { return IValue(std::move(v)); }
inline IValue to_ivalue(const Scalar& v) { return IValue(v); }
inline IValue to_ivalue(int64_t v) { return IValue(v); }
inline IValue to_ivalue(double v) { return IValue(v); }
inline IValue to_ivalue(bool v) { return IValue(v); }
inline IValue to_ivalue(std::complex<double> v) { return IValue(v); }
inline IValue to_ivalue(Device v) { return IValue(v); }
inline IValue to_ivalue(DType v) { return IValue(static_cast<int64_t>(v)); }
inline IValue to_ivalue(std::string v) { return IValue(std::move(v)); }
inline IValue to_ivalue(const IntVec& v) { return IValue::int_list(v); }
inline IValue to_ivalue(const std::vector<int64_t>& v) { return IValue::int_list(v); }
inline IValue to_ivalue(const std::vector<double>& v) { return IValue::double_list(v); }
inline IValue to_ivalue(TensorList v) { return IValue::tensor_list(std::move(v)); }
template <class T>
IValue to_ivalue(std::optional<T> v) {
  return v ? to_ivalue(std::move(*v)) : IValue();
}

template <class R>
void put_results(R&& r, IValue* rets) {
  if constexpr (std::is_arithmetic_v<R>) {  // most often over another number, in a few instructions
    if (rets->ref_or_null()) std::destroy_at(rets);
    std::construct_at(rets, r);
  } else {
    rets[0] = to_ivalue(std::forward<R>(r));
  }
}
template <class... Rs>
void put_results(std::tuple<Rs...>&& r, IValue* rets) {
  [&]<size_t... I>(std::index_sequence<I...>) { ((rets[I] = to_ivalue(std::move(std::get<I>(r)))), ...); }
  (std::index_sequence_for<Rs...>{});
}

template <class F>
struct Box;

template <class R, class... P>
struct Box<R (*)(P...)> {
  using Fn = R (*)(P...);
  static constexpr size_t kParams = sizeof...(P);
  static constexpr size_t kArgs = (0 + ... + Unbox<std::remove_cvref_t<P>>::kCount);
  static constexpr bool kTakesOut = (std::is_same_v<std::remove_cvref_t<P>, Out> || ... || false);
  static constexpr bool kTakesRest = (std::is_same_v<std::remove_cvref_t<P>, Args> || ... || false);

  template <class T>
  struct ResultCount {
    static constexpr int16_t value = 1;
  };
  template <class... Rs>
  struct ResultCount<std::tuple<Rs...>> {
    static constexpr int16_t value = sizeof...(Rs);
  };
  static constexpr int16_t plain_arity = kTakesRest ? -1 : static_cast<int16_t>(kArgs);
  static constexpr int16_t inplace_arity = plain_arity;
  static constexpr int16_t out_arity = plain_arity + ResultCount<R>::value;

  // Offset of parameter I among the arguments.
  template <size_t I>
  static constexpr size_t offset() {
    constexpr size_t counts[] = {Unbox<std::remove_cvref_t<P>>::kCount..., 0};
    size_t sum = 0;
    for (size_t k = 0; k < I; ++k) sum += counts[k];
    return sum;
  }
  template <size_t I, class T>
  static typename Unbox<T>::Held fetch(IValue* args, size_t nargs, Out out) {
    if constexpr (std::is_same_v<T, Out>) {
      return out;
    } else if constexpr (std::is_same_v<T, Args>) {
      return Args{args + offset<I>(), nargs - offset<I>()};
    } else {
      return Unbox<T>::get(args + offset<I>());
    }
  }
  static R invoke(AnyFn fn, IValue* args, size_t nargs, Out out) {
    return [&]<size_t... I>(std::index_sequence<I...>)->R {
      return reinterpret_cast<Fn>(fn)(fetch<I, std::remove_cvref_t<P>>(args, nargs, out)...);
    }
    (std::index_sequence_for<P...>{});
  }

  [[gnu::noinline]] static void plain(IValue* args, size_t nargs, IValue* rets, AnyFn fn) {
    if constexpr (std::is_void_v<R>) {
      invoke(fn, args, nargs, Out{});
    } else {
      put_results(invoke(fn, args, nargs, Out{}), rets);
    }
  }
  [[gnu::noinline]] static void inplace(IValue* args, size_t nargs, IValue* rets, AnyFn fn) {
    const Tensor self = args[0].to_tensor();
    if constexpr (kTakesOut) {
      invoke(fn, args, nargs, Out{&self});
    } else {
      assign_inplace(self, invoke(fn, args, nargs, Out{}));
    }
    rets[0] = IValue(self);
  }
  [[gnu::noinline]] static void out(IValue* args, size_t nargs, IValue* rets, AnyFn fn) {
    if constexpr (std::is_same_v<R, Tensor>) {
      const Tensor dst = args[kArgs].to_tensor();
      if constexpr (kTakesOut) {
        invoke(fn, args, nargs, Out{&dst});
      } else {
        assign_out(dst, invoke(fn, args, nargs, Out{}));
      }
      rets[0] = IValue(dst);
    } else {
      out_tuple(invoke(fn, args, nargs, Out{}), args + kArgs, rets);
    }
  }
  template <class... Rs>
  static void out_tuple(std::tuple<Rs...>&& r, IValue* outs, IValue* rets) {
    [&]<size_t... I>(std::index_sequence<I...>) {
      ((assign_out(outs[I].to_tensor(), std::get<I>(r)), rets[I] = outs[I]), ...);
    }
    (std::index_sequence_for<Rs...>{});
  }
};

// The operator a function is: what is left to do after the adapter all functions of its type share.
template <auto kFn>
void call_plain(IValue* args, size_t nargs, IValue* rets) {
  Box<decltype(kFn)>::plain(args, nargs, rets, reinterpret_cast<AnyFn>(kFn));
}
template <auto kFn>
void call_inplace(IValue* args, size_t nargs, IValue* rets) {
  Box<decltype(kFn)>::inplace(args, nargs, rets, reinterpret_cast<AnyFn>(kFn));
}
template <auto kFn>
void call_out(IValue* args, size_t nargs, IValue* rets) {
  Box<decltype(kFn)>::out(args, nargs, rets, reinterpret_cast<AnyFn>(kFn));
}

}  // namespace wick
