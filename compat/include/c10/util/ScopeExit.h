// Small helpers of c10/util: scope exits, call_once, function_ref, type identifiers.
#pragma once

#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>

namespace c10 {

template <class F>
class scope_exit {
 public:
  explicit scope_exit(F f) : f_(std::move(f)) {}
  scope_exit(scope_exit&& o) : f_(std::move(o.f_)), armed_(o.armed_) { o.release(); }
  ~scope_exit() {
    if (armed_) f_();
  }
  void release() { armed_ = false; }

 private:
  F f_;
  bool armed_ = true;
};
template <class F>
scope_exit<typename std::decay<F>::type> make_scope_exit(F&& f) {
  return scope_exit<typename std::decay<F>::type>(std::forward<F>(f));
}

using once_flag = std::once_flag;
template <class F, class... Args>
void call_once(once_flag& flag, F&& f, Args&&... args) {
  std::call_once(flag, std::forward<F>(f), std::forward<Args>(args)...);
}

template <class F>
class function_ref;
template <class R, class... P>
class function_ref<R(P...)> {
 public:
  function_ref() = default;
  template <class F,
            class = typename std::enable_if<!std::is_same<typename std::decay<F>::type, function_ref>::value>::type>
  function_ref(F&& f)
      : call_([](void* target, P... args) -> R {
          return (*static_cast<typename std::remove_reference<F>::type*>(target))(std::forward<P>(args)...);
        }),
        target_(const_cast<void*>(static_cast<const void*>(std::addressof(f)))) {}
  R operator()(P... args) const { return call_(target_, std::forward<P>(args)...); }
  explicit operator bool() const { return call_ != nullptr; }

 private:
  R (*call_)(void*, P...) = nullptr;
  void* target_ = nullptr;
};

namespace guts {
template <bool B>
using bool_constant = std::integral_constant<bool, B>;
template <class T>
using remove_cvref_t = typename std::remove_cv<typename std::remove_reference<T>::type>::type;
}  // namespace guts

}  // namespace c10

namespace torch {
template <class T, class... Args>
std::unique_ptr<T> make_unique(Args&&... args) {
  return std::unique_ptr<T>(new T(std::forward<Args>(args)...));
}
}  // namespace torch
