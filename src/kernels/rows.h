// Vector operations on runs of consecutive elements, for float and double.
#pragma once

#include <cstdint>

namespace wick::kernels {

// dst[i] = max(dst[i], src[i]); a NaN in either wins.
template <class T>
void max_into(T* dst, const T* src, int64_t n);
// dst[i] += src[i]
template <class T>
void add_into(T* dst, const T* src, int64_t n);
// dst[i] = dst[i] / divisor
template <class T>
void divide_by(T* dst, T divisor, int64_t n);

}  // namespace wick::kernels
