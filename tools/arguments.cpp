// Parsing of a subcommand's options and its help text.
#include "arguments.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "bounds.h"
#include "inspect/edit_distance.h"
#include "output.h"

namespace wick::tools {

namespace {

constexpr size_t kHelpColumn = 31;

const OptionSpec& find_option(const CommandSpec& spec, const std::string& name) {
  for (const OptionSpec& option : spec.options) {
    if (name == option.name) return option;
  }
  std::vector<std::string> names;
  for (const OptionSpec& option : all_options(spec)) names.emplace_back(option.name);
  throw UsageError("unknown option " + name + suggestion(name, names) + "; see 'wick " + spec.name + " --help'");
}

std::string with_indent(const std::string& text, const std::string& next_line) {
  std::string out;
  for (char c : text) c == '\n' ? out += next_line : out += c;
  return out;
}

}  // namespace

Arguments::Arguments(const CommandSpec& spec, int argc, char** argv, size_t operand_count) {
  for (int i = 0; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--help" || word == "-h") {
      help_ = true;
      return;
    }
    if (!word.starts_with("-") || word == "-") {
      operands_.push_back(word);
      continue;
    }
    const size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const OptionSpec& option = find_option(spec, name);
    if (!option.value) {
      if (equals != std::string::npos) throw UsageError(name + " takes no value");
      values_[name].emplace_back();
    } else if (equals != std::string::npos) {
      values_[name].push_back(word.substr(equals + 1));
    } else if (i + 1 < argc) {
      values_[name].emplace_back(argv[++i]);
    } else {
      throw UsageError(name + " needs a value: " + name + " " + option.value);
    }
  }
  if (operand_count == kOneOrMore ? operands_.empty() : operands_.size() != operand_count) {
    throw UsageError("expected: wick " + std::string(spec.name) + " " + spec.operands + " [options], got " +
                     std::to_string(operands_.size()) + " file names; see 'wick " + spec.name + " --help'");
  }
}

std::string Arguments::get(std::string_view option, std::string_view fallback) const {
  auto found = values_.find(std::string(option));
  return std::string(found == values_.end() ? fallback : std::string_view(found->second.back()));
}

std::vector<std::string> Arguments::all(std::string_view option) const {
  auto found = values_.find(std::string(option));
  return found == values_.end() ? std::vector<std::string>{} : found->second;
}

long Arguments::get_number(std::string_view option, long fallback, long least) const {
  if (!has(option)) return fallback;
  const std::string text = get(option);
  char* end = nullptr;
  const long value = std::strtol(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0' || value < least) {
    throw UsageError(std::string(option) + " needs a whole number of at least " + std::to_string(least) + ", got '" +
                     text + "'");
  }
  return value;
}

std::string suggestion(const std::string& word, const std::vector<std::string>& names) {
  constexpr size_t kNear = 2;
  const std::string* best = nullptr;
  size_t distance = kNear + 1;
  for (const std::string& name : names) {
    const size_t d = edit_distance(word, name);
    if (d < distance && d < name.size() / 2 + 1) {
      best = &name;
      distance = d;
    }
  }
  return best ? "; did you mean " + *best + "?" : "";
}

std::vector<OptionSpec> all_options(const CommandSpec& spec) {
  std::vector<OptionSpec> options = spec.options;
  options.insert(options.end(), output_options().begin(), output_options().end());
  options.insert(options.end(), bound_options().begin(), bound_options().end());
  return options;
}

void print_help(const CommandSpec& spec) {
  std::printf("usage: wick %s %s [options]\n\n%s\n", spec.name, spec.operands, spec.summary);
  std::printf("\noptions:\n");
  const std::string next_line = "\n" + std::string(kHelpColumn, ' ');
  const std::vector<OptionSpec> options = all_options(spec);
  for (const OptionSpec& option : options) {
    const std::string left = option.value ? std::string(option.name) + " " + option.value : option.name;
    const bool fits = left.size() + 3 <= kHelpColumn;
    std::printf("  %s%s%s\n", left.c_str(),
                fits ? std::string(kHelpColumn - left.size() - 2, ' ').c_str() : next_line.c_str(),
                with_indent(option.help, next_line).c_str());
  }
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> pieces;
  while (!text.empty()) {
    const size_t end = std::min(text.find(separator), text.size());
    if (end > 0) pieces.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return pieces;
}

}  // namespace wick::tools
