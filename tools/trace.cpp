// wick trace: what a build for some models must hold.
#include <cstdio>

#include "arguments.h"
#include "commands.h"
#include "core/check.h"
#include "files.h"
#include "inputs.h"
#include "output.h"
#include "progress.h"
#include "select/trace.h"
#include "wick/wick.h"

namespace wick::tools {

namespace {

CommandSpec spec() {
  return {"trace",
          "MODEL...",
          "Runs models and writes the list for a selective build: every operator of the files, the dtypes and kernels\n"
          "that were met, classes and frontends. Each model runs on its bundled inputs and on the --input files.",
          {
              {"--output", "OPS.yaml", "where to write the list (PyTorch's selective-build YAML)"},
              {"--input", "IN.pt", "arguments of one more run: what torch.save of a tuple wrote; may be repeated"},
              {"--method", "NAME", "the method the --input files are for (default: forward)"},
              {"--merge", "LIST.yaml", "a list to add to; may be repeated"},
              {"--isa", "NAME",
               "an instruction set the build is for, as WICK_ISA has them; may be repeated (default: all)"},
          }};
}

void print_report(const std::string& path, const select::TraceReport& report) {
  say("%s: %s model\n", path.c_str(), report.kind.c_str());
  for (const select::InputCoverage& input : report.inputs) {
    say("  ran %s: %zu operators, %zu of them new\n", input.label.c_str(), input.operators, input.fresh);
  }
  for (const std::string& method : report.methods_not_run) {
    say("  not run: method %s, for which there are no inputs\n", method.c_str());
  }
  for (const select::Gap& gap : report.gaps) {
    say("  not taken: %s in %s%s%s", gap.what.c_str(), gap.function.c_str(), gap.where.empty() ? "" : ": ",
        gap.where.c_str());
    for (size_t i = 0; i < gap.operators.size(); ++i) {
      say("%s%s", i ? ", " : " (not called elsewhere: ", gap.operators[i].c_str());
    }
    say("%s", gap.operators.empty() ? "" : ")");
    if (gap.count > 1) say(", in %zu places", gap.count);
    say("\n");
  }
  if (!report.operators_not_called.empty()) {
    say("  %zu operators are listed but were not called; what they need beside themselves is not known:",
        report.operators_not_called.size());
    for (const std::string& name : report.operators_not_called) say(" %s", name.c_str());
    say("\n");
  }
}

void append_report(Json& json, const std::string& path, const select::TraceReport& report) {
  const auto strings = [&](const char* key, const std::vector<std::string>& list) {
    json.key(key).begin_array();
    for (const std::string& text : list) json.string(text);
    json.end_array();
  };
  json.begin_object().key("file").string(path).key("kind").string(report.kind).key("inputs").begin_array();
  for (const select::InputCoverage& input : report.inputs) {
    json.begin_object().key("input").string(input.label).key("operators").number(static_cast<long>(input.operators));
    json.key("new").number(static_cast<long>(input.fresh)).end_object();
  }
  json.end_array().key("gaps").begin_array();
  for (const select::Gap& gap : report.gaps) {
    json.begin_object()
        .key("function")
        .string(gap.function)
        .key("what")
        .string(gap.what)
        .key("where")
        .string(gap.where);
    strings("operators", gap.operators);
    json.key("count").number(static_cast<long>(gap.count)).end_object();
  }
  json.end_array();
  strings("methods_not_run", report.methods_not_run);
  strings("operators_not_called", report.operators_not_called);
  json.end_object();
}

}  // namespace

CommandSpec spec_trace() { return spec(); }

int command_trace(int argc, char** argv) {
  const Arguments arguments(spec(), argc, argv, kOneOrMore);
  if (arguments.wants_help()) return print_help(spec()), 0;
  if (!arguments.has("--output")) throw UsageError("--output OPS.yaml is needed");
  const std::string method = arguments.get("--method", "forward");
  Json json;
  json.begin_object().key("output").string(arguments.get("--output")).key("models").begin_array();
  select::OperatorList list;
  for (const std::string& path : arguments.all("--merge")) list.merge(read_list(path));
  for (const std::string& path : arguments.operands()) {
    std::vector<select::TraceInput> inputs = select::bundled_trace_inputs(load_file(path));
    for (const std::string& file : arguments.all("--input")) inputs.push_back({method, file, saved_arguments({file})});
    if (inputs.empty()) {
      throw Error(ErrorCode::kNotFound,
                  path + " has no bundled inputs to run it on; give --input IN.pt, or store some: 'wick bundle " +
                      path + " OUT.ptl --input IN.pt' (--image FILE, --randn 1,3,224,224)");
    }
    Progress progress;
    select::TraceReport report =
        select::trace_model(path, inputs, arguments.all("--isa"),
                            [&](const char* what, size_t done, size_t total) { progress.show(what, done, total); });
    progress.clear();
    for (const std::string& file : arguments.all("--input")) select::add_saved(report.list, file);
    report.list.debug_info.push_back(path.substr(path.rfind('/') + 1));
    print_report(path, report);
    append_report(json, path, report);
    list.merge(report.list);
  }
  select::write_op_list(list, arguments.get("--output"));
  size_t roots = 0;
  for (const auto& [name, properties] : list.operators) roots += properties.is_root;
  json.end_array().key("operators").number(static_cast<long>(list.operators.size()));
  json.key("named").number(static_cast<long>(roots)).end_object();
  if (output().json) print_json(json);
  say("wrote %s: %zu operators, %zu of them named by the models\n", arguments.get("--output").c_str(),
      list.operators.size(), roots);
  return 0;
}

}  // namespace wick::tools
