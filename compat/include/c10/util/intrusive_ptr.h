// c10::intrusive_ptr: a counted pointer to objects that carry their count.
//
// Two kinds of objects are pointed to: those of the application, derived from intrusive_ptr_target (custom classes),
// and values of Wick (tuples, objects, futures), whose classes here derive from wick_compat::Value, have no members and
// are never constructed: their address is that of Wick's object.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <ostream>
#include <type_traits>
#include <utility>

#include <c10/macros/Macros.h>

namespace wick_compat {
struct Value {
  Value() = delete;
  Value(const Value&) = delete;
};
// Counts of Wick's objects; null is allowed.
void retain(const void* object) noexcept;
void release(const void* object) noexcept;
size_t use_count(const void* object) noexcept;
}  // namespace wick_compat

namespace c10 {

// Threads: the count may be changed by several threads at once.
class intrusive_ptr_target {
 public:
  intrusive_ptr_target() noexcept = default;
  intrusive_ptr_target(const intrusive_ptr_target&) noexcept {}
  intrusive_ptr_target& operator=(const intrusive_ptr_target&) noexcept { return *this; }
  virtual ~intrusive_ptr_target() = default;

  void retain_target() const noexcept { count_.fetch_add(1, std::memory_order_relaxed); }
  void release_target() const noexcept {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    const_cast<intrusive_ptr_target*>(this)->release_resources();
    delete this;
  }
  size_t target_use_count() const noexcept { return count_.load(std::memory_order_acquire); }

 protected:
  virtual void release_resources() {}

 private:
  mutable std::atomic<size_t> count_{0};
};

namespace detail {
template <class T, bool kValue = std::is_base_of<wick_compat::Value, T>::value>
struct Counted {  // a value of Wick
  static void retain(T* p) noexcept { wick_compat::retain(p); }
  static void release(T* p) noexcept { wick_compat::release(p); }
  static size_t use_count(T* p) noexcept { return p ? wick_compat::use_count(p) : 0; }
};
template <class T>
struct Counted<T, false> {
  static void retain(T* p) noexcept {
    if (p) p->retain_target();
  }
  static void release(T* p) noexcept {
    if (p) p->release_target();
  }
  static size_t use_count(T* p) noexcept { return p ? p->target_use_count() : 0; }
};
template <class T>
struct intrusive_target_default_null_type final {
  static constexpr T* singleton() noexcept { return nullptr; }
};
}  // namespace detail

template <class T, class NullType = detail::intrusive_target_default_null_type<T>>
class intrusive_ptr final {
 public:
  using element_type = T;
  intrusive_ptr() noexcept = default;
  intrusive_ptr(std::nullptr_t) noexcept {}
  intrusive_ptr(const intrusive_ptr& o) noexcept : p_(o.p_) { retain(); }
  intrusive_ptr(intrusive_ptr&& o) noexcept : p_(o.p_) { o.p_ = nullptr; }
  template <class U, class N, class = typename std::enable_if<std::is_convertible<U*, T*>::value>::type>
  intrusive_ptr(const intrusive_ptr<U, N>& o) noexcept : p_(o.get()) {
    retain();
  }
  template <class U, class N, class = typename std::enable_if<std::is_convertible<U*, T*>::value>::type>
  intrusive_ptr(intrusive_ptr<U, N>&& o) noexcept : p_(o.release()) {}
  ~intrusive_ptr() { detail::Counted<T>::release(p_); }
  intrusive_ptr& operator=(intrusive_ptr o) & noexcept {
    swap(o);
    return *this;
  }

  T* get() const noexcept { return p_; }
  T& operator*() const noexcept { return *p_; }
  T* operator->() const noexcept { return p_; }
  operator bool() const noexcept { return p_ != nullptr; }
  bool defined() const noexcept { return p_ != nullptr; }
  void reset() noexcept { *this = intrusive_ptr(); }
  void swap(intrusive_ptr& o) noexcept { std::swap(p_, o.p_); }
  size_t use_count() const noexcept { return detail::Counted<T>::use_count(p_); }
  size_t weak_use_count() const noexcept { return p_ ? 1 : 0; }
  bool unique() const noexcept { return use_count() == 1; }
  // Gives up ownership; reclaim() takes it back.
  T* release() noexcept {
    T* p = p_;
    p_ = nullptr;
    return p;
  }
  static intrusive_ptr reclaim(T* owned) {
    intrusive_ptr r;
    r.p_ = owned;
    return r;
  }
  static intrusive_ptr reclaim_copy(T* p) {
    intrusive_ptr r = reclaim(p);
    r.retain();
    return r;
  }
  static intrusive_ptr unsafe_steal_from_new(T* p) { return reclaim_copy(p); }
  template <class... Args>
  static intrusive_ptr make(Args&&... args) {
    return reclaim_copy(new T(std::forward<Args>(args)...));
  }

 private:
  void retain() { detail::Counted<T>::retain(p_); }
  T* p_ = nullptr;
};

namespace detail {
template <class T, class... Args>
intrusive_ptr<T> make_counted(std::true_type, Args&&... args) {
  return T::make_value(std::forward<Args>(args)...);
}
template <class T, class... Args>
intrusive_ptr<T> make_counted(std::false_type, Args&&... args) {
  return intrusive_ptr<T>::make(std::forward<Args>(args)...);
}
}  // namespace detail
template <class T, class... Args>
intrusive_ptr<T> make_intrusive(Args&&... args) {
  return detail::make_counted<T>(std::is_base_of<wick_compat::Value, T>(), std::forward<Args>(args)...);
}

template <class T, class N, class U, class M>
bool operator==(const intrusive_ptr<T, N>& a, const intrusive_ptr<U, M>& b) noexcept {
  return a.get() == b.get();
}
template <class T, class N, class U, class M>
bool operator!=(const intrusive_ptr<T, N>& a, const intrusive_ptr<U, M>& b) noexcept {
  return a.get() != b.get();
}
template <class T, class N>
bool operator==(const intrusive_ptr<T, N>& a, std::nullptr_t) noexcept {
  return !a.get();
}
template <class T, class N>
bool operator!=(const intrusive_ptr<T, N>& a, std::nullptr_t) noexcept {
  return a.get() != nullptr;
}
template <class T, class N>
bool operator<(const intrusive_ptr<T, N>& a, const intrusive_ptr<T, N>& b) noexcept {
  return a.get() < b.get();
}

namespace raw {
namespace intrusive_ptr {
inline void incref(c10::intrusive_ptr_target* p) {
  if (p) p->retain_target();
}
inline void decref(c10::intrusive_ptr_target* p) {
  if (p) p->release_target();
}
}  // namespace intrusive_ptr
}  // namespace raw

}  // namespace c10

namespace std {
template <class T, class N>
struct hash<c10::intrusive_ptr<T, N>> {
  size_t operator()(const c10::intrusive_ptr<T, N>& p) const { return std::hash<T*>()(p.get()); }
};
}  // namespace std
