// wick profile: where the time of a run goes.
#include <algorithm>
#include <cstdio>
#include <map>

#include "arguments.h"
#include "commands.h"
#include "inputs.h"
#include "output.h"
#include "profile_html.h"
#include "wick/profile.h"
#include "wick/wick.h"

namespace wick::tools {

namespace {

CommandSpec spec() {
  return {
      "profile",
      "MODEL",
      "Shows the steps that a planned run of a method executes: kernels chosen, layouts, memory, and the time of\n"
      "each, the best of several runs.",
      {
          {"--method", "NAME", "the method to run (default: forward)"},
          {"--input", "IN.pt", "arguments: what torch.save of a tuple wrote"},
          {"--input-dims", "D,D,..[;..]", "sizes of each input, e.g. 1,3,224,224 or \"1,10;1,10\"; filled with ones"},
          {"--input-type", "T[;T..]", "float, int64, uint8_t, ... of each input (default: float)"},
          {"--bundled", "K", "run on the model's bundled input number K"},
          {"--iter", "N", "runs to take the best of (default: 10)"},
          {"--threads", "N", "threads to use (default: the performance cores)"},
          WICK_BACKEND_OPTIONS,
          {"--exact", nullptr, "no convolution method that rounds differently (Winograd)"},
          {"--html", "OUT.html", "write a page with a timeline"},
      }};
}

double ms(int64_t ns) { return static_cast<double>(ns) / 1e6; }

void print_table(const Profile& profile) {
  int64_t total = 0;
  for (const ProfileStep& s : profile.steps) total += s.duration_ns;
  say("%9s %6s  %-28s %s\n", "ms", "%", "result", "step");
  for (size_t i = 0; i < profile.steps.size(); ++i) {
    const ProfileStep& s = profile.steps[i];
    say("%9.3f %6.1f  %-28s %s\n", ms(s.duration_ns), total ? 100.0 * s.duration_ns / total : 0.0, s.output.c_str(),
        s.name.c_str());
  }
  std::map<std::string, std::pair<int64_t, size_t>> kinds;
  for (const ProfileStep& s : profile.steps) {
    auto& [time, count] = kinds[s.name];
    time += s.duration_ns;
    ++count;
  }
  std::vector<std::pair<std::string, std::pair<int64_t, size_t>>> order(kinds.begin(), kinds.end());
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.second.first > b.second.first; });
  say("\n%9s %6s %6s  kind of step\n", "ms", "%", "count");
  for (const auto& [name, sum] : order) {
    say("%9.3f %6.1f %6zu  %s\n", ms(sum.first), total ? 100.0 * sum.first / total : 0.0, sum.second, name.c_str());
  }
  say("\n%zu steps in %u regions, %.3f ms; arena %.2f MB\n", profile.steps.size(), profile.regions, ms(total),
      static_cast<double>(profile.arena_bytes) / 1e6);
}

void print_profile_json(const Profile& profile) {
  Json json;
  json.begin_object().key("total_ms").number(ms(profile.total_ns()));
  json.key("regions").number(static_cast<long>(profile.regions));
  json.key("arena_bytes").number(static_cast<long>(profile.arena_bytes));
  json.key("packed_bytes").number(static_cast<long>(profile.packed_bytes)).key("steps").begin_array();
  for (const ProfileStep& step : profile.steps) {
    json.begin_object().key("name").string(step.name).key("output").string(step.output);
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
  Module module = load(arguments.operand(0));
  if (arguments.has("--exact")) module.set_exact(true);
  apply_backend_options(arguments, module);
  const Profile best = profile(module, timed_arguments(arguments, module, method), method, static_cast<int>(runs));
  if (output().json) print_profile_json(best);
  print_table(best);
  if (arguments.has("--html")) write_profile_page(best, arguments.operand(0), arguments.get("--html"));
  return 0;
}

}  // namespace wick::tools
