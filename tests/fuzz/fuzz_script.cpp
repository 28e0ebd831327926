// libFuzzer target: any text as TorchScript code.
#include "fuzz_script_input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (!wick::fuzz::check_code(std::string(reinterpret_cast<const char*>(data), size)).empty()) std::abort();
  return 0;
}
