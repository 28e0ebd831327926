// Diagonals and triangles of matrices, and combinations of elements.
#include <algorithm>

#include "core/budget.h"
#include "core/copy.h"
#include "core/limits.h"
#include "core/shape.h"
#include "ops/index/index.h"
#include "ops/shape/join.h"
#include "ops/shape/rearrange.h"
#include "ops/shape/view.h"

namespace wick::ops {

namespace {

// Keeps columns [first(row), last(row)) of each row and zeroes the others.
Tensor keep_columns(const Tensor& self, int64_t diagonal, bool upper) {
  const int64_t rows = self.size(-2), cols = self.size(-1);
  Tensor out = wick::clone(self, MemoryFormat::kContiguous);
  if (out.numel() == 0) return out;
  const size_t item = self.itemsize();
  char* row = static_cast<char*>(out.raw_data());
  // Saturate: a diagonal beyond the matrix keeps all or nothing.
  diagonal = std::clamp<int64_t>(diagonal, -rows - 1, cols + 1);
  for (int64_t i = 0, row_count = out.numel() / cols; i < row_count; ++i, row += static_cast<size_t>(cols) * item) {
    const int64_t split = std::clamp<int64_t>(i % rows + diagonal + (upper ? 0 : 1), 0, cols);
    if (upper) {
      std::memset(row, 0, static_cast<size_t>(split) * item);
    } else {
      std::memset(row + static_cast<size_t>(split) * item, 0, static_cast<size_t>(cols - split) * item);
    }
  }
  return out;
}

}  // namespace

Tensor tril(const Tensor& self, int64_t diagonal) { return keep_columns(self, diagonal, false); }
Tensor triu(const Tensor& self, int64_t diagonal) { return keep_columns(self, diagonal, true); }

Tensor diag_embed(const Tensor& self, int64_t offset, int64_t dim1, int64_t dim2) {
  const int64_t rank = self.dim() + 1;
  const int64_t d1 = wrap_dim(dim1, rank), d2 = wrap_dim(dim2, rank);
  WICK_CHECK(d1 != d2, kInvalidArgument, "diagonal dimensions cannot be identical ", dim1, ", ", dim2);
  WICK_CHECK(self.dim() > 0, kIndexOutOfRange, "Dimension specified as -1 but tensor has no dimensions");
  int64_t side = 0;
  WICK_CHECK(offset != INT64_MIN && !__builtin_add_overflow(self.size(-1), std::abs(offset), &side), kOutOfMemory,
             "diag_embed: the size overflows");
  IntVec sizes;
  for (int64_t d = 0, from = 0; d < rank; ++d) sizes.push_back(d == d1 || d == d2 ? side : self.sizes()[from++]);
  Tensor out = Tensor::zeros(sizes, self.dtype());
  copy_into(diagonal(out, offset, d1, d2), self);
  return out;
}

Tensor diag(const Tensor& self, int64_t offset) {
  WICK_CHECK(self.dim() == 1 || self.dim() == 2, kShapeMismatch, "matrix or a vector expected");
  if (self.dim() == 1) return diag_embed(self, offset, 0, 1);
  return wick::clone(diagonal(self, offset, 0, 1), MemoryFormat::kContiguous);
}

Tensor diagflat(const Tensor& self, int64_t offset) { return diag(ravel(self), offset); }

Tensor linalg_diagonal(const Tensor& self, int64_t offset, int64_t dim1, int64_t dim2) {
  return diagonal(self, offset, dim1, dim2);
}

Tensor cartesian_prod(const TensorList& tensors) {
  for (const Tensor& t : tensors) {
    WICK_CHECK(t.dim() == 1, kShapeMismatch, "Expect a 1D vector, but got shape ", t.sizes());
  }
  WICK_CHECK(!tensors.empty(), kInvalidArgument, "meshgrid expects a non-empty TensorList");
  if (tensors.size() == 1) return tensors[0];
  TensorList columns = meshgrid(tensors);
  for (Tensor& column : columns) column = flatten(column, 0, -1);
  return stack(columns, 1);
}

namespace {

// How many ways there are to choose r of n.
int64_t count_combinations(int64_t n, int64_t r, bool with_replacement) {
  constexpr int64_t kMost = limits::kMaxCombinations;
  WICK_CHECK(r <= limits::kMaxCombined && n <= kMost, kLimitExceeded, "combinations: ", r, " of ", n, " are too many");
  const int64_t from = with_replacement ? n + r - 1 : n;
  int64_t count = 1;
  for (int64_t i = 0; i < std::min(r, from - r); ++i) {  // a binomial coefficient after each turn, each larger
    count = count * (from - i) / (i + 1);
    WICK_CHECK(count <= kMost / r, kLimitExceeded, "combinations: the result is too large");
  }
  return count;
}

}  // namespace

Tensor combinations(const Tensor& self, int64_t r, bool with_replacement) {
  WICK_CHECK(self.dim() == 1, kShapeMismatch, "Expect a 1D vector, but got shape ", self.sizes());
  WICK_CHECK(r >= 0, kInvalidArgument, "Expect a non-negative number, but got ", r);
  if (r == 0) return Tensor::empty({0}, self.dtype());
  const int64_t n = self.numel();
  const int64_t rows = n > 0 && (with_replacement || r <= n) ? count_combinations(n, r, with_replacement) : 0;
  const Tensor indices = Tensor::empty({rows, r}, DType::kLong);
  int64_t* row = indices.data_ptr<int64_t>();
  for (int64_t k = 0; k < rows; ++k, row += r) {
    check_budget_at(k);
    if (k == 0) {
      for (int64_t i = 0; i < r; ++i) row[i] = with_replacement ? 0 : i;
      continue;
    }
    std::copy(row - r, row, row);
    // The last place that can still go up; the ones after it start over behind it.
    int64_t at = r - 1;
    while (row[at] == (with_replacement ? n - 1 : n - r + at)) --at;
    ++row[at];
    for (int64_t i = at + 1; i < r; ++i) row[i] = with_replacement ? row[at] : row[i - 1] + 1;
  }
  return view(index_select(self, 0, view(indices, {rows * r})), {rows, r});
}

}  // namespace wick::ops
