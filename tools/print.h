// Values for people to read.
#pragma once

#include <string>
#include <vector>

#include "inspect/elements.h"
#include "json.h"
#include "wick/ivalue.h"

namespace wick::tools {

// Prints a result to stdout: tensors by dtype, shape, range and first values; containers item by item.
void print_value(const IValue& value, const std::string& label = "result");

// Prints the K largest scores of each row of the first tensor in the value, with labels where there are any.
// Throws Error when the value holds no tensor of scores.
void print_top(const IValue& value, int64_t k, const std::vector<std::string>& labels);

// One of the largest scores of a row.
struct Score {
  size_t row = 0;
  size_t index = 0;  // of the class
  double score = 0, probability = 0;
  std::string label;  // its name, or "class 7"
};
std::vector<Score> top_scores(const IValue& value, int64_t k, const std::vector<std::string>& labels);

// A value as JSON: tensors with dtype, shape and, up to 1000 elements, values. Throws where it nests too deeply or
// holds too much, everything counted wherever it is held.
void append_value(Json& json, const IValue& value);

using inspect::describe, inspect::to_doubles;

}  // namespace wick::tools
