// Dimensions that are counted from the end.
#pragma once

#include <c10/util/Exception.h>

namespace c10 {
// From 0; throws c10::IndexError for one that there is not. A scalar has one dimension, if wrap_scalar.
inline int64_t maybe_wrap_dim(int64_t dim, int64_t dim_post_expr, bool wrap_scalar = true) {
  TORCH_CHECK_INDEX(dim_post_expr > 0 || wrap_scalar, "dimension specified as ", dim, " but tensor has no dimensions");
  const int64_t count = dim_post_expr > 0 ? dim_post_expr : 1;
  TORCH_CHECK_INDEX(-count <= dim && dim < count, "Dimension out of range (expected to be in range of [", -count, ", ",
                    count - 1, "], but got ", dim, ")");
  return dim < 0 ? dim + count : dim;
}
}  // namespace c10

namespace at {
using c10::maybe_wrap_dim;
}
