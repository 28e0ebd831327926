// Conversions of contiguous runs that compilers do not vectorize by themselves.
#pragma once

#include <cstdint>

namespace wick::kernels {

// 16-bit floats as their bits; narrowing rounds to nearest even.
void half_to_float(const uint16_t* x, float* out, int64_t n);
void float_to_half(const float* x, uint16_t* out, int64_t n);
void bfloat16_to_float(const uint16_t* x, float* out, int64_t n);
void float_to_bfloat16(const float* x, uint16_t* out, int64_t n);

// Towards zero, by way of int64 (int32 for int32 and int8): what that cannot hold becomes its least, and narrower
// integers wrap.
void float_to_int64(const float* x, int64_t* out, int64_t n);
void float_to_int32(const float* x, int32_t* out, int64_t n);
void float_to_int8(const float* x, int8_t* out, int64_t n);
void float_to_uint8(const float* x, uint8_t* out, int64_t n);

}  // namespace wick::kernels
