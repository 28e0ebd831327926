// Reads the debug records that map printed code to the Python it came from.
#include "archive/source_range.h"

#include <algorithm>

#include "core/check.h"
#include "core/limits.h"

namespace wick {

namespace {

// The whole text of a source: one string, or strings of the table. Empty when it is longer than `limit`.
std::string text_of(const IValue& source, const IValue& strings, size_t limit) {
  if (source.is_string()) return source.to_string().size() <= limit ? source.to_string() : std::string();
  std::string text;
  const auto& table = strings.to_tuple().items;
  for (const IValue& i : source.to_list().items) {
    const std::string& part = table.at(static_cast<size_t>(i.to_int())).to_string();
    if (part.size() > limit - text.size()) return {};
    text += part;
  }
  return text;
}

}  // namespace

SourceTexts::Text::Text(std::string whole) : text(std::move(whole)), lines(text) {}

const SourceTexts::Text& SourceTexts::text_of_source(const IValue& source, const IValue& strings) {
  std::unique_ptr<Text>& known = texts_[source.ref_or_null()];
  if (!known) {
    known = std::make_unique<Text>(std::string());  // and so it stays when the source is bad
    known = std::make_unique<Text>(
        text_of(source, strings, std::min(limits::kMaxSourceText, limits::kMaxSourceTexts - bytes_)));
    bytes_ += known->text.size();
  }
  return *known;
}

std::string SourceTexts::describe(const SourceRange& range) {
  const auto& parts = range.range.to_tuple().items;
  const auto& source = parts.at(0).to_tuple().items;
  const bool in_table = range.strings.is_tuple();
  if (in_table ? !source.at(0).is_list() : !source.at(0).is_string()) return {};
  const Text& text = text_of_source(source[0], range.strings);
  if (text.text.empty()) return {};
  std::string_view file;
  if (in_table) {
    file = range.strings.to_tuple().items.at(static_cast<size_t>(source.at(1).to_int())).to_string();
  } else if (source.at(1).is_string()) {
    file = source[1].to_string();
  }
  const LineIndex::Line line = text.lines.at(static_cast<size_t>(std::max<int64_t>(parts.at(1).to_int(), 0)));
  return cat("\n  ", file.empty() ? "the model's code" : file, ":",
             source.at(2).to_int() + 1 + static_cast<int64_t>(line.number), ": ", shown_line(text.text, line));
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
