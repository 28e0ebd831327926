// Wick's side of the benchmark: a process that loads a model and runs it when it is told to, so that engines can take
// turns. Reads a word a line on standard input and answers each with a line of JSON.
//
//   worker MODEL INPUTS.pt THREADS OUTPUT [--no-plan] [--exact]
//     load                     {"load_ms", "first_ms", "idle_rss_kb"}; the result of the first run is written to OUTPUT
//     run COUNT SECONDS EACH   {"times": [...], "cpu": [...]} in ms, of COUNT timings or of SECONDS; a timing is of
//     EACH
//                              runs; "cpu" is what the processors spent on it, which others cannot lengthen
//     memory                   {"peak_rss_kb"}
//     peak                     {"peak_gflops", "cache_gbs", "memory_gbs", "silu_g"}: what one core can do, measured now
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <string>
#include <vector>

#include "kernels/peak.h"
#include "kernels/silu_rate.h"
#include "wick/wick.h"

namespace {

using Clock = std::chrono::steady_clock;

// Weights that only the last-level cache holds, and weights that no cache holds.
constexpr int64_t kCacheBytes = int64_t{4} << 20;
constexpr int64_t kMemoryBytes = int64_t{256} << 20;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double processor_ms() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

long status_kb(const char* key) {
  long kb = 0;
  if (std::FILE* status = std::fopen("/proc/self/status", "r")) {
    char line[256];
    while (std::fgets(line, sizeof line, status))
      if (std::strncmp(line, key, std::strlen(key)) == 0) kb = std::strtol(line + std::strlen(key) + 1, nullptr, 10);
    std::fclose(status);
  }
  return kb;
}

void write_dimension(const wick::Tensor& t, int64_t d, const float* from, std::FILE* file) {
  if (d == t.dim()) {
    std::fwrite(from, sizeof(float), 1, file);
    return;
  }
  for (int64_t i = 0; i < t.size(d); ++i) write_dimension(t, d + 1, from + i * t.stride(d), file);
}
void write_result(const wick::IValue& value, const char* path) {
  if (!value.is_tensor() || value.to_tensor().dtype() != wick::DType::kFloat) return;
  if (std::FILE* file = std::fopen(path, "wb")) {
    const wick::Tensor& t = value.to_tensor();
    write_dimension(t, 0, t.data_ptr<float>(), file);
    std::fclose(file);
  }
}

int serve(int argc, char** argv) {
  wick::Module module;
  std::vector<wick::IValue> inputs;
  wick::set_num_threads(std::atoi(argv[3]));
  char line[256];
  while (std::fgets(line, sizeof line, stdin)) {
    if (std::strncmp(line, "load", 4) == 0) {
      inputs = wick::load_tensors(argv[2]).to_tuple().items;
      const long idle = status_kb("VmRSS");
      const auto start = Clock::now();
      module = wick::load(argv[1]);
      const double load = ms_since(start);
      for (int i = 5; i < argc; ++i) {
        if (std::strcmp(argv[i], "--no-plan") == 0) module.set_planning(false);
        if (std::strcmp(argv[i], "--exact") == 0) module.set_exact(true);
      }
      const auto first_start = Clock::now();
      const wick::IValue result = module(inputs);
      const double first = ms_since(first_start);
      write_result(result, argv[4]);
      std::printf("{\"load_ms\": %.4f, \"first_ms\": %.4f, \"idle_rss_kb\": %ld}\n", load, first, idle);
    } else if (std::strncmp(line, "run", 3) == 0) {
      long count = 1, each = 1;
      double seconds = 1;
      std::sscanf(line + 3, "%ld %lf %ld", &count, &seconds, &each);
      std::string times, processor;
      const auto start = Clock::now();
      for (long i = 0; i < count && (i == 0 || ms_since(start) < seconds * 1000); ++i) {
        const double cpu_start = processor_ms();
        const auto run_start = Clock::now();
        for (long k = 0; k < each; ++k) module(inputs);
        const double wall = ms_since(run_start), cpu = processor_ms() - cpu_start;
        const auto add = [&](std::string& list, double ms) {
          char text[32];
          std::snprintf(text, sizeof text, "%s%.6f", i ? ", " : "", ms / static_cast<double>(each));
          list += text;
        };
        add(times, wall);
        add(processor, cpu);
      }
      std::printf("{\"times\": [%s], \"cpu\": [%s]}\n", times.c_str(), processor.c_str());
    } else if (std::strncmp(line, "peak", 4) == 0) {
      std::printf("{\"peak_gflops\": %.2f, \"cache_gbs\": %.2f, \"memory_gbs\": %.2f, \"silu_g\": %.3f}\n",
                  wick::kernels::fma_peak(), wick::kernels::read_rate(kCacheBytes),
                  wick::kernels::read_rate(kMemoryBytes), wick::bench::silu_rate());
    } else {
      std::printf("{\"peak_rss_kb\": %ld}\n", status_kb("VmHWM"));
    }
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(stderr, "usage: %s MODEL INPUTS.pt THREADS OUTPUT [--no-plan] [--exact]\n", argv[0]);
    return 2;
  }
  try {
    return serve(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
