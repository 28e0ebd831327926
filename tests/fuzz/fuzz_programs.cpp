// Generated TorchScript modules: interpreted and planned runs agree, and so do those of the module written as a lite
// file and as TorchScript and read again.
#include <cstdlib>
#include <optional>

#include "fuzz/program_maker.h"
#include "fuzz/run_module.h"
#include "wick/save.h"

namespace {

using wick::IValue;
using wick::Module;
using Bytes = std::vector<uint8_t>;

std::vector<IValue> arguments() {
  const wick::Tensor ones = wick::Tensor::zeros({2, 2});
  wick::fill(ones, wick::Scalar(1));
  return {ones, 3, IValue::list(wick::types::any(), {IValue(1), wick::Tensor::zeros({3})})};
}

std::optional<IValue> result_of(const Bytes& file) {
  std::optional<IValue> result;
  wick::fuzz::run_bounded("forward", [&] {
    result = wick::parity::run_both([&] { return wick::load(file); }, "forward", arguments, 1, wick::fuzz::is_limit);
  });
  return result;
}

// The file as it is written again; empty when it cannot be.
template <class Save>
Bytes rewritten(const Bytes& file, const char* what, const Save& save) {
  Bytes out;
  wick::fuzz::run_bounded(what, [&] { out = save(wick::load(file)); });
  if (out.empty()) return out;
  try {
    wick::load(out);
  } catch (const wick::Error& e) {
    std::fprintf(stderr, "%s: what was written does not load: %s\n", what, e.what());
    std::abort();
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size > 4096) return 0;
  wick::fuzz::ByteFeed feed(data, size);
  const std::string source = wick::fuzz::ProgramMaker(feed).source();
  if (wick::fuzz::shows_errors()) std::fprintf(stderr, "%s", source.c_str());
  const Bytes file = wick::fuzz::module_file(source);
  if (!wick::fuzz::run_bounded("load", [&] { wick::load(file); })) return 0;
  const std::optional<IValue> result = result_of(file);
  const Bytes lite = rewritten(file, "save_lite", [](const Module& m) { return wick::save_lite(m); });
  const Bytes script = rewritten(file, "save_torchscript", [](const Module& m) { return wick::save_torchscript(m); });
  for (const Bytes* again : {&lite, &script}) {
    if (again->empty()) continue;
    const std::optional<IValue> value = result_of(*again);
    if (!result || !value) continue;
    const std::string difference = wick::parity::difference(*result, *value);
    if (difference.empty()) continue;
    std::fprintf(stderr, "the rewritten module gives another result: %s\n", difference.c_str());
    std::abort();
  }
  return 0;
}
