// Output of commands: text or JSON, colors, progress.
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

std::string duration(double seconds) {
  char text[32];
  if (seconds < 60) {
    std::snprintf(text, sizeof text, "%.0f s", seconds);
  } else {
    const int whole = static_cast<int>(seconds);
    std::snprintf(text, sizeof text, "%d min %02d s", whole / 60, whole % 60);
  }
  return text;
}

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

std::string colored(const std::string& text, Color color, bool on_error_output) {
  const char* none = std::getenv("NO_COLOR");
  if ((none && *none) || ::isatty(on_error_output ? STDERR_FILENO : STDOUT_FILENO) == 0) return text;
  constexpr const char* kCodes[] = {"31", "33", "32", "2"};
  return std::string("\x1b[") + kCodes[static_cast<int>(color)] + "m" + text + "\x1b[0m";
}

Progress::Progress()
    : enabled_(::isatty(STDERR_FILENO) != 0 && !chosen.quiet),
      start_(std::chrono::steady_clock::now()),
      last_(start_) {}

void Progress::show(const char* what, size_t done, size_t total) {
  if (!enabled_ || total == 0) return;
  const auto now = std::chrono::steady_clock::now();
  if (what_ != what) {
    what_ = what;
    start_ = now;
  }
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const bool is_new = now - last_ >= std::chrono::milliseconds(100);
  if ((seconds < 1 && !shown_) || !is_new) return;
  last_ = now;
  constexpr size_t kWidth = 30;
  std::string bar(done * kWidth / total, '#');
  bar.resize(kWidth, '.');
  std::string rest;
  if (done > 0 && done < total && seconds > 0) {
    char rate[48];
    std::snprintf(rate, sizeof rate, "  %.1f/s, ", static_cast<double>(done) / seconds);
    rest = rate + duration(seconds * static_cast<double>(total - done) / static_cast<double>(done)) + " left";
  }
  std::fprintf(stderr, "\r%-28s [%s] %zu/%zu%s\x1b[K", what, bar.c_str(), done, total, rest.c_str());
  std::fflush(stderr);
  shown_ = true;
}

void Progress::clear() {
  if (shown_) std::fprintf(stderr, "\r\x1b[K");
  shown_ = false;
}

size_t file_bytes(const std::string& path) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(path, error);
  return error ? 0 : static_cast<size_t>(bytes);
}

}  // namespace wick::tools
