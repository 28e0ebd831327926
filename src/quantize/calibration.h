// The ranges that calibration has found for the values of a method.
#pragma once

#include "quantize/layers.h"
#include "quantize/observer.h"
#include "quantize/trial.h"

namespace wick::quantize {

class Calibration {
 public:
  // Watches the inputs and results of the layers.
  explicit Calibration(const std::vector<Layer>& layers);

  // Runs the function, whose layers they are, on each input. Throws kInvalidArgument, naming the input.
  void run(const ir::Program& program, const ir::Function& function, const std::vector<std::vector<IValue>>& inputs,
           const QuantizeOptions& options);
  // Gives a reason to layers that what was seen forbids to quantize.
  void judge(std::vector<Layer>& layers) const;

  const ValueObserver& of(const ir::Value* value) const { return observers_[places_.at(value)]; }
  const QParams& params(const ir::Value* value) const { return params_[places_.at(value)]; }

 private:
  void watch(ir::Value* value, std::optional<int64_t> channel_axis);
  std::string problem_of(const Layer& layer) const;
  // Null: none.
  const char* problem_of_sizes(const Layer& layer) const;
  bool exceeds_input_range(const Layer& layer) const;

  std::vector<ir::Value*> values_;
  std::vector<std::optional<int64_t>> axes_;
  std::unordered_map<const ir::Value*, size_t> places_;
  std::vector<ValueObserver> observers_;
  std::vector<QParams> params_;
};

// Ranks of values while the function runs on the arguments; -1 for values that did not come to be or change theirs.
std::vector<int64_t> ranks_of(const ir::Program& program, const ir::Function& function,
                              const std::vector<ir::Value*>& values, const std::vector<IValue>& args);

}  // namespace wick::quantize
