// Writing to the out tensor of operators whose out form takes other arguments than the functional one.
#pragma once

#include "core/copy.h"
#include "ops/boxing.h"

namespace wick::ops {

// The out tensor holding `result`.
inline Tensor put_out(const Tensor& out, const Tensor& result) {
  assign_out(out, result);
  return out;
}

// The out tensor with these sizes, contents unspecified.
inline Tensor sized_out(const Tensor& out, IntSpan size) {
  if (!(out.sizes() == size)) wick::resize(out, size);
  return out;
}

}  // namespace wick::ops
