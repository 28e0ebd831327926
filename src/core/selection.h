// What a selective build keeps beside its table of operators; in an ordinary build, everything.
//
// The header behind WICK_SELECTION is made by cmake/select.cmake. Code under `if constexpr (selects_op(...))` refers
// to nothing when the answer is no, so the linker drops what it called.
#pragma once

#include <string>
#include <string_view>

#include "wick/dtype.h"

namespace wick {

namespace selection {
#ifdef WICK_SELECTION
#include "selected_dtypes.h"
#include "selected_ops.h"
#else
inline constexpr bool kAllOps = true, kAllClasses = true, kAllFeatures = true, kAllDTypes = true;
inline constexpr DType kDTypes[] = {DType::kFloat};
inline constexpr std::string_view kOps[] = {""}, kClasses[] = {""}, kFeatures[] = {""};
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
// Whether any operator of the namespace ("quantized::") is.
constexpr bool selects_namespace(std::string_view prefix) {
  if (selection::kAllOps) return true;
  for (std::string_view n : selection::kOps) {
    if (n.starts_with(prefix)) return true;
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

// A dtype the models compute in. Others still work where there is a general way, and slower.
constexpr bool selects_dtype(DType dtype) {
  if (selection::kAllDTypes) return true;
  for (DType d : selection::kDTypes) {
    if (d == dtype) return true;
  }
  return false;
}

// For errors about a missing operator: in a selective build, a sentence that names its list and says how to add to it.
std::string advice_on_missing();

}  // namespace wick
