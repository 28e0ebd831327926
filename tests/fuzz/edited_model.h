// A small model of tests/data with changes in its records. An input says which model, and what is changed where.
#pragma once

#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "archive/archive.h"
#include "archive/writer.h"
#include "core/check.h"
#include "fuzz/feed.h"
#include "fuzz/pickle_edit.h"
#include "wick/module.h"

namespace wick::fuzz {

// A call that the model was made with.
struct ModelCall {
  std::string method;
  std::vector<IValue> arguments;
};

struct BaseModel {
  std::string name;
  std::string root;
  std::vector<std::pair<std::string, std::string>> records;
  std::string calls;  // path of the file
};

struct EditedModel {
  std::vector<uint8_t> bytes;
  const BaseModel* base;
  bool is_changed = false;
};

inline const std::vector<BaseModel>& base_models() {
  static const std::vector<BaseModel> models = [] {
    static const char* const kNames[] = {"lite/aliases.ptl",
                                         "lite/arithmetic.ptl",
                                         "lite/bundled.ptl",
                                         "lite/containers.ptl",
                                         "lite/control_flow.ptl",
                                         "lite/counter.ptl",
                                         "lite/defaults.ptl",
                                         "lite/enums.ptl",
                                         "lite/failing.ptl",
                                         "lite/interfaces.ptl",
                                         "lite/language.ptl",
                                         "lite/named_tuples.ptl",
                                         "lite/old_ops.ptl",
                                         "lite/prepacked.ptl",
                                         "lite/stateful.ptl",
                                         "lite/control_flow_v3.ptl",
                                         "lite/two/attention.ptl",
                                         "lite/two/dtypes.ptl",
                                         "lite/two/transformer.ptl",
                                         "script/hooks.pt",
                                         "script/roles.pt",
                                         "script/traced.pt",
                                         "script/tree.pt",
                                         "script/words.pt",
                                         "script/format_9.pt",
                                         "quantized/fbgemm_1_13_dynamic.pt",
                                         "quantized/fbgemm_1_13_gru.pt",
                                         "quantized/x86_1_13_graph.pt"};
    std::vector<BaseModel> out;
    for (const char* name : kNames) {
      const std::string path = cat(WICK_TEST_DATA, "/", name);
      const ZipReader zip(ByteSource::open_file(path));
      BaseModel& model = out.emplace_back();
      model.name = name;
      model.root = zip.root();
      for (const std::string& record : zip.names()) model.records.emplace_back(record, zip.read_text(record));
      model.calls = path.substr(0, path.rfind('.')) + ".cases.pt";
    }
    return out;
  }();
  return models;
}

// Fresh arguments at each time: a model may write to them.
inline std::vector<ModelCall> calls_of(const BaseModel& model) {
  std::vector<ModelCall> out;
  if (!std::ifstream(model.calls)) return out;
  const IValue saved = load_tensors(model.calls);
  if (!saved.is_list()) return out;
  for (const IValue& item : saved.to_list().items) {
    if (!item.is_tuple()) continue;
    const auto& parts = item.to_tuple().items;
    if (parts.size() == 3 && parts[0].is_string() && parts[1].is_tuple()) {
      out.push_back({parts[0].to_string(), parts[1].to_tuple().items});
    }
  }
  return out;
}

inline void edit_record(std::string& text, const std::string& name, ByteFeed& feed) {
  if (name.ends_with(".pkl")) return edit_pickle(text, feed);
  if (name.ends_with(".py") || name == "version") return edit_text(text, feed);
  if (text.empty()) return;
  const size_t at = feed.below(text.size());
  if (feed.one_in(8)) {
    text.resize(at);
  } else {
    text[at] = static_cast<char>(feed.byte());
  }
}

inline EditedModel edited_model(ByteFeed& feed) {
  const std::vector<BaseModel>& models = base_models();
  const BaseModel& base = models[feed.below(models.size())];
  EditedModel out{{}, &base};
  std::vector<std::pair<std::string, std::string>> records = base.records;
  constexpr size_t kMostEdits = 12;
  for (size_t edits = feed.below(kMostEdits); edits > 0 && !feed.empty(); --edits) {
    auto& [name, text] = records[feed.below(records.size())];
    const std::string before = text;
    edit_record(text, name, feed);
    out.is_changed = out.is_changed || text != before;
  }
  ZipWriter zip(base.root.empty() ? "archive" : base.root);
  for (const auto& [name, text] : records) {
    zip.add(name, Bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size()));
  }
  out.bytes = zip.finish();
  return out;
}

}  // namespace wick::fuzz
