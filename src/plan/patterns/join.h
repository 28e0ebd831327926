// What patterns of concatenations share.
#pragma once

#include <optional>

#include "plan/builder.h"

namespace wick::plan {

// The dim along which a step joins its first argument, a list of tensors, into `out`; none where it is no such step, or
// its result can't be made by another.
std::optional<size_t> joined_dim(const Builder& b, const TracedStep& step, TensorId out);

}  // namespace wick::plan
