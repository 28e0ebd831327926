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

// Threads: the counts may be changed by several threads at once. Pointers that own the object together count as one
// weak reference: the object is destroyed when no weak one is left, and its resources are released before, with the
// last owner.
class intrusive_ptr_target {
 public:
  intrusive_ptr_target() noexcept = default;
  intrusive_ptr_target(const intrusive_ptr_target&) noexcept {}
  intrusive_ptr_target& operator=(const intrusive_ptr_target&) noexcept { return *this; }
  virtual ~intrusive_ptr_target() = default;

  void retain_target() const noexcept { count_.fetch_add(1, std::memory_order_relaxed); }
  void release_target() const noexcept {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    if (weak_count_.load(std::memory_order_acquire) != 1) const_cast<intrusive_ptr_target*>(this)->release_resources();
    release_weak();
  }
  // False when there is no owner anymore.
  bool try_retain() const noexcept {
    size_t count = count_.load(std::memory_order_relaxed);
    while (count != 0) {
      if (count_.compare_exchange_weak(count, count + 1, std::memory_order_acq_rel)) return true;
    }
    return false;
  }
  void retain_weak() const noexcept { weak_count_.fetch_add(1, std::memory_order_relaxed); }
  void release_weak() const noexcept {
    if (weak_count_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }
  size_t target_weak_use_count() const noexcept { return weak_count_.load(std::memory_order_acquire); }
  size_t target_use_count() const noexcept { return count_.load(std::memory_order_acquire); }

 protected:
  virtual void release_resources() {}

 private:
  mutable std::atomic<size_t> count_{0};
  mutable std::atomic<size_t> weak_count_{1};
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

// Refers to an object of the application without keeping it; lock() gives a pointer that does, or null. Values of Wick
// (tuples, objects, futures) have none.
template <class T, class NullType = detail::intrusive_target_default_null_type<T>>
class weak_intrusive_ptr final {
 public:
  using element_type = T;
  explicit weak_intrusive_ptr(const intrusive_ptr<T, NullType>& owner) noexcept : p_(owner.get()) { retain(); }
  weak_intrusive_ptr(const weak_intrusive_ptr& o) noexcept : p_(o.p_) { retain(); }
  weak_intrusive_ptr(weak_intrusive_ptr&& o) noexcept : p_(o.p_) { o.p_ = nullptr; }
  ~weak_intrusive_ptr() { reset(); }
  weak_intrusive_ptr& operator=(weak_intrusive_ptr o) & noexcept {
    swap(o);
    return *this;
  }
  weak_intrusive_ptr& operator=(const intrusive_ptr<T, NullType>& owner) & noexcept {
    return *this = weak_intrusive_ptr(owner);
  }
  void swap(weak_intrusive_ptr& o) noexcept { std::swap(p_, o.p_); }
  void reset() noexcept {
    if (p_) p_->release_weak();
    p_ = nullptr;
  }
  // The address, whether or not the object is still there.
  T* _unsafe_get_target() const noexcept { return p_; }
  size_t use_count() const noexcept { return p_ ? p_->target_use_count() : 0; }
  size_t weak_use_count() const noexcept { return p_ ? p_->target_weak_use_count() : 0; }
  bool expired() const noexcept { return use_count() == 0; }
  intrusive_ptr<T, NullType> lock() const noexcept {
    return p_ && p_->try_retain() ? intrusive_ptr<T, NullType>::reclaim(p_) : intrusive_ptr<T, NullType>();
  }
  friend bool operator==(const weak_intrusive_ptr& a, const weak_intrusive_ptr& b) noexcept { return a.p_ == b.p_; }
  friend bool operator!=(const weak_intrusive_ptr& a, const weak_intrusive_ptr& b) noexcept { return a.p_ != b.p_; }
  friend bool operator<(const weak_intrusive_ptr& a, const weak_intrusive_ptr& b) noexcept { return a.p_ < b.p_; }

 private:
  void retain() noexcept {
    static_assert(std::is_base_of<intrusive_ptr_target, T>::value, "values of Wick have no weak references");
    if (p_) p_->retain_weak();
  }
  T* p_;
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
