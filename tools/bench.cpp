// wick bench: how long loading, the first run and the following runs take.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <numeric>

#include "arguments.h"
#include "commands.h"
#include "files.h"
#include "inputs.h"
#include "json.h"
#include "output.h"
#include "progress.h"
#include "wick/wick.h"

namespace wick::tools {

namespace {

CommandSpec spec() {
  return {
      "bench",
      "MODEL",
      "Times loading, the first run and the following runs of a method.",
      {
          {"--method", "NAME", "the method to run (default: call the model: forward with its hooks)"},
          {"--input", "IN.pt", "arguments: what torch.save of a tuple wrote"},
          {"--input-dims", "D,D,..[;..]", "sizes of each input, e.g. 1,3,224,224 or \"1,10;1,10\"; filled with ones"},
          {"--input-type", "T[;T..]", "float, int64, uint8_t, ... of each input (default: float)"},
          {"--bundled", "K", "run on the model's bundled input number K"},
          {"--warmup", "N", "runs before timing, the first one included (default: 3)"},
          {"--iter", "N", "timed runs (default: 20)"},
          {"--threads", "N", "threads to use (default: the performance cores)"},
          WICK_BACKEND_OPTIONS,
          {"--no-plan", nullptr, "run operator by operator, without plans"},
          {"--exact", nullptr, "no convolution method that rounds differently (Winograd)"},
          {"--load-only", nullptr, "time loading, run nothing"},
      }};
}

template <class F>
double time_ms(F&& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

// The kernel's own figure for this program; getrusage's also counts the process that started it.
long peak_rss_kb() {
  if (FILE* status = std::fopen("/proc/self/status", "r")) {
    long peak = 0;
    char line[256];
    while (peak == 0 && std::fgets(line, sizeof line, status)) std::sscanf(line, "VmHWM: %ld", &peak);
    std::fclose(status);
    if (peak > 0) return peak;
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  const size_t half = times.size() / 2;
  return times.size() % 2 ? times[half] : (times[half - 1] + times[half]) / 2;
}

}  // namespace

CommandSpec spec_bench() { return spec(); }

int command_bench(int argc, char** argv) {
  const Arguments arguments(spec(), argc, argv, 1);
  if (arguments.wants_help()) return print_help(spec()), 0;
  apply_machine_options(arguments);
  const long warmup = arguments.get_number("--warmup", 3, 0);
  const long iterations = arguments.get_number("--iter", 20, 1);
  const std::string method = arguments.get("--method", "forward");

  Module module;
  const double load_ms = time_ms([&] { module = load_file(arguments.operand(0)); });
  if (arguments.has("--load-only")) {
    Json json;
    json.begin_object();
    json.key("load_ms").number(load_ms);
    json.key("peak_rss_kb").number(peak_rss_kb());
    json.end_object();
    if (output().json) print_json(json);
    say("load    %9.3f ms\n", load_ms);
    return 0;
  }
  if (arguments.has("--no-plan")) module.set_planning(false);
  if (arguments.has("--exact")) module.set_exact(true);
  apply_backend_options(arguments, module);
  const std::vector<IValue> inputs = timed_arguments(arguments, module, method);
  const bool whole = !arguments.has("--method");
  const auto run = [&] { whole ? module(inputs) : module.run_method(method, inputs); };
  std::vector<double> times;
  double first_ms = -1;
  {
    Progress progress;
    const auto show = [&](long done) {
      progress.show("running", static_cast<size_t>(done), static_cast<size_t>(warmup + iterations));
    };
    show(0);
    if (warmup > 0) first_ms = time_ms(run);
    for (long i = 1; i < warmup; ++i) show(i), run();
    for (long i = 0; i < iterations; ++i) show(warmup + i), times.push_back(time_ms(run));
  }
  if (first_ms < 0) first_ms = times.front();

  const double best = *std::min_element(times.begin(), times.end());
  const double mean = std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size());
  if (output().json) {
    Json json;
    json.begin_object();
    json.key("median_ms").number(median(times));
    json.key("best_ms").number(best);
    json.key("mean_ms").number(mean);
    json.key("load_ms").number(load_ms);
    json.key("first_ms").number(first_ms);
    json.key("peak_rss_kb").number(peak_rss_kb());
    json.key("iterations").number(iterations);
    json.key("threads").number(static_cast<long>(num_threads()));
    json.end_object();
    std::printf("%s\n", json.text().c_str());
  } else {
    say("load    %9.3f ms\nfirst   %9.3f ms\nmedian  %9.3f ms   of %ld runs, %d threads\nbest    %9.3f ms\n"
        "mean    %9.3f ms\npeak memory %ld KB\n",
        load_ms, first_ms, median(times), iterations, num_threads(), best, mean, peak_rss_kb());
  }
  return 0;
}

}  // namespace wick::tools
