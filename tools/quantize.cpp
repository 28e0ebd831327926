// wick quantize: models with 8-bit or half-precision weights.
#include <algorithm>
#include <cstdio>

#include "arguments.h"
#include "calibration.h"
#include "commands.h"
#include "core/check.h"
#include "files.h"
#include "inputs.h"
#include "output.h"
#include "output_kind.h"
#include "progress.h"
#include "quantize_report.h"
#include "wick/quantize.h"
#include "wick/save.h"

namespace wick::tools {

namespace {

CommandSpec spec() {
  return {"quantize",
          "IN OUT",
          "Writes a model with smaller weights: OUT is .ptl or .pt, written whole or not at all. One of:\n"
          "  --dynamic   linear, LSTM and GRU layers with 8-bit (or half) weights; inputs are rounded as they come\n"
          "  --static    forward in 8-bit integers, with scales learned from --calibrate\n"
          "  --float16   all weights stored in half precision, computed with in float",
          {{"--dynamic", nullptr, "see above"},
           {"--static", nullptr, "see above"},
           {"--float16", nullptr, "see above"},
           {"--dtype", "int8|float16", "weights of --dynamic (default int8)"},
           {"--calibrate", "DATA", "'bundled', a folder of images, or a .pt file of inputs; may be given again"},
           {"--image-size", "N|WxH", "size of calibration images (default 224: short side, then center crop)"},
           {"--mean", "R,G,B", "subtracted from pixels / 255 (default 0.485,0.456,0.406)"},
           {"--std", "R,G,B", "then divided by (default 0.229,0.224,0.225)"},
           {"--limit", "N", "use the first N calibration inputs only"},
           {"--per-channel", nullptr, "a scale for each output channel of a weight (default)"},
           {"--per-tensor", nullptr, "one scale for each weight"},
           {"--observer", "NAME", "histogram (default), minmax or moving-average: ranges from calibration"},
           {"--skip", "LAYER", "leave a layer, or all layers of a module, in float; may be given again"},
           {"--max-loss", "X", "leave the worst layers in float until the outputs' relative error is at most X"},
           {"--force", nullptr, "write OUT although its outputs have little to do with IN's"},
           {"--html", "FILE", "write the report as a page with histograms"},
           {"--no-report", nullptr, "do not measure and print the layers' errors"},
           {"--format", "lite|torchscript", "kind of OUT (default: by its extension, .ptl or .pt)"},
           {"--threads", "N", "threads"}}};
}

enum class Mode { kDynamic, kStatic, kHalf };

Mode mode_of(const Arguments& arguments) {
  const int given = arguments.has("--dynamic") + arguments.has("--static") + arguments.has("--float16");
  if (given != 1) throw UsageError("give one of --dynamic, --static and --float16");
  const Mode mode = arguments.has("--dynamic")  ? Mode::kDynamic
                    : arguments.has("--static") ? Mode::kStatic
                                                : Mode::kHalf;
  auto only = [&](Mode wanted, const char* name, std::initializer_list<const char*> options) {
    for (const char* option : options) {
      if (mode != wanted && arguments.has(option)) throw UsageError(std::string(option) + " is for " + name);
    }
  };
  only(Mode::kDynamic, "--dynamic", {"--dtype"});
  only(Mode::kStatic, "--static",
       {"--calibrate", "--image-size", "--mean", "--std", "--limit", "--observer", "--max-loss", "--no-report"});
  if (mode == Mode::kStatic && !arguments.has("--calibrate")) {
    throw UsageError("--static needs --calibrate: 'bundled', a folder of images, or .pt files of inputs");
  }
  if (mode == Mode::kHalf && arguments.has("--skip")) throw UsageError("--skip is for --static and --dynamic");
  return mode;
}

QuantizeOptions options_of(const Arguments& arguments) {
  QuantizeOptions options;
  if (arguments.has("--per-tensor") && arguments.has("--per-channel")) {
    throw UsageError("--per-tensor and --per-channel exclude each other");
  }
  options.per_channel = !arguments.has("--per-tensor");
  const std::string dtype = arguments.get("--dtype", "int8");
  if (dtype == "float16" || dtype == "half") {
    options.weights = WeightType::kFloat16;
  } else if (dtype != "int8" && dtype != "qint8") {
    throw UsageError("--dtype is int8 or float16, not '" + dtype + "'");
  }
  const std::string observer = arguments.get("--observer", "histogram");
  if (observer == "minmax" || observer == "min-max") {
    options.observer = Observer::kMinMax;
  } else if (observer == "moving-average") {
    options.observer = Observer::kMovingAverage;
  } else if (observer != "histogram") {
    throw UsageError("--observer is histogram, minmax or moving-average, not '" + observer + "'");
  }
  options.skip = arguments.all("--skip");
  if (arguments.has("--max-loss")) {
    const std::string text = arguments.get("--max-loss");
    char* end = nullptr;
    options.max_loss = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !(options.max_loss >= 0)) {
      throw UsageError("--max-loss needs a number that is not negative, got '" + text + "'");
    }
  }
  if (arguments.has("--no-report") && !arguments.has("--html")) options.report_inputs = 0;
  return options;
}

// Relative errors of the outputs (noise over signal) above which a model is of no use (6 dB), and that are worth a
// warning (20 dB).
constexpr double kUselessLoss = 0.5, kNotableLoss = 0.1;

std::string said(const QuantizeReport& report) {
  char text[160];
  std::snprintf(text, sizeof text, "quantized, its outputs are off by %.0f %% (%.1f dB) on the calibration inputs",
                100 * report.loss, report.output_snr);
  return text;
}

bool is_useless(const QuantizeReport& report, const QuantizeOptions& options) {
  return report.measured && !(report.loss <= std::max(kUselessLoss, options.max_loss));
}

}  // namespace

