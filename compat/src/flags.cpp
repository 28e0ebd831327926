// Command-line flags (c10/util/Flags.h).
#include <c10/util/Flags.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

namespace c10 {
namespace {

struct Flag {
  detail::FlagType type;
  void* value;
  std::string help;
};
std::map<std::string, Flag>& flags() {
  static std::map<std::string, Flag> all;
  return all;
}
std::string& usage() {
  static std::string text = "(Usage message not set.)";
  return text;
}
bool parsed = false;

bool set(Flag& flag, const std::string& text) {
  char* end = nullptr;
  switch (flag.type) {
    case detail::FlagType::kString:
      *static_cast<std::string*>(flag.value) = text;
      return true;
    case detail::FlagType::kInt32:
      *static_cast<int32_t*>(flag.value) = static_cast<int32_t>(std::strtol(text.c_str(), &end, 10));
      break;
    case detail::FlagType::kInt64:
      *static_cast<int64_t*>(flag.value) = std::strtoll(text.c_str(), &end, 10);
      break;
    case detail::FlagType::kDouble:
      *static_cast<double*>(flag.value) = std::strtod(text.c_str(), &end);
      break;
    case detail::FlagType::kBool: {
      const bool yes = text == "true" || text == "True" || text == "TRUE" || text == "1" || text == "yes";
      const bool no = text == "false" || text == "False" || text == "FALSE" || text == "0" || text == "no";
      if (yes || no) *static_cast<bool*>(flag.value) = yes;
      return yes || no;
    }
  }
  return end && *end == '\0' && !text.empty();
}

void print_help() {
  std::printf("%s\n", usage().c_str());
  for (const auto& entry : flags()) std::printf("  --%s: %s\n", entry.first.c_str(), entry.second.help.c_str());
}

}  // namespace

detail::RegisterFlag::RegisterFlag(FlagType type, const char* name, void* value, const char* help) {
  flags()[name] = Flag{type, value, help};
}

void SetUsageMessage(const std::string& text) { usage() = text; }
const char* UsageMessage() { return usage().c_str(); }
bool CommandLineFlagsHasBeenParsed() { return parsed; }

bool ParseCommandLineFlags(int* argc, char*** argv) {
  int kept = 1;
  bool ok = true;
  for (int i = 1; i < *argc; ++i) {
    const char* word = (*argv)[i];
    if (std::strncmp(word, "--", 2) != 0 || word[2] == '\0') {
      (*argv)[kept++] = (*argv)[i];
      continue;
    }
    std::string name = word + 2, value;
    const size_t equals = name.find('=');
    bool has_value = equals != std::string::npos;
    if (has_value) {
      value = name.substr(equals + 1);
      name.resize(equals);
    }
    if (name == "help") {
      print_help();
      std::exit(0);
    }
    auto it = flags().find(name);
    if (it == flags().end() && !has_value && name.compare(0, 2, "no") == 0) {
      it = flags().find(name.substr(2));
      if (it != flags().end() && it->second.type == detail::FlagType::kBool) value = "false", has_value = true;
    }
    if (it == flags().end()) {
      std::fprintf(stderr, "unknown command line flag '%s'\n", name.c_str());
      ok = false;
      continue;
    }
    if (!has_value && it->second.type == detail::FlagType::kBool) {
      value = "true";
    } else if (!has_value) {
      if (i + 1 >= *argc) {
        std::fprintf(stderr, "flag '%s' is missing its argument\n", name.c_str());
        ok = false;
        continue;
      }
      value = (*argv)[++i];
    }
    if (!set(it->second, value)) {
      std::fprintf(stderr, "illegal value '%s' specified for flag '%s'\n", value.c_str(), name.c_str());
      ok = false;
    }
  }
  *argc = kept;
  (*argv)[kept] = nullptr;
  parsed = true;
  return ok;
}

}  // namespace c10
