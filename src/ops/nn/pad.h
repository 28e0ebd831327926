// Padding: constant, reflected, replicated, circular.
#pragma once

#include "ops/boxing.h"

namespace wick::ops {

// `pad` holds (before, after) pairs from the last dim backwards; negative values crop.
Tensor constant_pad_nd(const Tensor& self, IntSpan pad, const Scalar& value);
Tensor pad(const Tensor& self, IntSpan pad, std::string_view mode, std::optional<double> value);
Tensor pad_enum(const Tensor& self, IntSpan pad, int64_t mode, std::optional<double> value);
Tensor pad_circular(const Tensor& self, IntSpan pad);
Tensor reflection_pad1d(const Tensor& self, IntSpan padding);
Tensor reflection_pad2d(const Tensor& self, IntSpan padding);
Tensor reflection_pad3d(const Tensor& self, IntSpan padding);
Tensor replication_pad1d(const Tensor& self, IntSpan padding);
Tensor replication_pad2d(const Tensor& self, IntSpan padding);
Tensor replication_pad3d(const Tensor& self, IntSpan padding);

}  // namespace wick::ops
