// Values for people to read.
#pragma once

#include <string>
#include <vector>

#include "wick/ivalue.h"

namespace wick::tools {

// Prints a result to stdout: tensors by dtype, shape, range and first values; containers item by item.
void print_value(const IValue& value, const std::string& label = "result");

// Prints the K largest scores of each row of the first tensor in the value, with labels where there are any.
// Throws Error when the value holds no tensor of scores.
void print_top(const IValue& value, int64_t k, const std::vector<std::string>& labels);

// "float32 [1, 3, 224, 224]"
std::string describe(const Tensor& tensor);

// Elements as doubles, in order; quantized tensors as the numbers they stand for.
std::vector<double> to_doubles(const Tensor& tensor);

}  // namespace wick::tools
