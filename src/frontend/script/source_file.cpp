// Positions and lines in one code record.
#include "frontend/script/source_file.h"

#include <algorithm>

#include "core/check.h"

namespace wick::script {

namespace {
constexpr size_t kMaxShownLine = 200;
}

std::string SourceFile::where(Position at) const { return cat(name_, ":", at.line); }

std::string_view SourceFile::line_text(Position at) const {
  const std::string_view text = text_;
  const size_t offset = std::min<size_t>(at.offset, text.size());
  size_t begin = offset == 0 ? 0 : text.rfind('\n', offset - 1) + 1;
  const size_t end = std::min(text.find('\n', offset), text.size());
  begin = std::min(text.find_first_not_of(" \t", begin), end);
  return text.substr(begin, std::min(end - begin, kMaxShownLine));
}

Position SourceFile::position_at(uint32_t offset) const {
  const size_t end = std::min<size_t>(offset, text_.size());
  const auto lines = std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(end), '\n');
  return {offset, static_cast<uint32_t>(lines) + 1};
}

void SourceFile::fail_at(Position at, ErrorCode code, const std::string& message) const {
  fail(code, cat(where(at), ": ", message, "\n    ", line_text(at)));
}

}  // namespace wick::script
