// Pixels as normalized floats.
#pragma once

#include <cstddef>
#include <cstdint>

namespace wick::java {

// Where the floats of three channels go: planes `plane` floats apart, or, when `plane` is 0, side by side.
struct Floats {
  float* to;
  size_t plane;
};

// (c / 255 - mean) / std of each channel of pixels 0xAARRGGBB, each step rounded to float. Whether all are opaque.
bool pixels_to_floats(const int32_t* pixels, size_t count, const float* mean, const float* std, Floats out);
// The same of pixels 0xAABBGGRR.
bool swapped_pixels_to_floats(const int32_t* pixels, size_t count, const float* mean, const float* std, Floats out);

// (c - mean) / std of each channel c of pixels in YUV, in the integers of BT.601.
void yuv_to_floats(const uint8_t* y, const uint8_t* u, const uint8_t* v, size_t count, const float* mean,
                   const float* std, Floats out);

}  // namespace wick::java
