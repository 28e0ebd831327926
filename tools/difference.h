// How far two values are from each other.
#pragma once

#include <string>
#include <vector>

#include "wick/ivalue.h"

namespace wick::tools {

struct Difference {
  std::string label;       // "result[0]"
  std::string what;        // "float32 [1, 1000]"
  std::string comparable;  // why they cannot be compared; empty when they can
  double largest = 0;      // |a - b|; a NaN on one side only is infinitely far
  double relative = 0;     // to the largest finite |value| of both
  double mean = 0;

  // Differences are allowed up to `tolerance` times the largest value.
  bool within(double tolerance) const { return comparable.empty() && relative <= tolerance; }
};

// One entry for each tensor and number; containers are compared item by item.
std::vector<Difference> compare_values(const IValue& a, const IValue& b, const std::string& label);

// A deep copy: tensors and containers are not shared.
IValue deep_copy(const IValue& value);

}  // namespace wick::tools
