// speed_benchmark_torch: times a model, with the flags and lines of PyTorch's tool of that name.
#include <chrono>
#include <cstdio>

#include "core/check.h"
#include "core/copy.h"
#include "dropin/tool.h"
#include "wick/wick.h"

namespace wick::dropin {

namespace {

Flags flags() {
  return {
      "Measures how long a model takes to run.\n"
      "For example:\n"
      "./speed_benchmark_torch --model=<model_file> --use_bundled_input=0 --warmup=5 --iter=20",
      {
          {"model", FlagKind::kString, "", "The model file to time."},
          {"input_dims", FlagKind::kString, "",
           "Sizes of the inputs: numbers with commas between, semicolons between inputs. Each is filled with ones."},
          {"input_type", FlagKind::kString, "", "Types of the inputs: float, uint8_t or int64, semicolons between."},
          {"input_memory_format", FlagKind::kString, "contiguous_format",
           "Layouts of the inputs: contiguous_format or channels_last, semicolons between."},
          {"no_inputs", FlagKind::kBool, "false", "The model takes no inputs; the flags for them are ignored."},
          {"use_caching_allocator", FlagKind::kBool, "false",
           "Keep memory from one run to the next. Wick's plans do so always."},
          {"use_bundled_input", FlagKind::kInt, "-1", "Run on the model's bundled input of this number."},
          {"print_output", FlagKind::kBool, "false", "Run once before timing and print the result."},
          {"warmup", FlagKind::kInt, "0", "Runs before timing."},
          {"iter", FlagKind::kInt, "10", "Timed runs."},
          {"report_pep", FlagKind::kBool, "false", "Print the time of each run as a line for machines."},
          {"pytext_len", FlagKind::kInt, "0", "When not 0: a tensor with this number is the last input."},
          {"vulkan", FlagKind::kBool, "false", "Run on the GPU."},
      }};
}

std::vector<IValue> ones(const Flags& flags) {
  if (flags.boolean("no_inputs") || flags.number("use_bundled_input") >= 0) return {};
  std::vector<IValue> out;
  for (const InputSpec& spec : input_specs(flags)) {
    Tensor tensor = Tensor::empty(spec.sizes, spec.dtype, spec.format);
    fill(tensor, 1);
    out.emplace_back(std::move(tensor));
  }
  if (flags.number("pytext_len") > 0) out.emplace_back(text_length(flags.number("pytext_len")));
  return out;
}

// False, with a message, when the model has no such input.
bool take_bundled_input(const Module& module, int index, std::vector<IValue>& inputs) {
  if (!module.has_method("get_all_bundled_inputs")) {
    std::fprintf(stderr,
                 "Model does not have bundled inputs.  Before saving,\n"
                 "use torch.utils.bundled_inputs.augment_model_with_bundled_inputs.\n");
    return false;
  }
  auto all = module.bundled_inputs();
  if (static_cast<size_t>(index) >= all.size()) {
    std::fprintf(stderr, "Model has only %zu bundled inputs.\n", all.size());
    return false;
  }
  inputs = std::move(all[static_cast<size_t>(index)]);
  return true;
}

float micros_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<float, std::micro>(std::chrono::steady_clock::now() - start).count();
}

int benchmark(const Flags& flags) {
  std::vector<IValue> inputs = ones(flags);
  Module module = load(flags.text("model"));
  const int bundled = flags.number("use_bundled_input");
  if (bundled >= 0 && !take_bundled_input(module, bundled, inputs)) return 1;
  module.eval();
  const bool on_gpu = flags.boolean("vulkan");
  if (on_gpu) module.set_backend(Backend::kGpu);
  const auto run = [&] { return module.forward(inputs); };
  if (flags.boolean("print_output")) say(repr(run()));

  say("Starting benchmark.");
  say("Running warmup runs.");
  const int warmup = flags.number("warmup"), iterations = flags.number("iter");
  WICK_CHECK(warmup >= 0, kInvalidArgument, "Number of warm up runs should be non negative, provided ", warmup, ".");
  for (int i = 0; i < warmup; ++i) run();

  say("Main runs.");
  WICK_CHECK(iterations >= 0, kInvalidArgument, "Number of main runs should be non negative, provided ", iterations,
             ".");
  std::vector<int64_t> times;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < iterations; ++i) {
    const auto start = std::chrono::steady_clock::now();
    run();
    times.push_back(static_cast<int64_t>(micros_since(start)));
  }
  const float micros = micros_since(begin);
  if (flags.boolean("report_pep")) {
    for (int64_t time : times) say(observation(cat(static_cast<double>(time))));
  }
  const auto count = static_cast<float>(iterations);
  say(summary(micros / count, 1e6 * count / micros));
  return 0;
}

}  // namespace

}  // namespace wick::dropin

int main(int argc, char** argv) {
  return wick::dropin::run(argc, argv, wick::dropin::flags(), wick::dropin::benchmark);
}
