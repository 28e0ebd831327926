// Tensors as text and as numbers, for reports.
#pragma once

#include <string>
#include <vector>

#include "wick/tensor.h"

namespace wick::inspect {

// "float32 [1, 3, 224, 224]"
std::string describe(const Tensor& tensor);

// Elements as doubles, in order; quantized tensors as the numbers they stand for.
std::vector<double> to_doubles(const Tensor& tensor);

}  // namespace wick::inspect
