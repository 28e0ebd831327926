// The text of values, as Python's repr.
#pragma once

#include <string>

#include "wick/tensor.h"

namespace wick {

// As TorchScript's str(float): "1.", "0.10000000000000001", "1e+22", "inf".
void append_float(std::string& out, double v);
// As PyTorch's C++ frontend prints a tensor: the elements, then "[ CPUFloatType{2,3} ]".
void append_tensor(std::string& out, const Tensor& t);

}  // namespace wick
