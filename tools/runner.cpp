// wick_runner MODEL [--input IN.pt | --bundled K | --values V,...] [--method NAME] [--iter N] [--threads N]
// [--isa NAME] [--no-plan]: runs a model through the public API alone and says what came out, and how fast. Built with
// a runtime-only library, to try it. With --isa the kernels' instructions are those of that set and lesser ones, so
// that a library with all sets can be compared with one that has this set alone.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "wick/wick.h"

#include "hwy/targets.h"

namespace {

#ifndef WICK_RUNNER_WITHOUT_TENSORS  // what a library for programs without tensors does not show
double element(const wick::Tensor& t, int64_t i) {
  switch (t.dtype()) {
    case wick::DType::kFloat:
      return t.data_ptr<float>()[i];
    case wick::DType::kDouble:
      return t.data_ptr<double>()[i];
    case wick::DType::kLong:
      return static_cast<double>(t.data_ptr<int64_t>()[i]);
    default:
      return static_cast<double>(static_cast<const uint8_t*>(t.raw_data())[i]);
  }
}

// "Tensor Float [1, 1000] sum 12.5 first 0.25 -1.5": the sum is taken in the order of the memory.
void describe(const wick::Tensor& t) {
  std::printf("Tensor %s [", wick::name_of(t.dtype()));
  for (size_t d = 0; d < t.sizes().size(); ++d) {
    std::printf("%s%lld", d ? ", " : "", static_cast<long long>(t.sizes()[d]));
  }
  double sum = 0, magnitude = 0;
  for (int64_t i = 0; i < t.numel(); ++i) {
    sum += element(t, i);
    magnitude = std::max(magnitude, std::abs(element(t, i)));
  }
  std::printf("] sum %.9g largest %.9g first", sum, magnitude);
  for (int64_t i = 0; i < std::min<int64_t>(t.numel(), 3); ++i) std::printf(" %.9g", element(t, i));
  std::printf("\n");
}

void set_threads(int threads) { wick::set_num_threads(threads); }
void run_plainly(wick::Module& module) { module.set_planning(false); }
wick::IValue read_input(const char* path) { return wick::load_tensors(path); }
#else
void set_threads(int) {}
void run_plainly(wick::Module&) {}
wick::IValue read_input(const char*) { throw std::runtime_error("--input: this build has no tensors"); }
#endif

// `left`: how many more values may be shown; a model can return one that holds itself.
void describe(const wick::IValue& value, size_t& left, int depth = 0) {
  if (left-- == 0 || depth > 64) throw std::runtime_error("the result is too large to be shown");
#ifndef WICK_RUNNER_WITHOUT_TENSORS
  if (value.is_tensor()) return describe(value.to_tensor());
#endif
  if (value.is_tuple()) {
    for (const wick::IValue& item : value.to_tuple().items) describe(item, left, depth + 1);
  } else if (value.is_list()) {
    for (const wick::IValue& item : value.to_list().items) describe(item, left, depth + 1);
  } else if (value.is_dict()) {
    for (const auto& [key, item] : value.to_dict().entries()) describe(item, left, depth + 1);
  } else if (value.is_int()) {
    std::printf("int %lld\n", static_cast<long long>(value.to_int()));
  } else if (value.is_double()) {
    std::printf("float %.9g\n", value.to_double());
  } else {
    std::printf("%s\n", value.tag_name());
  }
}

// The word after `name`; the model is the first of the words.
const char* option(const std::vector<std::string>& words, const char* name, const char* otherwise) {
  for (size_t i = 1; i + 1 < words.size(); ++i) {
    if (words[i] == name) return words[i + 1].c_str();
  }
  return otherwise;
}

// "20,2.5,words": ints, floats, and what is neither as a string.
std::vector<wick::IValue> parsed_values(const std::string& text) {
  std::vector<wick::IValue> out;
  for (size_t at = 0; at <= text.size();) {
    const size_t comma = std::min(text.find(',', at), text.size());
    const std::string word = text.substr(at, comma - at);
    char* end = nullptr;
    if (const long long whole = std::strtoll(word.c_str(), &end, 10); !word.empty() && !*end) {
      out.emplace_back(static_cast<int64_t>(whole));
    } else if (const double real = std::strtod(word.c_str(), &end); !word.empty() && !*end) {
      out.emplace_back(real);
    } else {
      out.emplace_back(word);
    }
    at = comma + 1;
  }
  return out;
}

void use_instructions(const std::string& name) {
  const struct {
    const char* name;
    int64_t target;
  } kSets[] = {{"sse4", HWY_SSE4}, {"avx2", HWY_AVX2}, {"avx512", HWY_AVX3_DL | HWY_AVX3}, {"neon", HWY_NEON}};
  for (const auto& set : kSets) {
    if (name != set.name) continue;
    // Highway's better sets are lower bits.
    const int64_t better = (set.target & -set.target) - 1;
    const int64_t kept = hwy::SupportedTargets() & ~better;
    if ((kept & set.target) == 0) throw std::runtime_error("--isa: this processor does not have " + name);
    hwy::SetSupportedTargetsForTest(kept);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    return;
  }
  throw std::runtime_error("--isa: '" + name + "' is not one of sse4, avx2, avx512, neon");
}

int run(const std::vector<std::string>& words) {
  if (const char* isa = option(words, "--isa", nullptr)) use_instructions(isa);
  const std::string method = option(words, "--method", "forward");
  const int iterations = std::atoi(option(words, "--iter", "0"));
  set_threads(std::atoi(option(words, "--threads", "0")));
  wick::Module module = wick::load(words[0]);
  if (std::find(words.begin(), words.end(), "--no-plan") != words.end()) run_plainly(module);
  const auto arguments = [&]() -> std::vector<wick::IValue> {
    if (const char* path = option(words, "--input", nullptr)) {
      const wick::IValue saved = read_input(path);
      return saved.is_tuple() ? saved.to_tuple().items : std::vector<wick::IValue>{saved};
    }
    if (const char* values = option(words, "--values", nullptr)) return parsed_values(values);
    const char* bundled = option(words, "--bundled", nullptr);
    if (!bundled) return {};
    return module.bundled_inputs(method).at(static_cast<size_t>(std::atoi(bundled)));
  };
  // The second run is a planned one.
  wick::IValue result = module.run_method(method, arguments());
  if (iterations > 0) result = module.run_method(method, arguments());
  size_t left = 1 << 20;
  describe(result, left);
  std::vector<double> times;
  for (int i = 0; i < iterations; ++i) {
    std::vector<wick::IValue> inputs = arguments();
    const auto start = std::chrono::steady_clock::now();
    module.run_method(method, std::move(inputs));
    times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  std::sort(times.begin(), times.end());
  if (!times.empty()) {
    const int digits = times[0] < 1 ? 5 : 3;
    std::printf("best of %d runs: %.*f ms, median %.*f ms\n", iterations, digits, times[0], digits,
                times[times.size() / 2]);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr,
                 "usage: wick_runner MODEL [--input IN.pt | --bundled K | --values V,...] [--method NAME] [--iter N] "
                 "[--threads N] [--isa NAME] [--no-plan]\n");
    return 2;
  }
  try {
    return run({argv + 1, argv + argc});
  } catch (const wick::Error& e) {
    std::fprintf(stderr, "wick_runner: %s\n", e.message().c_str());
    return 1;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "wick_runner: %s\n", e.what());
    return 1;
  }
}
