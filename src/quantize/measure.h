// The error of a quantized method relative to the float one, on given inputs.
#pragma once

#include "core/value_walk.h"
#include "quantize/convert.h"

namespace wick::quantize {

// Energies of a float signal and of what another differs from it.
struct Noise {
  double signal = 0, noise = 0;
  void add(const IValue& expected, const IValue& actual);
  double decibels() const;
  double relative() const;  // root mean square of the noise over that of the signal

 private:
  void add(const IValue& expected, const IValue& actual, Descent& descent);
};

// The float method's results and layers, computed once for each input.
class Reference {
 public:
  Reference(const ir::Program& program, const ir::Function& function, const std::vector<Layer>& layers,
            const std::vector<std::vector<IValue>>& inputs);

  // Runs the converted method on the first `count` inputs; `layer_noise` (may be null) gets an entry for each of its
  // layers' results.
  Noise compare(Converted& converted, size_t count, std::map<size_t, Noise>* layer_noise) const;
  size_t count() const { return inputs_.size(); }

 private:
  const ir::Program& program_;
  const std::vector<std::vector<IValue>>& inputs_;
  std::vector<IValue> results_;
  std::vector<std::map<size_t, std::vector<IValue>>> layers_;  // of each input: sights of each layer's result
};

}  // namespace wick::quantize
