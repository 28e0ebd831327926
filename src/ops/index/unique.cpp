// Unique elements and slices.
#include <algorithm>
#include <functional>
#include <numeric>

#include "core/copy.h"
#include "core/shape.h"
#include "ops/index/index.h"
#include "ops/index/sort_keys.h"
#include "ops/shape/item_copy.h"
#include "ops/shape/view.h"
#include "ops/stoppable.h"

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

// Single keys in ascending order, each NaN a group of its own. A table of the keys seen so far finds the groups, so
// that only as many are sorted as there are.
Groups group_sorted_keys(const std::vector<uint64_t>& keys, bool has_nan) {
  const auto rows = static_cast<int64_t>(keys.size());
  Groups found;
  found.group_of.resize(keys.size());
  std::vector<uint64_t> group_keys;
  std::vector<int64_t> nans;
  int bits = 10;
  std::vector<int64_t> slots(size_t{1} << bits, -1);
  StepCounter steps;  // keys may be chosen to meet in the table
  const auto place = [&](uint64_t key) {
    const size_t mask = slots.size() - 1;
    size_t at = key * 0x9e3779b97f4a7c15u >> (64 - bits);
    while (slots[at] >= 0 && group_keys[slots[at]] != key) {
      at = (at + 1) & mask;
      steps.count();
    }
    return at;
  };
  for (int64_t i = 0; i < rows; ++i) {
    const uint64_t key = keys[i];
    if (has_nan && key == kNanKey) {
      nans.push_back(i);
      continue;
    }
    const size_t at = place(key);
    if (slots[at] < 0) {
      slots[at] = static_cast<int64_t>(group_keys.size());
      group_keys.push_back(key);
      found.first.push_back(i);
      found.counts.push_back(0);
      if (2 * group_keys.size() > slots.size()) {
        ++bits;
        slots.assign(size_t{1} << bits, -1);
        for (size_t g = 0; g < group_keys.size(); ++g) slots[place(group_keys[g])] = static_cast<int64_t>(g);
      }
      found.group_of[i] = static_cast<int64_t>(group_keys.size()) - 1;
    } else {
      found.group_of[i] = slots[at];
    }
    ++found.counts[found.group_of[i]];
  }
  std::vector<std::pair<uint64_t, int64_t>> order(group_keys.size());
  for (size_t g = 0; g < order.size(); ++g) order[g] = {group_keys[g], static_cast<int64_t>(g)};
  compare_stoppably(std::less<>(), [&](auto less) { std::sort(order.begin(), order.end(), less); });
  Groups out;
  std::vector<int64_t> rank(order.size());
  for (size_t r = 0; r < order.size(); ++r) {
    const int64_t g = order[r].second;
    rank[g] = static_cast<int64_t>(r);
    out.first.push_back(found.first[g]);
    out.counts.push_back(found.counts[g]);
  }
  for (int64_t i : nans) {
    found.group_of[i] = static_cast<int64_t>(rank.size());
    rank.push_back(static_cast<int64_t>(out.first.size()));
    out.first.push_back(i);
    out.counts.push_back(1);
  }
  out.group_of = std::move(found.group_of);
  for (int64_t& g : out.group_of) g = rank[g];
  return out;
}

Groups group_rows(const std::vector<uint64_t>& keys, int64_t rows, int64_t width, bool sorted, bool has_nan) {
  if (sorted && width == 1) return group_sorted_keys(keys, has_nan);
  const uint64_t* k = keys.data();
  std::vector<int64_t> order(rows);
  std::iota(order.begin(), order.end(), 0);
  if (sorted) {
    StepCounter steps;
    std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      steps.count(width);
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

// Integers of a range not much larger than there are of them are counted, not compared.
std::optional<Triple> unique_of_range(const Tensor& dense, bool inverse, bool counts) {
  const int64_t* x = dense.data_ptr<int64_t>();
  const int64_t n = dense.numel();
  const auto [least, most] = std::minmax_element(x, x + n);
  const int64_t low = *least;
  const uint64_t range = static_cast<uint64_t>(*most) - static_cast<uint64_t>(low);
  if (range >= static_cast<uint64_t>(2 * n + 256)) return std::nullopt;
  std::vector<int64_t> seen(static_cast<size_t>(range) + 1), values, lengths;
  for (int64_t i = 0; i < n; ++i) ++seen[static_cast<size_t>(x[i] - low)];
  for (size_t k = 0; k < seen.size(); ++k) {
    if (seen[k] == 0) continue;
    values.push_back(low + static_cast<int64_t>(k));
    lengths.push_back(seen[k]);
    seen[k] = static_cast<int64_t>(values.size()) - 1;
  }
  std::vector<int64_t> group_of(inverse ? static_cast<size_t>(n) : 0);
  for (size_t i = 0; i < group_of.size(); ++i) group_of[i] = seen[static_cast<size_t>(x[i] - low)];
  return Triple{longs(values, true), longs(group_of, inverse), longs(lengths, counts)};
}

// Runs of equal elements of a vector. NaN equals nothing, as its type says.
template <class T>
Triple runs_of(const Tensor& dense, bool inverse, bool counts) {
  const T* x = dense.data_ptr<T>();
  const int64_t n = dense.numel();
  const Tensor values = Tensor::empty({n}, dense.dtype());
  T* found = values.data_ptr<T>();
  std::vector<int64_t> group_of(inverse ? static_cast<size_t>(n) : 0), lengths;
  int64_t groups = 0, start = 0;
  for (int64_t i = 0; i < n; ++i) {
    if (i == 0 || !(x[i] == x[i - 1])) {
      found[groups++] = x[i];
      if (counts && i > 0) lengths.push_back(i - start);
      start = i;
    }
    if (inverse) group_of[static_cast<size_t>(i)] = groups - 1;
  }
  if (counts && n > 0) lengths.push_back(n - start);
  return {wick::clone(narrow(values, 0, 0, groups)), longs(group_of, inverse), longs(lengths, counts)};
}

Triple flat_runs(const Tensor& self, bool inverse, bool counts) {
  const Tensor dense = reshape(wick::contiguous(self), {-1});
  Triple out;
  switch (self.dtype()) {
    case DType::kFloat:
      out = runs_of<float>(dense, inverse, counts);
      break;
    case DType::kDouble:
      out = runs_of<double>(dense, inverse, counts);
      break;
    case DType::kLong:
      out = runs_of<int64_t>(dense, inverse, counts);
      break;
    case DType::kInt:
      out = runs_of<int32_t>(dense, inverse, counts);
      break;
    default:
      return flat_unique(self, false, inverse, counts, "unique");
  }
  if (inverse) std::get<1>(out) = view(std::get<1>(out), self.sizes());
  return out;
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
  if (is_integral(self.dtype(), false) && self.numel() > 0) {
    const Tensor dense = reshape(wick::contiguous(to_dtype(self, DType::kLong)), {-1});
    if (auto found = unique_of_range(dense, return_inverse || return_counts, return_counts)) {
      auto& [values, places, counts] = *found;
      return {to_dtype(values, self.dtype()), places.numel() > 0 ? view(places, self.sizes()) : places, counts};
    }
  }
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
  return flat_runs(self, return_inverse, return_counts);
}

Triple unique_dim_consecutive(const Tensor& self, int64_t dim, bool return_inverse, bool return_counts) {
  return slice_unique(self, dim, false, "unique_dim");
}

}  // namespace wick::ops
