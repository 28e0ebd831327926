// The commands of `wick`, errors and exit codes.
#include "command.h"

#include <cstdio>
#include <cstring>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arguments.h"
#include "bounds.h"
#include "commands.h"
#include "output.h"
#include "standard_output.h"
#include "wick/error.h"
#include "wick/error_place.h"
#include "wick/module.h"

namespace {

struct Command {
  const char* name;
  int (*run)(int, char**);
  wick::tools::CommandSpec (*spec)();
  const char* summary;
};

constexpr Command kCommands[] = {
    {"run", wick::tools::command_run, wick::tools::spec_run, "run a method of a model and print or save the result"},
    {"info", wick::tools::command_info, wick::tools::spec_info,
     "what a model file holds: methods, operators, inputs, sizes"},
    {"check", wick::tools::command_check, wick::tools::spec_check,
     "whether a model will run here, and what is missing"},
    {"convert", wick::tools::command_convert, wick::tools::spec_convert,
     "write a model as another kind of file (.ptl, .pt)"},
    {"bundle", wick::tools::command_bundle, wick::tools::spec_bundle, "store inputs with a model"},
    {"compare", wick::tools::command_compare, wick::tools::spec_compare,
     "run two models on the same inputs and report the difference"},
    {"quantize", wick::tools::command_quantize, wick::tools::spec_quantize,
     "write a model with 8-bit or half-precision weights"},
    {"trace", wick::tools::command_trace, wick::tools::spec_trace,
     "write the list of what a build for some models must hold"},
    {"optimize", wick::tools::command_optimize, wick::tools::spec_optimize,
     "prepare a model for a phone: freeze, fold, fuse, pack weights"},
    {"explain", wick::tools::command_explain, wick::tools::spec_explain, "what the optimizer did to a model"},
    {"bench", wick::tools::command_bench, wick::tools::spec_bench, "how long loading and running take"},
    {"profile", wick::tools::command_profile, wick::tools::spec_profile, "where the time of a run goes"},
};

void print_usage(FILE* to) {
  std::fprintf(to, "usage: wick COMMAND MODEL [options]\n\nRuns PyTorch model files (.ptl, .pt) without PyTorch.\n\n");
  for (const Command& command : kCommands) std::fprintf(to, "  wick %-8s %s\n", command.name, command.summary);
  std::fprintf(to, "\n'wick COMMAND --help' lists the options of a command.\n");
}

// One line: what a library error says, its lines of context joined.
std::string on_one_line(const std::string& text) {
  std::string out;
  size_t at = 0;
  while (at < text.size()) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const size_t begin = std::min(text.find_first_not_of(" \t", at), end);
    if (begin < end) {
      if (!out.empty()) out += out.back() == ':' ? " " : "; ";
      out += text.substr(begin, end - begin);
    }
    at = end + 1;
  }
  return out;
}

const char* advice(wick::ErrorCode code) {
  switch (code) {
    case wick::ErrorCode::kMissingOperator:
      return " ('wick check MODEL' lists every missing operator)";
    case wick::ErrorCode::kCorruptFile:
      return " (save the model again with torch.jit.save or _save_for_lite_interpreter, and copy it whole)";
    default:
      return "";
  }
}

int fail(int code, const std::string& message, const char* kind = "usage") {
  using namespace wick::tools;
  if (output().json) {
    Json json;
    json.begin_object().key("error").begin_object();
    json.key("code").string(kind).key("message").string(message);
    print_json(json.end_object().end_object());
    std::fflush(stdout);
  }
  std::fprintf(stderr, "%s %s\n", colored("wick:", Color::kRed, true).c_str(), message.c_str());
  return code;
}

// Every command with its options, for the man pages and the completions of shells (scripts/manual.py).
void print_table() {
  using namespace wick::tools;
  Json json;
  json.begin_object().key("version").string(WICK_VERSION).key("commands").begin_array();
  for (const Command& command : kCommands) {
    const CommandSpec spec = command.spec();
    json.begin_object().key("name").string(spec.name).key("operands").string(spec.operands);
    json.key("summary").string(command.summary).key("description").string(spec.summary);
    json.key("options").begin_array();
    for (const OptionSpec& option : all_options(spec)) {
      json.begin_object().key("name").string(option.name);
      if (option.value) json.key("value").string(option.value);
      json.key("help").string(option.help).end_object();
    }
    json.end_array().end_object();
  }
  print_json(json.end_array().end_object());
}

void print_version() {
  std::printf("wick %s\n", WICK_VERSION);
  if (*WICK_COMMIT) std::printf("commit    %s\n", WICK_COMMIT);
  std::printf("compiler  %s\nfeatures  %s\nthreads   %d\n", __VERSION__, WICK_FEATURES, wick::num_threads());
}

// The name of a file where a command should be.
bool is_model_name(std::string_view word) { return word.ends_with(".pt") || word.ends_with(".ptl"); }

// The exit code.
int run(int argc, char** argv) {
  if (argc < 2) {
    print_usage(stderr);
    return 2;
  }
  const char* name = argv[1];
  char help[] = "--help";
  char* help_words[] = {argv[0], nullptr, help};
  if (std::strcmp(name, "--help") == 0 || std::strcmp(name, "-h") == 0 || std::strcmp(name, "help") == 0) {
    if (argc == 2) return print_usage(stdout), 0;
    name = help_words[1] = argv[2];
    argc = 3;
    argv = help_words;
  }
  if (std::strcmp(name, "--version") == 0 || std::strcmp(name, "-V") == 0 || std::strcmp(name, "version") == 0) {
    print_version();
    return 0;
  }
  if (std::strcmp(name, "--commands") == 0) return print_table(), 0;
  try {
    for (const Command& command : kCommands) {
      if (std::strcmp(name, command.name) != 0) continue;
      std::vector<char*> words(argv + 2, argv + argc);
      wick::tools::take_output_options(words);
      const wick::RunOptions bounds = wick::tools::take_bounds(words);
      std::optional<wick::BoundedWork> bounded;
      if (bounds.timeout.count() > 0 || bounds.max_memory > 0) bounded.emplace("the command", bounds);
      return command.run(static_cast<int>(words.size()), words.data());
    }
    if (is_model_name(name)) {
      return fail(2, std::string("'") + name + "' is a file; did you mean 'wick run " + name +
                         "'? The command comes first; 'wick --help' lists them");
    }
    std::vector<std::string> names;
    for (const Command& command : kCommands) names.emplace_back(command.name);
    return fail(2, std::string("unknown command '") + name + "'" + wick::tools::suggestion(name, names) +
                       "; 'wick --help' lists them");
  } catch (const wick::tools::UsageError& e) {
    return fail(2, e.what());
  } catch (const wick::Error& e) {
    const std::string message = wick::tools::output().verbose ? e.message() : on_one_line(e.message());
    const std::string near = wick::place_of(e).advice;
    return fail(1, message + (near.empty() ? "" : "; " + near) + advice(e.code()), wick::to_string(e.code()));
  } catch (const std::bad_alloc&) {
    return fail(1, "out of memory", "out_of_memory");
  } catch (const std::exception& e) {
    return fail(1, on_one_line(e.what()), "internal");
  }
}

}  // namespace

namespace wick::tools {

int run_command(int argc, char** argv) {
  prepare_output();
  return finish_output(run(argc, argv));
}

}  // namespace wick::tools
