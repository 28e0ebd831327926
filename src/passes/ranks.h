// How many dimensions tensors of a graph have, where that can be told.
#pragma once

#include <map>
#include <optional>

#include "ir/graph.h"

namespace wick::passes {

class Ranks {
 public:
  // `params`: what is known of the graph's parameters.
  explicit Ranks(std::map<const ir::Value*, int64_t> params) : params_(std::move(params)) {}
  std::optional<int64_t> of(const ir::Value* value) const { return of(value, 0); }

 private:
  std::optional<int64_t> of(const ir::Value* value, int depth) const;
  std::map<const ir::Value*, int64_t> params_;
};

}  // namespace wick::passes
