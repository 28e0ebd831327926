// How far two values are from each other. Part of the compiler library (wick::compiler).
#pragma once

#include <string>
#include <vector>

#include "wick/ivalue.h"

namespace wick {

// The difference of two tensors or numbers that stand in the same place of two values.
//
//   for (const wick::Difference& d : wick::compare_values(a(inputs), b(inputs), "result"))
//     if (!d.within(1e-5)) std::printf("%s differs by %g\n", d.label.c_str(), d.largest);
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
std::vector<Difference> compare_values(const IValue& a, const IValue& b, const std::string& label = "result");

// A deep copy: tensors and containers are not shared.
IValue deep_copy(const IValue& value);

}  // namespace wick
