// Reads the arguments of traced steps.
#include "plan/record/read.h"

#include "core/copy.h"

namespace wick::plan {

Tensor as_floats(const Tensor& t) {
  if (t.dtype() == DType::kFloat && t.is_contiguous()) return t;
  const Tensor out = Tensor::empty(t.sizes());
  copy_into(out, t);
  return out;
}

std::optional<RowGrid> rows_of(const TracedTensor& t) {
  const size_t dims = t.sizes.size();
  if (dims == 0 || checked_numel(t.sizes) == 0) return std::nullopt;
  RowGrid grid;
  grid.length = t.sizes[dims - 1];
  if (grid.length != 1 && t.strides[dims - 1] != 1) return std::nullopt;
  // From the innermost dim outwards: dims that continue each other are one.
  struct Level {
    int64_t size, stride;
  };
  std::vector<Level> levels;
  for (size_t d = dims - 1; d-- > 0;) {
    if (t.sizes[d] == 1) continue;
    if (!levels.empty() && t.strides[d] == levels.back().size * levels.back().stride) {
      levels.back().size *= t.sizes[d];
    } else {
      levels.push_back({t.sizes[d], t.strides[d]});
    }
  }
  if (levels.size() > 2) return std::nullopt;
  for (const Level& level : levels) {
    if (level.stride < 0) return std::nullopt;
  }
  grid.width = levels.empty() ? 1 : levels[0].size;
  grid.step = levels.empty() ? grid.length : levels[0].stride;
  grid.line = levels.size() == 2 ? levels[1].stride : 0;
  grid.rows = grid.width * (levels.size() == 2 ? levels[1].size : 1);
  return grid;
}

}  // namespace wick::plan
