#include "frontend/bytecode/debug_info.h"

#include <algorithm>
#include <unordered_map>

#include "archive/pickle.h"
#include "core/check.h"

namespace wick::lite {

namespace {

constexpr size_t kMaxInlinedCalls = 256;

constexpr size_t kMaxSourceText = 1 << 22;

struct SourceLine {
  int64_t number = 0;
  std::string text;
};

// A source range as the record has it; `strings` is None in the form without a table of strings.
struct StoredRange {
  IValue strings;
  IValue range;
};

struct Frame {
  int64_t handle = -1;
  int64_t range_tag = -1;
  std::string node_kind;
  IValue calls;  // None or the outermost inlined call
};

std::string last_part(const std::string& qualified) { return qualified.substr(qualified.rfind('.') + 1); }

// The line that byte `start` of the text lies in.
SourceLine line_at(const std::string& text, int64_t first_line, int64_t start) {
  const size_t at = std::min(text.size(), static_cast<size_t>(std::max<int64_t>(start, 0)));
  const size_t previous = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
  const size_t begin = previous == std::string::npos ? 0 : previous + 1;
  const size_t end = std::min(text.find('\n', at), text.size());
  SourceLine out;
  out.number = first_line + 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(begin), '\n');
  out.text = text.substr(begin, end - begin);
  out.text.erase(0, std::min(out.text.find_first_not_of(" \t"), out.text.size()));
  return out;
}

}  // namespace

struct DebugInfo::Tables {
  std::unordered_map<std::string, std::vector<int64_t>> handles;  // of a function's instructions
  std::unordered_map<int64_t, Frame> frames;                      // by handle
  std::unordered_map<int64_t, StoredRange> ranges;                // by tag

  void read(const ZipReader& zip) {
    for (const std::string& record : zip.names()) {
      if (record == "mobile_debug_handles.pkl") {
        each_safely(zip, record, [&](const IValue& v) { read_handles(v); });
      } else if (record == "callstack_debug_map.pkl") {
        each_safely(zip, record, [&](const IValue& v) { read_frames(v); });
      } else if (record.ends_with(".debug_pkl")) {
        each_safely(zip, record, [&](const IValue& v) { read_ranges(v); });
      }
    }
  }

  template <class F>
  static void each_safely(const ZipReader& zip, const std::string& record, const F& take) {
    try {
      const ZipReader::Record bytes = zip.read(record);
      take(read_pickle(bytes.bytes, record, {}));
    } catch (const std::exception&) {
    }
  }

  void read_handles(const IValue& root) {
    for (const IValue& entry : root.to_tuple().items) {
      if (!entry.is_tuple()) continue;
      const auto& parts = entry.to_tuple().items;
      const auto& field = parts.at(1).to_tuple().items.at(0).to_tuple().items;
      handles[parts.at(0).to_string()] = field.at(1).to_tuple().items.at(0).to_int_vec().vec();
    }
  }

  void read_frames(const IValue& root) {
    for (const IValue& entry : root.to_tuple().items) {
      const auto& parts = entry.to_tuple().items;
      Frame frame{parts.at(0).to_int(), parts.at(1).to_int(), parts.at(2).to_string(), parts.at(3)};
      frames.emplace(frame.handle, std::move(frame));
    }
  }

  void read_ranges(const IValue& root) {
    const auto& top = root.to_tuple().items;
    const bool with_strings = !top.empty() && top[0].is_string();
    for (const IValue& entry : with_strings ? top.at(2).to_tuple().items : top) {
      const auto& parts = entry.to_tuple().items;
      if (parts.size() < 3) continue;
      ranges.emplace(parts[2].to_int(), StoredRange{with_strings ? top.at(1) : IValue(), parts[1]});
    }
  }

  std::string where(int64_t tag) const {
    auto found = ranges.find(tag);
    if (found == ranges.end()) return {};
    const auto& range = found->second.range.to_tuple().items;
    const auto& source = range.at(0).to_tuple().items;
    std::string text, file;
    if (found->second.strings.is_tuple()) {
      const auto& strings = found->second.strings.to_tuple().items;
      for (int64_t i : source.at(0).to_int_vec()) {
        text += strings.at(static_cast<size_t>(i)).to_string();
        if (text.size() > kMaxSourceText) return {};
      }
      file = strings.at(static_cast<size_t>(source.at(1).to_int())).to_string();
    } else {
      text = source.at(0).to_string();
      if (source.at(1).is_string()) file = source.at(1).to_string();
    }
    if (text.empty()) return {};
    const SourceLine line = line_at(text, source.at(2).to_int(), range.at(1).to_int());
    return cat("\n  ", file.empty() ? "the model's code" : file, ":", line.number, ": ", line.text);
  }

  std::string describe(const std::string& function, size_t instruction) const {
    auto of_function = handles.find(function);
    if (of_function == handles.end() || instruction >= of_function->second.size()) return {};
    auto found = frames.find(of_function->second[instruction]);
    if (found == frames.end()) return {};
    const Frame& frame = found->second;
    const size_t method_dot = function.rfind('.');
    std::string path = cat("Module hierarchy:top(", last_part(function.substr(0, method_dot)), ")");
    std::string method = function.substr(method_dot + 1);
    std::string lines;
    IValue call = frame.calls;
    for (size_t depth = 0; depth < kMaxInlinedCalls && call.is_tuple(); ++depth) {
      const std::vector<IValue> parts = call.to_tuple().items;
      const auto& instance = parts.at(0).to_tuple().items;
      path += cat("::", method, ".", instance.at(1).to_string(), "(", last_part(instance.at(0).to_string()), ")");
      lines += where(parts.at(1).to_int());
      method = parts.at(3).to_string();
      call = parts.at(2);
    }
    return cat(path, "::", method, ".", frame.node_kind, lines, where(frame.range_tag));
  }
};

DebugInfo::DebugInfo(ZipReader zip, std::vector<std::string> functions)
    : zip_(std::move(zip)), functions_(std::move(functions)) {}
DebugInfo::~DebugInfo() = default;

std::string DebugInfo::describe(int64_t source) {
  if (source < 0 || static_cast<size_t>(source >> 32) >= functions_.size()) return {};
  std::call_once(once_, [&] {
    tables_ = std::make_unique<Tables>();
    try {
      tables_->read(zip_);
    } catch (const std::exception&) {
      tables_ = std::make_unique<Tables>();
    }
  });
  try {
    return tables_->describe(functions_[static_cast<size_t>(source >> 32)], static_cast<size_t>(source & 0xffffffff));
  } catch (const std::exception&) {
    return {};
  }
}

}  // namespace wick::lite