CommandSpec spec_quantize() { return spec(); }

int command_quantize(int argc, char** argv) {
  const Arguments arguments(spec(), argc, argv, 2);
  if (arguments.wants_help()) return print_help(spec()), 0;
  const bool lite = wants_lite(arguments, arguments.operand(1));
  const Mode mode = mode_of(arguments);
  QuantizeOptions options = options_of(arguments);
  apply_machine_options(arguments);
  const std::string &in = arguments.operand(0), &out = arguments.operand(1);
  const Module module = load_file(in);

  Progress bar;
  options.progress = [&](const char* what, size_t done, size_t total) { bar.show(what, done, total); };
  Quantized result = mode == Mode::kDynamic  ? quantize_dynamic(module, options)
                     : mode == Mode::kStatic ? quantize_static(module, calibration_inputs(module, arguments), options)
                                             : quantize_float16(module);
  bar.clear();
  const bool useless = is_useless(result.report, options);
  if (useless && !arguments.has("--force")) {
    if (!arguments.has("--no-report")) print_quantize_report(result.report);
    if (arguments.has("--html")) write_quantize_page(result.report, in, arguments.get("--html"));
    fail_with<ErrorCode::kUnsupported>(in, ": ", said(result.report), ": nothing is written. Calibrate with inputs ",
                                       "like those it will see, leave the most harmful layers in float (--skip, "
                                       "--max-loss), or write it all the same (--force)");
  }
  if (useless || (result.report.measured && result.report.loss > kNotableLoss)) {
    std::fprintf(stderr, "warning: %s: %s\n", in.c_str(), said(result.report).c_str());
  }
  save_file(result.module, out, lite);
  if (arguments.has("--html")) write_quantize_page(result.report, in, arguments.get("--html"));
  if (!arguments.has("--no-report")) print_quantize_report(result.report);
  if (output().json) {
    Json json;
    json.begin_object().key("output").string(out).key("bytes").number(static_cast<long>(file_bytes(out)));
    json.key("bytes_before").number(static_cast<long>(file_bytes(in))).key("report");
    append_quantize_report(json, result.report);
    print_json(json.end_object());
  }
  const double before = static_cast<double>(file_bytes(in)) / 1e6, after = static_cast<double>(file_bytes(out)) / 1e6;
  say("wrote %s: %.2f MB, was %.2f MB (%.2f)\n", out.c_str(), after, before, before > 0 ? after / before : 0);
  return 0;
}

}  // namespace wick::tools
