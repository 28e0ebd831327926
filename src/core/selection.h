// Questions about operators and dtypes of the build (config/build.h); in an ordinary build, the answer is yes. They are
// answered when compiling, whatever the level of optimization.
#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include "config/build.h"
#include "core/instruction_operators.h"
#include "wick/dtype.h"

namespace wick {

// Whether the operator with this overload ("aten::add.Tensor") is in the build.
constexpr bool selects_overload(std::string_view full_name) {
  if (build::kAllOps) return true;
  if (build::kInstructionOps && build::contains(kInstructionOperators, full_name)) return true;
  const std::string_view name = full_name.substr(0, full_name.find('.'));
  for (const auto* op = build::first_overload(name); build::is_overload(op, name); ++op) {
    if (*op == full_name || op->substr(name.size()) == ".*") return true;
  }
  return false;
}

// Whether any overload of the operator ("aten::conv2d") is.
consteval bool selects_op(std::string_view name) { return build::has_op(name); }
template <class... Names>
consteval bool selects_any_op(Names... names) {
  return (selects_op(names) || ...);
}
// Whether any operator of the namespace ("quantized::") is.
consteval bool selects_namespace(std::string_view prefix) {
  return build::kAllOps || std::any_of(std::begin(build::kOps), std::end(build::kOps),
                                       [=](std::string_view name) { return name.starts_with(prefix); });
}

// A class by its name or the last part of it ("Conv2dOpContext").
consteval bool selects_class(std::string_view name) {
  return build::kAllClasses || build::contains(build::kClasses, name.substr(name.rfind('.') + 1));
}

// A kind of the planner's steps ("row_tiles"); without it, the planner calls operators.
consteval bool selects_step(std::string_view kind) { return build::kAllSteps || build::contains(build::kSteps, kind); }

// A dtype the models compute in. Others still work where there is a general way, and slower.
consteval bool selects_dtype(DType dtype) {
  return build::kAllDTypes || std::find(std::begin(build::kDTypes), std::end(build::kDTypes),
                                        static_cast<int>(dtype)) != std::end(build::kDTypes);
}

// For errors about a missing operator: in a selective build, a sentence that names its list and says how to add to it.
std::string advice_on_missing();

// Throws kUnsupported: the operator has no loops for the dtype in this selective build.
[[noreturn]] void refuse_dtype(const char* op, DType dtype);

}  // namespace wick
