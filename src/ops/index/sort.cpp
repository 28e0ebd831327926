// sort, topk, kthvalue and median.
#include "ops/index/sort.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "core/copy.h"
#include "core/shape.h"
#include "core/shapes_only.h"
#include "ops/dtype_switch.h"
#include "ops/index/sort_keys.h"
#include "ops/quantize/layers.h"
#include "ops/shape/view.h"
#include "ops/stoppable.h"
#include "wick/memory_charge.h"

namespace wick::ops {

namespace {

// The memory of a line, which may be much more than that of a tensor that repeats its elements.
MemoryCharge room_of(int64_t n) { return MemoryCharge(static_cast<uint64_t>(n) * sizeof(Keyed)); }

// Values and indices of the chosen elements, n of them, to their places.
void store_line(const Keyed* chosen, int64_t n, Line source, Line out, Line indices, size_t itemsize) {
  for (int64_t i = 0; i < n; ++i) {
    std::memcpy(out.data + i * out.stride, source.data + chosen[i].index * source.stride, itemsize);
    store_item<int64_t>(indices.data + i * indices.stride, chosen[i].index);
  }
}

using KeyedLess = bool (*)(const Keyed&, const Keyed&);

void sort_line(std::span<Keyed> line, KeyedLess less) {
  compare_stoppably(less, [line](auto before) { std::sort(line.begin(), line.end(), before); });
}

// Moves what comes at place k to there; what comes before it is before it.
void select_place(std::span<Keyed> line, size_t k, KeyedLess less) {
  compare_stoppably(less, [line, k](auto before) {
    std::nth_element(line.begin(), line.begin() + static_cast<ptrdiff_t>(k), line.end(), before);
  });
}

// Results of a reduction over `dim` that gives one value and one index per line.
struct Reduced {
  Tensor values, indices;  // with dim kept
  Pair finish(const Tensor& self, int64_t dim, bool keepdim) const {
    if (self.dim() == 0 || !keepdim) return {select(values, dim, 0), select(indices, dim, 0)};
    return {values, indices};
  }
};

Reduced reduced_like(const Tensor& source, int64_t dim) {
  IntVec sizes(source.sizes());
  sizes[dim] = 1;
  return {Tensor::empty(sizes, source.dtype()), Tensor::empty(sizes, DType::kLong)};
}

// pick(line) chooses an element among the keyed ones of each line; it may reorder them.
Pair reduce_lines(const Tensor& self, int64_t dim, bool keepdim, const char* op, const char* name,
                  const std::function<Keyed(std::vector<Keyed>&)>& pick) {
  const Tensor source = atleast_1d(self);
  const int64_t d = wrap_dim(dim, self.dim()), n = source.sizes()[d];
  check_dtype(!is_complex(self.dtype()) && !is_quantized(self.dtype()), op, self.dtype());
  const Reduced out = reduced_like(source, d);
  WICK_CHECK(n > 0 || out.values.numel() == 0, kIndexOutOfRange, name, "(): Expected reduction dim ", d,
             " to have non-zero size.");
  if (out.values.numel() > 0 && n > 0) {
    const MemoryCharge room = room_of(n);
    std::vector<Keyed> line(n);
    for_each_line(source, out.values, out.indices, d, [&](Line from, Line to, Line indices) {
      load_keyed(from.data, from.stride, self.dtype(), n, line.data(), op);
      const Keyed chosen = pick(line);
      store_line(&chosen, 1, from, to, indices, self.itemsize());
    });
  }
  return out.finish(self, d, keepdim);
}

}  // namespace

Pair sort_stable(const Tensor& self, std::optional<bool> stable, int64_t dim, bool descending) {
  if (self.is_quantized()) return quantized_sort(self, stable, dim, descending);
  const int64_t d = wrap_dim(dim, self.dim());
  check_dtype(!is_complex(self.dtype()) && !is_quantized(self.dtype()), "sorting_kernel_method_name", self.dtype());
  const Tensor values = wick::empty_like(self), indices = wick::empty_like(self, DType::kLong);
  if (self.numel() == 0) return {values, indices};
  const Tensor source = atleast_1d(self);
  const int64_t n = source.sizes()[d];
  const MemoryCharge room = room_of(n);
  std::vector<Keyed> line(n);
  for_each_line(source, atleast_1d(values), atleast_1d(indices), d, [&](Line from, Line to, Line places) {
    load_keyed(from.data, from.stride, self.dtype(), n, line.data(), "sorting_kernel_method_name");
    if (stable.value_or(false)) {
      if (descending) {
        for (Keyed& k : line) k.key = ~k.key;
      }
      sort_line(line, key_then_index_less);
    } else {
      // The same algorithm as PyTorch's, so that equal elements come out in the same order.
      sort_line(line, descending ? key_greater : key_less);
    }
    store_line(line.data(), n, from, to, places, self.itemsize());
  });
  return {values, indices};
}

Pair sort(const Tensor& self, int64_t dim, bool descending) { return sort_stable(self, false, dim, descending); }
Tensor argsort(const Tensor& self, int64_t dim, bool descending) { return std::get<1>(sort(self, dim, descending)); }
Tensor argsort_stable(const Tensor& self, bool stable, int64_t dim, bool descending) {
  return std::get<1>(sort_stable(self, stable, dim, descending));
}
Tensor msort(const Tensor& self) { return std::get<0>(sort(self, 0, false)); }

Pair topk(const Tensor& self, int64_t k, int64_t dim, bool largest, bool sorted) {
  if (self.is_quantized()) return quantized_topk(self, k, dim, largest, sorted);
  const int64_t d = wrap_dim(dim, self.dim());
  const Tensor source = atleast_1d(self);
  const int64_t n = source.sizes()[d];
  WICK_CHECK(k >= 0 && k <= n, kIndexOutOfRange, "selected index k out of range");
  check_dtype(!is_complex(self.dtype()) && !is_quantized(self.dtype()) && self.dtype() != DType::kBool, "topk_cpu",
              self.dtype());
  IntVec sizes(source.sizes());
  sizes[d] = k;
  const Tensor values = Tensor::empty(sizes, self.dtype()), indices = Tensor::empty(sizes, DType::kLong);
  if (values.numel() > 0 && !only_shapes()) {
    const MemoryCharge room = room_of(n);
    std::vector<Keyed> line(n);
    const auto before = largest ? key_greater : key_less;
    for_each_line(source, values, indices, d, [&](Line from, Line to, Line places) {
      load_keyed(from.data, from.stride, self.dtype(), n, line.data(), "topk_cpu");
      // The same algorithms as PyTorch's, so that equal elements come out in the same order.
      if (k * 64 <= n) {
        compare_stoppably(before,
                          [&](auto less) { std::partial_sort(line.begin(), line.begin() + k, line.end(), less); });
      } else {
        const auto last = static_cast<size_t>(k - 1);
        select_place(line, last, before);
        if (sorted) sort_line(std::span(line).first(last), before);
      }
      store_line(line.data(), k, from, to, places, self.itemsize());
    });
  }
  if (self.dim() > 0) return {values, indices};
  return {reshape(values, {}), reshape(indices, {})};
}

namespace {

// Moves the k-th smallest to place k, by quickselect with the median of three as pivot.
void quick_select(std::vector<Keyed>& a, int64_t k) {
  int64_t left = 0, right = static_cast<int64_t>(a.size()) - 1;
  StepCounter steps;
  const auto order = [&](int64_t i, int64_t j) {
    if (a[i].key > a[j].key) std::swap(a[i], a[j]);
  };
  while (right > left) {
    if (right == left + 1) return order(left, right);
    steps.count(right - left);
    std::swap(a[left + (right - left) / 2], a[left + 1]);
    order(left + 1, right);
    order(left, right);
    order(left + 1, left);
    int64_t i = left + 1, j = right;
    const uint64_t pivot = a[left].key;
    for (;;) {
      do ++i;
      while (pivot > a[i].key);
      do --j;
      while (a[j].key > pivot);
      if (j < i) break;
      std::swap(a[i], a[j]);
    }
    std::swap(a[left], a[j]);
    if (j <= k) left = i;
    if (j >= k) right = j - 1;
  }
}

}  // namespace

Pair kthvalue(const Tensor& self, int64_t k, int64_t dim, bool keepdim) {
  const int64_t d = wrap_dim(dim, self.dim());
  const int64_t n = self.dim() == 0 ? 1 : self.sizes()[d];
  WICK_CHECK(n > 0, kIndexOutOfRange, "kthvalue(): Expected reduction dim ", d, " to have non-zero size.");
  WICK_CHECK(k >= 1 && k <= n, kIndexOutOfRange, "kthvalue(): selected number k out of range for dimension ", d);
  check_dtype(self.dtype() != DType::kBool, "kthvalue_cpu", self.dtype());
  return reduce_lines(self, dim, keepdim, "kthvalue_cpu", "kthvalue", [&](std::vector<Keyed>& line) {
    quick_select(line, k - 1);
    return line[k - 1];
  });
}

namespace {

Keyed median_of(std::vector<Keyed>& line, bool ignore_nan) {
  const auto is_nan = [](const Keyed& k) { return k.key == kNanKey; };
  int64_t n = static_cast<int64_t>(line.size());
  if (ignore_nan) {
    n -= std::count_if(line.begin(), line.end(), is_nan);
  } else {
    const auto nan = std::find_if(line.begin(), line.end(), is_nan);
    if (nan != line.end()) return *nan;
  }
  const auto middle = static_cast<size_t>(std::max<int64_t>(n - 1, 0) / 2);
  select_place(line, middle, key_then_index_less);
  return line[middle];
}

// The integers of kLong never reach the key that stands for NaN, but its largest does.
bool can_be_nan(DType dtype) { return is_floating(dtype); }

Pair median_lines(const Tensor& self, int64_t dim, bool keepdim, bool ignore_nan) {
  check_dtype(self.dtype() != DType::kBool, "median_out", self.dtype());
  return reduce_lines(self, dim, keepdim, "median_out", "median", [&](std::vector<Keyed>& line) {
    if (!can_be_nan(self.dtype())) {
      const size_t middle = (line.size() - 1) / 2;
      select_place(line, middle, key_then_index_less);
      return line[middle];
    }
    return median_of(line, ignore_nan);
  });
}

Tensor median_all(const Tensor& self, bool ignore_nan) {
  check_dtype(!is_complex(self.dtype()) && self.dtype() != DType::kBool, "median_cpu", self.dtype());
  if (self.numel() == 0) {
    return Tensor::scalar(std::numeric_limits<double>::quiet_NaN(), self.dtype());
  }
  return std::get<0>(median_lines(reshape(self, {-1}), 0, false, ignore_nan));
}

}  // namespace

Pair median_dim(const Tensor& self, int64_t dim, bool keepdim) { return median_lines(self, dim, keepdim, false); }
Pair nanmedian_dim(const Tensor& self, int64_t dim, bool keepdim) { return median_lines(self, dim, keepdim, true); }
Tensor median(const Tensor& self) { return median_all(self, false); }
Tensor nanmedian(const Tensor& self) { return median_all(self, true); }

Pair mode(const Tensor& self, int64_t dim, bool keepdim) {
  return reduce_lines(self, dim, keepdim, "mode", "mode", [](std::vector<Keyed>& line) {
    sort_line(line, key_less);
    Keyed best = line[0];
    size_t most = 0, run = 0;
    for (size_t i = 0; i < line.size(); ++i) {
      ++run;
      if (i + 1 < line.size() && line[i + 1].key == line[i].key) continue;
      if (run > most) {
        most = run;
        best = line[i];
      }
      run = 0;
    }
    return best;
  });
}

}  // namespace wick::ops
