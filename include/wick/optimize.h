// The mobile optimizer: what torch.utils.mobile_optimizer.optimize_for_mobile does. Part of the compiler library
// (wick::compiler).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "wick/module.h"

namespace wick {

// What optimize() does and checks. The defaults are what optimize_for_mobile does on the CPU, verified.
//
//   wick::OptimizeOptions options;
//   options.blocklist = {"HOIST_CONV_PACKED_PARAMS"};
//   wick::OptimizeReport report;
//   wick::Module fast = wick::optimize(module, options, &report);
struct OptimizeOptions {
  // "cpu": layers become prepacked::* with packed weights; "vulkan", "metal": their own packed layers. Upper case will
  // do.
  std::string backend = "cpu";
  // Passes to leave out: CONV_1D_TO_2D, CONV_BN_FUSION, INSERT_FOLD_PREPACK_OPS, HOIST_CONV_PACKED_PARAMS,
  // REMOVE_DROPOUT, FUSE_ADD_RELU, VULKAN_AUTOMATIC_GPU_TRANSFER, and EXTRA_FUSIONS: the fusions PyTorch's optimizer
  // does not do.
  std::vector<std::string> blocklist;
  // Methods to keep besides forward and those of bundled inputs.
  std::vector<std::string> preserve_methods;

  // After every pass the model's outputs are compared with the original's in evaluation mode. It stops the optimizer
  // when an output differs by more than tolerance * max(1, largest magnitude of the output). Some answers depend on
  // values within rounding of each other (which of two boxes is kept): where the original's own output jumps, by more
  // than that and a thousandth, when its weights and inputs change by about a millionth, a difference is noted and does
  // not stop the optimizer, unless `strict`.
  bool verify = true;
  double tolerance = 1e-3;
  bool strict = false;
  // What forward is run on: lists of arguments. When empty the bundled inputs, and without these random ones of shapes
  // the model takes, if such are found.
  std::vector<std::vector<IValue>> inputs;
  uint64_t seed = 0;
  // Called on the calling thread as passes begin: the pass, how many are done, and how many there may be.
  std::function<void(const char* what, size_t done, size_t total)> progress;
};

// How far an output of a pass is from the original's.
struct OutputDifference {
  std::string output;     // "forward", "forward[1]", "forward['logits']"
  double difference = 0;  // largest of all inputs
  double magnitude = 0;   // largest of the original's output
  bool is_stable = true;  // false: above the tolerance, and so is the original's own change by rounding
};

// What a pass did, and what it did to the answers.
struct PassReport {
  std::string name;
  size_t changes = 0;  // places
  std::vector<OutputDifference> differences;
};

// What optimize() did, filled in as far as it came when it throws.
struct OptimizeReport {
  std::vector<PassReport> passes;    // those that were run
  std::vector<std::string> notes;    // what a user should know: switched to evaluation, not compared, ...
  std::vector<std::string> methods;  // kept
  bool verified = false;
  std::string compared_on;  // "2 bundled inputs", "random inputs: float [1, 3, 64, 64]"
};

// The names a blocklist may hold.
std::vector<std::string> optimizer_passes();

// A new model with the outputs of `module` in evaluation mode; `module` is not changed. Seeds the random generator
// when it compares. Throws kInvalidArgument for an unknown backend or pass and for a model that is optimized
// already, kNotFound for an unknown method, and kUnsupported naming the pass when answers differ.
Module optimize(const Module& module, const OptimizeOptions& options = {}, OptimizeReport* report = nullptr);

}  // namespace wick
