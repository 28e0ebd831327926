// Any text as an operator list: it gives a list or an Error, and a list that was read can be written and read again.
#include <cstdlib>
#include <string_view>

#include "fuzz/bounds.h"
#include "select/op_list.h"
#include "select/yaml.h"
#include "wick/error.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  wick::fuzz::run_bounded("yaml", [&] { wick::select::parse_yaml(text); });
  std::string written;
  if (!wick::fuzz::run_bounded("list", [&] { written = to_yaml(wick::select::parse_op_list(text)); })) return 0;
  try {
    if (to_yaml(wick::select::parse_op_list(written)) != written) std::abort();
  } catch (const wick::Error&) {
    std::abort();  // what was read and written must be read again
  }
  return 0;
}
