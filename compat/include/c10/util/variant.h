// c10::variant: a value of one of several types. With C++17 it is the standard library's.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <new>
#include <type_traits>
#include <utility>

#if __cplusplus >= 201703L
#include <variant>

namespace c10 {
using std::bad_variant_access;
using std::get;
using std::get_if;
using std::holds_alternative;
using std::monostate;
using std::variant;
using std::variant_alternative;
using std::variant_alternative_t;
using std::variant_size;
using std::visit;
constexpr size_t variant_npos = std::variant_npos;
}  // namespace c10

#else

namespace c10 {

class bad_variant_access : public std::exception {
 public:
  const char* what() const noexcept override { return "bad_variant_access"; }
};
struct monostate {};
inline bool operator==(monostate, monostate) noexcept { return true; }
inline bool operator!=(monostate, monostate) noexcept { return false; }
constexpr size_t variant_npos = static_cast<size_t>(-1);

template <class... Ts>
class variant;
template <class V>
struct variant_size;
template <class... Ts>
struct variant_size<variant<Ts...> > : std::integral_constant<size_t, sizeof...(Ts)> {};

namespace variant_detail {
template <size_t I, class T, class... Rest>
struct At {
  using type = typename At<I - 1, Rest...>::type;
};
template <class T, class... Rest>
struct At<0, T, Rest...> {
  using type = T;
};
template <class T, class... Ts>
struct IndexOf;
template <class T, class... Rest>
struct IndexOf<T, T, Rest...> : std::integral_constant<size_t, 0> {};
template <class T, class First, class... Rest>
struct IndexOf<T, First, Rest...> : std::integral_constant<size_t, 1 + IndexOf<T, Rest...>::value> {};
template <class T>
struct IndexOf<T> : std::integral_constant<size_t, 0> {};

// Overload resolution picks the alternative that a value becomes.
template <size_t I, class... Ts>
struct Choice {
  void operator()() const;
};
template <size_t I, class T, class... Rest>
struct Choice<I, T, Rest...> : Choice<I + 1, Rest...> {
  using Choice<I + 1, Rest...>::operator();
  std::integral_constant<size_t, I> operator()(T) const;
};

constexpr size_t largest(size_t a) { return a; }
template <class... Rest>
constexpr size_t largest(size_t a, size_t b, Rest... rest) {
  return largest(a > b ? a : b, rest...);
}

// Calls f with the alternative that a place holds.
template <size_t I, class... Ts>
struct Held {
  template <class R, class Place, class F>
  static R apply(size_t, Place*, F&&) {
    throw bad_variant_access();
  }
};
template <size_t I, class T, class... Rest>
struct Held<I, T, Rest...> {
  template <class R, class Place, class F>
  static R apply(size_t index, Place* place, F&& f) {
    using Item = typename std::conditional<std::is_const<Place>::value, const T, T>::type;
    if (index == I) return std::forward<F>(f)(*static_cast<Item*>(place));
    return Held<I + 1, Rest...>::template apply<R>(index, place, std::forward<F>(f));
  }
};
struct Destroy {
  template <class T>
  void operator()(T& v) const {
    v.~T();
  }
};
struct CopyTo {
  void* place;
  template <class T>
  void operator()(const T& v) const {
    new (place) T(v);
  }
};
struct MoveTo {
  void* place;
  template <class T>
  void operator()(T& v) const {
    new (place) T(std::move(v));
  }
};
struct EqualTo {
  const void* other;
  template <class T>
  bool operator()(const T& v) const {
    return v == *static_cast<const T*>(other);
  }
};
}  // namespace variant_detail

template <size_t I, class V>
struct variant_alternative;
template <size_t I, class... Ts>
struct variant_alternative<I, variant<Ts...> > {
  using type = typename variant_detail::At<I, Ts...>::type;
};
template <size_t I, class V>
using variant_alternative_t = typename variant_alternative<I, V>::type;

template <class... Ts>
class variant {
  using Alternatives = variant_detail::Held<0, Ts...>;
  template <class T>
  using Chosen = decltype(std::declval<variant_detail::Choice<0, Ts...> >()(std::declval<T>()));

 public:
  variant() {
    new (place()) variant_alternative_t<0, variant>();
    index_ = 0;
  }
  variant(const variant& o) { copy_from(o); }
  variant(variant&& o) { move_from(o); }
  template <class T, class = typename std::enable_if<!std::is_same<typename std::decay<T>::type, variant>::value>::type,
            class I = Chosen<T> >
  variant(T&& v) {
    new (place()) variant_alternative_t<I::value, variant>(std::forward<T>(v));
    index_ = I::value;
  }
  ~variant() { reset(); }
  // Without a value when the copy throws.
  variant& operator=(const variant& o) {
    if (this != &o) {
      reset();
      copy_from(o);
    }
    return *this;
  }
  variant& operator=(variant&& o) {
    if (this != &o) {
      reset();
      move_from(o);
    }
    return *this;
  }
  template <class T, class... Args>
  T& emplace(Args&&... args) {
    reset();
    T* made = new (place()) T(std::forward<Args>(args)...);
    index_ = variant_detail::IndexOf<T, Ts...>::value;
    return *made;
  }

