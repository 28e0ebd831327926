// Generated TorchScript modules that fork: tasks with threads of their own change the lists, dicts, tensors and
// attributes that their parent changes meanwhile. Nothing is compared: who comes first decides.
#include "fuzz/program_maker.h"
#include "fuzz/run_module.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace wick;
  if (size > 4096) return 0;
  fuzz::ByteFeed feed(data, size);
  const int forks = 1 + static_cast<int>(feed.below(3));
  const bool plans = feed.one_in(2);
  const std::string source = fuzz::ProgramMaker(feed, true).source();
  if (fuzz::shows_errors()) std::fprintf(stderr, "%s", source.c_str());
  const std::vector<uint8_t> file = fuzz::module_file(source);
  Module module;
  if (!fuzz::run_bounded("load", [&] { module = load(file); })) return 0;
  module.set_planning(plans);
  const Tensor shared = Tensor::zeros({2, 2});
  const IValue list = IValue::list(types::any(), {IValue(1), Tensor::zeros({3})});
  for (int run = 0; run < 3; ++run) {  // the second records, the third is planned
    fuzz::run_bounded(
        "forward",
        [&] {
          module.forward({shared, 3, list});
        },
        forks);
  }
  return 0;
}
