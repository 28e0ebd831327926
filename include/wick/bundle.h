// Inputs stored with a model, as torch.utils.bundled_inputs stores them. Part of the compiler library (wick::compiler).
#pragma once

#include <string>
#include <vector>

#include "wick/module.h"

namespace wick {

// One argument of a bundled input: a value that is stored, or a recipe for random ones.
//
//   wick::bundle_inputs(module, {{wick::BundledArgument::randn({1, 3, 224, 224})}, {wick::IValue(image)}});
//   wick::save_lite(module, "bundled.ptl");
struct BundledArgument {
  BundledArgument(IValue v) : value(std::move(v)) {}  // NOLINT: an IValue is an argument
  // New random numbers of the normal distribution at each call, in a tensor of these sizes, as bundle_randn gives.
  static BundledArgument randn(IntSpan sizes, DType dtype = DType::kFloat);

  IValue value;
  bool is_random = false;
};
using BundledInput = std::vector<BundledArgument>;

// Adds inputs for a method to the model: the attribute _bundled_inputs_deflated_<method> and the methods PyTorch's
// tools look for (get_all_bundled_inputs_for_<method>, get_bundled_inputs_functions_and_info and, for forward,
// get_all_bundled_inputs, get_num_bundled_inputs, run_on_bundled_input). Tensors with one value everywhere are stored
// as that value; others are stored whole, whatever their size. Arguments that are left out take their defaults.
// `info` says something of the inputs to people. The model's source, where it has one, gets the same methods.
// Throws kInvalidArgument for inputs the method does not accept, when there are none, and when the method has bundled
// inputs already; kNotFound for an unknown method. No call of the module may be running meanwhile.
void bundle_inputs(Module& module, const std::vector<BundledInput>& inputs, const std::string& method = "forward",
                   const std::vector<std::string>& info = {});

// Removes the bundled inputs of all methods. Returns false when there are none.
bool strip_bundled_inputs(Module& module);

}  // namespace wick
