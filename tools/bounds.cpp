// --timeout and --max-memory: how long a command may take, and how much a model may hold.
#include "bounds.h"

#include <cmath>
#include <cstdlib>
#include <cstring>

namespace wick::tools {
namespace {

struct Unit {
  const char* name;
  double factor;
};

// A number with a unit, in the smallest; throws UsageError.
template <size_t N>
double number_of(const char* option, const char* text, const char* example, const Unit (&units)[N]) {
  char* end = nullptr;
  const double number = std::strtod(text, &end);
  for (const Unit& unit : units) {
    if (end == text || std::strcmp(end, unit.name) != 0) continue;
    const double value = std::ceil(number * unit.factor);
    if (value >= 1 && value <= 1e15) return value;
  }
  throw UsageError(std::string(option) + " needs a value such as " + example + ", got '" + text + "'");
}

constexpr Unit kTimes[] = {{"", 1e3}, {"ms", 1}, {"s", 1e3}, {"min", 60e3}, {"h", 3600e3}};
constexpr Unit kSizes[] = {{"", 1}, {"K", 1024}, {"M", 1024. * 1024}, {"G", 1024. * 1024 * 1024}};

// The value of the option if the word is it, taking the next word if need be; null otherwise.
const char* value_of(const char* option, const std::vector<char*>& words, size_t& at) {
  const size_t length = std::strlen(option);
  if (std::strncmp(words[at], option, length) != 0) return nullptr;
  if (words[at][length] == '=') return words[at] + length + 1;
  if (words[at][length] != '\0') return nullptr;
  if (at + 1 == words.size()) throw UsageError(std::string(option) + " needs a value");
  return words[++at];
}

}  // namespace

const std::vector<OptionSpec>& bound_options() {
  static const std::vector<OptionSpec> options{
      {"--timeout", "TIME", "stop after so long: 500ms, 2s, 1min (default: never)"},
      {"--max-memory", "SIZE", "what loading and running the model may hold at once: 64M, 2G (default: no bound)"}};
  return options;
}

RunOptions take_bounds(std::vector<char*>& words) {
  RunOptions bounds;
  std::vector<char*> others;
  for (size_t at = 0; at < words.size(); ++at) {
    if (const char* time = value_of("--timeout", words, at)) {
      bounds.timeout =
          std::chrono::milliseconds(static_cast<int64_t>(number_of("--timeout", time, "500ms or 2s", kTimes)));
    } else if (const char* size = value_of("--max-memory", words, at)) {
      bounds.max_memory = static_cast<uint64_t>(number_of("--max-memory", size, "64M or 2G", kSizes));
    } else {
      others.push_back(words[at]);
    }
  }
  words.swap(others);
  return bounds;
}

}  // namespace wick::tools
