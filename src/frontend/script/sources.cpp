// The code records of an archive, and their debug records.
#include "frontend/script/sources.h"

#include <algorithm>

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

const std::vector<SourceRange>& Sources::ranges_of(const SourceFile& file) const {
  if (ranges_.size() <= file.index()) ranges_.resize(file.index() + 1);
  std::optional<std::vector<SourceRange>>& ranges = ranges_[file.index()];
  if (ranges) return *ranges;
  ranges.emplace();
  if (const std::optional<IValue> record = records_->debug(file.name() + ".debug_pkl")) {
    std::vector<SourceRange> read = read_source_ranges(*record);
    std::stable_sort(read.begin(), read.end(),
                     [](const SourceRange& a, const SourceRange& b) { return a.offset < b.offset; });
    ranges = std::move(read);
  }
  return *ranges;
}

std::string Sources::describe(int64_t handle) const {
  const auto index = static_cast<uint64_t>(handle) >> 32;
  if (handle < 0 || index >= files_.size()) return {};
  const SourceFile& file = *files_[index];
  const Position at = file.position_at(static_cast<uint32_t>(handle));
  std::string out = cat("  ", file.where(at), ": ", file.line_text(at));
  // Debug records are a courtesy: a bad one is as good as none.
  try {
    const std::lock_guard lock(mutex_);
    const std::vector<SourceRange>& ranges = ranges_of(file);
    const auto next = std::upper_bound(ranges.begin(), ranges.end(), int64_t{at.offset},
                                       [](int64_t offset, const SourceRange& r) { return offset < r.offset; });
    if (next != ranges.begin()) out += texts_.describe(*(next - 1));
  } catch (const std::exception&) {
  }
  return out;
}

}  // namespace wick::script
