// Command-line flags of the drop-in tools, in the two spellings PyTorch's own builds take: --name=value, --name value;
// for booleans also --name and --noname. Words that are no flags are ignored.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace wick::dropin {

enum class FlagKind { kString, kInt, kBool };

struct FlagSpec {
  const char* name;
  FlagKind kind;
  const char* initial;
  const char* help;
};

class Flags {
 public:
  Flags(std::string usage, std::vector<FlagSpec> specs);

  // False when the program is to end with exit_code(): after --help, or after a flag that is not right, which is
  // reported on stderr.
  bool parse(int argc, char** argv);
  int exit_code() const { return exit_code_; }

  const std::string& text(const std::string& name) const { return values_.at(name); }
  int number(const std::string& name) const;
  bool boolean(const std::string& name) const;

 private:
  const FlagSpec* find(const std::string& name) const;
  // False, with a message, when the value is none of the flag's kind.
  bool set(const FlagSpec& flag, const std::string& value);
  bool refuse(const std::string& message);
  void print_help() const;

  std::string usage_;
  std::vector<FlagSpec> specs_;
  std::map<std::string, std::string> values_;
  int exit_code_ = 0;
};

}  // namespace wick::dropin
