// C++ functions as operators and methods take them: arguments out of IValues, results into them.
#pragma once

#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include <torch/types.h>

namespace wick_compat {

// Takes the arguments, gives the results.
using BoxedFunction = std::function<std::vector<c10::IValue>(std::vector<c10::IValue>&)>;

template <class F>
struct FunctionTypes : FunctionTypes<decltype(&F::operator())> {};
template <class R, class... A>
struct FunctionTypes<R(A...)> {
  using Result = R;
  using Plain = R(A...);
  static constexpr size_t kCount = sizeof...(A);
  static std::vector<c10::TypePtr> arguments() { return {c10::getTypePtr<A>()...}; }
};
template <class R, class... A>
struct FunctionTypes<R (*)(A...)> : FunctionTypes<R(A...)> {};
template <class R, class C, class... A>
struct FunctionTypes<R (C::*)(A...)> : FunctionTypes<R(A...)> {};
template <class R, class C, class... A>
struct FunctionTypes<R (C::*)(A...) const> : FunctionTypes<R(A...)> {};

// What an argument is held as while the function runs: views need something to look at.
template <class T>
struct Held {
  using type = T;
};
template <class T>
struct Held<c10::ArrayRef<T>> {
  using type = std::vector<T>;
};
template <>
struct Held<c10::string_view> {
  using type = std::string;
};
template <class T>
struct Held<c10::OptionalArrayRef<T>> {
  using type = c10::optional<std::vector<T>>;
};

template <class R>
struct Results {
  static std::vector<c10::TypePtr> types() { return {c10::getTypePtr<R>()}; }
  static std::vector<c10::IValue> of(R&& r) { return {c10::IValue(std::forward<R>(r))}; }
  template <class F>
  static std::vector<c10::IValue> call(F&& f) {
    return of(f());
  }
};
template <>
struct Results<void> {
  static std::vector<c10::TypePtr> types() { return {}; }
  template <class F>
  static std::vector<c10::IValue> call(F&& f) {
    f();
    return {};
  }
};
template <class... Ts>
struct Results<std::tuple<Ts...>> {
  static std::vector<c10::TypePtr> types() { return {c10::getTypePtr<Ts>()...}; }
  template <class F>
  static std::vector<c10::IValue> call(F&& f) {
    return c10::detail::tuple_items(f(), std::index_sequence_for<Ts...>());
  }
};

template <class F, class R, class... A, size_t... I>
std::vector<c10::IValue> call_boxed(F& f, std::vector<c10::IValue>& args, R (*)(A...), std::index_sequence<I...>) {
  TORCH_CHECK(args.size() == sizeof...(A), "expected ", sizeof...(A), " arguments but got ", args.size());
  std::tuple<typename Held<typename std::decay<A>::type>::type...> held{
      args[I].template to<typename Held<typename std::decay<A>::type>::type>()...};
  (void)held;
  return Results<R>::call([&]() -> R { return f(static_cast<A>(std::get<I>(held))...); });
}
template <class F>
BoxedFunction box(F f) {
  using Types = FunctionTypes<typename std::remove_pointer<F>::type>;
  return [f](std::vector<c10::IValue>& args) mutable {
    return call_boxed(f, args, static_cast<typename Types::Plain*>(nullptr), std::make_index_sequence<Types::kCount>());
  };
}

// "(Tensor _0, int _1) -> Tensor _0": the schema that PyTorch infers of a function.
std::string schema_of_types(const std::vector<c10::TypePtr>& arguments, const std::vector<c10::TypePtr>& results);
template <class F>
std::string inferred_schema() {
  using Types = FunctionTypes<typename std::remove_pointer<F>::type>;
  return schema_of_types(Types::arguments(), Results<typename Types::Result>::types());
}

}  // namespace wick_compat
