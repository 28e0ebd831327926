// wick compare: runs two models on the same inputs and reports how their results differ.
#include <cmath>
#include <cstdio>
#include <functional>

#include "arguments.h"
#include "commands.h"
#include "core/check.h"
#include "files.h"
#include "inputs.h"
#include "json.h"
#include "output.h"
#include "progress.h"
#include "wick/compare.h"
#include "wick/wick.h"

namespace wick::tools {

namespace {

CommandSpec spec() {
  return {
      "compare",
      "A B",
      "Runs two models on the same inputs and reports the difference of each output. The inputs are those given, or\n"
      "else the bundled ones of A (or of B). The exit code is 1 when a difference is above the tolerance.",
      {{"--input", "IN.pt", "arguments: what torch.save of a tuple wrote; may be given again for more arguments"},
       {"--bundled", "K", "only the bundled input number K"},
       {"--input-dims", "D,D,..[;..]", "random inputs of these sizes, e.g. 1,3,224,224 or \"1,10;1,10\""},
       {"--input-type", "T[;T..]", "float (from -1 to 1), int64, uint8_t (from 0 to 9), ... (default: float)"},
       {"--iter", "N", "how many random inputs (default: 3)"},
       {"--seed", "N", "of the random inputs (default: 0)"},
       {"--tolerance", "T", "largest difference allowed, as a part of the largest value (default: 1e-5)"},
       {"--method", "NAME", "the method to run (default: forward)"},
       {"--threads", "N", "threads to use (default: the performance cores)"},
       WICK_BACKEND_OPTIONS,
       {"--reference-backend", "cpu", "run A on the processor, whatever --backend says"},
       {"--no-plan", nullptr, "run operator by operator, without plans"},
       {"--exact", nullptr, "no convolution method that rounds differently (Winograd)"}}};
}

struct Input {
  std::string label;
  std::vector<IValue> arguments;
};

std::vector<Input> bundled(const Module& a, const Module& b, const std::string& method, const Arguments& arguments) {
  const bool from_a = !a.bundled_inputs(method).empty();
  const Module& from = from_a ? a : b;
  std::vector<Input> out;
  if (arguments.has("--bundled")) {
    const long k = arguments.get_number("--bundled", 0, 0);
    out.push_back({cat("bundled input ", k), bundled_arguments(from, method, k)});
    return out;
  }
  for (auto& values : from.bundled_inputs(method))
    out.push_back({cat("bundled input ", out.size()), std::move(values)});
  WICK_CHECK(!out.empty(), kNotFound, "neither model has bundled inputs for '", method,
             "'; give --input or --input-dims");
  return out;
}

// Inputs that are made one at a time: many large ones need not be in memory together.
struct Inputs {
  size_t count = 0;
  std::function<Input(size_t)> make;
};

Inputs collect(const Arguments& arguments, const Module& a, const Module& b, const std::string& method) {
  const int ways = arguments.has("--input") + arguments.has("--bundled") + arguments.has("--input-dims");
  if (ways > 1) throw UsageError("give one of --input, --bundled and --input-dims");
  if (!arguments.has("--input-dims")) {
    std::vector<Input> given = arguments.has("--input")
                                   ? std::vector<Input>{{"the input", saved_arguments(arguments.all("--input"))}}
                                   : bundled(a, b, method, arguments);
    const size_t count = given.size();
    return {count, [given = std::move(given)](size_t i) { return given[i]; }};
  }
  const auto seed = static_cast<uint64_t>(arguments.get_number("--seed", 0, 0));
  return {static_cast<size_t>(arguments.get_number("--iter", 3, 1)), [&arguments, seed](size_t i) {
            return Input{cat("random input ", i),
                         random_arguments(arguments.get("--input-dims"), arguments.get("--input-type"), seed + i)};
          }};
}

double tolerance_of(const Arguments& arguments) {
  const std::string text = arguments.get("--tolerance", "1e-5");
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !(value >= 0)) {
    throw UsageError("--tolerance needs a number of at least 0, got '" + text + "'");
  }
  return value;
}

void print_text(const Input& input, const std::vector<Difference>& differences, double tolerance) {
  say("%s\n", input.label.c_str());
  for (const Difference& d : differences) {
    say("  %s: ", d.label.c_str());
    if (!d.comparable.empty()) {
      say("%s   DIFFERENT\n", d.comparable.c_str());
    } else {
      say("%s  largest difference %.4g", d.what.c_str(), d.largest);
      if (d.largest > 0) say(" (%.3g of the largest value), mean %.4g", d.relative, d.mean);
      say("%s\n", d.within(tolerance) ? "" : "   DIFFERENT");
    }
  }
}

void append_json(Json& json, const Input& input, const std::vector<Difference>& differences, double tolerance) {
  json.begin_object();
  json.key("input").string(input.label);
  json.key("outputs").begin_array();
  for (const Difference& d : differences) {
    json.begin_object();
    json.key("name").string(d.label);
    json.key("equal").boolean(d.within(tolerance));
    if (d.comparable.empty()) {
      json.key("max_difference").number(d.largest);
      json.key("relative_difference").number(d.relative);
      json.key("mean_difference").number(d.mean);
    } else {
      json.key("problem").string(d.comparable);
    }
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

}  // namespace

CommandSpec spec_compare() { return spec(); }

int command_compare(int argc, char** argv) {
  const Arguments arguments(spec(), argc, argv, 2);
  if (arguments.wants_help()) return print_help(spec()), 0;
  apply_machine_options(arguments);
  const double tolerance = tolerance_of(arguments);
  if (arguments.get("--reference-backend", "cpu") != "cpu") throw UsageError("--reference-backend is cpu");
  const std::string method = arguments.get("--method", "forward");
  Module models[2] = {load_file(arguments.operand(0)), load_file(arguments.operand(1))};
  for (Module& model : models) {
    if (arguments.has("--no-plan")) model.set_planning(false);
    if (arguments.has("--exact")) model.set_exact(true);
    if (&model == &models[1] || arguments.get("--reference-backend") != "cpu") apply_backend_options(arguments, model);
  }
  Json json;
  json.begin_object();
  json.key("tolerance").number(tolerance);
  json.key("inputs").begin_array();
  size_t outputs = 0, different = 0;
  double worst = 0;
  const Inputs inputs = collect(arguments, models[0], models[1], method);
  Progress progress;
  for (size_t done = 0; done < inputs.count; ++done) {
    const Input input = inputs.make(done);
    IValue results[2];
    for (size_t i = 0; i < 2; ++i) {
      progress.show("comparing", 2 * done + i, 2 * inputs.count);
      manual_seed(0);
      results[i] = models[i].run_method(method, deep_copy(IValue::tuple(input.arguments)).to_tuple().items);
    }
    const std::vector<Difference> differences = compare_values(results[0], results[1], "result");
    for (const Difference& d : differences) {
      ++outputs;
      different += !d.within(tolerance);
      worst = std::max(worst, d.comparable.empty() ? d.relative : INFINITY);
    }
    if (output().json) {
      append_json(json, input, differences, tolerance);
    } else {
      progress.clear();
      print_text(input, differences, tolerance);
    }
  }
  progress.clear();
  json.end_array();
  json.key("equal").boolean(different == 0);
  json.key("relative_difference").number(worst);
  json.end_object();
  if (output().json) {
    std::printf("%s\n", json.text().c_str());
  } else if (different == 0) {
    say("the models agree within %g\n", tolerance);
  }
  if (different > 0) {
    std::fflush(stdout);
    std::fprintf(stderr, "wick: %zu of %zu outputs differ by more than %g\n", different, outputs, tolerance);
  }
  return different > 0;
}

}  // namespace wick::tools
