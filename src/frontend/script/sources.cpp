// The code records of an archive, and their debug records.
#include "frontend/script/sources.h"

#include <algorithm>

#include "archive/source_range.h"
#include "core/check.h"

namespace wick::script {

const SourceFile* Sources::read(std::string_view qualifier) {
  std::string record = cat("code/", qualifier, ".py");
  std::replace(record.begin(), record.end() - 3, '.', '/');
  std::optional<std::string> text = records_->text(record);
  return text ? add(std::move(record), std::move(*text)) : nullptr;
}

const SourceFile* Sources::add(std::string name, std::string text) {
  const auto index = static_cast<uint32_t>(files_.size());
  files_.push_back(std::make_unique<SourceFile>(std::move(name), std::move(text), index));
  return files_.back().get();
}

std::optional<std::pair<std::string, uint32_t>> Sources::place(int64_t handle) const {
  const auto index = static_cast<uint64_t>(handle) >> 32;
  if (handle < 0 || index >= files_.size()) return std::nullopt;
  return std::pair{files_[index]->name(), static_cast<uint32_t>(handle)};
}

std::string Sources::describe(int64_t handle) const {
  const auto index = static_cast<uint64_t>(handle) >> 32;
  if (handle < 0 || index >= files_.size()) return {};
  const SourceFile& file = *files_[index];
  const Position at = file.position_at(static_cast<uint32_t>(handle));
  std::string out = cat("  ", file.where(at), ": ", file.line_text(at));
  // Debug records are a courtesy: a bad one is as good as none.
  try {
    const std::optional<IValue> record = records_->debug(file.name() + ".debug_pkl");
    if (!record) return out;
    const std::vector<SourceRange> ranges = read_source_ranges(*record);
    const SourceRange* last = nullptr;
    for (const SourceRange& range : ranges) {
      if (range.offset <= at.offset && (!last || range.offset >= last->offset)) last = &range;
    }
    if (last) out += last->describe();
  } catch (const std::exception&) {
  }
  return out;
}

}  // namespace wick::script
