// The stack that boxed operators and methods take their arguments from: the last argument is at its end.
#pragma once

#include <tuple>
#include <utility>

#include <ATen/core/ivalue.h>

namespace torch {
namespace jit {

// The i-th of the last n values.
inline c10::IValue& peek(Stack& stack, size_t i, size_t n) { return *(stack.end() - n + i); }
inline c10::IValue& peek(Stack* stack, size_t i, size_t n) { return peek(*stack, i, n); }
inline const c10::IValue& peek(const Stack& stack, size_t i, size_t n) { return *(stack.end() - n + i); }
inline at::ArrayRef<c10::IValue> last(const Stack& stack, size_t n) {
  return at::ArrayRef<c10::IValue>(stack.data() + stack.size() - n, n);
}
inline at::ArrayRef<c10::IValue> last(const Stack* stack, size_t n) { return last(*stack, n); }
inline void drop(Stack& stack, size_t n) { stack.erase(stack.end() - n, stack.end()); }
inline void drop(Stack* stack, size_t n) { drop(*stack, n); }
inline c10::IValue pop(Stack& stack) {
  c10::IValue out = std::move(stack.back());
  stack.pop_back();
  return out;
}
inline c10::IValue pop(Stack* stack) { return pop(*stack); }
inline std::vector<c10::IValue> pop(Stack& stack, size_t n) {
  std::vector<c10::IValue> out(std::make_move_iterator(stack.end() - n), std::make_move_iterator(stack.end()));
  drop(stack, n);
  return out;
}
// Into variables, the first argument first.
template <class T, class... Ts>
void pop(Stack& stack, T& first, Ts&... rest) {
  const size_t n = 1 + sizeof...(Ts);
  size_t i = 0;
  first = peek(stack, i++, n).template to<T>();
  const int order[] = {0, (rest = peek(stack, i++, n).template to<Ts>(), 0)...};
  (void)order;
  drop(stack, n);
}
template <class T, class... Ts>
void pop(Stack* stack, T& first, Ts&... rest) {
  pop(*stack, first, rest...);
}
template <class T>
void push_one(Stack& stack, T&& value) {
  stack.emplace_back(std::forward<T>(value));
}
inline void push(Stack&) {}
template <class T, class... Ts>
void push(Stack& stack, T&& first, Ts&&... rest) {
  stack.emplace_back(std::forward<T>(first));
  push(stack, std::forward<Ts>(rest)...);
}
template <class... Ts>
void push(Stack* stack, Ts&&... values) {
  push(*stack, std::forward<Ts>(values)...);
}
template <class T>
void push_list_elements(Stack& stack, const c10::List<T>& elements) {
  for (T element : elements) stack.emplace_back(std::move(element));
}
// A tuple's items, one by one.
template <class T>
void pack(Stack& stack, T&& value) {
  stack.emplace_back(std::forward<T>(value));
}
template <class... Ts, size_t... I>
void pack_items(Stack& stack, std::tuple<Ts...>&& values, std::index_sequence<I...>) {
  push(stack, std::get<I>(std::move(values))...);
}
template <class... Ts>
void pack(Stack& stack, std::tuple<Ts...>&& values) {
  pack_items(stack, std::move(values), std::index_sequence_for<Ts...>());
}
template <class T>
void pack(Stack* stack, T&& value) {
  pack(*stack, std::forward<T>(value));
}

// What calls an operator: takes its arguments from the stack and leaves the results there.
class Operation {
 public:
  Operation() = default;
  template <class F, class = decltype(std::declval<F&>()(std::declval<Stack&>()))>
  Operation(F function) : function_(std::move(function)) {}
  explicit operator bool() const noexcept { return static_cast<bool>(function_); }
  void operator()(Stack& stack) { function_(stack); }
  void operator()(Stack* stack) { function_(*stack); }

 private:
  std::function<void(Stack&)> function_;
};

}  // namespace jit
}  // namespace torch
