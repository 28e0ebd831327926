// c10::optional: a value or nothing, for C++14.
#pragma once

#include <exception>
#include <functional>
#include <initializer_list>
#include <new>
#include <type_traits>
#include <utility>
#if __cplusplus >= 201703L
#include <optional>
#endif

namespace c10 {

struct nullopt_t {
  struct init {};
  constexpr explicit nullopt_t(init) {}
};
constexpr nullopt_t nullopt{nullopt_t::init()};
struct in_place_t {};
constexpr in_place_t in_place{};

class bad_optional_access : public std::exception {
 public:
  const char* what() const noexcept override { return "bad optional access"; }
};

template <class T>
class optional;

namespace detail {
template <class T>
struct is_optional : std::false_type {};
template <class T>
struct is_optional<optional<T>> : std::true_type {};

// Whether an optional<T> may be made of a U implicitly.
template <class T, class U>
using enable_optional_of =
    typename std::enable_if<!std::is_same<typename std::decay<U>::type, optional<T>>::value &&
                                !std::is_same<typename std::decay<U>::type, in_place_t>::value &&
                                !std::is_same<typename std::decay<U>::type, nullopt_t>::value &&
                                std::is_constructible<T, U&&>::value && std::is_convertible<U&&, T>::value,
                            int>::type;
}  // namespace detail

template <class T>
class optional {
 public:
  using value_type = T;

  optional() noexcept {}
  optional(nullopt_t) noexcept {}
  optional(const optional& o) {
    if (o.has_) construct(*o);
  }
  optional(optional&& o) noexcept(std::is_nothrow_move_constructible<T>::value) {
    if (o.has_) construct(std::move(*o));
  }
  template <class U = T, detail::enable_optional_of<T, U> = 0>
  optional(U&& v) {
    construct(std::forward<U>(v));
  }
  template <class... Args>
  explicit optional(in_place_t, Args&&... args) {
    construct(std::forward<Args>(args)...);
  }
  template <class U, class = typename std::enable_if<std::is_convertible<const U&, T>::value &&
                                                     !std::is_constructible<T, const optional<U>&>::value>::type>
  optional(const optional<U>& o) {
    if (o) construct(*o);
  }
#if __cplusplus >= 201703L
  // Code for PyTorch 2 has the standard's.
  template <class U, class = typename std::enable_if<std::is_convertible<const U&, T>::value &&
                                                     !std::is_constructible<T, const std::optional<U>&>::value>::type>
  optional(const std::optional<U>& o) {
    if (o) construct(*o);
  }
  optional(std::nullopt_t) noexcept {}
#endif
  ~optional() { reset(); }

  optional& operator=(nullopt_t) noexcept {
    reset();
    return *this;
  }
  optional& operator=(const optional& o) {
    if (this == &o) return *this;
    if (o.has_) {
      assign(*o);
    } else {
      reset();
    }
    return *this;
  }
  optional& operator=(optional&& o) {
    if (this == &o) return *this;
    if (o.has_) {
      assign(std::move(*o));
    } else {
      reset();
    }
    return *this;
  }
  template <class U = T, detail::enable_optional_of<T, U> = 0>
  optional& operator=(U&& v) {
    assign(std::forward<U>(v));
    return *this;
  }
  template <class... Args>
  T& emplace(Args&&... args) {
    reset();
    construct(std::forward<Args>(args)...);
    return **this;
  }
  void reset() noexcept {
    if (!has_) return;
    has_ = false;
    get()->~T();
  }
  void clear() noexcept { reset(); }
  void swap(optional& o) { std::swap(*this, o); }

  explicit operator bool() const noexcept { return has_; }
  bool has_value() const noexcept { return has_; }
  T& operator*() & { return *get(); }
  const T& operator*() const& { return *get(); }
  T&& operator*() && { return std::move(*get()); }
  T* operator->() { return get(); }
  const T* operator->() const { return get(); }
  T& value() & { return has_ ? *get() : throw bad_optional_access(); }
  const T& value() const& { return has_ ? *get() : throw bad_optional_access(); }
  T&& value() && { return std::move(has_ ? *get() : throw bad_optional_access()); }
  template <class U>
  T value_or(U&& other) const& {
    return has_ ? *get() : static_cast<T>(std::forward<U>(other));
  }
  template <class U>
  T value_or(U&& other) && {
    return has_ ? std::move(*get()) : static_cast<T>(std::forward<U>(other));
  }
  T value_or_else(const std::function<T()>& other) const { return has_ ? *get() : other(); }

 private:
  T* get() { return reinterpret_cast<T*>(&storage_); }
  const T* get() const { return reinterpret_cast<const T*>(&storage_); }
  template <class... Args>
  void construct(Args&&... args) {
    new (&storage_) T(std::forward<Args>(args)...);
    has_ = true;
  }
  template <class U>
  void assign(U&& v) {
    if (has_) {
      *get() = std::forward<U>(v);
    } else {
      construct(std::forward<U>(v));
    }
  }

  typename std::aligned_storage<sizeof(T), alignof(T)>::type storage_;
  bool has_ = false;
};

template <class T>
bool operator==(const optional<T>& a, const optional<T>& b) {
  return a.has_value() == b.has_value() && (!a || *a == *b);
}
template <class T>
bool operator!=(const optional<T>& a, const optional<T>& b) {
  return !(a == b);
}
template <class T>
bool operator<(const optional<T>& a, const optional<T>& b) {
  return b && (!a || *a < *b);
}
template <class T>
bool operator==(const optional<T>& a, nullopt_t) noexcept {
  return !a;
}
template <class T>
bool operator==(nullopt_t, const optional<T>& a) noexcept {
  return !a;
}
template <class T>
bool operator!=(const optional<T>& a, nullopt_t) noexcept {
  return bool(a);
}
template <class T>
bool operator!=(nullopt_t, const optional<T>& a) noexcept {
  return bool(a);
}
template <class T, class U, class = typename std::enable_if<!detail::is_optional<U>::value>::type>
auto operator==(const optional<T>& a, const U& v) -> decltype(*a == v, bool()) {
  return a && *a == v;
}
template <class T, class U, class = typename std::enable_if<!detail::is_optional<U>::value>::type>
auto operator==(const U& v, const optional<T>& a) -> decltype(*a == v, bool()) {
  return a && *a == v;
}
template <class T, class U, class = typename std::enable_if<!detail::is_optional<U>::value>::type>
auto operator!=(const optional<T>& a, const U& v) -> decltype(*a == v, bool()) {
  return !(a && *a == v);
}

template <class T>
optional<typename std::decay<T>::type> make_optional(T&& v) {
  return optional<typename std::decay<T>::type>(std::forward<T>(v));
}

}  // namespace c10

namespace std {
template <class T>
struct hash<c10::optional<T>> {
  size_t operator()(const c10::optional<T>& v) const { return v ? std::hash<T>()(*v) : 0; }
};
}  // namespace std
