// Where the lines of a text begin.
#include "archive/line_index.h"

#include <algorithm>

namespace wick {

LineIndex::LineIndex(std::string_view text) : begins_{0}, size_(text.size()) {
  for (size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1)) begins_.push_back(at + 1);
}

LineIndex::Line LineIndex::at(size_t offset) const {
  const auto next = std::upper_bound(begins_.begin() + 1, begins_.end(), std::min(offset, size_));
  const size_t end = next == begins_.end() ? size_ : *next - 1;
  return {static_cast<size_t>(next - begins_.begin()) - 1, *(next - 1), end};
}

std::string_view shown_line(std::string_view text, const LineIndex::Line& line) {
  constexpr size_t kMaxShown = 200;
  const size_t begin = std::min(text.find_first_not_of(" \t", line.begin), line.end);
  return text.substr(begin, std::min(line.end - begin, kMaxShown));
}

}  // namespace wick
