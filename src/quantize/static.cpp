// Static quantization: from the float method to the one on integers, step by step.
#include <algorithm>
#include <cmath>

#include "api/module_access.h"
#include "core/check.h"
#include "core/out_of_memory.h"
#include "core/stopped.h"
#include "core/tensor_impl.h"
#include "passes/passes.h"
#include "quantize/alias.h"
#include "quantize/edit.h"
#include "quantize/measure.h"
#include "quantize/pool.h"
#include "quantize/ranks.h"
#include "quantize/weights.h"
#include "wick/quantize.h"

namespace wick::quantize {

namespace {

constexpr size_t kHistogramBins = 80;
constexpr size_t kHarmInputs = 2;  // a run for each layer and input
constexpr size_t kLossInputs = 4;  // when no report is asked for

class Static {
 public:
  Static(const Module& module, const std::vector<std::vector<IValue>>& inputs, const QuantizeOptions& options)
      : original_(module), options_(options), inputs_(inputs), model_(freeze(*program_of(module))), names_(model_) {}

  Quantized run() {
    prepare();
    if (options_.report_inputs > 0 || options_.max_loss >= 0) measure();
    const std::vector<bool> selected = select_layers(layers_, excluded_);
    Converted final = convert(*forward_, layers_, selected, *calibration_, options_, weights_, false);
    check_runs(*final.function);
    finish_report(final);
    replace_forward(std::move(final.function));
    remove_parts_of_forward();
    prune(*model_.program);
    pool_small_tensors(*model_.program);
    Quantized out;
    out.module = make_module(model_.program);
    out.report = std::move(report_);
    return out;
  }

 private:
  void fold_norms(const std::unordered_set<const ir::Value*>& matrices) {
    passes::FoldBatchNormOptions options;
    options.is_matrix = [&](const ir::Value* value) { return matrices.contains(value); };
    options.on_fold = [&](const Tensor& before, const Tensor& after) {
      if (const auto it = model_.names.find(before.impl()); it != model_.names.end()) {
        const std::string name = it->second;
        model_.names[after.impl()] = name;
      }
    };
    passes::fold_batch_norm(forward_->graph, options);
  }

  // Results of linear layers that go into a batch norm only.
  std::vector<ir::Value*> linears_before_norms() {
    std::vector<ir::Value*> out;
    const auto results = block_results(forward_->graph);
    each_node(*forward_->graph.body(), [&](ir::Node& node) {
      if (!is_op(node, "aten::batch_norm")) return;
      const ir::Node* layer = node.inputs[0]->def;
      if (layer && is_op(*layer, "aten::linear") && only_user(*node.inputs[0], results) == &node) {
        out.push_back(node.inputs[0]);
      }
    });
    return out;
  }

  void prepare() {
    forward_ = model_.program->find_method("forward");
    WICK_CHECK(forward_, kInvalidArgument, "the model has no method 'forward' to quantize");
    canonicalize(*forward_, model_);
    on_first_input([&] { fix_ranks(*model_.program, *forward_, inputs_[0]); });
    make_functional(forward_->graph);
    std::unordered_set<const ir::Value*> matrices;
    if (const std::vector<ir::Value*> linears = linears_before_norms(); !linears.empty()) {
      std::vector<int64_t> ranks;
      on_first_input([&] { ranks = ranks_of(*model_.program, *forward_, linears, inputs_[0]); });
      for (size_t i = 0; i < linears.size(); ++i) {
        if (ranks[i] == 2) matrices.insert(linears[i]);
      }
    }
    fold_norms(matrices);
    remove_unused(forward_->graph);
    ir::verify(*forward_);

    layers_ = find_layers(*forward_, names_);
    skip_layers();
    for (const Layer& layer : layers_) {
      if (layer.has_weight() && layer.reason.empty()) check_finite(layer.weight, layer.name);
    }
    calibration_ = std::make_unique<Calibration>(layers_);
    calibration_->run(*model_.program, *forward_, inputs_, options_);
    calibration_->judge(layers_);
    excluded_.assign(layers_.size(), false);
    report_.inputs = inputs_.size();
  }

  void on_first_input(const std::function<void()>& work) const {
    try {
      work();
    } catch (const Error& e) {
      rethrow_if_stopped(e);
      fail_with<ErrorCode::kInvalidArgument>("the model does not run on calibration input 1 of ", inputs_.size(), ": ",
                                             e.message());
    }
  }

  void skip_layers() {
    SkipList skip(options_.skip);
    std::vector<std::string> known;
    for (Layer& layer : layers_) {
      known.push_back(layer.name);
      if (skip.contains(layer.name)) layer.reason = "skipped as asked";
    }
    skip.check_all_met(known);
  }

  void measure() {
    size_t count = options_.report_inputs > 0 ? options_.report_inputs : kLossInputs;
    count = std::min(count, inputs_.size());
    const std::vector<std::vector<IValue>> some(inputs_.begin(), inputs_.begin() + static_cast<std::ptrdiff_t>(count));
    const Reference reference(*model_.program, *forward_, layers_, some);
    measure_harm(reference);
    if (options_.max_loss >= 0) exclude_worst(reference);
    Converted all = converted(true);
    const Noise total = reference.compare(all, count, &noise_);
    report_.measured = true;
    report_.output_snr = total.decibels();
    report_.loss = total.relative();
  }

  Converted converted(bool keep_results) {
    return convert(*forward_, layers_, select_layers(layers_, excluded_), *calibration_, options_, weights_,
                   keep_results);
  }

