// Where the lines of a text begin, found once: an offset's line is then looked up, not counted.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace wick {

class LineIndex {
 public:
  explicit LineIndex(std::string_view text);

  struct Line {
    size_t number;  // from 0
    size_t begin;   // offsets; the end is that of the text or where the newline is
    size_t end;
  };
  // The line that the offset is in; a newline belongs to the line it ends, and what is past the text to the last line.
  Line at(size_t offset) const;

 private:
  std::vector<size_t> begins_;
  size_t size_;
};

// The line's text without indentation, cut off where it is longer than a message should be.
std::string_view shown_line(std::string_view text, const LineIndex::Line& line);

}  // namespace wick
