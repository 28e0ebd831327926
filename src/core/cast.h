// Downcasts that need no run-time type information, which selective builds are compiled without.
#pragma once

#include <type_traits>

namespace wick {

// Its address stands for the class.
template <class T>
inline constexpr char kTypeMark = 0;

// The object as a T if its class is T, else null. T says so: const void* type_mark() const noexcept override {
// return &kTypeMark<T>; }
template <class T, class Base>
T* cast_to(Base* object) {
  const bool is_one = object && object->type_mark() == &kTypeMark<std::remove_const_t<T>>;
  return is_one ? static_cast<T*>(object) : nullptr;
}

}  // namespace wick
