// c10::OptionalArrayRef: an ArrayRef or nothing, which a braced list or one number converts to.
#pragma once

#include <c10/util/ArrayRef.h>

namespace c10 {

template <class T>
class OptionalArrayRef final {
 public:
  OptionalArrayRef() = default;
  OptionalArrayRef(nullopt_t) {}
  OptionalArrayRef(ArrayRef<T> list) : list_(list), has_(true) {}
  OptionalArrayRef(const T& one) : list_(one), has_(true) {}
  OptionalArrayRef(const std::initializer_list<T>& list) : list_(list), has_(true) {}
  OptionalArrayRef(const std::vector<T>& list) : list_(list), has_(true) {}
  template <size_t N>
  OptionalArrayRef(const std::array<T, N>& list) : list_(list), has_(true) {}
  OptionalArrayRef(const optional<ArrayRef<T>>& o) : list_(o ? *o : ArrayRef<T>()), has_(o.has_value()) {}
  template <class U, class = typename std::enable_if<std::is_integral<U>::value && !std::is_same<U, T>::value &&
                                                     !std::is_same<U, bool>::value>::type>
  OptionalArrayRef(U one) : own_(one), list_(), has_(true), owns_(true) {}

  bool has_value() const { return has_; }
  explicit operator bool() const { return has_; }
  ArrayRef<T> operator*() const { return value(); }
  ArrayRef<T> value() const { return owns_ ? ArrayRef<T>(own_) : list_; }
  operator optional<ArrayRef<T>>() const { return has_ ? optional<ArrayRef<T>>(value()) : nullopt; }

 private:
  T own_{};  // a number of another type, converted
  ArrayRef<T> list_;
  bool has_ = false;
  bool owns_ = false;
};

using OptionalIntArrayRef = OptionalArrayRef<int64_t>;

}  // namespace c10
