// The HTML page of `wick profile`: a timeline of steps to scale, totals by kind, and a table.
#include "profile_html.h"

#include <algorithm>
#include <map>
#include <vector>

#include "html.h"
#include "profile_rates.h"

namespace wick::tools {

namespace {

// Steps of one kind ("conv 1x1", "linear", "aten::cat") have one color.
std::string kind_of(const ProfileStep& step) {
  const std::string& name = step.name;
  if (!step.is_planned) return title_of(step);
  const size_t first = name.find(' ');
  if (const size_t colon = name.find(':'); name.starts_with("row tiles") && colon != std::string::npos) {
    return name.substr(0, colon);
  }
  if (name.starts_with("conv ")) return name.substr(0, name.find(' ', first + 1));
  return name.substr(0, first);
}

double ms(int64_t ns) { return static_cast<double>(ns) / 1e6; }

// One picture of fixed units for all widths of screen: every step begins and ends where it did in the run. Plans above,
// operators that are not planned below.
std::string timeline(const Profile& profile, const Peak& peak, const std::map<std::string, std::string>& colors,
                     double total) {
  constexpr double kUnits = 100000;
  std::string out =
      "<svg class=\"line\" viewBox=\"0 0 100000 64\" preserveAspectRatio=\"none\" role=\"img\" "
      "aria-label=\"timeline of the steps\">";
  for (const ProfileStep& step : profile.steps) {
    const double x = kUnits * static_cast<double>(step.start_ns) / total;
    const double width = kUnits * static_cast<double>(step.duration_ns) / total;
    out += "<rect x=\"" + fixed(x, 1) + "\" y=\"" + (step.is_planned ? "0" : "34") + "\" width=\"" + fixed(width, 1) +
           "\" height=\"30\" fill=\"" + colors.at(kind_of(step)) + "\"><title>" + escaped(title_of(step) + "\n") +
           escaped(step.module.empty() ? "" : step.module + "\n") + escaped(step.output) + "\n" +
           fixed(ms(step.duration_ns), 3) + " ms, " + fixed(100 * static_cast<double>(step.duration_ns) / total, 1) +
           " %" + escaped(rate_of(step, peak).text.empty() ? "" : "\n" + rate_of(step, peak).text) + "</title></rect>";
  }
  return out + "</svg>";
}

// The least of 1, 2 and 5 times a power of ten that gives no more than ten marks.
double distance_of_marks(double total_ms) {
  double step = 1e-6;
  while (total_ms / step > 10) {
    step *= 10;
  }
  for (double part : {0.2, 0.5}) {
    if (total_ms / (step * part) <= 10) return step * part;
  }
  return step;
}

std::string axis(double total_ns) {
  const double total = total_ns / 1e6, step = distance_of_marks(total);
  std::string out = "<div class=\"axis\">";
  for (int k = 0; k * step <= total; ++k) {
    out += "<span style=\"left:" + fixed(100 * k * step / total, 3) + "%\">" +
           fixed(k * step, step < 0.1 ? 3
                           : step < 1 ? 1
                                      : 0) +
           (k == 0 ? "&#8201;ms" : "") + "</span>";
  }
  return out + "</div>";
}

// What the interpreter did between the steps has a row of its own.
std::string between(const Profile& profile, double total) {
  return "<tr><td class=\"n\"><td>between steps: guards, values, numbers, lists, branches<td><td><td class=\"n\">" +
         fixed(ms(profile.between_ns()), 3) + "<td class=\"n\">" +
         fixed(100 * static_cast<double>(profile.between_ns()) / total, 1) + "<td class=\"n\"><td>\n";
}

}  // namespace

void write_profile_page(const Profile& profile, const Peak& peak, const std::string& title, const std::string& path) {
  std::map<std::string, int64_t> kinds;
  for (const ProfileStep& step : profile.steps) kinds[kind_of(step)] += step.duration_ns;
  const double total = std::max<double>(1, static_cast<double>(profile.run_ns));
  std::vector<std::pair<std::string, int64_t>> order(kinds.begin(), kinds.end());
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::map<std::string, std::string> colors;
  for (const auto& [kind, time] : order) colors[kind] = color_of(colors.size());

  std::string page = page_begin("Profile", title);
  page +=
      "<style>.axis{position:relative;overflow:hidden;height:1.6em;margin-top:-10px;font-size:12px;color:var(--soft)}"
      ".axis span{position:absolute;border-left:1px solid var(--soft);padding-left:3px;line-height:1.2}</style>";
  page += "<p>" + fixed(ms(profile.run_ns), 3) + " ms in " + std::to_string(profile.steps.size()) + " steps, " +
          std::to_string(profile.regions) + (profile.regions == 1 ? " region; arena " : " regions; arena ") +
          fixed(static_cast<double>(profile.arena_bytes) / 1e6, 2) + " MB, packed weights " +
          fixed(static_cast<double>(profile.packed_bytes) / 1e6, 2) +
          " MB. Peak of the machine, measured: " + fixed(peak.gflops, 0) + " GFLOP/s, " + fixed(peak.gbs, 1) +
          " GB/s from memory. Above: steps of plans; below: operators that are not planned.</p>" +
          timeline(profile, peak, colors, total) + axis(total);
  page += "<p class=\"key\">";
  for (const auto& [kind, time] : order) {
    page += "<span><i class=\"bar\" style=\"width:10px;background:" + colors[kind] + "\"></i> " + escaped(kind) + " " +
            fixed(100 * static_cast<double>(time) / total, 1) + "&#8201;%</span> ";
  }
  page +=
      "</p><div class=\"wide\"><table class=\"sort\"><tr><th class=\"n\">#<th>step<th>layer<th>result<th class=\"n\">ms"
      "<th class=\"n\">%<th class=\"n\">rate, of the peak<th class=\"picture\" style=\"width:20%\">\n";
  int64_t longest = 1;
  for (const ProfileStep& step : profile.steps) longest = std::max(longest, step.duration_ns);
  for (size_t i = 0; i < profile.steps.size(); ++i) {
    const ProfileStep& step = profile.steps[i];
    const double part = static_cast<double>(step.duration_ns);
    const Rate rate = rate_of(step, peak);
    page += "<tr><td class=\"n\">" + std::to_string(i) + "<td>" + escaped(title_of(step)) + "<td>" +
            escaped(step.module) + "<td>" + escaped(step.output) + "<td class=\"n\">" + fixed(ms(step.duration_ns), 3) +
            "<td class=\"n\">" + fixed(100 * part / total, 1) + "<td class=\"n\" data-v=\"" +
            (rate.text.empty() ? std::string() : fixed(rate.of_peak, 6)) + "\">" + rate.text +
            "<td class=\"picture\" data-v=\"" + std::to_string(step.duration_ns) +
            "\"><i class=\"bar\" style=\"width:" + fixed(100 * part / static_cast<double>(longest), 2) +
            "%;background:" + colors[kind_of(step)] + "\"></i>\n";
  }
  write_page(page + between(profile, total) + "</table></div>" + page_end(), path);
}

}  // namespace wick::tools
