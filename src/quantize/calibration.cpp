#include "quantize/calibration.h"

#include <algorithm>

#include "core/check.h"

namespace wick::quantize {

using ir::Function;
using ir::Program;
using ir::Value;

namespace {

bool is_list(const Value* value) { return value->type->is(TypeKind::kList); }

FunctionCopy tapped(const Function& function, const std::vector<Value*>& values) {
  FunctionCopy copy = copy_function(function);
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
  const FunctionCopy copy = tapped(function, values_);
  const Watcher watcher = [&](size_t i, const IValue& value) {
    if (value.is_tensor()) observers_[i].observe(value.to_tensor(), axes_[i]);
  };
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (options.progress) options.progress("calibrating", i, inputs.size());
    try {
      run_watched(program, *copy.function, inputs[i], watcher);
    } catch (const Error& e) {
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
  const int64_t rank = layer.inputs.empty() || is_list(layer.inputs[0]) ? -1 : of(layer.inputs[0]).rank();
  auto sizes = [&](const Value* v) { return IntSpan(of(v).last_sizes()); };
  auto equal = [](IntSpan a, IntSpan b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); };
  switch (layer.kind) {
    case LayerKind::kConv:
    case LayerKind::kTransposed:
      if (rank != layer.spatial_dims() + 2) return "its input has no batch dimension";
      break;
    case LayerKind::kLinear:
      if (rank < 2) return "its input is a vector";
      break;
    case LayerKind::kNorm:
      if (rank < 3 || rank > 5) return "its input is not an image";
      break;
    case LayerKind::kAdd:
      if (!equal(sizes(layer.inputs[0]), sizes(layer.inputs[1]))) return "its operands are of different sizes";
      break;
    case LayerKind::kMul:
      if (!equal(sizes(layer.inputs[0]), sizes(layer.outputs[0])) &&
          !equal(sizes(layer.inputs[1]), sizes(layer.outputs[0]))) {
        return "both its operands are broadcast";
      }
      break;
    default:
      break;
  }
  if (layer.kind == LayerKind::kSame && !is_list(layer.inputs[0]) && !is_list(layer.outputs[0])) {
    // Padding with a large number, a clamp to somewhere else: the input's scale cannot hold it.
    const Histogram &in = of(layer.inputs[0]).histogram(), &out = of(layer.outputs[0]).histogram();
    const float low = std::min(in.least(), 0.0f), high = std::max(in.greatest(), 0.0f);
    const float rounding = 1e-4f * (high - low);  // of averages
    if (out.least() < low - rounding || out.greatest() > high + rounding) {
      return "its result goes beyond the range of its input";
    }
  }
  if (layer.kind == LayerKind::kSame && rank != 4) {
    const std::string_view name = layer.node->op_name;
    if (name.starts_with("aten::adaptive_avg_pool2d") || name.starts_with("aten::avg_pool2d") ||
        name.starts_with("aten::max_pool2d") || name.starts_with("aten::upsample") || name == "aten::pixel_shuffle" ||
        name == "aten::channel_shuffle") {
      return "its input has no batch dimension";
    }
  }
  return {};
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
  const FunctionCopy copy = tapped(function, values);
  run_watched(program, *copy.function, args, [&](size_t i, const IValue& value) {
    const int64_t rank = value.is_tensor() ? value.to_tensor().dim() : -1;
    out[i] = !seen[i] || out[i] == rank ? rank : -1;
    seen[i] = true;
  });
  return out;
}

}  // namespace wick::quantize
