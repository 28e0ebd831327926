// Operators and classes of an application's own, registered at run time.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "wick/ivalue.h"

namespace wick {

namespace detail {

template <class F>
struct FunctionTypes : FunctionTypes<decltype(&F::operator())> {};
template <class R, class... A>
struct FunctionTypes<R (*)(A...)> {
  using Result = R;
  using Arguments = std::tuple<std::remove_cvref_t<A>...>;
};
template <class R, class C, class... A>
struct FunctionTypes<R (C::*)(A...)> : FunctionTypes<R (*)(A...)> {};
template <class R, class C, class... A>
struct FunctionTypes<R (C::*)(A...) const> : FunctionTypes<R (*)(A...)> {};

}  // namespace detail

// What loading and running models knows beside the operators and classes of the library. One for the process, made when
// it is first used: registering from the constructor of a static object works, and nothing registers by itself.
//
//   wick::Registry::add_operator("my_ops::scale(Tensor x, float by=2.) -> Tensor",
//                                [](const wick::Tensor& x, double by) { return x.mul(by); });
//   wick::Module module = wick::load("model.ptl");   // may call torch.ops.my_ops.scale
//
// Models that call an operator or hold an object of a class are loaded after it is registered. An operator that is
// removed is not found any more by loads; models that were loaded with it keep it. The planner leaves these operators
// and the order of their calls as they are.
//
// Threads: all members may be called from several threads; a registered function is called by every thread that runs a
// model, several at once.
class Registry {
 public:
  // Takes the arguments of the schema, defaults filled in, and gives its results.
  using Function = std::function<std::vector<IValue>(std::vector<IValue> args)>;
  // Makes an object: of the state that its get_state() gave and a file holds, or of the arguments of a call
  // `torch.classes.NAMESPACE.NAME(...)`.
  using Factory = std::function<Ref<CustomObject>(std::vector<IValue> args)>;

  // The schema is "namespace::name.overload(Type name=default, ...) -> Type", as PyTorch writes it. Throws
  // kInvalidArgument for one that cannot be read, a name that there is, and a function whose parameters are not the
  // schema's. Parameters and results are the types that IValue::to<T>() knows; several results are a std::tuple.
  template <class F>
  static void add_operator(std::string_view schema, F function) {
    if constexpr (std::is_same_v<F, Function>) {
      add_boxed(schema, std::move(function), nullptr);
    } else {
      using Types = detail::FunctionTypes<F>;
      using Arguments = typename Types::Arguments;
      const std::vector<TypePtr> types = types_of(static_cast<Arguments*>(nullptr));
      add_boxed(
          schema,
          [function = std::move(function)](std::vector<IValue> args) mutable {
            return call<typename Types::Result, Arguments>(function, args);
          },
          &types);
    }
  }
  // False when there is none of this full name ("my_ops::scale").
  static bool remove_operator(std::string_view full_name);
  // Schemas of the operators that are registered.
  static std::vector<std::string> operators();

  // "my_ns.Counter" for torch.classes.my_ns.Counter. Objects restored from files are made by `restore` of one argument,
  // their state; those that a model's code makes by `construct`, if it is given. Throws kInvalidArgument for a name
  // that there is.
  static void add_class(std::string_view name, Factory restore, Factory construct = nullptr);
  static bool remove_class(std::string_view name);
  // Names of the classes that are registered.
  static std::vector<std::string> classes();

 private:
  template <class... A>
  static std::vector<TypePtr> types_of(std::tuple<A...>*) {
    return {ValueOf<A>::type()...};
  }
  template <class R, class Arguments, class F>
  static std::vector<IValue> call(F& function, const std::vector<IValue>& args) {
    return [&]<size_t... I>(std::index_sequence<I...>) {
      const auto run = [&]() -> R { return function(args[I].template to<std::tuple_element_t<I, Arguments>>()...); };
      if constexpr (std::is_void_v<R>) {
        run();
        return std::vector<IValue>();
      } else {
        return results_of(run());
      }
    }
    (std::make_index_sequence<std::tuple_size_v<Arguments>>{});
  }
  template <class R>
  static std::vector<IValue> results_of(const R& result) {
    return {ValueOf<R>::make(result)};
  }
  template <class... R>
  static std::vector<IValue> results_of(const std::tuple<R...>& results) {
    return std::apply([](const R&... each) { return std::vector<IValue>{ValueOf<R>::make(each)...}; }, results);
  }
  static void add_boxed(std::string_view schema, Function function, const std::vector<TypePtr>* parameters);
};

}  // namespace wick
