// Runs a model a few times and marks where each run begins and ends, for the counting plugin (plugin.c).
//
//   wick_count_runs MODEL RUNS DIMS [float|half [fp32|fp16|auto [OUTPUT]]]
//
// DIMS is 1,3,224,224 and the like; the input is pseudo-random. The words are the input's dtype and the precision that
// is asked for. OUTPUT gets the result's floats, to compare builds by.
#include <sys/resource.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <vector>

#include "wick/wick.h"

namespace {

// A system call that fails, and that the plugin sees.
void mark(int label) { getpriority(static_cast<__priority_which_t>(0x5749), static_cast<id_t>(label)); }

wick::Tensor input_of(const char* text, bool is_half) {
  std::vector<int64_t> dims;
  int64_t count = 1;
  for (const char* at = text; *at != 0;) {
    char* end = nullptr;
    dims.push_back(std::strtoll(at, &end, 10));
    count *= dims.back();
    at = *end == ',' ? end + 1 : end;
  }
  wick::Tensor x = wick::Tensor::zeros(dims);
  float* p = x.data<float>();
  uint32_t state = 1;
  for (int64_t i = 0; i < count; ++i) {
    state = state * 1664525u + 1013904223u;
    p[i] = static_cast<float>(state >> 8) / static_cast<float>(1 << 24) - 0.5f;
  }
  return is_half ? x.to(wick::DType::kHalf) : x;
}

// The one of `words` that an argument is, by its place; the first when there is no such argument.
int word_of(int argc, char** argv, int at, std::initializer_list<const char*> words) {
  int place = 0;
  for (const char* word : words) {
    if (argc <= at || std::strcmp(argv[at], word) == 0) return place;
    ++place;
  }
  throw std::invalid_argument(std::string(argv[at]) + " is not known as argument " + std::to_string(at));
}

int run(int argc, char** argv) {
  const int runs = std::atoi(argv[2]);
  const bool is_half = word_of(argc, argv, 4, {"float", "half"}) == 1;
  constexpr wick::Precision kPrecisions[] = {wick::Precision::kAuto, wick::Precision::kFloat32,
                                             wick::Precision::kFloat16};
  const wick::Precision precision = kPrecisions[word_of(argc, argv, 5, {"auto", "fp32", "fp16"})];
  wick::set_num_threads(1);
  wick::Module module = wick::load(argv[1]);
  module.set_precision(precision);
  const std::vector<wick::IValue> inputs{input_of(argv[3], is_half)};
  // The first run plans, the second settles what is reused.
  wick::Tensor y = module.forward(inputs).to_tensor().to(wick::DType::kFloat).contiguous();
  module.forward(inputs);
  mark(1);
  for (int i = 0; i < runs; ++i) {
    module.forward(inputs);
    mark(2 + i);
  }
  const float* values = y.data<float>();
  double sum = 0, largest = 0;
  for (int64_t i = 0; i < y.numel(); ++i) {
    sum += static_cast<double>(values[i]);
    largest = std::max(largest, std::fabs(static_cast<double>(values[i])));
  }
  std::printf("%lld values, sum %.9g, largest %.9g\n", static_cast<long long>(y.numel()), sum, largest);
  if (argc > 6) {
    std::FILE* file = std::fopen(argv[6], "wb");
    if (file == nullptr) throw std::runtime_error("count_runs: the output file cannot be written");
    std::fwrite(values, sizeof(float), static_cast<size_t>(y.numel()), file);
    std::fclose(file);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "count_runs MODEL RUNS DIMS [float|half [fp32|fp16|auto [OUTPUT]]]\n");
    return 2;
  }
  try {
    return run(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "count_runs: %s\n", e.what());
    return 1;
  }
}
