// Finding, splitting, joining, replacing.
#include <algorithm>

#include "core/check.h"
#include "core/lengths.h"
#include "core/limits.h"
#include "ops/lang/list.h"
#include "ops/lang/text.h"

namespace wick::ops::lang {

namespace {

constexpr size_t kNone = std::string_view::npos;

// A start and an end as TorchScript reads them: end -1 is the end of the string.
struct Bounds {
  size_t start;
  size_t end;
};
Bounds bounds(std::string_view s, int64_t start, int64_t end) {
  const int64_t size = static_cast<int64_t>(s.size());
  if (start < 0) start = std::max<int64_t>(0, size + start);
  end = end < 0 ? std::max<int64_t>(0, size + end + 1) : std::min(end, size);
  return {static_cast<size_t>(start), static_cast<size_t>(end)};
}

int64_t found(size_t at, size_t offset) { return at == kNone ? -1 : static_cast<int64_t>(at + offset); }

int64_t required(int64_t at) {
  WICK_CHECK(at >= 0, kInvalidArgument, "ValueError: substring not found");
  return at;
}

// The part of s that startswith and endswith look at; an end before the start stands for no end.
std::string_view window(std::string_view s, int64_t start, int64_t end) {
  const Bounds b = bounds(s, start, end);
  WICK_CHECK(b.start <= s.size(), kIndexOutOfRange, "basic_string::substr: __pos (which is ", b.start,
             ") > this->size() (which is ", s.size(), ")");
  return s.substr(b.start, b.end < b.start ? kNone : b.end - b.start);
}

IValue list_of(const std::vector<std::string_view>& parts) {
  std::vector<IValue> items;
  items.reserve(parts.size());
  for (const std::string_view part : parts) items.emplace_back(part);
  return IValue::list(types::string(), std::move(items));
}

void check_separator(std::string_view separator) {
  WICK_CHECK(!separator.empty(), kInvalidArgument, "ValueError: empty separator");
}

}  // namespace

bool text_less(std::string_view a, std::string_view b) { return a < b; }

int64_t find(std::string_view s, std::string_view part, int64_t start, int64_t end) {
  const Bounds b = bounds(s, start, end);
  if (b.start > b.end) return part.empty() ? static_cast<int64_t>(b.start) : -1;
  return found(s.substr(b.start, b.end - b.start).find(part), b.start);
}
int64_t rfind(std::string_view s, std::string_view part, int64_t start, int64_t end) {
  const Bounds b = bounds(s, start, end);
  if (b.start > b.end) return part.empty() ? static_cast<int64_t>(b.start) : -1;
  return found(s.substr(b.start, b.end - b.start).rfind(part), b.start);
}
int64_t index_of_text(std::string_view s, std::string_view part, int64_t start, int64_t end) {
  return required(find(s, part, start, end));
}
int64_t rindex_of_text(std::string_view s, std::string_view part, int64_t start, int64_t end) {
  return required(rfind(s, part, start, end));
}

// Counts the occurrences that begin in the range, as TorchScript does; the empty string, on which it does not end, as
// Python does.
int64_t count_text(std::string_view s, std::string_view part, int64_t start, int64_t end) {
  const Bounds b = bounds(s, start, end);
  if (b.start > b.end) return 0;
  if (part.empty()) return b.start == b.end ? 0 : static_cast<int64_t>(b.end - b.start) + 1;
  int64_t n = 0;
  for (size_t at = s.find(part, b.start); at < b.end; at = s.find(part, at + part.size())) ++n;
  return n;
}

bool startswith(std::string_view s, std::string_view part, int64_t start, int64_t end) {
  return window(s, start, end).starts_with(part);
}
bool endswith(std::string_view s, std::string_view part, int64_t start, int64_t end) {
  return window(s, start, end).ends_with(part);
}

std::string replace(std::string_view s, std::string_view from, std::string_view to, int64_t max) {
  std::string out;
  if (from.empty() && max >= 0) {
    // TorchScript puts all of them in front.
    WICK_CHECK(to.empty() || static_cast<uint64_t>(max) <= limits::kMaxTextLength / to.size(), kLimitExceeded,
               "a string cannot be repeated ", max, " times");
    for (int64_t i = 0; i < max && !to.empty(); ++i) out += to;
    out += s;
    return out;
  }
  if (from.empty()) {
    for (const char c : s) {
      out += to;
      out += c;
      check_text_length(out.size());
    }
    out += to;
    return out;
  }
  size_t at = 0;
  for (int64_t i = 0; max < 0 || i < max; ++i) {
    const size_t next = s.find(from, at);
    if (next == kNone) break;
    out += s.substr(at, next - at);
    out += to;
    check_text_length(out.size());
    at = next + from.size();
  }
  out += s.substr(at);
  return out;
}

std::string join(std::string_view separator, const ListImpl& parts) {
  std::string out;
  for (size_t i = 0; i < parts.items.size(); ++i) {
    if (i > 0) out += separator;
    out += parts.items[i].to_string();
    check_text_length(out.size());
  }
  return out;
}

IValue split(std::string_view s, const std::optional<std::string>& separator, int64_t max) {
  std::vector<std::string_view> parts;
  if (!separator) {
    // Without a separator TorchScript does not look at `max`.
    for (size_t at = 0; at < s.size();) {
      const size_t first = at;
      while (at < s.size() && !is_space(s[at])) ++at;
      if (at > first) parts.push_back(s.substr(first, at - first));
      while (at < s.size() && is_space(s[at])) ++at;
    }
    return list_of(parts);
  }
  check_separator(*separator);
  size_t at = 0;
  for (int64_t i = 0; max < 0 || i < max; ++i) {
    const size_t next = s.find(*separator, at);
    if (next == kNone) break;
    parts.push_back(s.substr(at, next - at));
    at = next + separator->size();
  }
  parts.push_back(s.substr(at));
  return list_of(parts);
}

IValue rsplit(std::string_view s, std::string_view separator, int64_t max) {
  check_separator(separator);
  std::vector<std::string_view> parts;
  for (int64_t i = 0; max < 0 || i < max; ++i) {
    const size_t at = s.rfind(separator);
    if (at == kNone) break;
    parts.push_back(s.substr(at + separator.size()));
    s = s.substr(0, at);
  }
  parts.push_back(s);
  std::reverse(parts.begin(), parts.end());
  return list_of(parts);
}

IValue splitlines(std::string_view s, bool keepends) {
  // TorchScript splits at each byte of the UTF-8 line separators, and keeps ends as elements of their own.
  static constexpr std::string_view kEnds = "\n\r\v\f\x1c\x1d\x1e\xc2\x85\xe2\x80\xa8\xa9";
  std::vector<std::string_view> parts;
  size_t at = 0;
  for (size_t end = s.find_first_of(kEnds); end != kNone; end = s.find_first_of(kEnds, at)) {
    parts.push_back(s.substr(at, end - at));
    if (keepends) parts.push_back(s.substr(end, 1));
    at = end + 1;
  }
  if (at < s.size()) parts.push_back(s.substr(at));
  return list_of(parts);
}

std::tuple<std::string, std::string, std::string> partition(std::string_view s, std::string_view separator) {
  const size_t at = s.find(separator);
  if (at == kNone) return {std::string(s), "", ""};
  return {std::string(s.substr(0, at)), std::string(separator), std::string(s.substr(at + separator.size()))};
}
std::tuple<std::string, std::string, std::string> rpartition(std::string_view s, std::string_view separator) {
  const size_t at = s.rfind(separator);
  if (at == kNone) return {"", "", std::string(s)};
  return {std::string(s.substr(0, at)), std::string(separator), std::string(s.substr(at + separator.size()))};
}

std::string concat_text(std::string_view a, std::string_view b) {
  check_text_length(a.size() + b.size());
  std::string out(a);
  out += b;
  return out;
}

std::string char_at(std::string_view s, int64_t i) {
  const int64_t size = static_cast<int64_t>(s.size());
  const int64_t at = i < 0 ? i + size : i;
  WICK_CHECK(at >= 0 && at < size, kIndexOutOfRange, "basic_string::at: __n (which is ", static_cast<uint64_t>(at),
             ") >= this->size() (which is ", size, ")");
  return std::string(1, s[static_cast<size_t>(at)]);
}

std::string slice_text(std::string_view s, std::optional<int64_t> start, std::optional<int64_t> end, int64_t step) {
  const SliceRange range = slice_range(start, end, step, s.size());
  std::string out;
  out.reserve(static_cast<size_t>(range.count));
  for (int64_t i = 0; i < range.count; ++i) out += s[static_cast<size_t>(range.first + i * step)];
  return out;
}

IValue list_of_chars(std::string_view s) {
  std::vector<std::string_view> parts;
  for (size_t i = 0; i < s.size(); ++i) parts.push_back(s.substr(i, 1));
  return list_of(parts);
}

int64_t text_length(std::string_view s) { return static_cast<int64_t>(s.size()); }

}  // namespace wick::ops::lang
