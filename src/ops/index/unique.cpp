// Unique elements and slices.
#include <algorithm>
#include <numeric>

#include "core/copy.h"
#include "core/shape.h"
#include "ops/index/index.h"
#include "ops/index/sort_keys.h"
#include "ops/shape/item_copy.h"
#include "ops/shape/view.h"

namespace wick::ops {

namespace {

using Triple = std::tuple<Tensor, Tensor, Tensor>;

// Rows of keys, in the order they are to be grouped, and what is told of the groups.
struct Groups {
  std::vector<int64_t> first;  // a row of each group
  std::vector<int64_t> counts;
  std::vector<int64_t> group_of;  // by row
};

// Keys of rows x width elements of a contiguous tensor.
std::vector<uint64_t> keys_of(const Tensor& dense, const char* op) {
  std::vector<uint64_t> keys(static_cast<size_t>(dense.numel()));
  load_keys(dense.raw_data(), static_cast<int64_t>(dense.itemsize()), dense.dtype(), dense.numel(), keys.data(), op);
  return keys;
}

Groups group_rows(const std::vector<uint64_t>& keys, int64_t rows, int64_t width, bool sorted, bool has_nan) {
  const uint64_t* k = keys.data();
  std::vector<int64_t> order(rows);
  std::iota(order.begin(), order.end(), 0);
  if (sorted && width == 1) {
    // Keys beside their rows: looking them up while sorting would be most of the time.
    std::vector<std::pair<uint64_t, int64_t>> pairs(static_cast<size_t>(rows));
    for (int64_t i = 0; i < rows; ++i) pairs[i] = {k[i], i};
    std::sort(pairs.begin(), pairs.end());
    for (int64_t i = 0; i < rows; ++i) order[i] = pairs[i].second;
  } else if (sorted) {
    std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      for (int64_t i = 0; i < width; ++i) {
        const uint64_t ka = k[a * width + i], kb = k[b * width + i];
        if (ka != kb) return ka < kb;
      }
      return a < b;
    });
  }
  const auto same = [&](int64_t a, int64_t b) {
    for (int64_t i = 0; i < width; ++i) {
      if (k[a * width + i] != k[b * width + i] || (has_nan && k[a * width + i] == kNanKey)) return false;
    }
    return true;
  };
  Groups out;
  out.group_of.resize(rows);
  for (int64_t i = 0; i < rows; ++i) {
    if (i == 0 || !same(order[i - 1], order[i])) {
      out.first.push_back(order[i]);
      out.counts.push_back(0);
    }
    ++out.counts.back();
    out.group_of[order[i]] = static_cast<int64_t>(out.first.size()) - 1;
  }
  return out;
}

Tensor longs(const std::vector<int64_t>& values, bool wanted) {
  return wanted ? Tensor::from_values(Span<int64_t>(values)) : Tensor::empty({0}, DType::kLong);
}

Triple flat_unique(const Tensor& self, bool sorted, bool inverse, bool counts, const char* op) {
  const Tensor dense = reshape(wick::contiguous(self), {-1});
  const Groups groups = group_rows(keys_of(dense, op), dense.numel(), 1, sorted, is_floating(self.dtype()));
  const Tensor values = index_select(dense, 0, longs(groups.first, true));
  Tensor places = longs(groups.group_of, inverse);
  if (inverse) places = view(places, self.sizes());
  return {values, places, longs(groups.counts, counts)};
}

// The inverse and the counts are given whether asked for or not, as PyTorch does.
Triple slice_unique(const Tensor& self, int64_t dim, bool sorted, const char* op) {
  const int64_t d = wrap_dim(dim, self.dim());
  WICK_CHECK(self.dim() > 0, kShapeMismatch, op, ": expected a tensor of at least one dimension");
  int64_t zeros = 0;
  for (int64_t s : self.sizes()) zeros += s == 0;
  if (self.sizes()[d] == 0) {
    WICK_CHECK(zeros == 1, kInvalidArgument,
               "Number of zero sized dimensions is more than one, so unique cannot be applied ");
    return {Tensor::empty(self.sizes(), self.dtype()), Tensor::empty({0}, DType::kLong),
            Tensor::empty({0}, DType::kLong)};
  }
  WICK_CHECK(zeros == 0, kInvalidArgument,
             "There are 0 sized dimensions, and they aren't selected, so unique cannot be applied");
  const int64_t rows = self.sizes()[d];
  const Tensor dense = wick::contiguous(transpose(self, d, 0));
  const Groups groups = group_rows(keys_of(dense, op), rows, dense.numel() / rows, sorted, is_floating(self.dtype()));
  return {transpose(index_select(dense, 0, longs(groups.first, true)), 0, d), longs(groups.group_of, true),
          longs(groups.counts, true)};
}

}  // namespace

Triple unique(const Tensor& self, bool sorted, bool return_inverse, bool return_counts) {
  return flat_unique(self, true, return_inverse || return_counts, return_counts, "unique");
}

std::tuple<Tensor, Tensor> unique_pair(const Tensor& self, bool sorted, bool return_inverse) {
  Triple all = flat_unique(self, true, return_inverse, false, "unique");
  return {std::get<0>(all), std::get<1>(all)};
}

Triple unique_dim(const Tensor& self, int64_t dim, bool sorted, bool return_inverse, bool return_counts) {
  return slice_unique(self, dim, true, "unique_dim");
}

Triple unique_consecutive(const Tensor& self, bool return_inverse, bool return_counts, std::optional<int64_t> dim) {
  if (dim && !(self.dim() == 1 && (*dim == 0 || *dim == -1))) {
    return unique_dim_consecutive(self, *dim, return_inverse, return_counts);
  }
  return flat_unique(self, false, return_inverse, return_counts, "unique");
}

Triple unique_dim_consecutive(const Tensor& self, int64_t dim, bool return_inverse, bool return_counts) {
  return slice_unique(self, dim, false, "unique_dim");
}

}  // namespace wick::ops
