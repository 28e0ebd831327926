// Values for people to read.
#pragma once

#include <string>
#include <vector>

#include "inspect/elements.h"
#include "wick/ivalue.h"

namespace wick::tools {

// Prints a result to stdout: tensors by dtype, shape, range and first values; containers item by item.
void print_value(const IValue& value, const std::string& label = "result");

// Prints the K largest scores of each row of the first tensor in the value, with labels where there are any.
// Throws Error when the value holds no tensor of scores.
void print_top(const IValue& value, int64_t k, const std::vector<std::string>& labels);

using inspect::describe, inspect::to_doubles;

}  // namespace wick::tools
