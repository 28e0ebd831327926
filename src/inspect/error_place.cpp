// Reads where an error happened from the lines that the executor adds to its message (runtime/frame.cpp).
#include "wick/error_place.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "core/check.h"
#include "wick/inspect.h"

namespace wick {

namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> out;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

// "  file:12: text" gives the file and the line.
bool read_place(std::string_view line, ErrorPlace& out) {
  for (size_t colon = line.find(':'); colon != std::string_view::npos; colon = line.find(':', colon + 1)) {
    size_t end = colon + 1;
    while (end < line.size() && std::isdigit(static_cast<unsigned char>(line[end]))) ++end;
    if (end == colon + 1 || end >= line.size() || line[end] != ':') continue;
    out.file = line.substr(2, colon - 2);
    out.line = std::atoi(std::string(line.substr(colon + 1, end - colon - 1)).c_str());
    return true;
  }
  return false;
}

bool is_context(std::string_view line) {
  ErrorPlace ignored;
  return line.starts_with("  at ") || line.starts_with("  in ") || line.starts_with("Module hierarchy:") ||
         (line.starts_with("  ") && read_place(line, ignored));
}

// Of the operators that the loader names in brackets, those that are nearly the name of another.
std::string advice_on_operators(std::string_view message) {
  constexpr std::string_view kBegin = "ops cannot be found: [";
  constexpr size_t kMost = 8;  // names; files that lack more lack more than letters
  const size_t begin = message.find(kBegin);
  if (begin == message.npos) return {};
  std::string_view names = message.substr(begin + kBegin.size());
  names = names.substr(0, names.find(']'));
  std::string out;
  for (size_t i = 0; i < kMost && !names.empty(); ++i) {
    const std::string_view name = names.substr(0, names.find(", "));
    const std::string nearest = nearest_operator(name);
    if (!nearest.empty()) out += cat(out.empty() ? "did you mean " : ", ", nearest, " instead of ", name);
    names.remove_prefix(std::min(name.size() + 2, names.size()));
  }
  return out.empty() ? out : out + "?";
}

}  // namespace

ErrorPlace place_of(const Error& error) {
  ErrorPlace out;
  if (error.code() == ErrorCode::kMissingOperator) out.advice = advice_on_operators(error.message());
  bool in_context = false;
  for (std::string_view line : lines_of(error.message())) {
    in_context = in_context || (!out.summary.empty() && is_context(line));
    std::string& part = in_context ? out.context : out.summary;
    if (!part.empty()) part += '\n';
    part += line;
    if (!in_context) continue;
    if (out.operator_name.empty() && line.starts_with("  at ")) out.operator_name = line.substr(5);
    if (const size_t at = line.find(", at ");
        out.operator_name.empty() && line.starts_with("  in ") && at != std::string_view::npos && out.file.empty()) {
      out.operator_name = line.substr(at + 5);
    }
    // The lines of one place name the model's own code first and then the Python that it was printed from, which is
    // what its author knows.
    if (line.starts_with("  ") && !line.starts_with("  at ") && !line.starts_with("  in ") && out.line == 0) {
      read_place(line, out);
    }
  }
  return out;
}

}  // namespace wick
