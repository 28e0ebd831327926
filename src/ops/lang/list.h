// Operators on lists. A list may hold anything whatever its declared element type; elements are checked when used.
#pragma once

#include "ops/boxing.h"

namespace wick::ops::lang {

// Position of index `i` (negative: from the end) among n; throws "list index out of range".
size_t checked_index(int64_t i, size_t n);

// The elements Python's [start:end:step] picks: `count` of them, from `first`.
struct SliceRange {
  int64_t first;
  int64_t count;
};
SliceRange slice_range(std::optional<int64_t> start, std::optional<int64_t> end, int64_t step, size_t n);

// Truth of `a == b` and `a < b` for numbers, strings and tensors of one element; tuples compare in order.
bool element_equal(const IValue& a, const IValue& b);
bool element_less(const IValue& a, const IValue& b);

IValue get_item(const ListImpl& list, int64_t i);
IValue set_item(const IValue& list, int64_t i, const IValue& v);
IValue append(const IValue& list, const IValue& v);
void extend(ListImpl& list, const ListImpl& other);
void insert(ListImpl& list, int64_t i, const IValue& v);
IValue pop(ListImpl& list, int64_t i);
void remove_at(ListImpl& list, int64_t i);
void remove(ListImpl& list, const IValue& v);
int64_t index_of(const ListImpl& list, const IValue& v);
int64_t count(const ListImpl& list, const IValue& v);
bool contains(const ListImpl& list, const IValue& v);
void reverse(ListImpl& list);
void clear(ListImpl& list);
IValue copy(const ListImpl& list);
IValue concat(const ListImpl& a, const ListImpl& b);
IValue concat_inplace(const IValue& a, const ListImpl& b);
IValue repeat(const ListImpl& list, int64_t n);
IValue repeat_right(int64_t n, const ListImpl& list);
IValue repeat_inplace(const IValue& list, int64_t n);
IValue slice(const ListImpl& list, std::optional<int64_t> start, std::optional<int64_t> end, int64_t step);
int64_t length(const ListImpl& list);
void sort(ListImpl& list, bool reverse);
IValue sorted(const ListImpl& list);
bool lists_equal(const ListImpl& a, const ListImpl& b);
bool lists_differ(const ListImpl& a, const ListImpl& b);
IValue max_list(const IValue& a, const IValue& b);
IValue min_list(const IValue& a, const IValue& b);
IValue max_element(const ListImpl& list);
IValue min_element(const ListImpl& list);
int64_t sum_int(const ListImpl& list);
double sum_float(const ListImpl& list);
std::complex<double> sum_complex(const ListImpl& list);
bool any_true(const ListImpl& list);
bool all_true(const ListImpl& list);
std::vector<int64_t> range_list(int64_t n);

}  // namespace wick::ops::lang
