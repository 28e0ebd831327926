// Reads the debug records that map printed code to the Python it came from.
#include "archive/source_range.h"

#include <algorithm>

#include "core/check.h"

namespace wick {

namespace {

constexpr size_t kMaxSourceText = 1 << 22;

struct SourceLine {
  int64_t number = 0;
  std::string text;
};

// The line that byte `start` of the text lies in.
SourceLine line_at(const std::string& text, int64_t first_line, int64_t start) {
  const size_t at = std::min(text.size(), static_cast<size_t>(std::max<int64_t>(start, 0)));
  const size_t previous = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
  const size_t begin = previous == std::string::npos ? 0 : previous + 1;
  const size_t end = std::min(text.find('\n', at), text.size());
  SourceLine out;
  out.number = first_line + 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(begin), '\n');
  out.text = text.substr(begin, end - begin);
  out.text.erase(0, std::min(out.text.find_first_not_of(" \t"), out.text.size()));
  return out;
}

}  // namespace

std::string SourceRange::describe() const {
  const auto& parts = range.to_tuple().items;
  const auto& source = parts.at(0).to_tuple().items;
  std::string text, file;
  if (strings.is_tuple()) {
    const auto& table = strings.to_tuple().items;
    for (int64_t i : source.at(0).to_int_vec()) {
      text += table.at(static_cast<size_t>(i)).to_string();
      if (text.size() > kMaxSourceText) return {};
    }
    file = table.at(static_cast<size_t>(source.at(1).to_int())).to_string();
  } else {
    text = source.at(0).to_string();
    if (source.at(1).is_string()) file = source.at(1).to_string();
  }
  if (text.empty()) return {};
  const SourceLine line = line_at(text, source.at(2).to_int(), parts.at(1).to_int());
  return cat("\n  ", file.empty() ? "the model's code" : file, ":", line.number, ": ", line.text);
}

std::vector<SourceRange> read_source_ranges(const IValue& record) {
  const auto& top = record.to_tuple().items;
  const bool with_strings = !top.empty() && top[0].is_string();
  std::vector<SourceRange> out;
  for (const IValue& entry : with_strings ? top.at(2).to_tuple().items : top) {
    const auto& parts = entry.to_tuple().items;
    if (parts.size() < 2) continue;
    SourceRange range;
    range.offset = parts[0].to_int();
    if (parts.size() > 2) range.tag = parts[2].to_int();
    if (with_strings) range.strings = top.at(1);
    range.range = parts[1];
    out.push_back(std::move(range));
  }
  return out;
}

}  // namespace wick
