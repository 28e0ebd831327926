// optimize_for_mobile: prepares a model for phones, with the flags and lines of PyTorch's tool of that name.
#include "arguments.h"
#include "core/check.h"
#include "dropin/tool.h"
#include "wick/optimize.h"
#include "wick/save.h"
#include "wick/wick.h"

namespace wick::dropin {

namespace {

constexpr const char* kUsage =
    "\nOptimizes a model for phones. For example:\n"
    "./optimize_for_mobile --model=<model_file> [--output=<output_file_name>] [--backend=<cpu|vulkan|metal>]"
    " [--preserved_methods=<method_names>]";

Flags flags() {
  return {kUsage,
          {
              {"model", FlagKind::kString, "", "The model file to optimize."},
              {"output", FlagKind::kString, "", "The lite file to write: by default <model>_optimized.ptl."},
              {"backend", FlagKind::kString, "", "What the model is for: cpu (the default), vulkan or metal."},
              {"preserved_methods", FlagKind::kString, "", "Methods to keep besides forward, semicolons between."},
          }};
}

void list_operators(const char* library, const Module& module) {
  say(cat("\npt_operator_library(\n\tname = \"", library, "\",\n\tops = ["));
  for (const std::string& name : export_opnames(module)) say(cat("\t\t\"", name, "\","));
  say("\t],\n)\n");
}

int optimize(const Flags& flags) {
  const std::string& path = flags.text("model");
  WICK_CHECK(!path.empty(), kInvalidArgument, kUsage);
  const std::string out =
      flags.text("output").empty() ? path.substr(0, path.find('.')) + "_optimized.ptl" : flags.text("output");
  OptimizeOptions options;
  if (!flags.text("backend").empty()) options.backend = flags.text("backend");
  options.preserve_methods = tools::split(flags.text("preserved_methods"), ';');
  if (!options.preserve_methods.empty()) {
    say("The following methods will be preserved:");
    for (const std::string& method : options.preserve_methods) say(method);
  }
  const Module module = load(path);
  list_operators("old_op_library", module);
  bool known = false;
  for (const char* backend : {"cpu", "vulkan", "metal"}) known = known || options.backend == backend;
  WICK_CHECK(known, kInvalidArgument, "Unknown backend: ", options.backend);
  const Module optimized = optimize(module, options);
  list_operators("new_op_library", optimized);
  save_lite(optimized, out);
  say(cat("The optimized model for lite interpreter was saved to ", out));
  return 0;
}

}  // namespace

}  // namespace wick::dropin

int main(int argc, char** argv) { return wick::dropin::run(argc, argv, wick::dropin::flags(), wick::dropin::optimize); }
