// Small models with changes in their bytecode, pickles and source: what loads is run, interpreted and planned, with the
// inputs the model was made with and with others.
#include "fuzz/edited_model.h"
#include "fuzz/run_module.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace wick;
  fuzz::ByteFeed feed(data, size);
  const hostile::Entropy entropy(static_cast<unsigned>(feed.byte()));
  const fuzz::EditedModel model = fuzz::edited_model(feed);
  const auto load_module = [&] { return load(model.bytes); };
  if (!fuzz::run_bounded("load", [&] { load_module(); })) return 0;
  const size_t calls = fuzz::calls_of(*model.base).size();
  constexpr size_t kMostCalls = 3;
  for (size_t i = 0; i < std::min(calls, kMostCalls); ++i) {
    const auto call = [&] { return fuzz::calls_of(*model.base).at(i); };
    fuzz::run_method_both_ways(load_module, call().method, [&] { return call().arguments; });
  }
  if (model.is_changed) fuzz::run_methods(load_module, entropy);
  return 0;
}
