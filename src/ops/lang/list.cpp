// Operators on lists.
#include "ops/lang/list.h"

#include <algorithm>

#include "core/check.h"
#include "core/lengths.h"
#include "core/limits.h"
#include "core/shape.h"
#include "core/value_walk.h"
#include "ops/lang/number.h"

namespace wick::ops::lang {

namespace {

IValue make_list(const ListImpl& like, std::vector<IValue> items) {
  return IValue::list(like.element_type, std::move(items));
}

// Truth of a comparison of two tensors: the broadcast result must have one element.
void check_one_element(const Tensor& a, const Tensor& b) {
  const int64_t n = checked_numel(broadcast_shapes(a.sizes(), b.sizes()));
  WICK_CHECK(n != 0, kInvalidArgument, "Boolean value of Tensor with no values is ambiguous");
  WICK_CHECK(n == 1, kInvalidArgument, "Boolean value of Tensor with more than one value is ambiguous");
}

bool scalar_equal(const Scalar& a, const Scalar& b) {
  if (a.is_complex() || b.is_complex()) return a.to_complex() == b.to_complex();
  if (a.is_integral() && b.is_integral()) return a.to_int() == b.to_int();
  return a.to_double() == b.to_double();
}
bool scalar_less(const Scalar& a, const Scalar& b) {
  if (a.is_integral() && b.is_integral()) return a.to_int() < b.to_int();
  return a.to_double() < b.to_double();
}

int order_of(const Scalar& a, const Scalar& b) { return scalar_less(a, b) ? -1 : scalar_less(b, a) ? 1 : 0; }

// Negative: a comes first; positive: b does; 0: neither is less than the other.
int order_of(const IValue& a, const IValue& b, Descent& descent) {
  if (a.is_number() && b.is_number()) return order_of(a.to_scalar(), b.to_scalar());
  if (a.is_string() && b.is_string()) return a.to_string().compare(b.to_string());
  if (a.is_tensor() && b.is_tensor()) {
    check_one_element(a.to_tensor(), b.to_tensor());
    return order_of(a.to_tensor().item(), b.to_tensor().item());
  }
  if (a.is_tuple() && b.is_tuple()) {
    const std::vector<IValue>& x = a.to_tuple().items;
    const std::vector<IValue>& y = b.to_tuple().items;
    const Descent::Level level(descent, x.size());
    for (size_t i = 0; i < x.size() && i < y.size(); ++i) {
      if (const int order = order_of(x[i], y[i], descent)) return order;
    }
    return x.size() < y.size() ? -1 : x.size() > y.size() ? 1 : 0;
  }
  fail_with<ErrorCode::kTypeMismatch>(
      "Only list of Tensors, ints, floats, bools, strs, a User Defined Class that "
      "defines the __lt__ compare method "
      "or Tuples of aforementioned types can be sorted, got list of ",
      a.type()->str());
}

// Merge sort: stable, and bounded whatever the comparison says (NaN, elements that throw).
template <class Less>
std::vector<IValue> sorted_items(std::vector<IValue> from, Less less) {
  const size_t n = from.size();
  std::vector<IValue> to(n);
  for (size_t width = 1; width < n; width *= 2) {
    for (size_t low = 0; low < n; low += 2 * width) {
      const size_t middle = std::min(low + width, n), high = std::min(low + 2 * width, n);
      size_t i = low, j = middle;
      for (size_t k = low; k < high; ++k) {
        const bool right = i == middle || (j < high && less(from[j], from[i]));
        to[k] = from[right ? j++ : i++];
      }
    }
    from.swap(to);
  }
  return from;
}

}  // namespace

size_t checked_index(int64_t i, size_t n) {
  const int64_t size = static_cast<int64_t>(n);
  if (i < 0) i += size;
  WICK_CHECK(i >= 0 && i < size, kIndexOutOfRange, "list index out of range");
  return static_cast<size_t>(i);
}

SliceRange slice_range(std::optional<int64_t> start, std::optional<int64_t> end, int64_t step, size_t n) {
  WICK_CHECK(step != 0, kInvalidArgument, "List slice should have non-zero step");
  const int64_t size = static_cast<int64_t>(n);
  const int64_t lowest = step > 0 ? 0 : -1, highest = step > 0 ? size : size - 1;
  const auto bound = [&](std::optional<int64_t> v, int64_t missing) {
    if (!v) return missing;
    return std::clamp(*v < 0 ? *v + size : *v, lowest, highest);
  };
  const int64_t first = bound(start, step > 0 ? lowest : highest);
  const int64_t last = bound(end, step > 0 ? highest : lowest);
  return {first, range_length(first, last, step)};
}

bool element_equal(const IValue& a, const IValue& b) {
  if (a.is_number() && b.is_number()) return scalar_equal(a.to_scalar(), b.to_scalar());
  if (a.is_tensor() && b.is_tensor()) {
    check_one_element(a.to_tensor(), b.to_tensor());
    return scalar_equal(a.to_tensor().item(), b.to_tensor().item());
  }
  return a.is_same(b);
}

bool element_less(const IValue& a, const IValue& b) {
  Descent descent("compared");
  return order_of(a, b, descent) < 0;
}

IValue get_item(const ListImpl& list, int64_t i) { return list.items[checked_index(i, list.items.size())]; }

IValue set_item(const IValue& list, int64_t i, const IValue& v) {
  std::vector<IValue>& items = list.to_list().items;
  items[checked_index(i, items.size())] = v;
  return list;
}

IValue append(const IValue& list, const IValue& v) {
  list.to_list().items.push_back(v);
  return list;
}

void extend(ListImpl& list, const ListImpl& other) {
  check_list_length(list.items.size() + other.items.size());
  const size_t n = other.items.size();
  list.items.reserve(list.items.size() + n);  // `other` may be `list` itself
  for (size_t i = 0; i < n; ++i) list.items.push_back(other.items[i]);
}

void insert(ListImpl& list, int64_t i, const IValue& v) {
  const int64_t size = static_cast<int64_t>(list.items.size());
  const int64_t at = std::clamp<int64_t>(i < 0 ? i + size : i, 0, size);
  list.items.insert(list.items.begin() + at, v);
}

IValue pop(ListImpl& list, int64_t i) {
  WICK_CHECK(!list.items.empty(), kIndexOutOfRange, "pop from empty list");
  const size_t at = checked_index(i, list.items.size());
  IValue v = std::move(list.items[at]);
  list.items.erase(list.items.begin() + static_cast<ptrdiff_t>(at));
  return v;
}

void remove_at(ListImpl& list, int64_t i) {
  WICK_CHECK(!list.items.empty(), kIndexOutOfRange, "pop index out of range");
  list.items.erase(list.items.begin() + static_cast<ptrdiff_t>(checked_index(i, list.items.size())));
}

void remove(ListImpl& list, const IValue& v) {
  const auto at =
      std::find_if(list.items.begin(), list.items.end(), [&](const IValue& x) { return element_equal(v, x); });
  WICK_CHECK(at != list.items.end(), kInvalidArgument, "list.remove(x): x not in list");
  list.items.erase(at);
}

int64_t index_of(const ListImpl& list, const IValue& v) {
  for (size_t i = 0; i < list.items.size(); ++i) {
    if (element_equal(v, list.items[i])) return static_cast<int64_t>(i);
  }
  const std::string text = v.is_bool() ? (v.to_bool() ? "1" : "0") : v.is_double() ? cat(v.to_double()) : repr(v);
  fail_with<ErrorCode::kInvalidArgument>("'", text, "' is not in list");
}

int64_t count(const ListImpl& list, const IValue& v) {
  return std::count_if(list.items.begin(), list.items.end(), [&](const IValue& x) { return element_equal(v, x); });
}

bool contains(const ListImpl& list, const IValue& v) {
  return std::any_of(list.items.begin(), list.items.end(), [&](const IValue& x) { return element_equal(v, x); });
}

void reverse(ListImpl& list) { std::reverse(list.items.begin(), list.items.end()); }
void clear(ListImpl& list) { list.items.clear(); }
IValue copy(const ListImpl& list) { return make_list(list, list.items); }

IValue concat(const ListImpl& a, const ListImpl& b) {
  check_list_length(a.items.size() + b.items.size());
  std::vector<IValue> items;
  items.reserve(a.items.size() + b.items.size());
  items.insert(items.end(), a.items.begin(), a.items.end());
  items.insert(items.end(), b.items.begin(), b.items.end());
  return make_list(a, std::move(items));
}

IValue concat_inplace(const IValue& a, const ListImpl& b) {
  extend(a.to_list(), b);
  return a;
}

IValue repeat(const ListImpl& list, int64_t n) {
  WICK_CHECK(n >= 0 || list.items.empty(), kInvalidArgument, "vector::reserve: a list cannot be repeated ", n,
             " times");
  std::vector<IValue> items;
  if (!list.items.empty() && n > 0) {
    WICK_CHECK(static_cast<uint64_t>(n) <= limits::kMaxListLength / list.items.size(), kLimitExceeded, "a list of ",
               list.items.size(), " elements cannot be repeated ", n, " times");
    check_list_length(list.items.size() * static_cast<size_t>(n));
    items.reserve(list.items.size() * static_cast<size_t>(n));
    for (int64_t i = 0; i < n; ++i) items.insert(items.end(), list.items.begin(), list.items.end());
  }
  return make_list(list, std::move(items));
}

IValue repeat_right(int64_t n, const ListImpl& list) { return repeat(list, n); }

IValue repeat_inplace(const IValue& list, int64_t n) {
  ListImpl& self = list.to_list();
  self.items = n > 0 ? repeat(self, n).to_list().items : std::vector<IValue>();
  return list;
}

IValue slice(const ListImpl& list, std::optional<int64_t> start, std::optional<int64_t> end, int64_t step) {
  const SliceRange range = slice_range(start, end, step, list.items.size());
  std::vector<IValue> items;
  items.reserve(static_cast<size_t>(range.count));
  for (int64_t i = 0; i < range.count; ++i) items.push_back(list.items[static_cast<size_t>(range.first + i * step)]);
  return make_list(list, std::move(items));
}

int64_t length(const ListImpl& list) { return static_cast<int64_t>(list.items.size()); }

void sort(ListImpl& list, bool reverse) {
  list.items = sorted_items(
      list.items, [&](const IValue& a, const IValue& b) { return reverse ? element_less(b, a) : element_less(a, b); });
}
IValue sorted(const ListImpl& list) { return make_list(list, sorted_items(list.items, element_less)); }

bool lists_equal(const ListImpl& a, const ListImpl& b) {
  if (a.items.size() != b.items.size()) return false;
  return std::equal(a.items.begin(), a.items.end(), b.items.begin(), element_equal);
}
bool lists_differ(const ListImpl& a, const ListImpl& b) { return !lists_equal(a, b); }

namespace {

bool list_less(const IValue& a, const IValue& b) {
  const std::vector<IValue>& x = a.to_list().items;
  const std::vector<IValue>& y = b.to_list().items;
  return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end(), element_less);
}

}  // namespace

