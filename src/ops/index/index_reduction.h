// The reductions scatter_reduce and index_reduce share.
#pragma once

#include <functional>
#include <optional>

#include "ops/index/combine.h"

namespace wick::ops {

enum class IndexReduction { kSum, kProd, kMean, kMax, kMin };

// "sum", "prod", "mean", "amax", "amin".
std::optional<IndexReduction> index_reduction(std::string_view name);

// Reduces into `target`. visit(into, values, op) combines, at every place the index names, `into` with the zero-dim
// *values, or with the operator's source when values is null.
void reduce_at(IndexReduction kind, const Tensor& target, bool include_self, const char* op_name,
               const std::function<void(const Tensor& into, const Tensor* values, Combine op)>& visit);

}  // namespace wick::ops
