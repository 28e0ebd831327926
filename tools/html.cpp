// The frame of the HTML pages: escaping, style, head, sorting and search.
#include "html.h"

#include <sys/utsname.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>

#include "archive/writer.h"
#include "output.h"
#include "wick/module.h"

namespace wick::tools {

namespace {

constexpr const char* kStyle =
    "<style>:root{--ink:#1f2328;--soft:#656d76;--paper:#fff;--line:#d8dee4;--band:#f6f8fa;--bad:#cf222e;--good:#1a7f37}"
    "@media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#8d96a0;--paper:#0d1117;--line:#30363d;"
    "--band:#161b22;--bad:#ff7b72;--good:#3fb950}}"
    "*{box-sizing:border-box}body{font:14px/1.5 system-ui,sans-serif;margin:0 auto;padding:1.5em;max-width:1200px;"
    "color:var(--ink);background:var(--paper)}h1{font-size:22px;margin:0 0 "
    ".2em;overflow-wrap:anywhere}h2{font-size:16px;margin:1.6em 0 .4em}"
    ".head{color:var(--soft);margin:0 0 1.2em}.wide{overflow-x:auto}table{border-collapse:collapse;width:100%}"
    "td,th{padding:3px 8px;text-align:left;border-bottom:1px solid var(--line);vertical-align:middle}"
    "th{position:sticky;top:0;background:var(--paper);white-space:nowrap}table.sort th{cursor:pointer}"
    "th[aria-sort]::after{content:' \\25b4';color:var(--soft)}th[aria-sort=descending]::after{content:' \\25be'}"
    "td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}tr.float td{color:var(--soft)}"
    "tr:hover td{background:var(--band)}.bar{display:inline-block;height:10px;border-radius:2px;background:#d76;"
    "vertical-align:middle}.key span{margin-right:16px;white-space:nowrap}input.find{font:inherit;color:inherit;"
    "background:var(--band);border:1px solid var(--line);border-radius:6px;padding:4px 10px;margin:.4em "
    "0;width:min(100%,320px)}"
    "svg.line{display:block;width:100%;height:64px;background:var(--band);border-radius:4px;margin:12px 0}"
    "pre{overflow-x:auto;background:var(--band);padding:1em;border-radius:6px}@media(max-width:600px){body{padding:."
    "8em;"
    "font-size:13px}td,th{padding:2px 5px}td.picture,th.picture{display:none}}</style>";

// Columns of numbers sort by them, others as people sort names (layer2 before layer10); what is no number in a column
// of numbers stays last.
constexpr const char* kScript =
    "<script>document.querySelectorAll('table.sort').forEach(t=>{const rows=()=>[...t.rows].slice(1),"
    "text=(r,i)=>(r.cells[i].dataset.v??r.cells[i].textContent).trim();"
    "[...t.rows[0].cells].forEach((h,i)=>{const is_number=h.className!='',"
    "sort=()=>{const d=h.getAttribute('aria-sort')=='ascending'?-1:1;"
    "[...t.rows[0].cells].forEach(c=>c.removeAttribute('aria-sort'));"
    "h.setAttribute('aria-sort',d>0?'ascending':'descending');"
    "rows().sort((a,b)=>{const x=text(a,i),y=text(b,i);if(!is_number)return "
    "x.localeCompare(y,undefined,{numeric:true})*d;"
    "const m=parseFloat(x),n=parseFloat(y);return isNaN(m)||isNaN(n)?isNaN(m)-isNaN(n):(m-n)*d})"
    ".forEach(r=>r.parentNode.append(r))};"
    "h.tabIndex=0;h.onclick=sort;h.onkeydown=e=>{if(e.key=='Enter'||e.key==' '){e.preventDefault();sort()}}});"
    "const f=document.createElement('input');f.className='find';f.placeholder='search';"
    "f.setAttribute('aria-label','search the "
    "table');f.oninput=()=>rows().forEach(r=>r.hidden=!r.textContent.toLowerCase()"
    ".includes(f.value.toLowerCase()));(t.closest('.wide')||t).before(f)})</script>";

// "Intel(R) Xeon(R) ..." where the system tells, else the architecture.
std::string machine() {
  std::ifstream info("/proc/cpuinfo");
  info.exceptions(std::ios::badbit);  // lack of memory is no other machine
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  utsname name{};
  return ::uname(&name) == 0 ? name.machine : "unknown machine";
}

// Now, or when SOURCE_DATE_EPOCH says, so that pages can be made again.
std::string date() {
  const char* given = std::getenv("SOURCE_DATE_EPOCH");
  const std::time_t now = given ? static_cast<std::time_t>(std::strtoll(given, nullptr, 10)) : std::time(nullptr);
  char text[32];
  std::tm parts{};
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", ::localtime_r(&now, &parts));
  return text;
}

}  // namespace

std::string escaped(const std::string& text) {
  std::string out;
  for (char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string page_begin(const std::string& kind, const std::string& title) {
  return "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">"
         "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>" +
         escaped(kind + ": " + title) + "</title>" + kStyle + "<h1>" + escaped(title) + "</h1><p class=\"head\">" +
         escaped(kind) + " by wick " WICK_VERSION " on " + escaped(machine()) + ", " + std::to_string(num_threads()) +
         (num_threads() == 1 ? " thread, " : " threads, ") + date() + "</p>\n";
}

std::string page_end() { return std::string(kScript) + "</html>\n"; }

void write_page(const std::string& page, const std::string& path) {
  write_file(path, {reinterpret_cast<const uint8_t*>(page.data()), page.size()});
  say("wrote the page %s\n", path.c_str());
}

std::string fixed(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::string color_of(size_t n) { return "hsl(" + std::to_string(n * 137 % 360) + ",55%,55%)"; }

}  // namespace wick::tools