  void measure_harm(const Reference& reference) {
    const std::vector<bool> selected = select_layers(layers_, excluded_);
    for (size_t i = 0; i < layers_.size(); ++i) {
      if (options_.progress) options_.progress("measuring", i, layers_.size());
      if (!selected[i] || layers_[i].kind == LayerKind::kSame) continue;
      std::vector<bool> alone(layers_.size(), false);
      alone[i] = true;
      Converted one = convert(*forward_, layers_, alone, *calibration_, options_, weights_, true);
      std::map<size_t, Noise> own;
      harm_[i] = reference.compare(one, kHarmInputs, &own).relative();
      own_[i] = own[i].decibels();
    }
    if (options_.progress) options_.progress("measuring", layers_.size(), layers_.size());
  }

  double loss_without(const Reference& reference, const std::vector<size_t>& worst, size_t count) {
    excluded_.assign(layers_.size(), false);
    for (size_t i = 0; i < count; ++i) excluded_[worst[i]] = true;
    Converted some = converted(false);
    return reference.compare(some, reference.count(), nullptr).relative();
  }

  // The fewest of the worst layers that must go; the loss is taken to fall with each.
  void exclude_worst(const Reference& reference) {
    std::vector<size_t> worst;
    for (const auto& [layer, harm] : harm_) worst.push_back(layer);
    std::stable_sort(worst.begin(), worst.end(), [&](size_t a, size_t b) { return harm_[a] > harm_[b]; });
    size_t bad = 0, good = worst.size();
    if (loss_without(reference, worst, 0) <= options_.max_loss) good = 0;
    while (good > bad + 1) {
      const size_t middle = (bad + good) / 2;
      if (options_.progress) options_.progress("max-loss", bad, good);
      (loss_without(reference, worst, middle) <= options_.max_loss ? good : bad) = middle;
    }
    loss_without(reference, worst, good);
    for (size_t i = 0; i < good; ++i) layers_[worst[i]].reason = "left in float to meet the greatest loss";
  }

  // A model that does not run is not written.
  void check_runs(const ir::Function& function) const {
    try {
      WatchedRuns(*model_.program, function).run(inputs_[0], [](size_t, const IValue&) {});
    } catch (const Error& e) {
      rethrow_if_stopped(e);
      fail_with<ErrorCode::kInternal>("the quantized model does not run: ", e.message());
    }
  }

  void finish_report(const Converted& final) {
    for (size_t i = 0; i < layers_.size(); ++i) {
      const Layer& layer = layers_[i];
      if (layer.kind == LayerKind::kSame && layer.reason.empty()) continue;
      LayerReport out;
      out.name = layer.name;
      out.op = ir::name_of(*layer.node);
      out.reason = layer.reason;
      if (const auto op = final.ops.find(i); op != final.ops.end()) {
        out.quantized = true;
        out.op = op->second;
        out.scale = final.params.at(i).scale;
        out.zero_point = final.params.at(i).zero_point;
        if (const auto harm = harm_.find(i); harm != harm_.end() && noise_.contains(i)) {
          out.measured = true;
          out.harm = harm->second;
          out.own_snr = own_[i];
          out.snr = noise_[i].decibels();
        }
      } else if (out.reason.empty()) {
        out.reason = "nothing around it is quantized";
      }
      if (layer.kind != LayerKind::kSame && !layer.outputs.empty()) {
        const Histogram& histogram = calibration_->of(layer.outputs[0]).histogram();
        out.histogram = histogram.coarse(kHistogramBins);
        out.least = histogram.least();
        out.greatest = histogram.greatest();
      }
      report_.layers.push_back(std::move(out));
    }
    std::stable_sort(report_.layers.begin(), report_.layers.end(), [](const LayerReport& a, const LayerReport& b) {
      return a.quantized != b.quantized ? a.quantized : a.harm > b.harm;
    });
  }

  void replace_forward(std::unique_ptr<ir::Function> function) {
    ir::verify(*function);
    model_.program->remove(*forward_);
    forward_ = model_.program->add(std::move(function));
  }

  // Methods forward calls are in it now. Left beside it, they would keep the float weights.
  void remove_parts_of_forward() {
    const ir::Program& before = *program_of(original_);
    const std::string prefix = before.root.to_object().cls->name + ".";
    std::vector<const ir::Function*> parts{before.find_method("forward")};
    for (size_t i = 0; i < parts.size(); ++i) {
      for (const ir::Function* called : ir::functions_called(before, *parts[i])) {
        const bool is_method = called->name.starts_with(prefix);
        if (is_method && std::find(parts.begin(), parts.end(), called) == parts.end()) parts.push_back(called);
      }
    }
    for (const ir::Function* part : parts) {
      ir::Function* left = model_.program->find(part->name);
      if (left && left != forward_) model_.program->remove(*left);
    }
  }

  const Module& original_;
  const QuantizeOptions& options_;
  const std::vector<std::vector<IValue>>& inputs_;
  Frozen model_;
  LayerNames names_;
  ir::Function* forward_ = nullptr;
  std::vector<Layer> layers_;
  std::unique_ptr<Calibration> calibration_;
  std::vector<bool> excluded_;
  PackedWeights weights_;
  std::map<size_t, double> harm_, own_;
  std::map<size_t, Noise> noise_;
  QuantizeReport report_;
};

}  // namespace

}  // namespace wick::quantize

namespace wick {

Quantized quantize_static(const Module& module, const std::vector<std::vector<IValue>>& calibration,
                          const QuantizeOptions& options) {
  WICK_CHECK(program_of(module), kInvalidArgument, "the module is empty: there is nothing to quantize");
  WICK_CHECK(!calibration.empty(), kInvalidArgument, "static quantization needs at least one calibration input");
  return with_memory_errors([&] {
    quantize::check_not_quantized(*program_of(module));
    return quantize::Static(module, calibration, options).run();
  });
}

}  // namespace wick
