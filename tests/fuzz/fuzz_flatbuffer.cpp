// Any bytes as a model, as a flatbuffer above all: what loads is run, interpreted and planned.
#include "fuzz/run_module.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace wick;
  if (size > (1 << 16)) return 0;
  fuzz::run_methods([&] { return load(std::span(data, size)); }, hostile::Entropy(static_cast<unsigned>(size)));
  return 0;
}
