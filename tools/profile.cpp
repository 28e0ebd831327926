// wick profile: where the time of a run goes.
#include <algorithm>
#include <cstdio>
#include <map>
#include <utility>
#include <vector>

#include "arguments.h"
#include "commands.h"
#include "files.h"
#include "inputs.h"
#include "output.h"
#include "profile_html.h"
#include "profile_rates.h"
#include "progress.h"
#include "wick/profile.h"
#include "wick/wick.h"

namespace wick::tools {

namespace {

CommandSpec spec() {
  return {
      "profile",
      "MODEL",
      "Shows where the time of a run of a method goes: the steps of its plans and the operators that are run between\n"
      "them, in the fastest of several runs, with their layers, their rates and the part of the machine's peak.",
      {
          {"--method", "NAME", "the method to run (default: forward)"},
          {"--input", "IN.pt", "arguments: what torch.save of a tuple wrote"},
          {"--input-dims", "D,D,..[;..]", "sizes of each input, e.g. 1,3,224,224 or \"1,10;1,10\"; filled with ones"},
          {"--input-type", "T[;T..]", "float, int64, uint8_t, ... of each input (default: float)"},
          {"--bundled", "K", "run on the model's bundled input number K"},
          {"--iter", "N", "runs to take the fastest of (default: 10)"},
          {"--threads", "N", "threads to use (default: the performance cores)"},
          WICK_BACKEND_OPTIONS,
          {"--exact", nullptr, "no convolution method that rounds differently (Winograd)"},
          {"--html", "OUT.html", "write a page with a timeline"},
      }};
}

double ms(int64_t ns) { return static_cast<double>(ns) / 1e6; }

double part(int64_t ns, const Profile& profile) {
  return profile.run_ns > 0 ? 100.0 * static_cast<double>(ns) / static_cast<double>(profile.run_ns) : 0.0;
}

void print_steps(const Profile& profile, const Peak& peak) {
  say("%9s %6s  %-22s  %-26s %-48s %s\n", "ms", "%", "rate, % of the peak", "result", "step", "layer");
  for (const ProfileStep& s : profile.steps) {
    say("%9.3f %6.1f  %-22s  %-26s %-48s %s\n", ms(s.duration_ns), part(s.duration_ns, profile),
        rate_of(s, peak).text.c_str(), s.output.c_str(), title_of(s).c_str(), s.module.c_str());
  }
  say("%9.3f %6.1f  %-22s  %-26s %s\n", ms(profile.between_ns()), part(profile.between_ns(), profile), "", "",
      "between steps: guards, values, numbers, lists, branches");
}

void print_kinds(const Profile& profile) {
  struct Kind {
    int64_t time = 0;
    size_t count = 0;
  };
  std::map<std::string, Kind> kinds;
  for (const ProfileStep& s : profile.steps) {
    Kind& kind = kinds[title_of(s)];
    kind.time += s.duration_ns;
    ++kind.count;
  }
  std::vector<std::pair<std::string, Kind>> order(kinds.begin(), kinds.end());
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.second.time > b.second.time; });
  say("\n%9s %6s %6s  kind of step\n", "ms", "%", "count");
  for (const auto& [name, kind] : order) {
    say("%9.3f %6.1f %6zu  %s\n", ms(kind.time), part(kind.time, profile), kind.count, name.c_str());
  }
}

void print_table(const Profile& profile, const Peak& peak) {
  print_steps(profile, peak);
  print_kinds(profile);
  int64_t plain = 0;
  for (const ProfileStep& s : profile.steps) plain += s.is_planned ? 0 : s.duration_ns;
  say("\n%zu steps in %u regions; %.3f ms in all, %.3f ms of them in operators that are not planned; arena %.2f MB\n",
      profile.steps.size(), profile.regions, ms(profile.run_ns), ms(plain),
      static_cast<double>(profile.arena_bytes) / 1e6);
  say("the machine's peak, measured: %.0f GFLOP/s, %.1f GB/s from memory\n", peak.gflops, peak.gbs);
  if (peak.half_gflops > 0) say("and %.0f GFLOP/s in float16\n", peak.half_gflops);
}

void print_profile_json(const Profile& profile, const Peak& peak) {
  Json json;
  json.begin_object().key("total_ms").number(ms(profile.run_ns));
  json.key("between_ms").number(ms(profile.between_ns()));
  json.key("peak_gflops").number(peak.gflops).key("peak_gbs").number(peak.gbs);
  if (peak.half_gflops > 0) json.key("peak_half_gflops").number(peak.half_gflops);
  json.key("regions").number(static_cast<long>(profile.regions));
  json.key("arena_bytes").number(static_cast<long>(profile.arena_bytes));
  json.key("packed_bytes").number(static_cast<long>(profile.packed_bytes)).key("steps").begin_array();
  for (const ProfileStep& step : profile.steps) {
    json.begin_object().key("name").string(step.name).key("output").string(step.output);
    json.key("layer").string(step.module).key("planned").boolean(step.is_planned);
    json.key("operations").number(step.operations).key("bytes").number(step.bytes);
    json.key("start_ms").number(ms(step.start_ns)).key("ms").number(ms(step.duration_ns)).end_object();
  }
  print_json(json.end_array().end_object());
}

}  // namespace

CommandSpec spec_profile() { return spec(); }

int command_profile(int argc, char** argv) {
  const Arguments arguments(spec(), argc, argv, 1);
  if (arguments.wants_help()) return print_help(spec()), 0;
  apply_machine_options(arguments);
  const long runs = arguments.get_number("--iter", 10, 1);
  const std::string method = arguments.get("--method", "forward");
  Module module = load_file(arguments.operand(0));
  if (arguments.has("--exact")) module.set_exact(true);
  apply_backend_options(arguments, module);
  const std::vector<IValue> inputs = timed_arguments(arguments, module, method);
  Progress progress;
  const auto show = [&](const char* what, size_t done, size_t total) { progress.show(what, done, total); };
  const Profile best = profile(module, inputs, method, static_cast<int>(runs), show);
  progress.show("measuring the machine's peak", 0, 0);
  const Peak peak{measure_peak(), measure_half_peak()};
  progress.clear();
  if (output().json) print_profile_json(best, peak);
  print_table(best, peak);
  if (arguments.has("--html")) write_profile_page(best, peak, arguments.operand(0), arguments.get("--html"));
  return 0;
}

}  // namespace wick::tools
