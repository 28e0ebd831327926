// The mobile optimizer: the passes in PyTorch's order, each checked.
#include "wick/optimize.h"

#include <algorithm>
#include <functional>
#include <set>

#include "api/module_access.h"
#include "core/check.h"
#include "core/out_of_memory.h"
#include "core/stopped.h"
#include "passes/freeze.h"
#include "passes/passes.h"
#include "passes/program_copy.h"
#include "passes/sample_inputs.h"
#include "passes/simplify.h"
#include "passes/verify.h"

namespace wick {

namespace {

using passes::Backend;

constexpr std::string_view kNames[] = {
    "CONV_1D_TO_2D",  "CONV_BN_FUSION", "INSERT_FOLD_PREPACK_OPS",       "HOIST_CONV_PACKED_PARAMS",
    "REMOVE_DROPOUT", "FUSE_ADD_RELU",  "VULKAN_AUTOMATIC_GPU_TRANSFER", "EXTRA_FUSIONS"};
constexpr std::string_view kMarks[] = {"mobile_optimized", "optimized_for_vulkan", "optimized_for_metal"};
constexpr std::string_view kConvPacked = "__torch__.torch.classes.quantized.Conv";

Backend backend_of(std::string name) {
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (name == "cpu") return Backend::kCpu;
  if (name == "vulkan") return Backend::kVulkan;
  if (name == "metal") return Backend::kMetal;
  fail_with<ErrorCode::kInvalidArgument>("Unknown backend '", name, "', must be one of 'cpu', 'vulkan' or 'metal'");
}

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

class Optimizer {
 public:
  Optimizer(const Module& module, const OptimizeOptions& options, OptimizeReport& report)
      : module_(module), options_(options), report_(report), backend_(backend_of(options.backend)) {}

  Module run() {
    check_options();
    choose_methods();
    program_ = passes::copy_program(*program_of(module_), report_.methods);
    if (passes::set_eval(*program_)) {
      report_.notes.push_back("the model was in training mode: it is optimized in evaluation mode");
    }
    original_ = passes::copy_program(*program_, report_.methods);
    if (backend_ == Backend::kCpu) {
      optimize_for_cpu();
    } else {
      optimize_for_gpu();
    }
    finish();
    return make_module_like(module_, passes::copy_program(*program_, report_.methods));
  }

 private:
  bool is_blocked(std::string_view name) const {
    return std::find(options_.blocklist.begin(), options_.blocklist.end(), name) != options_.blocklist.end();
  }
  bool extended() const { return !is_blocked("EXTRA_FUSIONS"); }

  void check_options() {
    WICK_CHECK(program_of(module_) && program_of(module_)->root.is_object(), kInvalidArgument,
               "the module is empty: there is nothing to optimize");
    for (const std::string& name : options_.blocklist) {
      WICK_CHECK(std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames), kInvalidArgument,
                 "unknown pass '", name, "'; the names are ", joined(optimizer_passes()));
    }
    WICK_CHECK(options_.tolerance >= 0, kInvalidArgument, "the tolerance is ", options_.tolerance, ", below zero");
    const ClassInfo& cls = *program_of(module_)->root.to_object().cls;
    for (std::string_view mark : kMarks) {
      WICK_CHECK(cls.slot_of(mark) < 0, kInvalidArgument, "the model is optimized already: it has the attribute '",
                 mark, "'; optimize the model it was made from");
    }
  }

  void keep(const std::string& method) {
    if (std::find(report_.methods.begin(), report_.methods.end(), method) == report_.methods.end()) {
      report_.methods.push_back(method);
    }
  }

  void choose_methods() {
    const std::vector<std::string> all = passes::method_names(*program_of(module_));
    auto has = [&](const std::string& name) { return std::find(all.begin(), all.end(), name) != all.end(); };
    std::vector<std::string> wanted;
    for (const std::string& name : options_.preserve_methods) {
      WICK_CHECK(has(name), kNotFound, "the model has no method '", name, "' to preserve; it has ", joined(all));
    }
    if (has("get_all_bundled_inputs") && has("get_num_bundled_inputs")) {
      wanted = {"get_all_bundled_inputs", "get_num_bundled_inputs", "get_bundled_inputs_functions_and_info"};
    }
    constexpr std::string_view kGetter = "get_all_bundled_inputs_for_";
    for (const std::string& name : all) {
      if (!name.starts_with(kGetter)) continue;
      const std::string method = name.substr(kGetter.size());
      wanted.push_back(method);
      wanted.push_back(name);
      freeze_.kept_attributes.push_back("_bundled_inputs_deflated_" + method);
    }
    // In the order the model has them.
    for (const std::string& name : all) {
      auto among = [&](const std::vector<std::string>& list) {
        return std::find(list.begin(), list.end(), name) != list.end();
      };
      if (name == "forward" || among(wanted) || among(options_.preserve_methods)) keep(name);
    }
    if (has("get_all_bundled_inputs")) freeze_.kept_attributes.push_back("_bundled_inputs_deflated");
    WICK_CHECK(!report_.methods.empty(), kNotFound,
               "the model has no method 'forward'; name the methods to preserve of ", joined(all));
  }

