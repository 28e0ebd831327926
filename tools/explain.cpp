// wick explain: what the optimizer did to a model.
#include <cstdio>
#include <fstream>
#include <set>

#include "api/module_access.h"
#include "arguments.h"
#include "commands.h"
#include "core/check.h"
#include "explain_html.h"
#include "files.h"
#include "html.h"
#include "inputs.h"
#include "output.h"
#include "passes/program_copy.h"
#include "progress.h"
#include "wick/module.h"

namespace wick::tools {

namespace {

CommandSpec spec() {
  return {"explain",
          "IN OUT",
          "Tells what was done to the model IN to make OUT of it, as 'wick optimize IN OUT' does: layers folded, fused "
          "and\n"
          "packed, operators before and after, multiply-adds and bytes of weights. Both files must exist.",
          {{"--html", "FILE", "also write a page with both graphs side by side"},
           {"--input", "IN.pt", "arguments of forward to count multiply-adds on (default: bundled, else random ones)"},
           {"--input-dims", "1,3,224,224[;...]", "sizes of arguments of ones instead"},
           {"--input-type", "float[;...]", "their types"}}};
}

std::vector<IValue> arguments_of_forward(const Arguments& arguments) {
  if (arguments.has("--input")) return saved_arguments(arguments.all("--input"));
  if (arguments.has("--input-dims"))
    return ones_arguments(arguments.get("--input-dims"), arguments.get("--input-type"));
  return {};
}

// What IN has beside the methods of OUT is not part of what was done.
std::vector<std::string> common_methods(const ir::Program& a, const ir::Program& b) {
  std::vector<std::string> out;
  for (const std::string& name : passes::method_names(a)) {
    if (b.find_method(name)) out.push_back(name);
  }
  WICK_CHECK(!out.empty(), kInvalidArgument, "the models have no method in common: one was not made of the other");
  return out;
}

std::string plural(size_t count, const char* what) { return cat(count, " ", what, count == 1 ? "" : "s"); }

size_t fewer(size_t before, size_t after) { return before > after ? before - after : 0; }

std::string bytes_text(uint64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f MB", static_cast<double>(bytes) / 1e6);
  return bytes < 100'000 ? cat(bytes, " bytes") : text;
}

std::string millions(double count) {
  char text[32];
  std::snprintf(text, sizeof text, count < 1e5 ? "%.0f" : "%.2f million", count < 1e5 ? count : count / 1e6);
  return text;
}

}  // namespace

std::vector<std::string> explanation(const passes::ModelSummary& before, const passes::ModelSummary& after) {
  std::vector<std::string> out;
  if (const size_t n = fewer(before.norms, after.norms))
    out.push_back(plural(n, "batch norm") + " folded into the layers before them");
  if (const size_t n = fewer(after.packed_layers, before.packed_layers)) {
    out.push_back(cat(plural(n, "layer"), " of ", before.layers,
                      " prepacked: the weights stand in the file as the kernels take them"));
  }
  if (const size_t n = fewer(after.clamped_layers, before.clamped_layers)) {
    out.push_back(plural(n, "activation") + " fused into the layers before them (relu, relu6, clamp, hardsigmoid)");
  }
  if (const size_t n = fewer(after.add_relus, before.add_relus))
    out.push_back(plural(n, "sum") + " fused with the relu after them");
  if (const size_t n = fewer(before.dropouts, after.dropouts)) out.push_back(plural(n, "dropout") + " removed");
  if (out.empty()) out.push_back("no layer was folded, fused or prepacked");
  out.push_back(cat("operators: ", before.operator_count(), " before, ", after.operator_count(), " after"));
  if (!before.run_on.empty()) {
    out.push_back(cat("multiply-adds of one run: ", millions(before.multiply_adds), " before",
                      after.run_on.empty() ? "" : cat(", ", millions(after.multiply_adds), " after"), " (on ",
                      before.run_on, ")"));
  }
  out.push_back(
      cat("weights: ", bytes_text(before.weight_bytes), " before, ", bytes_text(after.weight_bytes), " after"));
  return out;
}

CommandSpec spec_explain() { return spec(); }

int command_explain(int argc, char** argv) {
  const Arguments arguments(spec(), argc, argv, 2);
  if (arguments.wants_help()) return print_help(spec()), 0;
  const std::vector<IValue> inputs = arguments_of_forward(arguments);
  const Module a = load_file(arguments.operand(0)), b = load_file(arguments.operand(1));
  const std::vector<std::string> methods = common_methods(*program_of(a), *program_of(b));
  Progress progress("comparing");
  const passes::ModelSummary before = passes::summarize(*program_of(a), methods, inputs);
  const passes::ModelSummary after = passes::summarize(*program_of(b), methods, inputs);
  progress.clear();
  if (arguments.has("--html")) {
    const std::string page = explain_page({arguments.operand(0), *program_of(a), before},
                                          {arguments.operand(1), *program_of(b), after}, explanation(before, after));
    write_page(page, arguments.get("--html"));
  }
  say("%s -> %s\n", arguments.operand(0).c_str(), arguments.operand(1).c_str());
  for (const std::string& line : explanation(before, after)) say("  %s\n", line.c_str());
  std::set<std::string> names;
  for (const auto& [name, count] : before.operators) names.insert(name);
  for (const auto& [name, count] : after.operators) names.insert(name);
  if (output().json) {
    Json json;
    json.begin_object().key("before").string(arguments.operand(0)).key("after").string(arguments.operand(1));
    json.key("changes").begin_array();
    for (const std::string& line : explanation(before, after)) json.string(line);
    json.end_array().key("weight_bytes").begin_array();
    json.number(static_cast<long>(before.weight_bytes)).number(static_cast<long>(after.weight_bytes)).end_array();
    json.key("operators").begin_array();
    for (const std::string& name : names) {
      const auto x = before.operators.find(name), y = after.operators.find(name);
      json.begin_object().key("name").string(name);
      json.key("before").number(static_cast<long>(x == before.operators.end() ? 0 : x->second));
      json.key("after").number(static_cast<long>(y == after.operators.end() ? 0 : y->second)).end_object();
    }
    print_json(json.end_array().end_object());
  }
  say("\n  %-44s %7s %7s\n", "operator", "before", "after");
  for (const std::string& name : names) {
    const auto x = before.operators.find(name), y = after.operators.find(name);
    say("  %-44s %7zu %7zu\n", name.c_str(), x == before.operators.end() ? 0 : x->second,
        y == after.operators.end() ? 0 : y->second);
  }
  return 0;
}

}  // namespace wick::tools
