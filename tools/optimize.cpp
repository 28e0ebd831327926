// wick optimize: the mobile optimizer.
#include "wick/optimize.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>

#include "arguments.h"
#include "commands.h"
#include "core/check.h"
#include "files.h"
#include "inputs.h"
#include "output.h"
#include "output_kind.h"
#include "progress.h"
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
       {"--format", "lite|torchscript", "kind of OUT (default: by its extension)"}}};
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

// What the tolerance is compared with.
double compared(const OutputDifference& d) { return d.difference / std::max(1.0, d.magnitude); }

// Bundled inputs are data that no pass touches: said only when something is wrong with them, or with --verbose.
bool is_shown(const OutputDifference& d) {
  return output().verbose || d.difference != 0 || !d.output.starts_with("get_") ||
         d.output.find("bundled_inputs") == std::string::npos;
}

void print(const OptimizeReport& report, double tolerance) {
  say("%-29s %8s  %-12s %s\n", "pass", "changes", "difference", report.verified ? "output" : "(not compared)");
  for (const PassReport& pass : report.passes) {
    if (pass.changes == 0 && !output().verbose) continue;
    say("%-29s %8zu", pass.name.c_str(), pass.changes);
    bool first = true;
    for (const OutputDifference& d : pass.differences) {
      if (!is_shown(d)) continue;
      say("%s  %-12.3g %s%s", first ? "" : "\n                                      ", compared(d), d.output.c_str(),
          d.is_stable ? "" : " (not judged)");
      first = false;
    }
    say("\n");
  }
  if (report.verified) {
    say("compared on %s: differences up to %g of an output's largest value (or of 1) are allowed\n",
        report.compared_on.c_str(), tolerance);
  }
}

void print_json_report(const OptimizeReport& report, const std::string& out) {
  Json json;
  json.begin_object().key("output").string(out).key("bytes").number(static_cast<long>(file_bytes(out)));
  json.key("verified").boolean(report.verified).key("compared_on").string(report.compared_on);
  json.key("passes").begin_array();
  for (const PassReport& pass : report.passes) {
    json.begin_object().key("name").string(pass.name).key("changes").number(static_cast<long>(pass.changes));
    json.key("differences").begin_array();
    for (const OutputDifference& d : pass.differences) {
      json.begin_object().key("output").string(d.output).key("difference").number(d.difference);
      json.key("magnitude").number(d.magnitude).key("judged").boolean(d.is_stable).end_object();
    }
    json.end_array().end_object();
  }
  json.end_array().key("notes").begin_array();
  for (const std::string& text : report.notes) json.string(text);
  print_json(json.end_array().end_object());
}

}  // namespace

CommandSpec spec_optimize() { return spec(); }

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
  const Module module = load_file(arguments.operand(0));
  OptimizeReport report;
  Progress progress;
  options.progress = [&](const char* what, size_t done, size_t total) { progress.show(what, done, total); };
  const Module made = optimize(module, options, &report);
  progress.clear();
  const std::string& out = arguments.operand(1);
  save_file(made, out, lite);
  if (output().json) print_json_report(report, out);
  print(report, options.tolerance);
  const bool judged = std::all_of(report.passes.begin(), report.passes.end(), [](const PassReport& pass) {
    return std::all_of(pass.differences.begin(), pass.differences.end(),
                       [](const OutputDifference& d) { return d.is_stable; });
  });
  for (const std::string& text : report.notes) {
    if (!judged || !output().quiet) std::fprintf(stderr, "note: %s\n", text.c_str());
  }
  say("wrote %s: %.2f MB, was %.2f MB\n", out.c_str(), static_cast<double>(file_bytes(out)) / 1e6,
      static_cast<double>(file_bytes(arguments.operand(0))) / 1e6);
  return 0;
}

}  // namespace wick::tools