IValue max_list(const IValue& a, const IValue& b) { return list_less(b, a) ? a : b; }
IValue min_list(const IValue& a, const IValue& b) { return list_less(a, b) ? a : b; }

IValue max_element(const ListImpl& list) {
  WICK_CHECK(!list.items.empty(), kInvalidArgument, "max() arg is an empty sequence");
  return *std::max_element(list.items.begin(), list.items.end(), element_less);
}
IValue min_element(const ListImpl& list) {
  WICK_CHECK(!list.items.empty(), kInvalidArgument, "min() arg is an empty sequence");
  return *std::min_element(list.items.begin(), list.items.end(), element_less);
}

// PyTorch adds in a C int: the sum keeps its low 32 bits.
int64_t sum_int(const ListImpl& list) {
  int64_t sum = 0;
  for (const IValue& v : list.items) sum = add_int(sum, v.to_scalar().to_int());
  return static_cast<int32_t>(sum);
}
double sum_float(const ListImpl& list) {
  double sum = 0;
  for (const IValue& v : list.items) sum += v.to_double();
  return sum;
}
std::complex<double> sum_complex(const ListImpl& list) {
  std::complex<double> sum = 0;
  for (const IValue& v : list.items) sum += v.to_complex();
  return sum;
}

namespace {

bool truth(const IValue& v) { return v.is_string() ? !v.to_string().empty() : v.to_scalar().to_bool(); }

}  // namespace

bool any_true(const ListImpl& list) { return std::any_of(list.items.begin(), list.items.end(), truth); }
bool all_true(const ListImpl& list) { return std::all_of(list.items.begin(), list.items.end(), truth); }

std::vector<int64_t> range_list(int64_t n) {
  WICK_CHECK(n >= 0, kInvalidArgument, "vector::reserve: a range of ", n, " elements");
  check_list_length(static_cast<size_t>(n));
  std::vector<int64_t> values(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i) values[static_cast<size_t>(i)] = i;
  return values;
}

}  // namespace wick::ops::lang
