// Quantized tensors of four or two bits: several values to a byte, in the order of a contiguous tensor, lowest bits
// first. Their storages have a byte for each value all the same; those behind the packed ones are zero.
#pragma once

#include "wick/tensor.h"

namespace wick::ops {

inline bool is_sub_byte(DType dtype) { return dtype == DType::kQUInt4x2 || dtype == DType::kQUInt2x4; }

// A quint8 tensor as one of a narrower dtype with the same parameters; values above its range become the largest.
Tensor pack_sub_byte(const Tensor& wide, DType dtype);
// The way back.
Tensor unpack_sub_byte(const Tensor& packed);
// The packed bytes alone, as PyTorch shows them: one row.
Tensor sub_byte_ints(const Tensor& packed);

}  // namespace wick::ops
