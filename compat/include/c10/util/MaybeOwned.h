// c10::MaybeOwned and ExclusivelyOwned: a value of its own, or one that is borrowed.
#pragma once

#include <utility>

#include <c10/util/Exception.h>

namespace c10 {

template <class T>
class MaybeOwned final {
 public:
  MaybeOwned() : is_borrowed_(false), own_() {}
  MaybeOwned(const MaybeOwned& o) : is_borrowed_(o.is_borrowed_), borrowed_(o.borrowed_), own_(o.own_) {}
  MaybeOwned(MaybeOwned&& o) noexcept : is_borrowed_(o.is_borrowed_), borrowed_(o.borrowed_), own_(std::move(o.own_)) {}
  MaybeOwned& operator=(const MaybeOwned& o) {
    is_borrowed_ = o.is_borrowed_, borrowed_ = o.borrowed_, own_ = o.own_;
    return *this;
  }
  MaybeOwned& operator=(MaybeOwned&& o) noexcept {
    is_borrowed_ = o.is_borrowed_, borrowed_ = o.borrowed_, own_ = std::move(o.own_);
    return *this;
  }
  // The value must live as long as this.
  static MaybeOwned borrowed(const T& t) {
    MaybeOwned out;
    out.is_borrowed_ = true;
    out.borrowed_ = &t;
    return out;
  }
  static MaybeOwned owned(T&& t) noexcept {
    MaybeOwned out;
    out.own_ = std::move(t);
    return out;
  }
  template <class... Args>
  static MaybeOwned owned(in_place_t, Args&&... args) {
    return owned(T(std::forward<Args>(args)...));
  }
  const T& operator*() const& { return is_borrowed_ ? *borrowed_ : own_; }
  const T* operator->() const { return &**this; }
  T operator*() && { return is_borrowed_ ? *borrowed_ : std::move(own_); }
  bool unsafeIsBorrowed() const { return is_borrowed_; }

 private:
  bool is_borrowed_;
  const T* borrowed_ = nullptr;
  T own_;
};

template <class T>
class ExclusivelyOwned {
 public:
  ExclusivelyOwned() = default;
  explicit ExclusivelyOwned(T&& t) : value_(std::move(t)) {}
  ExclusivelyOwned(const ExclusivelyOwned&) = delete;
  ExclusivelyOwned(ExclusivelyOwned&&) = default;
  ExclusivelyOwned& operator=(const ExclusivelyOwned&) = delete;
  ExclusivelyOwned& operator=(ExclusivelyOwned&&) = default;
  ExclusivelyOwned& operator=(T&& t) {
    value_ = std::move(t);
    return *this;
  }
  T* operator->() { return &value_; }
  const T* operator->() const { return &value_; }
  T& operator*() { return value_; }
  const T& operator*() const { return value_; }
  const T& get() const { return value_; }
  T take() && { return std::move(value_); }

 private:
  T value_;
};

}  // namespace c10