  // Runs a pass on every method and compares the outcome with the original.
  void pass(const std::string& name, const std::function<size_t()>& change) {
    PassReport made;
    made.name = name;
    constexpr size_t kPasses = 16;  // as many as are run at most
    if (options_.progress) options_.progress(name.c_str(), std::min(report_.passes.size(), kPasses - 1), kPasses);
    made.changes = change();
    for (const auto& function : program_->functions) ir::verify(*function);
    if (reference_ && (made.changes > 0 || name == "FREEZE")) {
      made.differences = reference_->compare(*program_, name);
      note_unstable(made);
    }
    report_.passes.push_back(std::move(made));
  }
  // Each output once: later passes differ for the same reason.
  void note_unstable(const PassReport& made) {
    for (const OutputDifference& output : made.differences) {
      if (output.is_stable || !noted_.insert(output.output).second) continue;
      report_.notes.push_back(cat(output.output, " is not judged: it differs by ", output.difference,
                                  " (largest magnitude ", output.magnitude, ", tolerance ", options_.tolerance,
                                  ") after pass ", made.name,
                                  ", but the original's own output changes as much when its numbers change by a "
                                  "millionth (values within rounding)"));
    }
  }
  void graph_pass(const std::string& name, const std::function<size_t(ir::Graph&)>& change) {
    if (is_blocked(name)) return;
    pass(name, [&] {
      size_t count = 0;
      for (const auto& function : program_->functions) {
        const size_t here = change(function->graph);
        passes::fold(function->graph);
        count += here;
      }
      return count;
    });
  }

  void freeze() {
    passes::FreezeOptions first = freeze_;
    first.takes_custom = [](const CustomObject& object) { return !object.class_name().starts_with(kConvPacked); };
    auto attributes = [&] { return count_reads(); };
    const size_t before = attributes();
    passes::freeze(*program_, first);
    choose_inputs();
    pass("FREEZE", [&] { return before - std::min(before, attributes()); });
  }

  size_t count_reads() const {
    size_t count = 0;
    for (const auto& function : program_->functions) count += count_reads(*function->graph.body());
    return count;
  }
  static size_t count_reads(const ir::Block& block) {
    size_t count = 0;
    for (const ir::Node* node : block.nodes) {
      count += node->kind == ir::NodeKind::kGetAttr ? 1 : 0;
      for (const ir::Block* inner : node->blocks) count += count_reads(*inner);
    }
    return count;
  }

  void choose_inputs() {
    if (!options_.verify) return;
    std::map<std::string, passes::Inputs> inputs;
    std::string described;
    for (const std::string& method : report_.methods) {
      if (program_->find_method(method)->graph.body()->params.size() <= 1) {
        inputs[method] = {{}};
        if (method == "forward") described = "forward without arguments";
        continue;
      }
      passes::Inputs given = method == "forward" ? options_.inputs : passes::Inputs();
      std::string from = cat(given.size(), " given inputs");
      if (given.empty()) {
        given = bundled(method);
        from = cat(given.size(), given.size() == 1 ? " bundled input" : " bundled inputs");
      }
      if (given.empty()) {
        if (auto sample = passes::sample_inputs(*original_, *program_, method, options_.seed)) {
          given.push_back(std::move(sample->arguments));
          from = cat("random inputs: ", sample->description.empty() ? "none" : sample->description);
        }
      }
      if (given.empty()) {
        report_.notes.push_back(
            cat("the outputs of ", method,
                " were not compared: the model has no bundled inputs, and no random ones were found that "
                "it runs on; give it inputs"));
        continue;
      }
      described += cat(described.empty() ? "" : "; ", method, ": ", from);
      inputs[method] = std::move(given);
    }
    try {
      reference_.emplace(*original_, inputs, options_);
      report_.verified = !described.empty();
      report_.compared_on = described;
    } catch (const Error& error) {
      rethrow_if_stopped(error);
      report_.notes.push_back(
          cat("the outputs were not compared: the model itself fails on the inputs: ", error.message()));
    }
  }

