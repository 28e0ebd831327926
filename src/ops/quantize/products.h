// Integer products of quantised values, and the way back to eight bits.
#pragma once

#include <cstdint>
#include <vector>

#include "wick/tensor.h"

namespace wick::ops {

// Weights less their zero points, [rows][depth], and the scale of each row.
struct IntWeights {
  int64_t rows = 0, depth = 0;
  std::vector<int16_t> values;
  std::vector<float> scales;
};

// sums[i * w.rows + r] = sum over k of x[i * depth + k] * w[r][k], for rows [first, last) of w: the sums of that range
// are `last - first` apart. Sums wrap as 32-bit integers do.
void int_products(const int16_t* x, int64_t count, const IntWeights& w, int64_t first, int64_t last, int32_t* sums);

// From sums of products to the integers of a result: round(sum * multiplier) + zero, kept in [low, high]. Rounds to
// nearest even and saturates at 16 bits in between, as the 8-bit kernels of PyTorch's mobile engine do.
struct Requantizer {
  std::vector<float> multipliers;  // one for each channel
  std::vector<int32_t> bias;       // one for each channel, in units of the product of input and weight scale
  int32_t zero = 0, low = 0, high = 255;
  bool in_double = false;  // multiply in double precision

  int32_t operator()(int32_t sum, size_t channel) const;
};

// `relu` raises the lowest result to the zero point.
Requantizer make_requantizer(const IntWeights& w, const std::vector<float>& bias, double input_scale,
                             double output_scale, int64_t output_zero, DType output, bool relu);

// round(value) as a 16-bit integer; a NaN becomes the lowest.
int32_t round_to_int16(float value);

// The integers of a dense quint8 or qint8 tensor less their zero point.
void centered(const Tensor& x, int64_t begin, int64_t end, int16_t* to);

}  // namespace wick::ops
