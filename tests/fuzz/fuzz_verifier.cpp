// libFuzzer target: any bytes as bytecode. The verifier either refuses it or gives a well-formed graph.
#include "fuzz_verifier_input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  wick::fuzz::verify_bytes(data, size);
  return 0;
}
