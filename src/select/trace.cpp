// The tracer: what a model needs, found by looking at its program and by running it.
#include "select/trace.h"

#include <algorithm>
#include <bit>

#include "api/instruction_sets.h"
#include "api/module_access.h"
#include "api/profile.h"
#include "archive/bytecode.h"
#include "archive/container.h"
#include "archive/pickle.h"
#include "core/check.h"
#include "core/instruction_operators.h"
#include "core/value_walk.h"
#include "ir/program.h"
#include "select/probes.h"

namespace wick::select {
namespace {

// What PyTorch's helpers add to a model with bundled inputs; they are left out of reports.
bool is_helper(std::string_view method) {
  return method.starts_with("get_all_bundled_inputs") || method.starts_with("get_num_bundled_inputs") ||
         method.starts_with("get_bundled_inputs_functions_and_info") ||
         method.starts_with("_generate_bundled_inputs") || method.starts_with("__");
}

std::string short_name(const std::string& qualified) { return qualified.substr(qualified.rfind('.') + 1); }

const char* frontend_of(ir::FileKind kind) {
  switch (kind) {
    case ir::FileKind::kFlatbuffer:
      return "wick.frontend.flatbuffer";
    case ir::FileKind::kTorchScript:
      return "wick.frontend.torchscript";
    case ir::FileKind::kLite:
      break;
  }
  return "wick.frontend.bytecode";
}

void add_operator(OperatorList& list, const std::string& name, bool is_root) {
  OperatorProperties& properties =
      list.operators.try_emplace(name, OperatorProperties{false, false, false, {}}).first->second;
  properties.is_root |= is_root;
}

// Classes a schema names: "__torch__.torch.classes.xnnpack.Conv2dOpContext".
void add_classes(OperatorList& list, const Type& type) {
  if (type.is(TypeKind::kClass) && type.name().starts_with("__torch__.torch.classes.")) {
    list.custom_classes.insert(short_name(type.name()));
  }
  if (type.is(TypeKind::kEnum)) list.build_features.insert("wick.enums");
  if (type.is(TypeKind::kTensor)) list.build_features.insert("wick.tensors");
  for (const TypePtr& element : type.elements()) add_classes(list, *element);
}

void add_classes(OperatorList& list, const IValue& value) {
  if (value.is_custom()) {
    list.custom_classes.insert(short_name(std::string(value.to_custom().class_name())));
  } else if (value.is_enum()) {
    list.build_features.insert("wick.enums");
  } else if (value.is_tensor()) {
    list.build_features.insert("wick.tensors");
  }
}

// Of a value and all that it holds.
void add_all_classes(OperatorList& list, const IValue& value) {
  walk_value(value, [&list](const IValue& v) {
    add_classes(list, v);
    return Walk::kEnter;
  });
}

// What groups of nodes the code has (kObjects and kContainers of config/build.h).
void add_code(OperatorList& list, const ir::Block& block) {
  for (const ir::Node* node : block.nodes) {
    switch (node->kind) {
      case ir::NodeKind::kGetAttr:
      case ir::NodeKind::kSetAttr:
      case ir::NodeKind::kCreateObject:
      case ir::NodeKind::kIsInstance:
      case ir::NodeKind::kCallFunction:
      case ir::NodeKind::kCallMethod:
        list.build_features.insert("wick.code.objects");
        break;
      case ir::NodeKind::kTupleUnpack:
      case ir::NodeKind::kListUnpack:
      case ir::NodeKind::kTupleSlice:
      case ir::NodeKind::kListConstruct:
      case ir::NodeKind::kDictConstruct:
        list.build_features.insert("wick.code.containers");
        break;
      case ir::NodeKind::kTupleConstruct:  // of a named tuple
        if (!node->types.empty()) list.build_features.insert("wick.code.containers");
        break;
      default:
        break;
    }
    for (const ir::Block* inner : node->blocks) add_code(list, *inner);
  }
}

bool has_variables(const Type& type) {
  return type.is(TypeKind::kVar) ||
         std::ranges::any_of(type.elements(), [](const TypePtr& element) { return has_variables(*element); });
}

// Classes of the code's constants.
void add_classes(OperatorList& list, const ir::Block& block) {
  for (const ir::Node* node : block.nodes) {
    if (node->kind == ir::NodeKind::kConstant) {
      add_all_classes(list, node->constant);
    }
    for (const ir::Block* inner : node->blocks) add_classes(list, *inner);
  }
}

void add_names(const ir::Block& block, std::set<std::string>& out) {
  for (const ir::Node* node : block.nodes) {
    if (node->kind == ir::NodeKind::kOp) out.insert(node->op_name);
    for (const ir::Block* inner : node->blocks) add_names(*inner, out);
  }
}

// Runs everything operator by operator, with probes in the program.
// Says that a run begins.
class Steps {
 public:
  Steps(const TraceProgress& progress, size_t total) : progress_(progress), total_(total) {}
  void next() {
    if (progress_) progress_("tracing", done_++, total_);
  }

