// The commands of `wick`, errors and exit codes.
#include "command.h"

#include <cstdio>
#include <cstring>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "arguments.h"
#include "bounds.h"
#include "commands.h"
#include "standard_output.h"
#include "wick/error.h"

namespace {

struct Command {
  const char* name;
  int (*run)(int, char**);
  const char* summary;
};

constexpr Command kCommands[] = {
    {"run", wick::tools::command_run, "run a method of a model and print or save the result"},
    {"info", wick::tools::command_info, "what a model file holds: methods, operators, inputs, sizes"},
    {"check", wick::tools::command_check, "whether a model will run here, and what is missing"},
    {"convert", wick::tools::command_convert, "write a model as another kind of file (.ptl, .pt)"},
    {"bundle", wick::tools::command_bundle, "store inputs with a model"},
    {"compare", wick::tools::command_compare, "run two models on the same inputs and report the difference"},
    {"quantize", wick::tools::command_quantize, "write a model with 8-bit or half-precision weights"},
    {"trace", wick::tools::command_trace, "write the list of what a build for some models must hold"},
    {"optimize", wick::tools::command_optimize, "prepare a model for a phone: freeze, fold, fuse, pack weights"},
    {"explain", wick::tools::command_explain, "what the optimizer did to a model"},
    {"bench", wick::tools::command_bench, "how long loading and running take"},
    {"profile", wick::tools::command_profile, "where the time of a run goes"},
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

int fail(int code, const std::string& message) {
  std::fprintf(stderr, "wick: %s\n", message.c_str());
  return code;
}

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
  if (std::strcmp(name, "--version") == 0) {
    std::printf("wick %s\n", WICK_VERSION);
    return 0;
  }
  try {
    for (const Command& command : kCommands) {
      if (std::strcmp(name, command.name) != 0) continue;
      std::vector<char*> words(argv + 2, argv + argc);
      const wick::RunOptions bounds = wick::tools::take_bounds(words);
      std::optional<wick::BoundedWork> bounded;
      if (bounds.timeout.count() > 0 || bounds.max_memory > 0) bounded.emplace("the command", bounds);
      return command.run(static_cast<int>(words.size()), words.data());
    }
    std::vector<std::string> names;
    for (const Command& command : kCommands) names.emplace_back(command.name);
    return fail(2, std::string("unknown command '") + name + "'" + wick::tools::suggestion(name, names) +
                       "; 'wick --help' lists them");
  } catch (const wick::tools::UsageError& e) {
    return fail(2, e.what());
  } catch (const wick::Error& e) {
    return fail(1, on_one_line(e.message()) + advice(e.code()));
  } catch (const std::bad_alloc&) {
    return fail(1, "out of memory");
  } catch (const std::exception& e) {
    return fail(1, on_one_line(e.what()));
  }
}

}  // namespace

namespace wick::tools {

int run_command(int argc, char** argv) {
  prepare_output();
  return finish_output(run(argc, argv));
}

}  // namespace wick::tools
