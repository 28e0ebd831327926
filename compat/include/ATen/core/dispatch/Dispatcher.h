// c10::Dispatcher: operators by name, those of the library and of the application, called boxed or by a signature.
#pragma once

#include <ATen/core/stack.h>
#include <torch/csrc/jit/api/module.h>

namespace c10 {

struct OperatorName {
  OperatorName(std::string n, std::string overload) : name(std::move(n)), overload_name(std::move(overload)) {}
  bool operator==(const OperatorName& o) const { return name == o.name && overload_name == o.overload_name; }
  bool operator!=(const OperatorName& o) const { return !(*this == o); }
  friend std::ostream& operator<<(std::ostream& out, const OperatorName& n) {
    out << n.name;
    return n.overload_name.empty() ? out : out << "." << n.overload_name;
  }
  std::string name;
  std::string overload_name;
};

template <class Function>
class TypedOperatorHandle;

// An operator. Valid as long as the operator is registered.
class OperatorHandle {
 public:
  const OperatorName& operator_name() const;
  const FunctionSchema& schema() const;
  bool hasSchema() const { return true; }
  // The arguments are the last values of the stack; the results take their place. Throws as the operator does.
  void callBoxed(torch::jit::Stack& stack) const;
  void callBoxed(torch::jit::Stack* stack) const { callBoxed(*stack); }
  // The signature must be the operator's.
  template <class Function>
  TypedOperatorHandle<Function> typed() const {
    return TypedOperatorHandle<Function>(*this);
  }

  struct State;
  explicit OperatorHandle(std::shared_ptr<const State> state) : state_(std::move(state)) {}

 private:
  std::shared_ptr<const State> state_;
};

namespace detail {
// What a call gives: results of a stack as C++ values, or the argument that was written to.
template <class R>
struct TypedResult {
  template <class... A>
  static R of(torch::jit::Stack& results, A&&...) {
    return results.at(0).template to<typename std::decay<R>::type>();
  }
};
template <>
struct TypedResult<void> {
  template <class... A>
  static void of(torch::jit::Stack&, A&&...) {}
};
template <class... R>
struct TypedResult<std::tuple<R...>> {
  template <class... A>
  static std::tuple<R...> of(torch::jit::Stack& results, A&&...) {
    return items(results, std::index_sequence_for<R...>());
  }
  template <size_t... I>
  static std::tuple<R...> items(torch::jit::Stack& results, std::index_sequence<I...>) {
    return std::tuple<R...>(results.at(I).template to<R>()...);
  }
};
inline at::Tensor* written_argument() { return nullptr; }
template <class... Rest>
at::Tensor* written_argument(at::Tensor& t, Rest&...) {
  return &t;
}
template <class T, class... Rest>
at::Tensor* written_argument(T&, Rest&... rest) {
  return written_argument(rest...);
}
template <>
struct TypedResult<at::Tensor&> {
  template <class... A>
  static at::Tensor& of(torch::jit::Stack&, A&... args) {
    return *written_argument(args...);
  }
};
template <>
struct TypedResult<const at::Tensor&> {
  template <class First, class... A>
  static const at::Tensor& of(torch::jit::Stack&, First& first, A&...) {
    return first;
  }
};
}  // namespace detail

template <class R, class... A>
class TypedOperatorHandle<R(A...)> : public OperatorHandle {
 public:
  explicit TypedOperatorHandle(const OperatorHandle& op) : OperatorHandle(op) {}
  R call(A... args) const {
    torch::jit::Stack stack{IValue(args)...};
    callBoxed(stack);
    return detail::TypedResult<R>::of(stack, args...);
  }
  R operator()(A... args) const { return call(std::forward<A>(args)...); }
};

class Dispatcher final {
 public:
  static Dispatcher& singleton();
  // nullopt when there is none.
  optional<OperatorHandle> findSchema(const OperatorName& name) const;
  optional<OperatorHandle> findOp(const OperatorName& name) const { return findSchema(name); }
  // Throws c10::Error when there is none.
  OperatorHandle findSchemaOrThrow(const char* name, const char* overload_name) const;
  std::vector<OperatorName> getAllOpNames() const;
};

}  // namespace c10
