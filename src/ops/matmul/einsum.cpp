// einsum: parses the equation and contracts operands pairwise.
#include <algorithm>
#include <array>

#include "ops/matmul/matmul.h"
#include "ops/matmul/views.h"
#include "ops/pointwise/pointwise.h"

namespace wick::ops {
namespace {

constexpr int kLabels = 52;  // A-Z, a-z
constexpr int kEllipsis = kLabels;

int label_of(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  return -1;
}
char letter_of(int label) { return static_cast<char>(label < 26 ? 'A' + label : 'a' + label - 26); }

// The two sides of an equation as lists of labels; kEllipsis stands for "...".
struct Equation {
  std::vector<std::vector<int>> inputs;
  std::vector<int> output;
  bool has_arrow = false;
};

Equation parse(std::string_view text, size_t operands) {
  Equation eq;
  const size_t arrow = text.find("->");
  const std::string_view left = text.substr(0, arrow);
  eq.has_arrow = arrow != std::string_view::npos;
  // Reads one list of subscripts; returns where it ended (a comma, or the end).
  const auto read = [&](std::string_view part, size_t i, size_t base, const char* where, std::vector<int>& labels) {
    for (; i < part.size() && part[i] != ','; ++i) {
      const char c = part[i];
      if (c == ' ') continue;
      if (c == '.') {
        WICK_CHECK(part.substr(i, 3) == "..." && std::find(labels.begin(), labels.end(), kEllipsis) == labels.end(),
                   kInvalidArgument, "einsum(): found \'.\' for ", where,
                   part.substr(i, 3) == "..." ? " for which an ellipsis was already found"
                                              : " that is not part of any ellipsis");
        labels.push_back(kEllipsis);
        i += 2;
        continue;
      }
      WICK_CHECK(label_of(c) >= 0, kInvalidArgument, "einsum(): invalid subscript given at index ", base + i,
                 " in the equation string, subscripts must be in [a-zA-Z]");
      labels.push_back(label_of(c));
    }
    return i;
  };
  for (size_t i = 0;; ++i) {
    const std::string where = cat("operand ", eq.inputs.size());
    WICK_CHECK(eq.inputs.size() < operands, kInvalidArgument,
               "einsum(): fewer operands were provided than specified in the equation");
    eq.inputs.emplace_back();
    i = read(left, i, 0, where.c_str(), eq.inputs.back());
    if (i >= left.size()) break;
  }
  WICK_CHECK(eq.inputs.size() == operands, kInvalidArgument,
             "einsum(): more operands were provided than specified in the equation");
  if (eq.has_arrow) {
    const std::string_view right = text.substr(arrow + 2);
    const size_t end = read(right, 0, arrow + 2, "the output", eq.output);
    WICK_CHECK(end == right.size(), kInvalidArgument, "einsum(): invalid subscript given at index ", arrow + 2 + end,
               " in the equation string, subscripts must be in [a-zA-Z]");
  }
  return eq;
}

// Keeps the diagonal of two dimensions as the first of them; a view.
Tensor diagonal_of(const Tensor& t, int64_t d1, int64_t d2) {
  IntVec sizes = t.sizes(), strides = t.strides();
  strides[static_cast<size_t>(d1)] += strides[static_cast<size_t>(d2)];
  sizes.erase(static_cast<size_t>(d2));
  strides.erase(static_cast<size_t>(d2));
  return t.as_strided(sizes, strides, t.storage_offset());
}

// Sums over the marked dimensions, which stay with size 1. As with sum, integers become int64.
Tensor sum_over(const Tensor& t, const std::vector<bool>& summed) {
  IntVec kept, gone, sizes = t.sizes();
  for (int64_t d = 0; d < t.dim(); ++d) {
    if (summed[static_cast<size_t>(d)]) {
      gone.push_back(d);
      sizes[static_cast<size_t>(d)] = 1;
    } else {
      kept.push_back(d);
    }
  }
  if (gone.empty()) return t;
  const int64_t rows = checked_numel(sizes);
  int64_t k = 1;
  for (const int64_t d : gone) k *= t.size(d);
  const Tensor wide = is_integral(t.dtype(), true) ? to_dtype(t, DType::kLong) : t;
  const Tensor matrix = reshape_or_copy(permuted(wide, joined(kept, gone)), {rows, k});
  const Tensor one = Tensor::scalar(1, wide.dtype());
  return reshape_or_copy(product(matrix, one.as_strided({k, 1}, {0, 1}, 0), "sum"), sizes);
}

// Multiplies two operands of the same rank (sizes equal or 1), summing over the marked dimensions.
Tensor contract(const Tensor& left, const Tensor& right, const std::vector<bool>& summed) {
  if (std::find(summed.begin(), summed.end(), true) == summed.end()) return mul(left, right);
  const size_t rank = summed.size();
  std::vector<bool> only_left(rank), only_right(rank);
  IntVec batch, rows, columns, inner;
  for (size_t d = 0; d < rank; ++d) {
    const int64_t i = static_cast<int64_t>(d), sl = left.size(i), sr = right.size(i);
    if (summed[d]) {
      if (sl != 1 && sr != 1) {
        inner.push_back(i);
      } else {
        only_left[d] = sl != 1;
        only_right[d] = sr != 1;
      }
    } else if (sl != 1 && sr != 1) {
      batch.push_back(i);
    } else if (sl != 1) {
      rows.push_back(i);
    } else {
      columns.push_back(i);
    }
  }
  const Tensor a = sum_over(left, only_left), b = sum_over(right, only_right);
  if (inner.empty() && a.dtype() != b.dtype()) return mul(a, b);
  check_same_scalar_type(a, b);
  const auto count = [](const Tensor& t, const IntVec& dims) {
    IntVec sizes;
    for (const int64_t d : dims) sizes.push_back(t.size(d));
    return checked_numel(sizes);
  };
  IntVec rest;  // summed dimensions that are 1 on at least one side
  for (size_t d = 0; d < rank; ++d)
    if (summed[d] && std::find(inner.begin(), inner.end(), static_cast<int64_t>(d)) == inner.end())
      rest.push_back(static_cast<int64_t>(d));
  const int64_t nb = count(a, batch), m = count(a, rows), n = count(b, columns), k = count(a, inner);
  const auto order = [&](const IntVec& d1, const IntVec& d2, const IntVec& d3, const IntVec& d4) {
    return joined(joined(joined(joined(batch, d1), d2), d3), joined(d4, rest));
  };
  const Tensor ma = reshape_or_copy(permuted(a, order(rows, inner, columns, {})), {nb, m, k});
  const Tensor mb = reshape_or_copy(permuted(b, order(inner, columns, rows, {})), {nb, k, n});
  const IntVec placed = order(rows, columns, inner, {});
  IntVec sizes;
  for (const int64_t d : placed) {
    sizes.push_back(summed[static_cast<size_t>(d)] ? 1 : a.size(d) == 1 ? b.size(d) : a.size(d));
  }
  const Tensor result = reshape_or_copy(product(ma, mb, "bmm"), sizes);
  IntVec back(rank);
  for (size_t i = 0; i < rank; ++i) back[static_cast<size_t>(placed[i])] = static_cast<int64_t>(i);
  return permuted(result, back);
}

// Where each label and ellipsis dimension stands in the common order of dimensions.
struct Layout {
  std::array<int64_t, kLabels> place;
  int64_t ellipsis_at = 0;  // first of the ellipsis dimensions
  int64_t ellipsis_dims = 0;
  int64_t out_dims = 0;  // leading dimensions that make the result
  int64_t rank = 0;
};

Layout lay_out(const Equation& eq, const TensorList& tensors) {
  Layout l;
  l.place.fill(-1);
  std::array<int, kLabels> uses{};
  for (size_t i = 0; i < eq.inputs.size(); ++i) {
    const std::vector<int>& labels = eq.inputs[i];
    const bool ellipsis = std::find(labels.begin(), labels.end(), kEllipsis) != labels.end();
    const int64_t named = static_cast<int64_t>(labels.size()) - (ellipsis ? 1 : 0), dims = tensors[i].dim();
    if (ellipsis) {
      WICK_CHECK(named <= dims, kShapeMismatch, "einsum(): the number of subscripts in the equation (", named,
                 ") is more than the number of dimensions (", dims, ") for operand ", i);
      l.ellipsis_dims = std::max(l.ellipsis_dims, dims - named);
    } else {
      WICK_CHECK(named == dims, kShapeMismatch, "einsum(): the number of subscripts in the equation (", named,
                 named > dims ? ") is more than" : ") does not match", " the number of dimensions (", dims,
                 ") for operand ", i, named > dims ? "" : " and no ellipsis was given");
    }
    for (const int label : labels)
      if (label != kEllipsis) ++uses[static_cast<size_t>(label)];
  }
  bool placed_ellipsis = false;
  if (eq.has_arrow) {
    for (const int label : eq.output) {
      if (label == kEllipsis) {
        l.ellipsis_at = l.rank;
        l.rank += l.ellipsis_dims;
        placed_ellipsis = true;
        continue;
      }
      int64_t& place = l.place[static_cast<size_t>(label)];
      WICK_CHECK(place < 0, kInvalidArgument, "einsum(): output subscript ", letter_of(label),
                 " appears more than once in the output");
      WICK_CHECK(uses[static_cast<size_t>(label)] > 0, kInvalidArgument, "einsum(): output subscript ",
                 letter_of(label), " does not appear in the equation for any input operand");
      place = l.rank++;
    }
  } else {
    l.rank = l.ellipsis_dims;
    placed_ellipsis = true;
    for (size_t label = 0; label < kLabels; ++label)
      if (uses[label] == 1) l.place[label] = l.rank++;
  }
  l.out_dims = l.rank;
  if (!placed_ellipsis) {
    l.ellipsis_at = l.rank;
    l.rank += l.ellipsis_dims;
  }
  for (size_t label = 0; label < kLabels; ++label)
    if (uses[label] > 0 && l.place[label] < 0) l.place[label] = l.rank++;
  return l;
}

// The operand with all dimensions of the layout; those it lacks have size 1.
Tensor spread(const Tensor& operand, const std::vector<int>& labels, const Layout& l, size_t index) {
  Tensor t = operand;
  IntVec at;  // layout position of each dimension of t
  std::array<int64_t, kLabels> seen;
  seen.fill(-1);
  int64_t dim = 0;
  for (const int label : labels) {
    if (label == kEllipsis) {
      const int64_t dims = operand.dim() - (static_cast<int64_t>(labels.size()) - 1);
      for (int64_t i = l.ellipsis_dims - dims; i < l.ellipsis_dims; ++i, ++dim) at.push_back(l.ellipsis_at + i);
      continue;
    }
    int64_t& first = seen[static_cast<size_t>(label)];
    if (first >= 0) {
      WICK_CHECK(t.size(dim) == t.size(first), kShapeMismatch, "einsum(): subscript ", letter_of(label),
                 " is repeated for operand ", index, " but the sizes don't match, ", t.size(dim),
                 " != ", t.size(first));
      t = diagonal_of(t, first, dim);
      continue;
    }
    first = dim++;
    at.push_back(l.place[static_cast<size_t>(label)]);
  }
  IntVec sizes(static_cast<size_t>(l.rank), 1), strides(static_cast<size_t>(l.rank), 1);
  for (size_t d = 0; d < at.size(); ++d) {
    sizes[static_cast<size_t>(at[d])] = t.sizes()[d];
    strides[static_cast<size_t>(at[d])] = t.strides()[d];
  }
  return t.as_strided(sizes, strides, t.storage_offset());
}

// Sizes of one dimension must be equal or 1 over all operands.
void check_sizes(const TensorList& spread_out, const Layout& l) {
  for (int64_t d = 0; d < l.rank; ++d) {
    int64_t size = 1;
    for (size_t i = 0; i < spread_out.size(); ++i) {
      const int64_t here = spread_out[i].size(d);
      if (here == 1) continue;
      std::string name = cat("dimension ", d);
      for (size_t label = 0; label < kLabels; ++label)
        if (l.place[label] == d) name = cat("subscript ", letter_of(static_cast<int>(label)));
      WICK_CHECK(size == 1 || size == here, kShapeMismatch, "einsum(): ", name, " has size ", here, " for operand ", i,
                 " which does not broadcast with previously seen size ", size);
      size = here;
    }
  }
}

}  // namespace

Tensor einsum(std::string_view equation, const TensorList& tensors, const std::optional<IntVec>& path) {
  WICK_CHECK(!tensors.empty(), kInvalidArgument, "einsum(): must provide at least one operand");
  const Equation eq = parse(equation, tensors.size());
  const Layout l = lay_out(eq, tensors);
  WICK_CHECK(l.rank <= 64, kLimitExceeded, "einsum(): more than 64 dimensions");
  TensorList operands;
  for (size_t i = 0; i < tensors.size(); ++i) operands.push_back(spread(tensors[i], eq.inputs[i], l, i));
  check_sizes(operands, l);
  WICK_CHECK(!path || path->size() == (tensors.size() == 1 ? 1 : 2 * (tensors.size() - 1)), kInvalidArgument,
             "einsum(): expected contraction path given in path parameter to have size ", 2 * (tensors.size() - 1),
             " but got ", path ? path->size() : 0);

  const auto take = [&](int64_t i) {
    WICK_CHECK(i >= 0 && i < static_cast<int64_t>(operands.size()), kIndexOutOfRange, "einsum(): invalid operand ", i,
               " in the contraction path");
    const Tensor t = operands[static_cast<size_t>(i)];
    operands.erase(operands.begin() + i);
    return t;
  };
  size_t step = 0;
  while (operands.size() > 1) {
    int64_t i = 0, j = 1;
    if (path) {
      i = std::min((*path)[2 * step], (*path)[2 * step + 1]);
      j = std::max((*path)[2 * step], (*path)[2 * step + 1]);
      WICK_CHECK(i != j, kInvalidArgument, "einsum(): cannot contract an operand with itself in operand path");
      ++step;
    }
    const Tensor b = take(j), a = take(i);
    // What no operand left over has can be summed now.
    std::vector<bool> summed(static_cast<size_t>(l.rank));
    for (int64_t d = l.out_dims; d < l.rank; ++d) {
      bool needed = false;
      for (const Tensor& t : operands) needed = needed || t.size(d) != 1;
      summed[static_cast<size_t>(d)] = !needed;
    }
    const Tensor c = contract(a, b, summed);
    operands.insert(path ? operands.end() : operands.begin(), c);
  }
  std::vector<bool> summed(static_cast<size_t>(l.rank));
  for (int64_t d = l.out_dims; d < l.rank; ++d) summed[static_cast<size_t>(d)] = operands[0].size(d) != 1;
  // One operand is a plain sum, also over dimensions of one.
  const bool widens = tensors.size() == 1 && l.rank > l.out_dims && is_integral(operands[0].dtype(), true);
  const Tensor result = sum_over(widens ? to_dtype(operands[0], DType::kLong) : operands[0], summed);
  return result.as_strided(result.sizes().subspan(0, static_cast<size_t>(l.out_dims)),
                           result.strides().subspan(0, static_cast<size_t>(l.out_dims)), result.storage_offset());
}

}  // namespace wick::ops
