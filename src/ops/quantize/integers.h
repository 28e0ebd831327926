// Functions of each integer of a tensor that is quantized per tensor: a table for bytes, a loop for 32 bits.
#pragma once

#include <algorithm>
#include <cmath>

#include "kernels/int8_pointwise.h"
#include "ops/nn/common.h"
#include "ops/quantize/products.h"
#include "ops/quantize/quantize.h"

namespace wick::ops {

// Throws unless the tensor is quint8, qint8 or qint32, quantized per tensor.
const Quantizer& check_per_tensor(const Tensor& t, const char* op);

// zero + steps, the steps rounded as PyTorch rounds them for the dtype; not yet within its range.
inline double rounded(float steps, int64_t zero, DType dtype) {
  if (dtype != DType::kQInt32) return round_to_int16(steps) + static_cast<double>(zero);
  return std::nearbyint(steps) + static_cast<double>(zero);
}

// The number that an integer stands for.
inline float number_of(int32_t integer, const Quantizer& q, DType dtype) {
  const QuantRange range = quant_range(dtype);
  return static_cast<float>(q.scale) *
         static_cast<float>(integer - std::clamp<int64_t>(q.zero_point, range.low, range.high));
}

// f of each integer, kept within `range`, as a dense tensor with other parameters. NaN becomes the lowest.
template <class F>
Tensor map_integers(const Tensor& self, double scale, int64_t zero_point, MemoryFormat format, QuantRange range,
                    F&& f) {
  const Tensor x = contiguous(self, format);
  Tensor out = empty_quantized(self.sizes(), self.dtype(), scale, zero_point, format);
  const auto low = static_cast<double>(range.low), high = static_cast<double>(range.high);
  const auto bounded = [&](int32_t integer) { return std::max(low, std::min(static_cast<double>(f(integer)), high)); };
  if (self.dtype() == DType::kQInt32) {
    const auto* from = static_cast<const int32_t*>(x.raw_data());
    auto* to = static_cast<int32_t*>(out.raw_data());
    parallel_for(0, x.numel(), 32768, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) to[i] = static_cast<int32_t>(bounded(from[i]));
    });
    return out;
  }
  uint8_t table[256];
  const QuantRange all = quant_range(self.dtype());
  for (auto q = static_cast<int32_t>(all.low); q <= all.high; ++q) {
    table[static_cast<uint8_t>(q)] = static_cast<uint8_t>(static_cast<int32_t>(bounded(q)));
  }
  const auto* from = static_cast<const uint8_t*>(x.raw_data());
  auto* to = static_cast<uint8_t*>(out.raw_data());
  parallel_for(0, x.numel(), 65536, [&](int64_t begin, int64_t end) {
    kernels::look_up_bytes(table, from + begin, end - begin, to + begin);
  });
  return out;
}

}  // namespace wick::ops
