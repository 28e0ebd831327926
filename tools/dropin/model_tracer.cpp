// model_tracer: PyTorch's tool of that name, by its flags and output, on Wick.
#include <algorithm>
#include <cstdio>

#include "arguments.h"
#include "core/check.h"
#include "dropin/tool.h"
#include "select/trace.h"
#include "wick/wick.h"

namespace wick::dropin {

namespace {

Flags flags() {
  return {"Writes the operators, dtypes and classes that models use, for a selective build.",
          {
              {"model_input_path", FlagKind::kString, "", "Files with bundled inputs, separated by commas."},
              {"build_yaml_path", FlagKind::kString, "", "The YAML file to write."},
          }};
}

// A model for the GPU of another system is not run.
bool is_metal(const select::OperatorList& list) {
  for (const auto& [name, properties] : list.operators) {
    if (name.starts_with("metal")) return true;
  }
  return false;
}

select::OperatorList trace(const std::string& path) {
  say("Processing: " + path);
  LoadOptions options;
  options.allow_missing_operators = true;
  const Module module = load(path, options);
  const std::vector<std::string> roots = module.operators();
  // Those that are instructions of their own were not counted by the original.
  const auto instructions = std::count_if(roots.begin(), roots.end(), select::has_instruction);
  say(cat("Got ", roots.size() - static_cast<size_t>(instructions), " Root Operators."));
  select::OperatorList list;
  for (const std::string& name : roots) list.operators[name] = {true, false, false, {}};
  if (is_metal(list)) {
    say("Inferred Metal Model.");
    for (const char* name :
         {"aten::conv2d", "aten::add.Tensor", "aten::add_.Tensor", "aten::addmm", "aten::empty.memory_format",
          "aten::empty_strided", "aten::log_softmax.int", "aten::max_pool2d", "aten::mul.Tensor", "aten::relu",
          "aten::relu_", "aten::sigmoid", "aten::sub.Tensor", "aten::upsample_nearest2d.vec", "aten::view",
          "aten::adaptive_avg_pool2d", "aten::hardtanh_", "aten::reshape", "aten::flatten.using_ints"}) {
      list.operators[name] = {true, false, false, {}};
    }
    list.kernels["__unused__"].insert("Float");
    return list;
  }
  say("Inferred CPU Model.");
  const std::vector<select::TraceInput> inputs = select::bundled_trace_inputs(load(path));
  if (inputs.empty()) {
    throw Error(ErrorCode::kNotFound, path +
                                          ": the model has no bundled inputs to run it on; add them before saving with "
                                          "torch.utils.bundled_inputs.augment_model_with_bundled_inputs");
  }
  for (size_t i = 0; i < inputs.size();) {
    size_t end = i;
    while (end < inputs.size() && inputs[end].method == inputs[i].method) ++end;
    say(cat("Got ", end - i, " bundled input(s) for ", inputs[i].method, "\n"));
    i = end;
  }
  list.merge(select::trace_model(path, inputs).list);
  return list;
}

int trace_all(const Flags& flags) {
  for (const char* needed : {"model_input_path", "build_yaml_path"}) {
    if (flags.text(needed).empty()) {
      std::fprintf(stderr, "You must specify the flag --%s\n", needed);
      return 1;
    }
  }
  const std::string& output = flags.text("build_yaml_path");
  say("Output: " + output);
  select::OperatorList list;
  for (const std::string& path : tools::split(flags.text("model_input_path"), ',')) list.merge(trace(path));
  select::write_op_list(list, output);
  return 0;
}

}  // namespace

}  // namespace wick::dropin

int main(int argc, char** argv) {
  return wick::dropin::run(argc, argv, wick::dropin::flags(), wick::dropin::trace_all);
}
