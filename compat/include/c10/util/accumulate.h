// Sums and products of integers in a wide type.
#pragma once

#include <cstdint>
#include <functional>
#include <iterator>
#include <numeric>

namespace c10 {

template <class C>
int64_t sum_integers(const C& values) {
  return std::accumulate(values.begin(), values.end(), static_cast<int64_t>(0));
}
template <class Iterator>
int64_t sum_integers(Iterator begin, Iterator end) {
  return std::accumulate(begin, end, static_cast<int64_t>(0));
}
template <class C>
int64_t multiply_integers(const C& values) {
  return std::accumulate(values.begin(), values.end(), static_cast<int64_t>(1), std::multiplies<int64_t>());
}
template <class Iterator>
int64_t multiply_integers(Iterator begin, Iterator end) {
  return std::accumulate(begin, end, static_cast<int64_t>(1), std::multiplies<int64_t>());
}
// Of the dimensions from k on, up to k, and between k and l.
template <class C>
int64_t numelements_from_dim(int k, const C& dims) {
  return k < static_cast<int>(dims.size()) ? multiply_integers(std::next(dims.begin(), k), dims.end()) : 1;
}
template <class C>
int64_t numelements_to_dim(int k, const C& dims) {
  return multiply_integers(dims.begin(), std::next(dims.begin(), k));
}
template <class C>
int64_t numelements_between_dim(int k, int l, const C& dims) {
  if (k > l) std::swap(k, l);
  return multiply_integers(std::next(dims.begin(), k), std::next(dims.begin(), l));
}

}  // namespace c10
