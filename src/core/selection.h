// What a selective build keeps beside its table of operators; in an ordinary build, everything.
//
// The headers behind WICK_SELECTION are made by cmake/select.cmake. Code under `if constexpr (selects_op(...))` refers
// to nothing when the answer is no, so the linker drops what it called.
#pragma once

#include <string_view>

#include "wick/dtype.h"

namespace wick {

namespace selection {
#ifdef WICK_SELECTION
#include "selected_dtypes.h"
#include "selected_ops.h"
#else
inline constexpr bool kAllOps = true, kAllClasses = true, kAllFeatures = true, kAllDTypes = true;
inline constexpr std::string_view kOps[] = {""}, kClasses[] = {""}, kFeatures[] = {""}, kDTypes[] = {""};
#endif

template <size_t kCount>
constexpr bool contains(const std::string_view (&names)[kCount], std::string_view name) {
  for (std::string_view n : names) {
    if (n == name) return true;
  }
  return false;
}
}  // namespace selection

// Whether any overload of the operator ("aten::conv2d") is in the build.
constexpr bool selects_op(std::string_view name) {
  if (selection::kAllOps) return true;
  for (std::string_view n : selection::kOps) {
    if (n.substr(0, n.find('.')) == name) return true;
  }
  return false;
}
template <class... Names>
constexpr bool selects_any_op(Names... names) {
  return (selects_op(names) || ...);
}

// A class by the last part of its name ("Conv2dOpContext").
constexpr bool selects_class(std::string_view name) {
  return selection::kAllClasses || selection::contains(selection::kClasses, name.substr(name.rfind('.') + 1));
}

// A frontend or a kernel: "wick.frontend.flatbuffer", "wick.kernel.winograd".
constexpr bool selects_feature(std::string_view name) {
  return selection::kAllFeatures || selection::contains(selection::kFeatures, name);
}

}  // namespace wick
