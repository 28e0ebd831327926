// Intrusive reference counting for values shared between tensors, containers and threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace wick {

// Base of everything held by Ref<T>. Born with a count of zero, and deleted with its last Ref: nothing else may own it.
//
//   struct Counter : wick::RefCounted { std::atomic<int> value{0}; };
//   wick::Ref<Counter> counter = wick::make_ref<Counter>();
//
// Threads: all members may be called from several threads.
class RefCounted {
 public:
  RefCounted() = default;
  RefCounted(const RefCounted&) = delete;
  RefCounted& operator=(const RefCounted&) = delete;
  virtual ~RefCounted() = default;

  void retain() const noexcept { refs_.fetch_add(1, std::memory_order_relaxed); }
  void release() const noexcept {
    if (refs_.fetch_sub(1, std::memory_order_acq_rel) == 1) destroy(this);
  }
  uint32_t use_count() const noexcept { return refs_.load(std::memory_order_acquire); }
  // What casts know the class by; null in classes that nothing is cast to.
  virtual const void* type_mark() const noexcept { return nullptr; }

 private:
  // Deletes it. Values nested beyond a fixed depth are deleted one after the other, not inside each other, so
  // that a chain of any length is freed without exhausting the stack.
  static void destroy(const RefCounted* object) noexcept;
  mutable std::atomic<uint32_t> refs_{0};
};

// A counted reference to a T, or null; T derives from RefCounted. Copies and destruction are thread-safe as those of
// std::shared_ptr are.
//
//   wick::Ref<wick::ListImpl> list = wick::make_ref<wick::ListImpl>();
template <class T>
class Ref {
 public:
  Ref() = default;
  Ref(std::nullptr_t) noexcept {}
  explicit Ref(T* p) noexcept : p_(p) {
    if (p_) p_->retain();
  }
  Ref(const Ref& o) noexcept : Ref(o.p_) {}
  Ref(Ref&& o) noexcept : p_(std::exchange(o.p_, nullptr)) {}
  template <class U>
  requires std::is_convertible_v<U*, T*> Ref(const Ref<U>& o)
  noexcept : Ref(o.get()) {}
  template <class U>
  requires std::is_convertible_v<U*, T*> Ref(Ref<U>&& o)
  noexcept : p_(o.detach()) {}
  Ref& operator=(Ref o) noexcept {
    std::swap(p_, o.p_);
    return *this;
  }
  ~Ref() {
    if (p_) p_->release();
  }

  T* get() const noexcept { return p_; }
  T* operator->() const { return p_; }
  T& operator*() const { return *p_; }
  explicit operator bool() const { return p_ != nullptr; }
  // Gives up ownership without releasing; the caller must release().
  T* detach() noexcept { return std::exchange(p_, nullptr); }
  friend bool operator==(const Ref& a, const Ref& b) { return a.p_ == b.p_; }

 private:
  T* p_ = nullptr;
};

template <class T, class... Args>
Ref<T> make_ref(Args&&... args) {
  return Ref<T>(new T(std::forward<Args>(args)...));
}

}  // namespace wick
