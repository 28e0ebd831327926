// load_benchmark_torch: times loading a model, with the flags and lines of PyTorch's tool of that name.
#include <chrono>

#include "core/check.h"
#include "dropin/tool.h"
#include "wick/wick.h"

namespace wick::dropin {

namespace {

Flags flags() {
  return {
      "Measures how long a model takes to load.\n"
      "For example:\n"
      "./load_benchmark_torch --model=<model_file> --iter=20",
      {
          {"model", FlagKind::kString, "", "The model file to load."},
          {"iter", FlagKind::kInt, "10", "How often to load it."},
          {"report_pep", FlagKind::kBool, "true", "Print the time of each load as a line for machines."},
      }};
}

int64_t micros_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - start).count();
}

int benchmark(const Flags& flags) {
  say("Starting benchmark.");
  const int iterations = flags.number("iter");
  WICK_CHECK(iterations >= 0, kInvalidArgument, "Number of main runs should be non negative, provided ", iterations,
             ".");
  std::vector<int64_t> times;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < iterations; ++i) {
    const auto start = std::chrono::steady_clock::now();
    load(flags.text("model"));
    times.push_back(micros_since(start));
  }
  const std::chrono::duration<double, std::micro> micros = std::chrono::steady_clock::now() - begin;
  if (flags.boolean("report_pep")) {
    for (int64_t time : times) say(observation(cat(time)));
  }
  say(summary(micros.count() / iterations, 1e6 * iterations / micros.count()));
  return 0;
}

}  // namespace

}  // namespace wick::dropin

int main(int argc, char** argv) {
  return wick::dropin::run(argc, argv, wick::dropin::flags(), wick::dropin::benchmark);
}
