// What the neural-network families share: dtype dispatch and tensor preparation for kernels.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "core/check.h"
#include "core/copy.h"
#include "core/parallel.h"
#include "core/selection.h"
#include "core/shape.h"
#include "ops/boxing.h"
#include "wick/tensor.h"

namespace wick::ops {

// The type a floating-point kernel computes in: 16-bit floats are widened to float.
constexpr DType widened_dtype(DType t) { return t == DType::kHalf || t == DType::kBFloat16 ? DType::kFloat : t; }
inline Tensor widened(const Tensor& t) { return to_dtype(t, widened_dtype(t.dtype())); }

// Calls f(float{}) or f(double{}); other dtypes are refused in the name of `op`. `named` is the dtype the
// message shows (what the caller passed before widening).
template <class F>
void for_float(DType t, const char* op, DType named, F&& f) {
  switch (t) {
    case DType::kFloat:
      f(float{});
      break;
    case DType::kDouble:
      if constexpr (selects_dtype(DType::kDouble)) {
        f(double{});
      } else {
        refuse_dtype(op, named);
      }
      break;
    default:
      check_dtype(false, op, named);
  }
}
template <class F>
void for_float(DType t, const char* op, F&& f) {
  for_float(t, op, t, static_cast<F&&>(f));
}

// An element of 16 bytes that is only moved.
struct Word16 {
  std::array<uint64_t, 2> words;
};
// Calls f with a value of an integer type as wide as an element; for kernels that only move elements.
template <class F>
void for_element_size(size_t itemsize, F&& f) {
  switch (itemsize) {
    case 1:
      f(uint8_t{});
      break;
    case 2:
      f(uint16_t{});
      break;
    case 4:
      f(uint32_t{});
      break;
    case 8:
      f(uint64_t{});
      break;
    case 16:
      f(Word16{});
      break;
    default:
      fail_with<ErrorCode::kUnsupported>("unsupported element size");
  }
}

// Number of outer iterations worth one thread when each touches `inner` elements.
inline int64_t grain_for(int64_t inner) { return std::max<int64_t>(1, 32768 / std::max<int64_t>(1, inner)); }

inline int64_t product(IntSpan sizes, size_t first, size_t last) {
  int64_t n = 1;
  for (size_t i = first; i < last; ++i) n *= sizes[i];
  return n;
}

// The tensor's sizes around one dim: outer x size x inner.
struct DimSplit {
  int64_t outer = 1, size = 1, inner = 1;
};
inline DimSplit split_at(IntSpan sizes, int64_t dim) {
  DimSplit s;
  if (sizes.empty()) return s;
  s.outer = product(sizes, 0, static_cast<size_t>(dim));
  s.size = sizes[static_cast<size_t>(dim)];
  s.inner = product(sizes, static_cast<size_t>(dim) + 1, sizes.size());
  return s;
}

// The same elements under other sizes; t must be contiguous and hold as many.
inline Tensor reshaped(const Tensor& t, IntSpan sizes) {
  return t.as_strided(sizes, contiguous_strides(sizes), t.storage_offset());
}

inline bool has(const OptTensor& t) { return t && t->defined(); }

// A parameter vector (weight, bias, statistics) as contiguous values of T, or `fallback` repeated.
template <class T>
std::vector<T> param_values(const OptTensor& t, int64_t n, T fallback) {
  std::vector<T> out(static_cast<size_t>(n), fallback);
  if (has(t)) {
    const Tensor c = contiguous(to_dtype(*t, DTypeOf<T>::value));
    std::copy_n(c.data_ptr<T>(), std::min(n, c.numel()), out.data());
  }
  return out;
}

}  // namespace wick::ops
