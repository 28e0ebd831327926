// c10::demangle: names of C++ types.
#pragma once

#include <string>
#include <typeinfo>

namespace c10 {

// A type's name as C++ writes it, of what typeid() gives.
std::string demangle(const char* name);
template <class T>
const char* demangle_type() {
  static const std::string name = demangle(typeid(T).name());
  return name.c_str();
}

}  // namespace c10
