// Which operators a selective build plans for tensors that are not quantized; in an ordinary build, all.
#pragma once

#include "core/selection.h"

namespace wick::plan {

// Whether "aten::NAME" is in the build and took other tensors than quantized ones when it was traced.
consteval bool selects_floats_of(std::string_view op) {
  return selects_op(op) && !build::contains(build::kQuantizedOnly, op.substr(op.find("::") + 2));
}

}  // namespace wick::plan
