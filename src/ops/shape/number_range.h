// Whether a Python number can be stored in a dtype.
#pragma once

#include "wick/tensor.h"

namespace wick::ops {

// Throws PyTorch's "value cannot be converted to type uint8_t without overflow" when the number is outside the
// dtype's range or has an imaginary part the dtype cannot hold.
void check_number_fits(const Scalar& value, DType dtype);

// A zero-dim tensor holding the number, after that check.
Tensor number_tensor(const Scalar& value, DType dtype);

}  // namespace wick::ops
