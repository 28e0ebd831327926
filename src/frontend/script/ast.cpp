// The arena of syntax trees, and qualified names.
#include "frontend/script/ast.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace wick::script::ast {

namespace {
constexpr size_t kChunkSize = 16 << 10;
}

void* Arena::allocate(size_t size, size_t alignment) {
  used_ = (used_ + alignment - 1) & ~(alignment - 1);
  if (chunks_.empty() || used_ + size > capacity_) {
    capacity_ = std::max(size, kChunkSize);
    chunks_.push_back(std::make_unique_for_overwrite<std::byte[]>(capacity_));
    used_ = 0;
  }
  void* out = chunks_.back().get() + used_;
  used_ += size;
  return out;
}

std::string_view Arena::copy_text(std::string_view text) {
  if (text.empty()) return {};
  char* out = static_cast<char*>(allocate(text.size(), 1));
  std::memcpy(out, text.data(), text.size());
  return {out, text.size()};
}

std::string qualified_name(const Expr& expr) {
  std::vector<std::string_view> parts;
  const Expr* at = &expr;
  size_t length = 0;
  for (; at->is(ExprKind::kAttribute); at = at->items[0]) {
    parts.push_back(at->text);
    length += at->text.size() + 1;
  }
  if (!at->is(ExprKind::kName)) return {};
  std::string out;
  out.reserve(length + at->text.size());
  out = at->text;
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    out += '.';
    out += *part;
  }
  return out;
}

}  // namespace wick::script::ast
