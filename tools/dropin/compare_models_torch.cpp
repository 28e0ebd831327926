// compare_models_torch: runs two models on the same random inputs, with the flags and lines of PyTorch's tool of that
// name.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <random>
#include <sstream>
#include <thread>

#include "core/check.h"
#include "core/copy.h"
#include "dropin/tool.h"
#include "print.h"
#include "wick/wick.h"

namespace wick::dropin {

namespace {

Flags flags() {
  return {
      "Compares the results of a model with those of a reference.\n"
      "For example:\n"
      "./compare_models_torch --refmodel=<ref_model_file> --model=<model_file> --iter=20",
      {
          {"refmodel", FlagKind::kString, "", "The model file with the expected results."},
          {"model", FlagKind::kString, "", "The model file to compare with it."},
          {"input_dims", FlagKind::kString, "",
           "Sizes of the inputs: numbers with commas between, semicolons between inputs."},
          {"input_type", FlagKind::kString, "", "Types of the inputs: float, uint8_t or int64, semicolons between."},
          {"input_memory_format", FlagKind::kString, "contiguous_format",
           "Layouts of the inputs: contiguous_format or channels_last, semicolons between."},
          {"input_max", FlagKind::kInt, "1", "The largest value of an input."},
          {"input_min", FlagKind::kInt, "-1", "The least value of an input."},
          {"no_inputs", FlagKind::kBool, "false", "The models take no inputs; the flags for them are ignored."},
          {"use_caching_allocator", FlagKind::kBool, "false",
           "Keep memory from one run to the next. Wick's plans do so always."},
          {"print_output", FlagKind::kBool, "false", "Accepted, and without effect, as in PyTorch's tool."},
          {"iter", FlagKind::kInt, "10", "How many inputs to compare on."},
          {"report_freq", FlagKind::kInt, "1000", "Print the pass rate after each so many inputs."},
          {"pytext_len", FlagKind::kInt, "0", "When not 0: a tensor with this number is the last input."},
          {"backend", FlagKind::kString, "cpu", "Where to run the model: cpu or vulkan."},
          {"refbackend", FlagKind::kString, "cpu", "Where to run the reference: cpu or vulkan."},
          {"tolerance", FlagKind::kString, "1e-5", "The difference allowed, as a part of the largest value."},
          {"nthreads", FlagKind::kInt, "1", "How many threads do the comparison at the same time."},
          {"report_failures", FlagKind::kBool, "true", "Print a line for each comparison that fails."},
      }};
}

class Inputs {
 public:
  explicit Inputs(const Flags& flags) : flags_(flags), generator_(std::random_device()()) {}

  std::vector<IValue> next() {
    if (flags_.boolean("no_inputs")) return {};
    std::vector<IValue> out;
    for (const InputSpec& spec : input_specs(flags_)) out.emplace_back(random_tensor(spec));
    if (flags_.number("pytext_len") > 0) out.emplace_back(text_length(flags_.number("pytext_len")));
    return out;
  }

 private:
  // From -min to max - 2 min, as PyTorch's tool has it: right for ranges around zero.
  Tensor random_tensor(const InputSpec& spec) {
    const double low = flags_.number("input_min"), high = flags_.number("input_max");
    const Tensor numbers = Tensor::empty(spec.sizes);
    for (float *at = numbers.data_ptr<float>(), *end = at + numbers.numel(); at != end; ++at) {
      *at = static_cast<float>(std::uniform_real_distribution<double>(0, 1)(generator_) * (high - low) - low);
    }
    Tensor out = Tensor::empty(spec.sizes, spec.dtype, spec.format);
    copy_into(out, numbers);
    return out;
  }

  const Flags& flags_;
  std::mt19937 generator_;
};

float largest(const std::vector<double>& values) {
  float out = 0;
  for (double v : values) out = std::fmax(static_cast<float>(std::abs(v)), out);
  return out;
}

bool agree(const Tensor& reference, const Tensor& output, float tolerance, bool report) {
  WICK_CHECK(reference.sizes() == output.sizes(), kInvalidArgument,
             "The models give tensors of different sizes: ", reference.sizes(), " and ", output.sizes());
  const std::vector<double> a = tools::to_doubles(reference), b = tools::to_doubles(output);
  float difference = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const float d = std::abs(static_cast<float>(a[i] - b[i]));
    difference = std::isnan(d) || d > difference ? d : difference;
    if (std::isnan(difference)) break;
  }
  const float threshold = tolerance * std::fmax(largest(a), largest(b));
  const bool passed = difference < threshold;
  if (!passed && report) {
    char line[160];
    std::snprintf(line, sizeof line, "Check FAILED!      Max diff allowed: %10.5g     max diff: %10.5g",
                  static_cast<double>(threshold), static_cast<double>(difference));
    say(line);
  }
  return passed;
}

void report_pass_rate(int passed, int total) {
  const auto rate = static_cast<int>(static_cast<float>(passed) / static_cast<float>(total) * 100);
  say(cat("Output was equal within tolerance ", passed, "/", total, " times. Pass rate: ", total > 0 ? rate : 0, "%"));
}

void check(const Flags& flags, float tolerance) {
  Module model = load(flags.text("model")), reference = load(flags.text("refmodel"));
  model.eval();
  reference.eval();
  if (flags.text("backend") == "vulkan") model.set_backend(Backend::kGpu);
  if (flags.text("refbackend") == "vulkan") reference.set_backend(Backend::kGpu);
  std::ostringstream id;
  id << std::this_thread::get_id();
  say(cat("Running check on thread ", id.str(), "."));
  Inputs inputs(flags);
  const int iterations = flags.number("iter"), frequency = flags.number("report_freq");
  int passed = 0;
  for (int i = 0; i < iterations; ++i) {
    const std::vector<IValue> values = inputs.next();
    const IValue expected = reference.forward(values);
    const IValue got = model.forward(values);
    const bool equal = agree(expected.to_tensor(), got.to_tensor(), tolerance, flags.boolean("report_failures"));
    passed += equal;
    if (!equal && flags.boolean("report_failures")) say(cat(" (Iteration ", i, " failed)"));
    if (i > 0 && frequency > 0 && (i + 1) % frequency == 0) report_pass_rate(passed, i + 1);
  }
  report_pass_rate(passed, iterations);
}

int compare(const Flags& flags) {
  const int low = flags.number("input_min"), high = flags.number("input_max");
  if (low >= high) {
    std::fprintf(stderr, "Input min: %d should be less than input max: %d\n", low, high);
    return 1;
  }
  const float tolerance = std::strtof(flags.text("tolerance").c_str(), nullptr);
  say(cat("tolerance: ", tolerance));
  const int count = std::max(flags.number("nthreads"), 0);
  std::vector<std::exception_ptr> problems(static_cast<size_t>(count));
  std::vector<std::thread> threads;
  threads.reserve(problems.size());
  for (std::exception_ptr& problem : problems) {
    threads.emplace_back([&] {
      try {
        check(flags, tolerance);
      } catch (...) {
        problem = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& problem : problems) {
    if (problem) std::rethrow_exception(problem);
  }
  return 0;
}

}  // namespace

}  // namespace wick::dropin

int main(int argc, char** argv) { return wick::dropin::run(argc, argv, wick::dropin::flags(), wick::dropin::compare); }
