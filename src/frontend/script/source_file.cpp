// Positions and lines in one code record.
#include "frontend/script/source_file.h"

#include "core/check.h"

namespace wick::script {

std::string SourceFile::where(Position at) const { return cat(name_, ":", at.line); }

std::string_view SourceFile::line_text(Position at) const { return shown_line(text_, lines_.at(at.offset)); }

Position SourceFile::position_at(uint32_t offset) const {
  return {offset, static_cast<uint32_t>(lines_.at(offset).number) + 1};
}

void SourceFile::fail_at(Position at, ErrorCode code, const std::string& message) const {
  fail(code, cat(where(at), ": ", message, "\n    ", line_text(at)));
}

}  // namespace wick::script