  passes::Inputs bundled(const std::string& method) const {
    try {
      return make_module(passes::copy_program(*original_, report_.methods)).bundled_inputs(method);
    } catch (const Error& e) {
      rethrow_if_stopped(e);
      return {};
    }
  }

  size_t fold_batch_norm(ir::Graph& graph) const {
    passes::FoldBatchNormOptions options;
    options.extended = extended();
    passes::name_convolutions(graph);
    if (extended() && backend_ != Backend::kMetal) passes::name_linear(graph);
    return passes::fold_batch_norm(graph, options);
  }

  size_t prepack(ir::Graph& graph) const {
    passes::name_convolutions(graph);
    if (extended() && backend_ != Backend::kMetal) passes::name_linear(graph);
    const passes::PrepackCounts counts = passes::prepack(graph, {backend_, extended()});
    return counts.layers + counts.clamps;
  }

  static size_t canonical(ir::Graph& graph) {
    passes::simplify(graph);
    size_t loops = 0;
    // An outer loop may be small enough, or known, only once those in it are written out.
    while (const size_t count = passes::unroll_loops(graph)) {
      loops += count;
      passes::simplify(graph);
    }
    return loops;
  }

  void optimize_for_cpu() {
    freeze();
    graph_pass("CONV_1D_TO_2D", [](ir::Graph& graph) {
      passes::name_convolutions(graph);
      return passes::convert_conv1d(graph);
    });
    graph_pass("CONV_BN_FUSION", [this](ir::Graph& graph) { return fold_batch_norm(graph); });
    graph_pass("INSERT_FOLD_PREPACK_OPS", [this](ir::Graph& graph) { return prepack(graph); });
    hoist();
    graph_pass("CANONICAL", canonical);
    graph_pass("REMOVE_DROPOUT", passes::remove_dropout);
    graph_pass("FUSE_ADD_RELU", passes::fuse_add_relu);
  }

  // Packed weights of quantized convolutions out of their modules.
  void hoist() {
    if (is_blocked("HOIST_CONV_PACKED_PARAMS") || !program_->find_method("forward")) return;
    pass("HOIST_CONV_PACKED_PARAMS", [this] {
      const size_t before = count_reads();
      passes::freeze(*program_, freeze_);
      return before - std::min(before, count_reads());
    });
  }

  void optimize_for_gpu() {
    freeze();
    graph_pass("CONV_BN_FUSION", [this](ir::Graph& graph) { return fold_batch_norm(graph); });
    graph_pass("INSERT_FOLD_PREPACK_OPS", [this](ir::Graph& graph) { return prepack(graph); });
    hoist();
    graph_pass("REMOVE_DROPOUT", passes::remove_dropout);
    graph_pass("REMOVE_MUTATION", passes::remove_mutation);
    graph_pass("CANONICAL", canonical);
    ir::Function* forward = program_->find_method("forward");
    if (!forward) return;
    if (backend_ == Backend::kMetal) {
      pass("COPY_TO_HOST", [&] { return passes::insert_metal_copies(forward->graph); });
    } else if (!is_blocked("VULKAN_AUTOMATIC_GPU_TRANSFER")) {
      pass("VULKAN_AUTOMATIC_GPU_TRANSFER", [&] { return passes::insert_vulkan_transfers(forward->graph); });
    }
  }

  void finish() {
    pass("PRUNE", [this] {
      passes::prune(*program_, freeze_);
      return 1;
    });
    passes::set_root_attribute(*program_, std::string(kMarks[static_cast<size_t>(backend_)]), IValue(true));
    if (backend_ == Backend::kVulkan && !is_blocked("VULKAN_AUTOMATIC_GPU_TRANSFER")) {
      passes::set_root_attribute(*program_, "requires_backend_transfers", IValue(false));
    }
  }

  const Module& module_;
  const OptimizeOptions& options_;
  OptimizeReport& report_;
  Backend backend_;
  passes::FreezeOptions freeze_;
  std::shared_ptr<ir::Program> program_, original_;
  std::optional<passes::Reference> reference_;
  std::set<std::string> noted_;
};

}  // namespace

std::vector<std::string> optimizer_passes() {
  return with_memory_errors([] { return std::vector<std::string>{std::begin(kNames), std::end(kNames)}; });
}

Module optimize(const Module& module, const OptimizeOptions& options, OptimizeReport* report) {
  return with_memory_errors([&] {
    OptimizeReport own;
    OptimizeReport& made = report ? *report : own;
    made = {};
    return Optimizer(module, options, made).run();
  });
}

}  // namespace wick
