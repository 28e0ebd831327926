// One code record of an archive ("code/__torch__/m.py") and positions in it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "archive/line_index.h"
#include "wick/error.h"

namespace wick::script {

// Where something stands in a SourceFile.
struct Position {
  uint32_t offset = 0;  // in bytes from the start of the file
  uint32_t line = 0;    // counted from 1
};

class SourceFile {
 public:
  // `index` is the file's number in its Importer.
  SourceFile(std::string name, std::string text, uint32_t index)
      : name_(std::move(name)), text_(std::move(text)), lines_(text_), index_(index) {}
  SourceFile(const SourceFile&) = delete;
  SourceFile& operator=(const SourceFile&) = delete;

  const std::string& name() const { return name_; }
  const std::string& text() const { return text_; }
  uint32_t index() const { return index_; }

  // "code/__torch__/m.py:12"
  std::string where(Position at) const;
  // The line the position is in, without indentation and line end; cut off where it is long.
  std::string_view line_text(Position at) const;
  // Of an offset, where only that is known.
  Position position_at(uint32_t offset) const;
  // For ir::Node::source; see Importer::describe.
  int64_t handle(Position at) const { return static_cast<int64_t>(index_) << 32 | at.offset; }

  // Throws an Error that reads "code/__torch__/m.py:12: message" and shows the line.
  [[noreturn]] void fail_at(Position at, ErrorCode code, const std::string& message) const;

 private:
  std::string name_;
  std::string text_;
  LineIndex lines_;  // of text_
  uint32_t index_;
};

}  // namespace wick::script
