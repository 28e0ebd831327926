// Edits the TorchScript source of one class without moving the rest of the text.
#include "bundle/class_source.h"

#include <algorithm>
#include <functional>

#include "archive/writer.h"
#include "core/check.h"

namespace wick::bundle {

namespace {

constexpr std::string_view kDebug = ".debug_pkl";

Bytes bytes_of(std::string_view text) { return {reinterpret_cast<const uint8_t*>(text.data()), text.size()}; }

bool is_of_program(const std::string& record) {
  for (std::string_view prefix : {"data/", "bytecode/", "extra/"}) {
    if (record.starts_with(prefix)) return true;
  }
  return record == "data.pkl" || record == "bytecode.pkl";
}

// Copies the records that `text_of` does not answer for; an empty answer leaves the record out.
std::shared_ptr<const ZipReader> copy(
    const ZipReader& archive, const std::function<std::optional<std::string>(const std::string& record)>& text_of) {
  ZipWriter zip(archive.root());
  for (const std::string& record : archive.names()) {
    if (is_of_program(record)) continue;
    const bool deflate = record.ends_with(".py") || record.ends_with(kDebug);
    const std::optional<std::string> text = text_of(record);
    if (!text) {
      zip.add(record, archive.read(record).bytes, deflate);
    } else if (!text->empty()) {
      zip.add(record, bytes_of(*text), deflate);
    }
  }
  return std::make_shared<ZipReader>(ByteSource::copy_of(zip.finish()));
}

}  // namespace

std::optional<ClassSource> ClassSource::find(const ZipReader& archive, const std::string& class_name) {
  const size_t dot = class_name.rfind('.');
  if (dot == std::string::npos) return std::nullopt;
  ClassSource out;
  std::string file = class_name.substr(0, dot);
  std::replace(file.begin(), file.end(), '.', '/');
  out.record_ = cat("code/", file, ".py");
  if (!archive.has(out.record_)) return std::nullopt;
  out.text_ = archive.read_text(out.record_);
  const std::string header = "class " + class_name.substr(dot + 1);
  for (size_t at = 0; at < out.text_.size(); at = out.line_after(at)) {
    const size_t after = at + header.size();
    if (out.text_.compare(at, header.size(), header) != 0 || after >= out.text_.size()) continue;
    if (out.text_[after] != '(' && out.text_[after] != ':') continue;
    out.body_ = out.line_after(at);
    return out;
  }
  return std::nullopt;
}

size_t ClassSource::line_after(size_t at) const {
  const size_t end = text_.find('\n', at);
  return end == std::string::npos ? text_.size() : end + 1;
}

// The first line behind the body that is not indented.
size_t ClassSource::class_end() const {
  size_t at = body_;
  while (at < text_.size() && (text_[at] == ' ' || text_[at] == '\n')) at = line_after(at);
  return at;
}

void ClassSource::blank(size_t begin, size_t end) {
  const bool is_last =
      std::all_of(text_.begin() + static_cast<std::ptrdiff_t>(end), text_.end(), [](char c) { return c == '\n'; });
  if (is_last) {
    text_.resize(begin);
  } else {
    std::fill(text_.begin() + static_cast<std::ptrdiff_t>(begin), text_.begin() + static_cast<std::ptrdiff_t>(end),
              '\n');
  }
}

void ClassSource::remove_method(std::string_view name) {
  const std::string header = cat("  def ", name, "(");
  for (size_t at = body_; at < class_end(); at = line_after(at)) {
    if (text_.compare(at, header.size(), header) != 0) continue;
    const size_t end_of_class = class_end();
    size_t end = line_after(at);
    // Statements and further lines of the signature are indented deeper than the class's own lines.
    while (end < end_of_class && text_.compare(end, 3, "   ") == 0) end = line_after(end);
    return blank(at, end);
  }
}

void ClassSource::remove_attribute(std::string_view name) {
  const std::string header = cat("  ", name, " : ");
  for (size_t at = body_; at < class_end(); at = line_after(at)) {
    if (text_.compare(at, header.size(), header) == 0) return blank(at, line_after(at));
  }
}

void ClassSource::append(std::string_view lines) {
  if (text_.back() != '\n') text_ += '\n';
  const size_t at = class_end();
  moved_ = moved_ || at < text_.size();
  text_.insert(at, lines);
}

std::shared_ptr<const ZipReader> ClassSource::rewritten(const ZipReader& archive) const {
  return copy(archive, [&](const std::string& record) -> std::optional<std::string> {
    if (record == record_) return text_;
    if (moved_ && record == record_ + std::string(kDebug)) return "";
    return std::nullopt;
  });
}

std::shared_ptr<const ZipReader> without_program(const ZipReader& archive) {
  return copy(archive, [](const std::string&) { return std::nullopt; });
}

}  // namespace wick::bundle
