// The HTML page of `wick profile`: a timeline of steps to scale, totals by kind, and a table.
#include "profile_html.h"

#include <algorithm>
#include <map>
#include <vector>

#include "html.h"

namespace wick::tools {

namespace {

// Steps of one kind ("conv 1x1", "linear", "aten::cat") have one color.
std::string kind_of(const std::string& name) {
  const size_t first = name.find(' ');
  if (const size_t colon = name.find(':'); name.starts_with("row tiles") && colon != std::string::npos) {
    return name.substr(0, colon);
  }
  if (name.starts_with("conv ")) return name.substr(0, name.find(' ', first + 1));
  return name.substr(0, first);
}

double ms(int64_t ns) { return static_cast<double>(ns) / 1e6; }

// One picture of fixed units for all widths of screen, so that the longest step is as long as its part of the time.
std::string timeline(const Profile& profile, const std::map<std::string, std::string>& colors, double total) {
  constexpr double kUnits = 100000;
  std::string out =
      "<svg class=\"line\" viewBox=\"0 0 100000 64\" preserveAspectRatio=\"none\" role=\"img\" "
      "aria-label=\"timeline of the steps\">";
  double x = 0;
  for (const ProfileStep& step : profile.steps) {
    const double width = kUnits * static_cast<double>(step.duration_ns) / total;
    out += "<rect x=\"" + fixed(x, 1) + "\" width=\"" + fixed(width, 1) + "\" height=\"64\" fill=\"" +
           colors.at(kind_of(step.name)) + "\"><title>" + escaped(step.name + "\n" + step.output) + "\n" +
           fixed(ms(step.duration_ns), 3) + " ms, " + fixed(100 * static_cast<double>(step.duration_ns) / total, 1) +
           " %</title></rect>";
    x += width;
  }
  return out + "</svg>";
}

}  // namespace

void write_profile_page(const Profile& profile, const std::string& title, const std::string& path) {
  std::map<std::string, int64_t> kinds;
  for (const ProfileStep& step : profile.steps) kinds[kind_of(step.name)] += step.duration_ns;
  const double total = std::max<double>(1, static_cast<double>(profile.total_ns()));
  std::vector<std::pair<std::string, int64_t>> order(kinds.begin(), kinds.end());
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::map<std::string, std::string> colors;
  for (const auto& [kind, time] : order) colors[kind] = color_of(colors.size());

  std::string page = page_begin("Profile", title);
  page += "<p>" + fixed(ms(profile.total_ns()), 3) + " ms in " + std::to_string(profile.steps.size()) + " steps, " +
          std::to_string(profile.regions) + (profile.regions == 1 ? " region; arena " : " regions; arena ") +
          fixed(static_cast<double>(profile.arena_bytes) / 1e6, 2) + " MB, packed weights " +
          fixed(static_cast<double>(profile.packed_bytes) / 1e6, 2) + " MB</p>" + timeline(profile, colors, total);
  page += "<p class=\"key\">";
  for (const auto& [kind, time] : order) {
    page += "<span><i class=\"bar\" style=\"width:10px;background:" + colors[kind] + "\"></i> " + escaped(kind) + " " +
            fixed(100 * static_cast<double>(time) / total, 1) + "&#8201;%</span> ";
  }
  page +=
      "</p><div class=\"wide\"><table class=\"sort\"><tr><th class=\"n\">#<th>step<th>result<th class=\"n\">ms"
      "<th class=\"n\">%<th class=\"picture\" style=\"width:30%\">\n";
  int64_t longest = 1;
  for (const ProfileStep& step : profile.steps) longest = std::max(longest, step.duration_ns);
  for (size_t i = 0; i < profile.steps.size(); ++i) {
    const ProfileStep& step = profile.steps[i];
    const double part = static_cast<double>(step.duration_ns);
    page += "<tr><td class=\"n\">" + std::to_string(i) + "<td>" + escaped(step.name) + "<td>" + escaped(step.output) +
            "<td class=\"n\">" + fixed(ms(step.duration_ns), 3) + "<td class=\"n\">" + fixed(100 * part / total, 1) +
            "<td class=\"picture\" data-v=\"" + std::to_string(step.duration_ns) +
            "\"><i class=\"bar\" style=\"width:" + fixed(100 * part / static_cast<double>(longest), 2) +
            "%;background:" + colors[kind_of(step.name)] + "\"></i>\n";
  }
  write_page(page + "</table></div>" + page_end(), path);
}

}  // namespace wick::tools
