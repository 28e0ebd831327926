// wick optimize: the mobile optimizer.
#include "wick/optimize.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>

#include "arguments.h"
#include "commands.h"
#include "core/check.h"
#include "inputs.h"
#include "output_kind.h"
#include "wick/save.h"

namespace wick::tools {

namespace {

CommandSpec spec() {
  return {
      "optimize",
      "IN OUT",
      "Prepares a model for a phone, as PyTorch's optimize_for_mobile does: freezes it, folds batch norm, packs the\n"
      "weights of layers and fuses clamps. After every pass the outputs are compared with the original's. OUT is\n"
      "written whole or not at all; its extension tells the kind of file (.ptl, .pt).",
      {{"--backend", "cpu|vulkan|metal", "what the model is prepared for (default cpu)"},
       {"--blocklist", "A,B",
        "passes to leave out: CONV_1D_TO_2D, CONV_BN_FUSION, INSERT_FOLD_PREPACK_OPS,\n"
        "HOIST_CONV_PACKED_PARAMS, REMOVE_DROPOUT, FUSE_ADD_RELU,\n"
        "VULKAN_AUTOMATIC_GPU_TRANSFER, EXTRA_FUSIONS"},
       {"--preserve-methods", "a,b", "methods to keep besides forward"},
       {"--no-verify", nullptr, "do not compare the outputs"},
       {"--verify", nullptr, "compare the outputs (the default)"},
       {"--tolerance", "X", "largest difference allowed, relative to an output's largest value (default 1e-3)"},
       {"--strict", nullptr,
        "refuse differences even where the original's own output depends on rounding\n(which of two equal boxes is "
        "kept)"},
       {"--input", "IN.pt", "arguments of forward to compare on (default: bundled inputs, else random ones)"},
       {"--input-dims", "1,3,224,224[;...]", "sizes of random arguments of forward to compare on"},
       {"--input-type", "float[;...]", "their types"},
       {"--format", "lite|torchscript", "kind of OUT (default: by its extension)"},
       {"--quiet", nullptr, "print nothing but errors"}}};
}

std::vector<std::string> names(const Arguments& arguments, std::string_view option) {
  std::vector<std::string> out;
  for (const std::string& value : arguments.all(option)) {
    for (const std::string& name : split(value, ',')) {
      const size_t begin = name.find_first_not_of(" \t"), end = name.find_last_not_of(" \t");
      if (begin != std::string::npos) out.push_back(name.substr(begin, end - begin + 1));
    }
  }
  return out;
}

// Names that can be wrong on any model are refused before one is read.
void check_names(const OptimizeOptions& options) {
  std::string backend = options.backend;
  for (char& c : backend) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const std::vector<std::string> backends = {"cpu", "vulkan", "metal"};
  if (std::find(backends.begin(), backends.end(), backend) == backends.end()) {
    throw UsageError(cat("Unknown backend '", options.backend, "'", suggestion(backend, backends),
                         "; must be one of cpu, vulkan and metal"));
  }
  const std::vector<std::string> passes = optimizer_passes();
  for (const std::string& name : options.blocklist) {
    if (std::find(passes.begin(), passes.end(), name) != passes.end()) continue;
    std::string all;
    for (const std::string& known : passes) all += (all.empty() ? "" : ", ") + known;
    throw UsageError(cat("unknown pass '", name, "'", suggestion(name, passes), "; the names are ", all));
  }
}

double tolerance(const Arguments& arguments) {
  const std::string text = arguments.get("--tolerance", "1e-3");
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !(value >= 0))
    throw UsageError("--tolerance is a number that is not negative, not '" + text + "'");
  return value;
}

// What the tolerance is compared with, and where that is not the difference itself, what it is made of.
void print(const OutputDifference& d) {
  std::printf("  %s: %.3g", d.output.c_str(), d.difference / std::max(1.0, d.magnitude));
  if (d.magnitude > 1) std::printf(" (%.3g of %.3g)", d.difference, d.magnitude);
  if (!d.is_stable) std::printf(" (not judged)");
}

void print(const OptimizeReport& report, double tolerance) {
  for (const PassReport& pass : report.passes) {
    if (pass.changes == 0) continue;
    std::printf("%-29s %4zu", pass.name.c_str(), pass.changes);
    for (const OutputDifference& d : pass.differences) {
      // Bundled inputs are data that no pass touches: said only when something is wrong with them.
      if (d.difference == 0 && d.output.starts_with("get_") && d.output.find("bundled_inputs") != std::string::npos) {
        continue;
      }
      print(d);
    }
    std::printf("\n");
  }
  if (report.verified) {
    std::printf("compared on %s: differences up to %g of an output's largest value (or of 1) are allowed\n",
                report.compared_on.c_str(), tolerance);
  }
}

}  // namespace

int command_optimize(int argc, char** argv) {
  const Arguments arguments(spec(), argc, argv, 2);
  if (arguments.wants_help()) return print_help(spec()), 0;
  OptimizeOptions options;
  options.backend = arguments.get("--backend", "cpu");
  options.blocklist = names(arguments, "--blocklist");
  options.preserve_methods = names(arguments, "--preserve-methods");
  check_names(options);
  options.verify = !arguments.has("--no-verify");
  options.tolerance = tolerance(arguments);
  options.strict = arguments.has("--strict");
  const bool lite = wants_lite(arguments, arguments.operand(1));
  if (arguments.has("--input")) options.inputs.push_back(saved_arguments(arguments.all("--input")));
  if (arguments.has("--input-dims")) {
    options.inputs.push_back(
        random_arguments(arguments.get("--input-dims"), arguments.get("--input-type"), options.seed));
  }
  OptimizeReport report;
  const Module made = optimize(load(arguments.operand(0)), options, &report);
  const std::string& out = arguments.operand(1);
  if (lite) {
    save_lite(made, out);
  } else {
    save_torchscript(made, out);
  }
  if (!arguments.has("--quiet")) print(report, options.tolerance);
  const bool judged = std::all_of(report.passes.begin(), report.passes.end(), [](const PassReport& pass) {
    return std::all_of(pass.differences.begin(), pass.differences.end(),
                       [](const OutputDifference& d) { return d.is_stable; });
  });
  for (const std::string& note : report.notes) {
    if (!judged || !arguments.has("--quiet")) std::fprintf(stderr, "note: %s\n", note.c_str());
  }
  if (!arguments.has("--quiet")) {
    std::printf("wrote %s\n", out.c_str());
  }
  return 0;
}

}  // namespace wick::tools
