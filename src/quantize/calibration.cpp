// Calibration: runs the model on sample inputs and finds which layers can be quantized, and with which scales.
#include "quantize/calibration.h"

#include <algorithm>

#include "core/check.h"
#include "core/stopped.h"

namespace wick::quantize {

using ir::Function;
using ir::Program;
using ir::Value;

namespace {

bool is_list(const Value* value) { return value->type->is(TypeKind::kList); }

// Whether an operator that keeps the scale of its input takes images alone.
bool takes_images(std::string_view name) {
  return name.starts_with("aten::adaptive_avg_pool2d") || name.starts_with("aten::avg_pool2d") ||
         name.starts_with("aten::max_pool2d") || name.starts_with("aten::upsample") || name == "aten::pixel_shuffle" ||
         name == "aten::channel_shuffle";
}

ir::FunctionCopy tapped(const Function& function, const std::vector<Value*>& values) {
  ir::FunctionCopy copy = ir::copy_function(function);
  std::vector<Value*> copies;
  copies.reserve(values.size());
  for (const Value* v : values) copies.push_back(copy.values.at(v));
  add_taps(copy.function->graph, copies);
  return copy;
}

}  // namespace

Calibration::Calibration(const std::vector<Layer>& layers) {
  for (const Layer& layer : layers) {
    for (Value* v : layer.inputs) {
      watch(v, layer.kind == LayerKind::kLinear ? std::optional<int64_t>(-1)
               : layer.kind == LayerKind::kConv ? std::optional<int64_t>(1)
                                                : std::nullopt);
    }
    for (Value* v : layer.outputs) watch(v, std::nullopt);
  }
}

void Calibration::watch(Value* value, std::optional<int64_t> channel_axis) {
  if (is_list(value)) return;
  const auto [it, fresh] = places_.try_emplace(value, values_.size());
  if (fresh) {
    values_.push_back(value);
    axes_.push_back(std::nullopt);
    observers_.emplace_back();
  }
  if (channel_axis) axes_[it->second] = channel_axis;
}

void Calibration::run(const Program& program, const Function& function, const std::vector<std::vector<IValue>>& inputs,
                      const QuantizeOptions& options) {
  const ir::FunctionCopy copy = tapped(function, values_);
  const Watcher watcher = [&](size_t i, const IValue& value) {
    if (value.is_tensor()) observers_[i].observe(value.to_tensor(), axes_[i]);
  };
  const WatchedRuns runs(program, *copy.function);
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (options.progress) options.progress("calibrating", i, inputs.size());
    try {
      runs.run(inputs[i], watcher);
    } catch (const Error& e) {
      rethrow_if_stopped(e);
      fail_with<ErrorCode::kInvalidArgument>("the model does not run on calibration input ", i + 1, " of ",
                                             inputs.size(), ": ", e.message());
    }
  }
  if (options.progress) options.progress("calibrating", inputs.size(), inputs.size());
  for (const ValueObserver& observer : observers_) params_.push_back(observer.params(options.observer));
}

std::string Calibration::problem_of(const Layer& layer) const {
  for (const std::vector<Value*>* values : {&layer.inputs, &layer.outputs}) {
    for (const Value* v : *values) {
      if (is_list(v)) continue;
      const ValueObserver& seen = of(v);
      if (seen.count() == 0) return "calibration never came here";
      if (!seen.problem().empty()) return seen.problem();
    }
  }
  if (exceeds_input_range(layer)) return "its result goes beyond the range of its input";
  const char* problem = problem_of_sizes(layer);
  return problem == nullptr ? "" : problem;
}

const char* Calibration::problem_of_sizes(const Layer& layer) const {
  const int64_t rank = layer.inputs.empty() || is_list(layer.inputs[0]) ? -1 : of(layer.inputs[0]).rank();
  auto same_sizes = [&](const Value* a, const Value* b) { return of(a).last_sizes() == of(b).last_sizes(); };
  switch (layer.kind) {
    case LayerKind::kConv:
    case LayerKind::kTransposed:
      return rank != layer.spatial_dims() + 2 ? "its input has no batch dimension" : nullptr;
    case LayerKind::kLinear:
      return rank < 2 ? "its input is a vector" : nullptr;
    case LayerKind::kNorm:
      return rank < 3 || rank > 5 ? "its input is not an image" : nullptr;
    case LayerKind::kAdd:
      return !same_sizes(layer.inputs[0], layer.inputs[1]) ? "its operands are of different sizes" : nullptr;
    case LayerKind::kMul:
      return !same_sizes(layer.inputs[0], layer.outputs[0]) && !same_sizes(layer.inputs[1], layer.outputs[0])
                 ? "both its operands are broadcast"
                 : nullptr;
    case LayerKind::kSame:
      return rank != 4 && takes_images(layer.node->op_name) ? "its input has no batch dimension" : nullptr;
    default:
      return nullptr;
  }
}

// Padding with a large number, a clamp to somewhere else: the input's scale cannot hold the result.
bool Calibration::exceeds_input_range(const Layer& layer) const {
  if (layer.kind != LayerKind::kSame || is_list(layer.inputs[0]) || is_list(layer.outputs[0])) return false;
  const Histogram &in = of(layer.inputs[0]).histogram(), &out = of(layer.outputs[0]).histogram();
  const float low = std::min(in.least(), 0.0f), high = std::max(in.greatest(), 0.0f);
  const float rounding = 1e-4f * (high - low);  // of averages
  return out.least() < low - rounding || out.greatest() > high + rounding;
}

void Calibration::judge(std::vector<Layer>& layers) const {
  for (Layer& layer : layers) {
    if (layer.reason.empty()) layer.reason = problem_of(layer);
  }
}

std::vector<int64_t> ranks_of(const Program& program, const Function& function, const std::vector<Value*>& values,
                              const std::vector<IValue>& args) {
  std::vector<int64_t> out(values.size(), -1);
  std::vector<bool> seen(values.size(), false);
  const ir::FunctionCopy copy = tapped(function, values);
  WatchedRuns(program, *copy.function).run(args, [&](size_t i, const IValue& value) {
    const int64_t rank = value.is_tensor() ? value.to_tensor().dim() : -1;
    out[i] = !seen[i] || out[i] == rank ? rank : -1;
    seen[i] = true;
  });
  return out;
}

}  // namespace wick::quantize
