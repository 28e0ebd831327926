// Operators as small programs on a GPU, and models there, beside the processor.
#include "parity/gpu_runs.h"

#include <algorithm>
#include <cmath>

#include "core/check.h"
#include "core/copy.h"
#include "core/operator.h"
#include "gpu/gpu.h"
#include "ir/program.h"
#include "parity/wire.h"
#include "plan/planned.h"
#include "plan/profile.h"
#include "runtime/executor.h"
#include "wick/wick.h"

namespace wick::parity {
namespace {

// What the GPU's answer may differ by: a part of the value, and a part of the largest one (or of 1). docs/gpu.md states
// them.
struct Tolerance {
  double of_value, of_largest;
};
constexpr Tolerance kSingle{1e-4, 2e-5}, kHalf{4e-3, 4e-3}, kHalfModel{2e-2, 2e-2};
constexpr double kLargestHalf = 65504;
constexpr uint64_t kSeed = 20;

std::string difference(const Tensor& want, const Tensor& got, const Tolerance& tolerance, bool half) {
  if (want.dtype() != got.dtype()) return cat("dtype ", name_of(got.dtype()), " and ", name_of(want.dtype()));
  if (!(want.sizes() == got.sizes())) return "sizes";
  for (int64_t d = 0; d < want.dim(); ++d) {
    if (want.size(d) > 1 && want.numel() > 0 && want.stride(d) != got.stride(d)) return "strides";
  }
  if (is_quantized(want.dtype()) || is_complex(want.dtype())) return {};
  const Tensor x = Tensor::empty(want.sizes(), DType::kDouble), y = Tensor::empty(want.sizes(), DType::kDouble);
  copy_into(x, want);
  copy_into(y, got);
  const bool is_exact = !is_floating(want.dtype());
  double largest = 1;
  for (int64_t i = 0; i < x.numel(); ++i) {
    const double p = std::abs(x.data_ptr<double>()[i]);
    if (std::isfinite(p)) largest = std::max(largest, p);
  }
  for (int64_t i = 0; i < x.numel(); ++i) {
    const double p = x.data_ptr<double>()[i], q = y.data_ptr<double>()[i];
    if (p == q || (std::isnan(p) && std::isnan(q))) continue;
    const double allowed = is_exact ? 0 : tolerance.of_value * std::abs(p) + tolerance.of_largest * largest;
    if (std::isfinite(p) && std::isfinite(q) && std::abs(p - q) <= allowed) continue;
    // float16 ends there.
    if (half && std::abs(p) > kLargestHalf * (1 - tolerance.of_value) && std::isinf(q) && (p > 0) == (q > 0)) continue;
    return cat("element ", i, ": ", q, ", the processor ", p);
  }
  return {};
}

std::string difference(const IValue& want, const IValue& got, const Tolerance& tolerance, bool half) {
  std::vector<Tensor> a, b;
  collect_tensors(want, a);
  collect_tensors(got, b);
  if (a.size() != b.size() || want.tag() != got.tag()) return "another kind of result";
  for (size_t k = 0; k < a.size(); ++k) {
    std::string d = difference(a[k], b[k], tolerance, half);
    if (!d.empty()) return a.size() > 1 ? cat("[", k, "] ", d) : d;
  }
  return {};
}

// What layers keep: constants of a model.
bool is_weight(const std::string& name) {
  static constexpr std::string_view kNames[] = {"weight",      "bias",      "running_mean", "running_var", "qkv_weight",
                                                "qkv_bias",    "weight1",   "weight2",      "w_ih",        "w_hh",
                                                "proj_weight", "proj_bias", "params",       "b_ih",        "b_hh"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

// Never on a GPU.
bool is_foreign(DType dtype) {
  return !(dtype == DType::kFloat || dtype == DType::kBool || dtype == DType::kLong || dtype == DType::kInt ||
           dtype == DType::kShort || dtype == DType::kByte || dtype == DType::kChar);
}

IValue rounded(const IValue& v) {
  const auto round = [](const Tensor& t) {
    if (!t.defined() || t.dtype() != DType::kFloat) return t;
    const Tensor half = Tensor::empty(t.sizes(), DType::kHalf), out = t.numel() > 0 ? t : Tensor::empty(t.sizes());
    copy_into(half, t);
    copy_into(out, half);
    return out;
  };
  if (v.is_tensor()) return round(v.to_tensor());
  if (!v.is_list()) return v;
  for (const IValue& item : v.to_list().items) {
    if (item.is_tensor()) round(item.to_tensor());
  }
  return v;
}

// A program that calls one operator.
class OneCall {
 public:
  OneCall(const Operator& op, const std::vector<IValue>& args) : function_(std::make_unique<ir::Function>()) {
    function_->name = "__torch__.f";
    function_->has_schema = false;
    ir::Graph& graph = function_->graph;
    body_ = graph.body();
    times_ = find_operator("aten::mul", "Scalar");
    std::vector<ir::Value*> inputs;
    for (size_t k = 0; k < op.schema.arguments.size(); ++k) {
      const Argument& argument = op.schema.arguments[k];
      const IValue& v = k < args.size() ? args[k] : argument.default_value;
      const bool is_list = v.is_list() && std::any_of(v.to_list().items.begin(), v.to_list().items.end(),
                                                      [](const IValue& i) { return i.is_tensor(); });
      if (is_weight(argument.name) && k > 0) {
        inputs.push_back(graph.constant(body_, v));
      } else if (v.is_tensor()) {
        inputs.push_back(live(v));
      } else if (is_list) {
        std::vector<ir::Value*> items;
        for (const IValue& item : v.to_list().items) {
          items.push_back(item.is_tensor() ? live(item) : graph.constant(body_, item));
        }
        ir::Node* node = graph.append(body_, ir::NodeKind::kListConstruct, items);
        node->types = {argument.type};
        inputs.push_back(graph.add_output(node, argument.type));
      } else {
        inputs.push_back(graph.constant(body_, v));
      }
    }
    call_ = graph.call_op(body_, &op, std::move(inputs));
  }

  // `results` are what the operator gives, for their dtypes.
  void finish(const std::vector<IValue>& results) {
    ir::Graph& graph = function_->graph;
    std::vector<ir::Value*> outs;
    for (size_t k = 0; k < call_->outputs.size(); ++k) {
      const bool is_float = k < results.size() && results[k].is_tensor() && results[k].to_tensor().defined() &&
                            results[k].to_tensor().dtype() == DType::kFloat;
      outs.push_back(is_float ? once_more(call_->outputs[k]) : call_->outputs[k]);
    }
    graph.set_results(body_, outs);
    program_->kind = ir::FileKind::kTorchScript;
    program_->operator_version = 10;
    function = program_->add(std::move(function_));
    ir::verify(*function);
  }

  std::shared_ptr<runtime::Executor> executor() const { return std::make_shared<runtime::Executor>(*program_); }
  ir::Function* function = nullptr;
  std::vector<IValue> inputs;

 private:
  ir::Value* live(const IValue& v) {
    inputs.push_back(v);
    ir::Value* param = function_->graph.add_param(body_, types::tensor());
    return v.to_tensor().defined() && v.to_tensor().dtype() == DType::kFloat ? once_more(param) : param;
  }
  ir::Value* once_more(ir::Value* v) {
    ir::Graph& graph = function_->graph;
    return graph.call_op(body_, times_, {v, graph.constant(body_, IValue(1.0))})->outputs[0];
  }

  std::shared_ptr<ir::Program> program_ = std::make_shared<ir::Program>();
  std::unique_ptr<ir::Function> function_;
  ir::Block* body_;
  ir::Node* call_;
  const Operator* times_;
};

}  // namespace

struct GpuRuns::Target {
  std::shared_ptr<plan::Target> target;
};

GpuRuns::GpuRuns(bool half) : half_(half), target_(std::make_unique<Target>()) {
  BackendOptions options;
  options.precision = half ? GpuPrecision::kFloat16 : GpuPrecision::kFloat32;
  target_->target = gpu::open(options);  // keeps the device, and so its pipelines
}
GpuRuns::~GpuRuns() = default;

bool GpuRuns::run_operator(const std::string& name, const std::vector<IValue>& given, GpuOutcome& out) const {
  const Operator& op = *find_operator(name);
  std::vector<IValue> args;
  for (const IValue& v : given) {
    std::vector<Tensor> tensors;
    collect_tensors(v, tensors);
    for (const Tensor& t : tensors) {
      if (t.defined() && (is_foreign(t.dtype()) || t.requires_grad())) return false;
    }
    args.push_back(half_ ? rounded(v) : v);
  }
  for (const Argument& a : op.schema.arguments) {
    if (a.is_out) return false;
  }
  if (op.schema.is_vararg || op.schema.is_varret) return false;
  OneCall call(op, args);
  if (call.inputs.empty()) return false;
  // On the processor first, on copies: the operator may write to its arguments.
  const auto copies = [&] {
    std::vector<IValue> list;
    for (const IValue& v : call.inputs) {
      const Tensor& t = v.to_tensor();
      if (!t.defined()) {
        list.push_back(v);
        continue;
      }
      Tensor copy = Tensor::empty_strided(t.sizes(), t.strides(), t.dtype());
      copy_into(copy, t);
      list.push_back(copy);
    }
    return list;
  };
  const std::vector<IValue> before = copies();
  std::vector<IValue> results = call_operator(name, args);
  call.inputs = before;
  call.finish(results);
  const auto executor = call.executor();
  plan::Planner plain(*executor), planned(*executor);
  manual_seed(kSeed);
  const IValue want = plain.run(*call.function, copies());
  planned.set_target(target_->target, false);
  for (int k = 0; k < 2; ++k) {
    plan::Profile profile;
    const plan::ProfileScope scope(profile);
    manual_seed(kSeed);
    out.value = planned.run(*call.function, copies());
    out.on_gpu = out.on_processor = 0;
    for (const plan::StepTime& step : profile.steps) ++(step.kind == "gpu" ? out.on_gpu : out.on_processor);
  }
  out.difference = parity::difference(want, out.value, half_ ? kHalf : kSingle, half_);
  target_->target->forget();
  return true;
}

GpuOutcome GpuRuns::run_modules(Module on_processor, Module on_gpu, const std::string& method,
                                std::vector<std::vector<IValue>> args) const {
  const auto run = [&](const Module& module, std::vector<IValue> list) {
    manual_seed(kSeed);
    return method.empty() ? module(std::move(list)) : module.run_method(method, std::move(list));
  };
  BackendOptions options;
  options.precision = half_ ? GpuPrecision::kFloat16 : GpuPrecision::kFloat32;
  on_gpu.set_backend(Backend::kGpu, options);
  GpuOutcome out;
  const IValue want = run(on_processor, std::move(args[0]));
  out.value = run(on_gpu, std::move(args[1]));
  out.difference = parity::difference(want, out.value, half_ ? kHalfModel : kSingle, half_);
  plan::Profile profile;
  const plan::ProfileScope scope(profile);
  run(on_gpu, std::move(args[2]));
  for (const plan::StepTime& step : profile.steps) ++(step.kind == "gpu" ? out.on_gpu : out.on_processor);
  return out;
}

}  // namespace wick::parity