  size_t index() const noexcept { return index_; }
  bool valueless_by_exception() const noexcept { return index_ == variant_npos; }
  void swap(variant& o) { std::swap(*this, o); }
  friend bool operator==(const variant& a, const variant& b) {
    if (a.index_ != b.index_) return false;
    if (a.index_ == variant_npos) return true;
    return Alternatives::template apply<bool>(a.index_, a.place(), variant_detail::EqualTo{b.place()});
  }
  friend bool operator!=(const variant& a, const variant& b) { return !(a == b); }

  // For the functions below.
  void* place() noexcept { return &storage_; }
  const void* place() const noexcept { return &storage_; }
  template <class R, class F>
  R apply(F&& f) {
    return Alternatives::template apply<R>(index_, place(), std::forward<F>(f));
  }
  template <class R, class F>
  R apply(F&& f) const {
    return Alternatives::template apply<R>(index_, place(), std::forward<F>(f));
  }

 private:
  void reset() {
    if (index_ != variant_npos) apply<void>(variant_detail::Destroy());
    index_ = variant_npos;
  }
  void copy_from(const variant& o) {
    if (o.index_ != variant_npos) o.template apply<void>(variant_detail::CopyTo{place()});
    index_ = o.index_;
  }
  void move_from(variant& o) {
    if (o.index_ != variant_npos) o.template apply<void>(variant_detail::MoveTo{place()});
    index_ = o.index_;
  }

  typename std::aligned_storage<variant_detail::largest(sizeof(Ts)...), variant_detail::largest(alignof(Ts)...)>::type
      storage_;
  size_t index_ = variant_npos;
};

template <class T, class... Ts>
bool holds_alternative(const variant<Ts...>& v) noexcept {
  return v.index() == variant_detail::IndexOf<T, Ts...>::value;
}
template <class T, class... Ts>
T* get_if(variant<Ts...>* v) noexcept {
  return v && holds_alternative<T>(*v) ? static_cast<T*>(v->place()) : nullptr;
}
template <class T, class... Ts>
const T* get_if(const variant<Ts...>* v) noexcept {
  return v && holds_alternative<T>(*v) ? static_cast<const T*>(v->place()) : nullptr;
}
template <size_t I, class... Ts>
variant_alternative_t<I, variant<Ts...> >* get_if(variant<Ts...>* v) noexcept {
  return v && v->index() == I ? static_cast<variant_alternative_t<I, variant<Ts...> >*>(v->place()) : nullptr;
}
template <size_t I, class... Ts>
const variant_alternative_t<I, variant<Ts...> >* get_if(const variant<Ts...>* v) noexcept {
  return v && v->index() == I ? static_cast<const variant_alternative_t<I, variant<Ts...> >*>(v->place()) : nullptr;
}
// Throw bad_variant_access when the variant holds another type.
template <class T, class... Ts>
T& get(variant<Ts...>& v) {
  if (T* item = get_if<T>(&v)) return *item;
  throw bad_variant_access();
}
template <class T, class... Ts>
const T& get(const variant<Ts...>& v) {
  if (const T* item = get_if<T>(&v)) return *item;
  throw bad_variant_access();
}
template <class T, class... Ts>
T&& get(variant<Ts...>&& v) {
  return std::move(get<T>(v));
}
template <size_t I, class... Ts>
variant_alternative_t<I, variant<Ts...> >& get(variant<Ts...>& v) {
  if (auto* item = get_if<I>(&v)) return *item;
  throw bad_variant_access();
}
template <size_t I, class... Ts>
const variant_alternative_t<I, variant<Ts...> >& get(const variant<Ts...>& v) {
  if (const auto* item = get_if<I>(&v)) return *item;
  throw bad_variant_access();
}
template <class Visitor, class... Ts>
auto visit(Visitor&& visitor, variant<Ts...>& v) -> decltype(visitor(*get_if<0>(&v))) {
  return v.template apply<decltype(visitor(*get_if<0>(&v)))>(std::forward<Visitor>(visitor));
}
template <class Visitor, class... Ts>
auto visit(Visitor&& visitor, const variant<Ts...>& v) -> decltype(visitor(*get_if<0>(&v))) {
  return v.template apply<decltype(visitor(*get_if<0>(&v)))>(std::forward<Visitor>(visitor));
}

}  // namespace c10

#endif
