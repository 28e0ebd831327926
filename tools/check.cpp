// wick check: whether a model will run here.
#include <algorithm>
#include <cstdio>
#include <fstream>

#include "api/module_access.h"
#include "arguments.h"
#include "commands.h"
#include "core/check.h"
#include "files.h"
#include "ir/program.h"
#include "output.h"
#include "progress.h"
#include "select/trace.h"
#include "wick/inspect.h"
#include "wick/registry.h"
#include "wick/wick.h"

namespace wick::tools {

namespace {

CommandSpec spec() {
  return {"check",
          "MODEL",
          "Says whether a model will run here: file problems, and missing operators with where the model uses them.\n"
          "Exit code 0 when it will run, 1 when not.",
          {{"--ops", "LIST.yaml", "check against the operators of a selective build instead of this one"},
           {"--custom", "FILE",
            "operators and classes that the application registers: a schema or 'class NAMESPACE.NAME' a line"}}};
}

class Placeholder : public CustomObject {
 public:
  Placeholder(std::string name, IValue state) : name_(std::move(name)), state_(std::move(state)) {}
  std::string_view class_name() const override { return name_; }
  IValue get_state() const override { return state_; }

 private:
  std::string name_;
  IValue state_;
};

// What the application registers when it runs, without what it does.
void register_custom(const std::string& path) {
  std::ifstream file(path);
  WICK_CHECK(file, kNotFound, "cannot open ", path);
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (line.starts_with("class ")) {
      const std::string name = line.substr(6);
      Registry::add_class(name, [name](std::vector<IValue> state) {
        return make_ref<Placeholder>("__torch__.torch.classes." + name, state.at(0));
      });
    } else {
      Registry::add_operator(line, Registry::Function([line](std::vector<IValue>) -> std::vector<IValue> {
                               throw Error(ErrorCode::kMissingOperator, line + " is the application's: it is not here");
                             }));
    }
  }
}

// What a build of the list lacks for the model beside operators: classes, the frontend, kinds of nodes, tensors.
std::vector<std::string> missing_parts(const ir::Program& program, const select::OperatorList& list) {
  select::OperatorList needed;
  select::add_program(needed, program);
  std::vector<std::string> out;
  for (const std::string& name : needed.custom_classes) {
    if (!list.selects_class(name)) out.push_back("class " + name);
  }
  for (const std::string& feature : needed.build_features) {
    // A list that names no frontend keeps those of the lite formats; one that names dtypes has tensors.
    const bool there = list.is_complete() ? list.build_features.contains(feature) ||
                                                (feature == "wick.tensors" && !list.kernels.empty())
                                          : feature != "wick.frontend.torchscript";
    const bool tells_code = list.build_features.contains("wick.code") &&
                            !list.build_features.contains("wick.frontend.torchscript");  // which has everything
    const bool matters = feature.starts_with("wick.frontend.") || feature == "wick.tensors" ||
                         (feature.starts_with("wick.code.") && tells_code);
    if (matters && !there) out.push_back("feature " + feature);
  }
  return out;
}

// Of an operator that nothing here is called: what it may be a mistyped name of.
std::string near_of(const std::string& name, const ir::OperatorUse& use) {
  return use.op ? std::string() : nearest_operator(name);
}

}  // namespace

CommandSpec spec_check() { return spec(); }

int command_check(int argc, char** argv) {
  const Arguments arguments(spec(), argc, argv, 1);
  if (arguments.wants_help()) return print_help(spec()), 0;
  const std::string& path = arguments.operand(0);
  {
    const Progress progress("reading " + path);
    check_records(path);
  }
  if (arguments.has("--custom")) register_custom(arguments.get("--custom"));
  LoadOptions options;
  options.allow_missing_operators = true;
  const Module module = load_file(path, options);
  const auto used = ir::operators_used(*program_of(module));

  const bool selective = arguments.has("--ops");
  select::OperatorList list;
  if (selective) list = read_list(arguments.get("--ops"));
  std::vector<std::pair<std::string, ir::OperatorUse>> missing;
  for (const auto& [name, use] : used) {
    const bool there =
        use.op && (!selective || list.selects_root(name) || (!list.is_complete() && select::has_instruction(name)));
    if (!there) missing.emplace_back(name, use);
  }
  const std::vector<std::string> parts =
      selective ? missing_parts(*program_of(module), list) : std::vector<std::string>{};
  const bool runs = missing.empty() && parts.empty();
  if (output().json) {
    Json json;
    json.begin_object().key("file").string(path).key("runs").boolean(runs);
    json.key("operators").number(static_cast<long>(used.size())).key("missing").begin_array();
    for (const auto& [name, use] : missing) {
      json.begin_object().key("name").string(name).key("count").number(static_cast<long>(use.count));
      json.key("where").string(use.where);
      if (const std::string near = near_of(name, use); !near.empty()) json.key("did_you_mean").string(near);
      json.end_object();
    }
    json.end_array().key("missing_parts").begin_array();
    for (const std::string& part : parts) json.string(part);
    print_json(json.end_array().end_object());
  }
  for (const auto& [name, use] : missing) {
    const std::string near = near_of(name, use);
    say("%s %s%s\n", colored("missing", Color::kRed).c_str(), name.c_str(),
        near.empty() ? "" : ("; did you mean " + near + "?").c_str());
    if (!use.where.empty()) say("  used %zu times, first in %s\n", use.count, use.where.c_str());
  }
  for (const std::string& part : parts) say("%s %s\n", colored("missing", Color::kRed).c_str(), part.c_str());
  if (selective && !runs) {
    const std::string& ops = arguments.get("--ops");
    std::fprintf(stderr,
                 "wick: %s will not run in a build of %s: %zu of its %zu operators and %zu other parts are missing; "
                 "add them with 'wick trace %s --merge %s --output %s'\n",
                 path.c_str(), ops.c_str(), missing.size(), used.size(), parts.size(), path.c_str(), ops.c_str(),
                 ops.c_str());
  } else if (!runs) {
    std::fprintf(stderr, "wick: %s will not run here: %zu of its %zu operators are missing in this build\n",
                 path.c_str(), missing.size(), used.size());
  } else {
    say("%s will run %s: all %zu operators are there\n", path.c_str(), selective ? "in a build of this list" : "here",
        used.size());
  }
  return runs ? 0 : 1;
}

}  // namespace wick::tools
