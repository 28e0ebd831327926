// The HTML page of `wick profile`: a timeline of steps, totals by kind, memory.
#include "profile_html.h"

#include <cstdio>
#include <map>

#include "archive/writer.h"
#include "html.h"

namespace wick::tools {

namespace {

std::string number(double v, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, v);
  return text;
}

// Steps of one kind ("conv 1x1", "linear", "aten::cat") have one color.
std::string kind_of(const std::string& name) {
  const size_t first = name.find(' ');
  if (name.starts_with("conv ")) return name.substr(0, name.find(' ', first + 1));
  return name.substr(0, first);
}

constexpr const char* kHead =
    "<style>body{font:14px/1.5 system-ui,sans-serif;margin:2em auto;max-width:1100px;color:#222}"
    "h1{font-size:20px}table{border-collapse:collapse;width:100%}td,th{padding:2px 8px;text-align:left;"
    "border-bottom:1px solid #eee}td.n{text-align:right;font-variant-numeric:tabular-nums}"
    ".bar{display:inline-block;height:10px;border-radius:2px}.line{display:flex;height:56px;border-radius:4px;"
    "overflow:hidden;background:#f3f3f3;margin:12px 0}.line div{min-width:1px;border-right:1px solid #fff6}"
    ".key span{margin-right:16px;white-space:nowrap}</style>";

}  // namespace

void write_profile_page(const Profile& profile, const std::string& title, const std::string& path) {
  int64_t total = 0;
  std::map<std::string, int64_t> kinds;
  for (const ProfileStep& s : profile.steps) {
    total += s.duration_ns;
    kinds[kind_of(s.name)] += s.duration_ns;
  }
  std::map<std::string, std::string> colors;
  for (const auto& [kind, time] : kinds) {
    colors[kind] = "hsl(" + std::to_string(colors.size() * 137 % 360) + ",60%,60%)";
  }
  const double all = total > 0 ? static_cast<double>(total) : 1;

  std::string page = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>" + escaped(title) + "</title>";
  page += kHead;
  page += "<h1>" + escaped(title) + "</h1><p>" + number(static_cast<double>(total) / 1e6, 3) + " ms in " +
          std::to_string(profile.steps.size()) + " steps, " + std::to_string(profile.regions) + " regions; arena " +
          number(static_cast<double>(profile.arena_bytes) / 1e6, 2) + " MB</p><div class=\"line\">";
  for (const ProfileStep& s : profile.steps) {
    page += "<div style=\"flex:" + number(static_cast<double>(s.duration_ns) / all, 6) +
            ";background:" + colors[kind_of(s.name)] + "\" title=\"" + escaped(s.name + "\n" + s.output) + "\n" +
            number(static_cast<double>(s.duration_ns) / 1e6, 3) + " ms\"></div>";
  }
  page += "</div><p class=\"key\">";
  for (const auto& [kind, time] : kinds) {
    page += "<span><i class=\"bar\" style=\"width:10px;background:" + colors[kind] + "\"></i> " + escaped(kind) + " " +
            number(100 * static_cast<double>(time) / all, 1) + "&#8201;%</span> ";
  }
  page += "</p><table><tr><th>step<th>result<th>ms<th>";
  for (const ProfileStep& s : profile.steps) {
    const double share = static_cast<double>(s.duration_ns) / all;
    page += "<tr><td>" + escaped(s.name) + "<td>" + escaped(s.output) + "<td class=\"n\">" +
            number(static_cast<double>(s.duration_ns) / 1e6, 3) +
            "<td><i class=\"bar\" style=\"width:" + number(600 * share, 0) +
            "px;background:" + colors[kind_of(s.name)] + "\"></i>\n";
  }
  page += "</table></html>\n";

  write_file(path, {reinterpret_cast<const uint8_t*>(page.data()), page.size()});
}

}  // namespace wick::tools