 private:
  const TraceProgress& progress_;
  size_t done_ = 0, total_;
};

void run_plainly(const std::string& path, const std::vector<TraceInput>& inputs, Steps& steps, TraceReport& report) {
  Module module = load(path);
  module.set_planning(false);
  Probes probes(*program_of(module));
  std::set<std::string> called_before;
  for (const TraceInput& input : inputs) {
    probes.forget_calls();
    steps.next();
    module.run_method(input.method, input.arguments);
    InputCoverage coverage{input.method + ", " + input.label, probes.called().size(), 0};
    for (const std::string& name : probes.called()) coverage.fresh += called_before.insert(name).second;
    report.inputs.push_back(std::move(coverage));
  }
  for (const auto& [name, dtypes] : probes.dtypes()) {
    const size_t colons = name.find("::");
    const std::string tag = name.substr(colons + 2, name.find('.') - colons - 2);
    for (const DType dtype : dtypes) report.list.kernels[tag].insert(name_of(dtype));
  }
  std::set<std::string> run;
  for (const TraceInput& input : inputs) run.insert(input.method);
  for (const MethodInfo& method : module.methods()) {
    if (!run.contains(method.name) && !is_helper(method.name)) report.methods_not_run.push_back(method.name);
  }
  std::set<std::string> in_code;
  for (const auto& function : program_of(module)->functions) {
    if (!is_helper(short_name(function->name))) add_names(*function->graph.body(), in_code);
  }
  for (const std::string& name : in_code) {
    if (report.list.selects_root(name) && !called_before.contains(name)) report.operators_not_called.push_back(name);
  }
  for (const Probes::Unreached& block : probes.unreached()) {
    if (is_helper(short_name(block.function))) continue;
    Gap gap{short_name(block.function), block.what, block.where, {}, 1};
    for (const std::string& name : block.operators) {
      if (!called_before.contains(name)) gap.operators.push_back(name);
    }
    const auto same = std::find_if(report.gaps.begin(), report.gaps.end(), [&](const Gap& g) {
      return g.function == gap.function && g.what == gap.what && g.where == gap.where && g.operators == gap.operators;
    });
    if (same == report.gaps.end()) {
      report.gaps.push_back(std::move(gap));
    } else {
      ++same->count;
    }
  }
}

// Features by the name of a convolution's step ("conv 3x3 depthwise relu").
void add_conv_kernels(OperatorList& list, std::string_view name) {
  for (const std::string_view method : {"winograd", "depthwise", "grouped", "planes", "direct", "means"}) {
    if (name.find(method) == name.npos) continue;
    list.build_features.insert(cat("wick.kernel.", method));
    if (method == "winograd") {
      for (const std::string_view side : {"2", "4"}) {
        if (name.find(cat("winograd ", side)) != name.npos)
          list.build_features.insert(cat("wick.kernel.winograd", side));
      }
    }
    if (method != "depthwise") continue;
    for (const std::string_view width : {"3", "5"}) {
      if (name.find(cat("x", width, " ")) != name.npos) list.build_features.insert(cat("wick.kernel.depthwise", width));
    }
  }
}

// The same of bytes ("quantized conv 3x3 depthwise relu").
void add_int8_kernels(OperatorList& list, std::string_view name) {
  if (!name.starts_with("quantized conv ")) return;
  list.build_features.insert("wick.kernel.int8");
  if (name.find(" depthwise") == name.npos) return;
  for (const std::string_view width : {"3", "5"}) {
    if (name.find(cat("x", width, " ")) != name.npos) {
      list.build_features.insert(cat("wick.kernel.int8_depthwise", width));
    }
  }
}

// Kernels by the steps' names.
void add_kernels(TraceReport& report, const plan::Profile& profile) {
  for (const plan::StepTime& step : profile.steps) {
    if (!step.is_planned || step.name == plan::kPlanning) continue;
    if (std::find(report.kernels.begin(), report.kernels.end(), step.name) != report.kernels.end()) continue;
    report.kernels.push_back(step.name);
    if (!step.kind.empty()) report.list.build_features.insert(cat("wick.step.", step.kind));
    add_int8_kernels(report.list, step.name);
    // Row tiles are several convolutions in one step.
    std::string_view rest = step.name;
    constexpr std::string_view kRowTiles = "row tiles: ";
    if (rest.starts_with(kRowTiles)) rest.remove_prefix(kRowTiles.size());
    while (rest.starts_with("conv ")) {
      const size_t end = std::min(rest.find("; "), rest.size());
      add_conv_kernels(report.list, rest.substr(0, end));
      rest.remove_prefix(std::min(end + 2, rest.size()));
    }
  }
}

void run_planned(const std::string& path, const std::vector<TraceInput>& inputs, int64_t all, Steps& steps,
                 TraceReport& report) {
  for (int64_t targets = all; targets != 0; targets &= targets - 1) {
    const api::InstructionSetScope scope(targets & -targets);
    const Module module = load(path);
    for (const TraceInput& input : inputs) {
      steps.next();
      module.run_method(input.method, input.arguments);
      api::Profile profile;
      {
        const api::ProfileScope profiling(profile);
        module.run_method(input.method, input.arguments);
      }
      add_kernels(report, profile);
    }
  }
  // Without tensors there is nothing to plan.
  if (!report.list.kernels.empty()) {
    report.list.build_features.insert("wick.planner");
    report.list.build_features.insert("wick.steps");  // those that are not listed were not made
  }
}

}  // namespace

void add_program(OperatorList& list, const ir::Program& program) {
  list.build_features.insert(frontend_of(program.kind));
  add_all_classes(list, program.root);
  list.build_features.insert("wick.code");  // what is not listed was not there
  for (const auto& function : program.functions) {
    add_classes(list, *function->graph.body());
    add_code(list, *function->graph.body());
    if (function->name.ends_with(".__setstate__")) list.build_features.insert("wick.code.restores");
  }
  for (const auto& [name, use] : ir::operators_used(program)) {
    add_operator(list, name, true);
    if (!use.op) continue;
    for (const Argument& a : use.op->schema.arguments) add_classes(list, *a.type);
    for (const Argument& r : use.op->schema.returns) {
      add_classes(list, *r.type);
      if (has_variables(*r.type)) list.build_features.insert("wick.code.containers");
    }
    // The planner calls the functional form of an in-place operator.
    const std::string& base = use.op->schema.name;
    if (base.ends_with('_') && !base.ends_with("__")) {
      const std::string_view functional = std::string_view(base).substr(0, base.size() - 1);
      if (const Operator* form = find_operator(functional, use.op->schema.overload)) {
        add_operator(list, form->schema.full_name(), false);
      }
    }
  }
}

void add_saved(OperatorList& list, const std::string& path) {
  const Ref<ByteSource> source = ByteSource::open_file(path);
  const bool is_zip = file_kind(source->bytes()) == FileKind::kZip;
  list.build_features.insert(is_zip ? "wick.saved.zip" : "wick.saved.legacy");
}

bool has_instruction(std::string_view full_name) {
  return std::ranges::find(kInstructionOperators, full_name) != std::end(kInstructionOperators);
}

std::vector<TraceInput> bundled_trace_inputs(const Module& module) {
  std::vector<TraceInput> out;
  for (const MethodInfo& method : module.methods()) {
    if (is_helper(method.name)) continue;
    std::vector<std::vector<IValue>> inputs = module.bundled_inputs(method.name);
    for (size_t k = 0; k < inputs.size(); ++k) {
      out.push_back({method.name, cat("bundled input ", k), std::move(inputs[k])});
    }
  }
  return out;
}

TraceReport trace_model(const std::string& path, const std::vector<TraceInput>& inputs,
                        const std::vector<std::string>& isa, const TraceProgress& progress) {
  const int64_t targets = api::instruction_sets(isa);
  TraceReport report;
  {
    const Module module = load(path);
    const ir::Program& program = *program_of(module);
    report.kind = ir::to_string(program.kind);
    add_program(report.list, program);
  }
  const auto sets = static_cast<size_t>(std::popcount(static_cast<uint64_t>(targets)));
  Steps steps(progress, inputs.size() * (1 + sets));
  run_plainly(path, inputs, steps, report);
  run_planned(path, inputs, targets, steps, report);
  return report;
}

}  // namespace wick::select
