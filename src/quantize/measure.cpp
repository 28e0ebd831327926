// Signal-to-noise ratio and relative error of a quantized method.
#include "quantize/measure.h"

#include <cmath>

#include "core/check.h"
#include "core/copy.h"
#include "core/value_walk.h"

namespace wick::quantize {

void Noise::add(const IValue& expected, const IValue& actual) {
  Descent descent("compared");
  add(expected, actual, descent);
}

void Noise::add(const IValue& expected, const IValue& actual, Descent& descent) {
  if (expected.is_tensor() && actual.is_tensor()) {
    const Tensor &a = expected.to_tensor(), &b = actual.to_tensor();
    if (a.dtype() != DType::kFloat || b.dtype() != DType::kFloat || a.numel() != b.numel()) return;
    const Tensor x = contiguous(a), y = contiguous(b);
    const float *p = x.data_ptr<float>(), *q = y.data_ptr<float>();
    for (int64_t i = 0, count = x.numel(); i < count; ++i) {
      if (!std::isfinite(p[i])) continue;  // a mask that quantization leaves alone
      const double error = static_cast<double>(q[i]) - p[i];
      signal += static_cast<double>(p[i]) * p[i];
      noise += std::isfinite(error) ? error * error : static_cast<double>(p[i]) * p[i];
    }
    return;
  }
  auto each = [&](const std::vector<IValue>& as, const std::vector<IValue>& bs) {
    const Descent::Level level(descent, as.size());
    for (size_t i = 0; i < as.size() && i < bs.size(); ++i) add(as[i], bs[i], descent);
  };
  if (expected.is_tuple() && actual.is_tuple()) return each(expected.to_tuple().items, actual.to_tuple().items);
  if (expected.is_list() && actual.is_list()) return each(expected.to_list().items, actual.to_list().items);
  if (expected.is_dict() && actual.is_dict()) {
    const Descent::Level level(descent, expected.to_dict().size());
    for (const auto& [key, value] : expected.to_dict().entries()) {
      if (const IValue* other = actual.to_dict().find(key)) add(value, *other, descent);
    }
  }
}

double Noise::decibels() const {
  if (noise == 0) return INFINITY;
  return signal == 0 ? 0 : 10 * std::log10(signal / noise);
}

double Noise::relative() const {
  if (noise == 0) return 0;
  return signal == 0 ? 1 : std::sqrt(noise / signal);
}

Reference::Reference(const ir::Program& program, const ir::Function& function, const std::vector<Layer>& layers,
                     const std::vector<std::vector<IValue>>& inputs)
    : program_(program), inputs_(inputs) {
  const ir::FunctionCopy copy = ir::copy_function(function);
  std::vector<ir::Value*> values;
  std::vector<size_t> owners;
  for (size_t i = 0; i < layers.size(); ++i) {
    if (layers[i].outputs.empty() || layers[i].outputs[0]->type->is(TypeKind::kList)) continue;
    values.push_back(copy.values.at(layers[i].outputs[0]));
    owners.push_back(i);
  }
  add_taps(copy.function->graph, values);
  const WatchedRuns runs(program, *copy.function);
  for (const std::vector<IValue>& input : inputs) {
    layers_.emplace_back();
    results_.push_back(runs.run(input, [&](size_t i, const IValue& value) {
      // Later code may write into the tensor.
      layers_.back()[owners[i]].push_back(value.is_tensor() ? IValue(clone(value.to_tensor())) : value);
    }));
  }
}

Noise Reference::compare(Converted& converted, size_t count, std::map<size_t, Noise>* layer_noise) const {
  std::vector<ir::Value*> values;
  std::vector<size_t> owners;
  if (layer_noise) {
    for (const auto& [layer, value] : converted.results) {
      values.push_back(value);
      owners.push_back(layer);
    }
    add_taps(converted.function->graph, values);
  }
  Noise total;
  const WatchedRuns runs(program_, *converted.function);
  for (size_t n = 0; n < inputs_.size() && n < count; ++n) {
    std::vector<size_t> sights(values.size(), 0);
    const IValue result = runs.run(inputs_[n], [&](size_t i, const IValue& value) {
      const auto expected = layers_[n].find(owners[i]);
      if (expected == layers_[n].end() || sights[i] >= expected->second.size()) return;
      (*layer_noise)[owners[i]].add(expected->second[sights[i]++], value);
    });
    total.add(results_[n], result);
  }
  return total;
}

}  // namespace wick::quantize
