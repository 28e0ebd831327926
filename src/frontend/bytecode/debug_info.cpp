// Maps debug handles of bytecode to module paths and source lines.
#include "frontend/bytecode/debug_info.h"

#include <unordered_map>

#include "archive/pickle.h"
#include "archive/source_range.h"
#include "core/check.h"
#include "core/limits.h"

namespace wick::lite {

namespace {

struct Frame {
  int64_t handle = -1;
  int64_t range_tag = -1;
  std::string node_kind;
  IValue calls;  // None or the outermost inlined call
};

std::string last_part(const std::string& qualified) { return qualified.substr(qualified.rfind('.') + 1); }

}  // namespace

struct DebugInfo::Tables {
  std::unordered_map<std::string, std::vector<int64_t>> handles;  // of a function's instructions
  std::unordered_map<int64_t, Frame> frames;                      // by handle
  std::unordered_map<int64_t, SourceRange> ranges;                // by tag
  std::mutex mutex;                                               // for texts
  SourceTexts texts;                                              // of ranges

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
    for (SourceRange& range : read_source_ranges(root)) ranges.emplace(range.tag, std::move(range));
  }

  std::string where(int64_t tag) {
    auto found = ranges.find(tag);
    const std::lock_guard lock(mutex);
    return found == ranges.end() ? std::string() : texts.describe(found->second);
  }

  std::string describe(const std::string& function, size_t instruction) {
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
    for (size_t depth = 0; depth < limits::kMaxNamedCalls && call.is_tuple(); ++depth) {
      const std::vector<IValue> parts = call.to_tuple().items;
      path += cat("::", method);
      if (parts.at(0).is_tuple()) {  // a method's call; a function's has no instance
        const auto& instance = parts[0].to_tuple().items;
        path += cat(".", instance.at(1).to_string(), "(", last_part(instance.at(0).to_string()), ")");
      }
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
  try {
    once_.call([&] {
      tables_ = std::make_unique<Tables>();
      try {
        tables_->read(zip_);
      } catch (const Error&) {
        tables_ = std::make_unique<Tables>();
      }
    });
    return tables_->describe(functions_[static_cast<size_t>(source >> 32)], static_cast<size_t>(source & 0xffffffff));
  } catch (const std::exception&) {
    return {};
  }
}

}  // namespace wick::lite
