// Pointwise loops over quantized bytes, and from and to floats. Signed bytes come as unsigned ones,
// exclusive-or 0x80, which `flip` says; zero points are those of unsigned bytes.
#pragma once

#include <cstdint>

namespace wick::kernels {

// zero + round(x * inverse), to nearest even, kept within 0 .. 255; a NaN gives 0.
struct Quantize {
  float inverse = 1;
  int32_t zero = 0;
  uint8_t flip = 0;
};
void quantize_bytes(const Quantize& q, const float* x, int64_t n, uint8_t* y);
// Three planes of n values to n pixels of three bytes.
void quantize_pixels(const Quantize& q, const float* x, int64_t plane, int64_t n, uint8_t* y);
// (q - zero) * scale.
void dequantize_bytes(const uint8_t* x, int64_t n, float scale, int32_t zero, uint8_t flip, float* y);
// Extends [low, high] to hold all values but NaNs.
void range_of(const float* x, int64_t n, float& low, float& high);

// Fixed-point sum: (offset + a * x + b * y) / 2^shift, rounded to nearest and away from zero at a tie, plus zero, kept
// within [low, high]. Nothing of it may overflow 32 bits; shift is 1 to 30.
struct AddBytes {
  int32_t a = 0, b = 0, offset = 0;
  int shift = 1;
  int32_t zero = 0, low = 0, high = 255;
};
void add_bytes(const AddBytes& add, const uint8_t* x, const uint8_t* y, int64_t n, uint8_t* to);

// round((x - x_zero) * (y - y_zero) * scale) + zero within [low, high].
struct MultiplyBytes {
  int32_t x_zero = 0, y_zero = 0;
  float scale = 1;
  int32_t zero = 0, low = 0, high = 255;
  uint8_t flip = 0;
};
void multiply_bytes(const MultiplyBytes& m, const uint8_t* x, const uint8_t* y, int64_t n, uint8_t* to);

void max_bytes(const uint8_t* x, int64_t n, uint8_t* into);
// Adds bytes to sums.
void sum_bytes(const uint8_t* x, int64_t n, int32_t* into);
void look_up_bytes(const uint8_t (&table)[256], const uint8_t* x, int64_t n, uint8_t* y);

}  // namespace wick::kernels
