// Runs operators and models on a GPU, and says what of them ran there.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "wick/module.h"

namespace wick::parity {

// What ran where, and whether the GPU's results are the processor's.
struct GpuOutcome {
  IValue value;
  size_t on_gpu = 0, on_processor = 0;  // steps
  std::string difference;               // empty: none beyond rounding
};

class GpuRuns {
 public:
  // Throws kUnsupported where there is no GPU. `half`: float16 storage.
  explicit GpuRuns(bool half);
  ~GpuRuns();

  // The operator as the middle of a small program: its float arguments come from a step before it and its float results
  // go to a step after it, as within a model; arguments named as weights are constants. False: its dtypes are never the
  // GPU's, nothing was run.
  bool run_operator(const std::string& name, const std::vector<IValue>& args, GpuOutcome& out) const;
  // A loaded model, twice; `args` are made for every run.
  template <class MakeArgs>
  GpuOutcome run_model(Module on_processor, Module on_gpu, const std::string& method, const MakeArgs& make_args) const {
    return run_modules(std::move(on_processor), std::move(on_gpu), method, {make_args(), make_args(), make_args()});
  }

 private:
  struct Target;
  GpuOutcome run_modules(Module on_processor, Module on_gpu, const std::string& method,
                         std::vector<std::vector<IValue>> args) const;

  const bool half_;
  std::unique_ptr<Target> target_;
};

}  // namespace wick::parity
