// Output of commands: text or JSON, colors.
#include "output.h"

#include <unistd.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace wick::tools {

namespace {

Output chosen;

}  // namespace

const Output& output() { return chosen; }

const std::vector<OptionSpec>& output_options() {
  static const std::vector<OptionSpec> options{
      {"--json", nullptr, "print one JSON object"},
      {"--quiet", nullptr, "print nothing but errors and warnings"},
      {"--verbose", nullptr, "print more: what is otherwise left out, and where errors happened, line by line"}};
  return options;
}

void take_output_options(std::vector<char*>& words) {
  chosen = {};
  std::vector<char*> others;
  for (char* word : words) {
    if (std::strcmp(word, "--json") == 0) {
      chosen.json = true;
    } else if (std::strcmp(word, "--quiet") == 0) {
      chosen.quiet = true;
    } else if (std::strcmp(word, "--verbose") == 0) {
      chosen.verbose = true;
    } else {
      others.push_back(word);
    }
  }
  if (chosen.quiet && chosen.verbose) throw UsageError("--quiet and --verbose exclude each other");
  words.swap(others);
}

void say(const char* format, ...) {
  if (chosen.json || chosen.quiet) return;
  va_list arguments;
  va_start(arguments, format);
  std::vprintf(format, arguments);
  va_end(arguments);
}

void note(const std::string& text) {
  if (!chosen.quiet) std::fprintf(stderr, "%s %s\n", colored("note:", Color::kDim, true).c_str(), text.c_str());
}

void print_json(const Json& json) { std::printf("%s\n", json.text().c_str()); }

bool is_terminal(bool error_output) {
  const char* kind = std::getenv("TERM");
  if (kind && std::strcmp(kind, "dumb") == 0) return false;
  return ::isatty(error_output ? STDERR_FILENO : STDOUT_FILENO) != 0;
}

std::string colored(const std::string& text, Color color, bool on_error_output) {
  const char* none = std::getenv("NO_COLOR");
  if ((none && *none) || !is_terminal(on_error_output)) return text;
  constexpr const char* kCodes[] = {"31", "33", "32", "2"};
  return std::string("\x1b[") + kCodes[static_cast<int>(color)] + "m" + text + "\x1b[0m";
}

size_t file_bytes(const std::string& path) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(path, error);
  return error ? 0 : static_cast<size_t>(bytes);
}

}  // namespace wick::tools
