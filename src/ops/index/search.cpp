// Searching sorted sequences and sets: searchsorted, bucketize, isin.
#include <algorithm>
#include <cmath>
#include <functional>

#include "core/copy.h"
#include "core/shape.h"
#include "ops/index/index.h"
#include "ops/shape/view.h"
#include "ops/stoppable.h"

namespace wick::ops {

namespace {

// Integers are compared as integers, everything else as double.
DType wide_of(DType dtype) { return is_integral(dtype, true) ? DType::kLong : DType::kDouble; }

// The first place in [0, n) whose element (seen through `order`) is not before v; with `right`, the first after v.
template <class T>
int64_t place_of(const T* sequence, const int64_t* order, int64_t n, T v, bool right) {
  int64_t low = 0, high = n;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    const T at = order ? sequence[order[middle]] : sequence[middle];
    const bool go_right = right ? !(at > v) : !(at >= v);
    if (go_right) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

template <class T>
void search_all(const Tensor& sequence, const Tensor& values, const Tensor* order, const Tensor& out, bool right) {
  const int64_t n = sequence.dim() == 0 ? 1 : sequence.size(-1);
  const int64_t per_row = values.dim() == 0 ? 1 : values.size(-1);
  const bool shared = sequence.dim() <= 1;
  const T* seq = sequence.numel() ? sequence.data_ptr<T>() : nullptr;
  const int64_t* places = order && order->numel() ? order->data_ptr<int64_t>() : nullptr;
  for (int64_t i = 0, count = values.numel(); i < count; ++i) {
    check_budget_at(i);
    const int64_t row = shared ? 0 : i / per_row;
    out.data_ptr<int64_t>()[i] =
        place_of(seq + row * n, places ? places + row * n : nullptr, n, values.data_ptr<T>()[i], right);
  }
}

Tensor search(const Tensor& sequence, const Tensor& values, const Tensor* order, bool right, bool out_int32) {
  const DType wide = promote_types(wide_of(sequence.dtype()), wide_of(values.dtype()));
  const Tensor seq = wick::contiguous(to_dtype(sequence, wide)), val = wick::contiguous(to_dtype(values, wide));
  const Tensor out = Tensor::empty(values.sizes(), DType::kLong);
  if (wide == DType::kLong) {
    search_all<int64_t>(seq, val, order, out, right);
  } else {
    search_all<double>(seq, val, order, out, right);
  }
  return out_int32 ? to_dtype(out, DType::kInt) : out;
}

void check_search(const Tensor& boundaries, const Tensor& self, bool out_int32, bool right,
                  const std::optional<std::string>& side, const OptTensor& sorter) {
  WICK_CHECK(!side || *side == "left" || *side == "right", kInvalidArgument,
             "torch.searchsorted(): side can only be 'left' or 'right' but got ", side.value_or(""));
  WICK_CHECK(!side || !right || *side == "right", kInvalidArgument,
             "torch.searchsorted(): side and right can't be set to opposites, got side of ", side.value_or(""),
             " while right was True");
  if (sorter) {
    WICK_CHECK(sorter->sizes() == boundaries.sizes(), kShapeMismatch,
               "torch.searchsorted(): boundary and sorter must have the same size, but got boundary tensor ",
               boundaries.sizes(), "and got sorter tensor ", sorter->sizes());
    WICK_CHECK(sorter->dtype() == DType::kLong, kTypeMismatch,
               "torch.searchsorted(): sorter must be a tensor of long dtype but got dtype ", name_of(sorter->dtype()));
  }
  WICK_CHECK(self.dim() > 0 || boundaries.dim() == 1, kShapeMismatch,
             "torch.searchsorted(): input value can be a scalar only when boundaries tensor dimension is 1, but we got "
             "boundaries tensor dim(",
             boundaries.dim(), ") and input value's dim(", self.dim(), ") numel(", self.numel(), ")");
  WICK_CHECK(boundaries.dim() != 0, kShapeMismatch,
             "torch.searchsorted(): boundaries tensor should have positive dimension, but got 0 dimension");
  bool prefix = boundaries.dim() == 1 || boundaries.dim() == self.dim();
  for (int64_t d = 0; prefix && boundaries.dim() > 1 && d + 1 < self.dim(); ++d) {
    prefix = boundaries.sizes()[d] == self.sizes()[d];
  }
  WICK_CHECK(prefix, kShapeMismatch,
             "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries "
             "tensor and input value tensor must match, but we got boundaries tensor ",
             boundaries.sizes(), " and input value tensor ", self.sizes());
  WICK_CHECK(!out_int32 || boundaries.size(-1) < INT32_MAX, kInvalidArgument,
             "torch.searchsorted(): the size of boundaries' last dimension should be less than ", INT32_MAX,
             ", but we got ", boundaries.size(-1));
  check_dtype(!is_complex(self.dtype()) && self.dtype() != DType::kBool, "searchsorted_out_cpu", self.dtype());
}

// The sorter's indices, each inside the boundaries' last dimension.
Tensor checked_sorter(const Tensor& sorter) {
  const Tensor dense = wick::contiguous(sorter);
  const int64_t n = sorter.size(-1);
  for (int64_t i = 0, count = dense.numel(); i < count; ++i) {
    const int64_t at = dense.data_ptr<int64_t>()[i];
    WICK_CHECK(at >= 0 && at < n, kIndexOutOfRange, "torch.searchsorted(): sorter index out of range");
  }
  return dense;
}

Tensor search_checked(const Tensor& boundaries, const Tensor& self, bool out_int32, bool right,
                      const std::optional<std::string>& side, const OptTensor& sorter) {
  check_search(boundaries, self, out_int32, right, side, sorter);
  const bool after = right || (side && *side == "right");
  if (!sorter) return search(boundaries, self, nullptr, after, out_int32);
  const Tensor order = checked_sorter(*sorter);
  return search(boundaries, self, &order, after, out_int32);
}

Tensor number_of(const Scalar& value) {
  return Tensor::scalar(value, value.is_integral() ? DType::kLong : DType::kDouble);
}

}  // namespace

Tensor searchsorted(const Tensor& sorted_sequence, const Tensor& self, bool out_int32, bool right,
                    std::optional<std::string> side, const OptTensor& sorter) {
  return search_checked(sorted_sequence, self, out_int32, right, side, sorter);
}
Tensor searchsorted_scalar(const Tensor& sorted_sequence, const Scalar& self, bool out_int32, bool right,
                           std::optional<std::string> side, const OptTensor& sorter) {
  return search_checked(sorted_sequence, number_of(self), out_int32, right, side, sorter);
}
Tensor bucketize(const Tensor& self, const Tensor& boundaries, bool out_int32, bool right) {
  WICK_CHECK(boundaries.dim() == 1, kShapeMismatch, "boundaries tensor must be 1 dimension, but got dim(",
             boundaries.dim(), ")");
  return search_checked(boundaries, self, out_int32, right, {}, {});
}
Tensor bucketize_scalar(const Scalar& self, const Tensor& boundaries, bool out_int32, bool right) {
  WICK_CHECK(boundaries.dim() == 1, kShapeMismatch, "boundaries tensor must be 1 dimension, but got dim(",
             boundaries.dim(), ")");
  return search_checked(boundaries, number_of(self), out_int32, right, {}, {});
}

namespace {

template <class T>
void mark_members(const Tensor& elements, const Tensor& tests, const Tensor& out, bool invert) {
  std::vector<T> sorted;
  for (int64_t i = 0, count = tests.numel(); i < count; ++i) {
    const T v = tests.data_ptr<T>()[i];
    if (v == v) sorted.push_back(v);  // NaN equals nothing
  }
  compare_stoppably(std::less<>(), [&](auto less) { std::sort(sorted.begin(), sorted.end(), less); });
  bool* hit = out.data_ptr<bool>();
  for (int64_t i = 0, count = elements.numel(); i < count; ++i) {
    check_budget_at(i);
    const T v = elements.data_ptr<T>()[i];
    hit[i] = (v == v && std::binary_search(sorted.begin(), sorted.end(), v)) != invert;
  }
}

void check_isin_number(const Scalar& number) {
  WICK_CHECK(!number.is_bool(), kUnsupported, "Unsupported input type encountered for isin(): Bool");
}

}  // namespace

Tensor isin(const Tensor& elements, const Tensor& test_elements, bool assume_unique, bool invert) {
  for (const Tensor* t : {&elements, &test_elements}) {
    WICK_CHECK(!is_complex(t->dtype()) && t->dtype() != DType::kBool, kUnsupported,
               "Unsupported input type encountered for isin(): ", name_of(t->dtype()));
  }
  const DType wide = wide_of(ResultType().add(elements).add(test_elements).get());
  const Tensor a = wick::contiguous(to_dtype(elements, wide)), b = wick::contiguous(to_dtype(test_elements, wide));
  const Tensor out = Tensor::empty(elements.sizes(), DType::kBool);
  if (elements.numel() == 0) return out;
  if (wide == DType::kLong) {
    mark_members<int64_t>(a, b, out, invert);
  } else {
    mark_members<double>(a, b, out, invert);
  }
  return out;
}
Tensor isin_scalar(const Tensor& elements, const Scalar& test_element, bool assume_unique, bool invert) {
  check_isin_number(test_element);
  return isin(elements, number_of(test_element), assume_unique, invert);
}
Tensor isin_of_scalar(const Scalar& element, const Tensor& test_elements, bool assume_unique, bool invert) {
  check_isin_number(element);
  return isin(number_of(element), test_elements, assume_unique, invert);
}

}  // namespace wick::ops
