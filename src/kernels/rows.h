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
// A window of pixels: counts and distances of its three dimensions.
struct WindowWalk {
  int64_t count[3];
  int64_t step[3];
};
// dst[i] = the greatest, or the sum, of src[i] over the pixels of a window (in order); as max_into and add_into from
// -infinity and 0.
template <class T>
void max_of_window(T* dst, const T* src, const WindowWalk& walk, int64_t n);
template <class T>
void sum_of_window(T* dst, const T* src, const WindowWalk& walk, int64_t n);
// dst[i] = dst[i] / divisor
template <class T>
void divide_by(T* dst, T divisor, int64_t n);

}  // namespace wick::kernels
