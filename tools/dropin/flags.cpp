// Parsing of --name=value and --name value flags with PyTorch's messages.
#include "dropin/flags.h"

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <optional>

namespace wick::dropin {

namespace {

const char* kind_name(FlagKind kind) {
  return kind == FlagKind::kString ? "string" : kind == FlagKind::kInt ? "int32" : "bool";
}

std::optional<bool> to_bool(const std::string& text) {
  for (const char* yes : {"true", "True", "TRUE", "1", "t", "yes", "y"}) {
    if (text == yes) return true;
  }
  for (const char* no : {"false", "False", "FALSE", "0", "f", "no", "n"}) {
    if (text == no) return false;
  }
  return std::nullopt;
}

std::optional<int> to_int(const std::string& text) {
  char* end = nullptr;
  errno = 0;
  const long value = std::strtol(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0' || errno != 0 || value < INT_MIN || value > INT_MAX) return std::nullopt;
  return static_cast<int>(value);
}

}  // namespace

Flags::Flags(std::string usage, std::vector<FlagSpec> specs) : usage_(std::move(usage)), specs_(std::move(specs)) {
  for (const FlagSpec& flag : specs_) values_[flag.name] = flag.initial;
}

const FlagSpec* Flags::find(const std::string& name) const {
  for (const FlagSpec& flag : specs_) {
    if (name == flag.name) return &flag;
  }
  return nullptr;
}

bool Flags::refuse(const std::string& message) {
  std::fprintf(stderr, "ERROR: %s\n", message.c_str());
  exit_code_ = 1;
  return false;
}

bool Flags::set(const FlagSpec& flag, const std::string& value) {
  const bool fits = flag.kind == FlagKind::kString || (flag.kind == FlagKind::kInt && to_int(value)) ||
                    (flag.kind == FlagKind::kBool && to_bool(value));
  if (!fits) {
    return refuse("illegal value '" + value + "' specified for " + kind_name(flag.kind) + " flag '" + flag.name + "'");
  }
  values_[flag.name] = value;
  return true;
}

bool Flags::parse(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--") return true;
    if (word.size() < 2 || word[0] != '-') continue;
    const std::string body = word.substr(word[1] == '-' ? 2 : 1);
    const size_t equals = body.find('=');
    const std::string name = body.substr(0, equals);
    if (name == "help") {
      print_help();
      return false;
    }
    const FlagSpec* flag = find(name);
    if (!flag && equals == std::string::npos && name.starts_with("no")) {
      flag = find(name.substr(2));
      if (flag && flag->kind == FlagKind::kBool) {
        values_[flag->name] = "false";
        continue;
      }
      flag = nullptr;
    }
    if (!flag) return refuse("unknown command line flag '" + name + "'");
    std::string value;
    if (equals != std::string::npos) {
      value = body.substr(equals + 1);
    } else if (flag->kind == FlagKind::kBool) {
      const bool follows = i + 1 < argc && to_bool(argv[i + 1]);
      value = follows ? argv[++i] : "true";
    } else if (i + 1 < argc) {
      value = argv[++i];
    } else {
      return refuse("flag '" + word + "' is missing its argument; flag description: " + flag->help);
    }
    if (!set(*flag, value)) return false;
  }
  return true;
}

int Flags::number(const std::string& name) const { return *to_int(text(name)); }
bool Flags::boolean(const std::string& name) const { return *to_bool(text(name)); }

void Flags::print_help() const {
  std::printf("%s\nArguments: \n", usage_.c_str());
  for (const FlagSpec& flag : specs_) {
    std::printf("    %s: (%s, default %s%s%s) %s\n", flag.name, kind_name(flag.kind),
                flag.kind == FlagKind::kString ? "\"" : "", flag.initial, flag.kind == FlagKind::kString ? "\"" : "",
                flag.help);
  }
}

}  // namespace wick::dropin
