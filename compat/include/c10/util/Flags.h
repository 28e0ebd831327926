// Command-line flags: C10_DEFINE_int(name, default, "help") makes FLAGS_name, which ParseCommandLineFlags sets.
#pragma once

#include <cstdint>
#include <string>

#include <c10/macros/Macros.h>

namespace c10 {

void SetUsageMessage(const std::string& text);
const char* UsageMessage();
// Takes --name=value, --name value and, of a bool, --name and --noname out of the arguments. False, with a message on
// the standard error stream, when a flag is unknown or its value is none of its type. --help prints the flags and
// exits.
bool ParseCommandLineFlags(int* argc, char*** argv);
bool CommandLineFlagsHasBeenParsed();

namespace detail {
enum class FlagType { kString, kInt32, kInt64, kDouble, kBool };
struct RegisterFlag {
  RegisterFlag(FlagType type, const char* name, void* value, const char* help);
};
}  // namespace detail

}  // namespace c10

#define WICK_DEFINE_FLAG(type, kind, name, default_value, help)                                               \
  namespace c10 {                                                                                             \
  type FLAGS_##name = default_value;                                                                          \
  static const detail::RegisterFlag register_flag_##name(detail::FlagType::kind, #name, &FLAGS_##name, help); \
  }                                                                                                           \
  using c10::FLAGS_##name
#define C10_DEFINE_int32(name, default_value, help) WICK_DEFINE_FLAG(int32_t, kInt32, name, default_value, help)
#define C10_DEFINE_int(name, default_value, help) C10_DEFINE_int32(name, default_value, help)
#define C10_DEFINE_int64(name, default_value, help) WICK_DEFINE_FLAG(int64_t, kInt64, name, default_value, help)
#define C10_DEFINE_double(name, default_value, help) WICK_DEFINE_FLAG(double, kDouble, name, default_value, help)
#define C10_DEFINE_bool(name, default_value, help) WICK_DEFINE_FLAG(bool, kBool, name, default_value, help)
#define C10_DEFINE_string(name, default_value, help) WICK_DEFINE_FLAG(std::string, kString, name, default_value, help)
#define WICK_DECLARE_FLAG(type, name) \
  namespace c10 {                     \
  extern type FLAGS_##name;           \
  }                                   \
  using c10::FLAGS_##name
#define C10_DECLARE_int32(name) WICK_DECLARE_FLAG(int32_t, name)
#define C10_DECLARE_int(name) C10_DECLARE_int32(name)
#define C10_DECLARE_int64(name) WICK_DECLARE_FLAG(int64_t, name)
#define C10_DECLARE_double(name) WICK_DECLARE_FLAG(double, name)
#define C10_DECLARE_bool(name) WICK_DECLARE_FLAG(bool, name)
#define C10_DECLARE_string(name) WICK_DECLARE_FLAG(std::string, name)
