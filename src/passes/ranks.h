// Ranks of a graph's tensors, where they are known statically.
#pragma once

#include <optional>

#include "ir/graph.h"

namespace wick::passes {

// Whether the result has as many dimensions as the first argument.
bool keeps_rank(const ir::Node& node);

std::optional<int64_t> rank_of(const ir::Value* value);

}  // namespace wick::passes
