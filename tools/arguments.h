// Command-line arguments of a subcommand: one positional MODEL and named options.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace wick::tools {

// The command line is wrong: exit code 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct OptionSpec {
  const char* name;   // "--input"
  const char* value;  // "IN.pt", or null for a switch
  const char* help;
};

struct CommandSpec {
  const char* name;
  const char* operands;  // "MODEL"
  const char* summary;
  std::vector<OptionSpec> options;
};

constexpr size_t kOneOrMore = SIZE_MAX;  // as a number of operands

class Arguments {
 public:
  // Throws UsageError on an unknown option, a missing value, or a number of operands that is not `operand_count`.
  Arguments(const CommandSpec& spec, int argc, char** argv, size_t operand_count);

  bool wants_help() const { return help_; }
  const std::string& operand(size_t i) const { return operands_.at(i); }
  const std::vector<std::string>& operands() const { return operands_; }
  bool has(std::string_view option) const { return values_.contains(std::string(option)); }
  // The last value given, or the fallback.
  std::string get(std::string_view option, std::string_view fallback = {}) const;
  std::vector<std::string> all(std::string_view option) const;
  // A whole number that is at least `least`; throws UsageError otherwise.
  long get_number(std::string_view option, long fallback, long least) const;

 private:
  bool help_ = false;
  std::vector<std::string> operands_;
  std::map<std::string, std::vector<std::string>> values_;
};

// Those of the command and those that every command has.
std::vector<OptionSpec> all_options(const CommandSpec& spec);
void print_help(const CommandSpec& spec);

// "; did you mean --input?" when one of the names is nearly the word, else nothing.
std::string suggestion(const std::string& word, const std::vector<std::string>& names);
std::vector<std::string> split(std::string_view text, char separator);

}  // namespace wick::tools
