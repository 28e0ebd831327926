// Rates of steps.
#include "profile_rates.h"

#include "html.h"

namespace wick::tools {

Rate rate_of(const ProfileStep& step, const Peak& peak) {
  if (step.duration_ns <= 0 || peak.gflops <= 0 || peak.gbs <= 0) return {};
  // Operations in a nanosecond are billions in a second.
  const double gflops = step.operations / static_cast<double>(step.duration_ns);
  const double gbs = step.bytes / static_cast<double>(step.duration_ns);
  if (gflops <= 0 && gbs <= 0) return {};
  const double most = peak.half_gflops > 0 && step.name.ends_with(" fp16") ? peak.half_gflops : peak.gflops;
  const bool computes = gflops / most >= gbs / peak.gbs;
  const double of_peak = computes ? gflops / most : gbs / peak.gbs;
  return {fixed(computes ? gflops : gbs, 1) + (computes ? " GFLOP/s, " : " GB/s, ") + fixed(100 * of_peak, 0) + " %",
          of_peak};
}

std::string title_of(const ProfileStep& step) { return step.is_planned ? step.name : "not planned: " + step.name; }

}  // namespace wick::tools
