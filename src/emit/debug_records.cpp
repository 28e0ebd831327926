// Debug records of lite files: the source line of each instruction.
#include "emit/debug_records.h"

#include <algorithm>
#include <map>

#include "archive/pickle.h"
#include "archive/source_range.h"
#include "core/check.h"
#include "core/stopped.h"
#include "emit/pickle_values.h"

namespace wick::emit {

namespace {

constexpr const char* kHandles = "mobile_debug_handles.pkl";
constexpr const char* kCallStacks = "callstack_debug_map.pkl";
constexpr const char* kBackends = "delegated_backends.debug_pkl";
constexpr int64_t kUnknown = -1;

// Gives each instruction the number by which the call-stack map knows it.
class Handles {
 public:
  virtual ~Handles() = default;
  virtual int64_t handle(const ir::InlinedFunction& function, const ir::Node& node) = 0;
  // The map, once all handles are given.
  virtual void write_map(ZipWriter& zip) = 0;
};

// A program that came from bytecode keeps the map of its file. Its nodes know the instruction they were, as
// function << 32 | instruction.
class StoredHandles : public Handles {
 public:
  explicit StoredHandles(const ZipReader& archive) : archive_(archive) {
    const ZipReader::Record record = archive.read(kHandles);
    const IValue root = read_pickle(record.bytes, kHandles, {});
    for (const IValue& entry : root.to_tuple().items) {
      if (!entry.is_tuple()) continue;
      const IValue& table = entry.to_tuple().items.at(1).to_tuple().items.at(0).to_tuple().items.at(1);
      handles_.push_back(table.to_tuple().items.at(0).to_int_vec().vec());
    }
  }

  int64_t handle(const ir::InlinedFunction&, const ir::Node& node) override {
    if (node.source < 0) return kUnknown;
    const auto function = static_cast<size_t>(node.source >> 32);
    const auto instruction = static_cast<size_t>(node.source & 0xffffffff);
    const bool known = function < handles_.size() && instruction < handles_[function].size();
    return known ? handles_[function][instruction] : kUnknown;
  }

  void write_map(ZipWriter& zip) override {
    for (const char* record : {kBackends, kCallStacks}) {
      if (archive_.has(record)) zip.add(record, archive_.read(record).bytes, /*deflate=*/true);
    }
  }

 private:
  const ZipReader& archive_;
  std::vector<std::vector<int64_t>> handles_;
};

// A program that came from source gets a map of its own, which refers to the ranges of the source's debug records.
class SourceHandles : public Handles {
 public:
  explicit SourceHandles(const ir::Program& program) : program_(program) {}

  int64_t handle(const ir::InlinedFunction& function, const ir::Node& node) override {
    // PyTorch's loader refuses an entry without a range.
    if (tag_of(node.source) == kUnknown) return kUnknown;
    const auto [it, fresh] = handles_.try_emplace(&node, static_cast<int64_t>(entries_.size()));
    if (fresh) {
      IValue calls = node.call_site < 0 ? IValue() : call_stack(function, node.call_site);
      const std::string name = ir::name_of(node);
      entries_.push_back(IValue::tuple(
          {IValue(it->second), IValue(tag_of(node.source)), IValue(name.substr(0, name.find('.'))), std::move(calls)}));
    }
    return it->second;
  }

  void write_map(ZipWriter& zip) override {
    StorageTable none;
    zip.add(kCallStacks, ValuePickler(none).run(IValue::tuple(std::move(entries_))), /*deflate=*/true);
  }

 private:
  // Outermost call first, each holding the one inside it.
  IValue call_stack(const ir::InlinedFunction& function, int32_t site) {
    IValue& known = stacks_[{&function, site}];
    if (!known.is_none()) return known;
    IValue inner;
    for (int32_t at = site; at >= 0;) {
      const ir::CallSite& call = function.function->call_sites[static_cast<size_t>(at)];
      const ir::CalledObject& object = function.objects[static_cast<size_t>(at)];
      IValue instance;
      if (!object.class_name.empty()) instance = IValue::tuple({IValue(object.class_name), IValue(object.name)});
      const std::string own_name = call.callee.substr(call.callee.rfind('.') + 1);
      inner = IValue::tuple({std::move(instance), IValue(tag_of(call.source)), std::move(inner), IValue(own_name)});
      at = call.parent;
    }
    return known = inner;
  }

  int64_t tag_of(int64_t source) {
    if (!program_.source_place) return kUnknown;
    const auto place = program_.source_place(source);
    if (!place) return kUnknown;
    auto found = ranges_.find(place->first);
    if (found == ranges_.end()) found = ranges_.emplace(place->first, read_ranges(place->first)).first;
    const auto after = std::upper_bound(found->second.begin(), found->second.end(),
                                        std::pair{static_cast<int64_t>(place->second), INT64_MAX});
    return after == found->second.begin() ? kUnknown : std::prev(after)->second;
  }

  // Offsets in the text and the tags of the ranges that begin there.
  std::vector<std::pair<int64_t, int64_t>> read_ranges(const std::string& record) const {
    std::vector<std::pair<int64_t, int64_t>> out;
    const std::string name = record + ".debug_pkl";
    if (!program_.archive->has(name)) return out;
    try {
      for (const SourceRange& range : read_source_ranges(read_pickle(program_.archive->read(name).bytes, name, {}))) {
        out.emplace_back(range.offset, range.tag);
      }
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const Error& e) {
      rethrow_if_stopped(e);
      return {};  // bad debug records are as good as none
    } catch (const std::exception&) {
      return {};
    }
    std::sort(out.begin(), out.end());
    return out;
  }

  const ir::Program& program_;
  std::unordered_map<const ir::Node*, int64_t> handles_;
  std::vector<IValue> entries_;
  std::map<std::pair<const ir::InlinedFunction*, int32_t>, IValue> stacks_;
  std::unordered_map<std::string, std::vector<std::pair<int64_t, int64_t>>> ranges_;
};

std::unique_ptr<Handles> handles_of(const ir::Program& program) {
  if (!program.archive) return nullptr;
  if (program.kind == ir::FileKind::kTorchScript) return std::make_unique<SourceHandles>(program);
  if (!program.archive->has(kHandles) || !program.archive->has(kCallStacks)) return nullptr;
  try {
    return std::make_unique<StoredHandles>(*program.archive);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const Error& e) {
    rethrow_if_stopped(e);
    return nullptr;
  } catch (const std::exception&) {
    return nullptr;
  }
}

IValue function_entry(const std::string& name, const std::vector<int64_t>& handles) {
  IValue list = IValue::tuple({IValue::int_list(handles)});
  IValue table = IValue::tuple({IValue::tuple({IValue("function_debug_handles"), std::move(list)})});
  return IValue::tuple({IValue(name), std::move(table)});
}

}  // namespace

void write_debug_records(ZipWriter& zip, const ir::Program& program, const std::vector<WrittenFunction>& functions,
                         int64_t bytecode_version) {
  const std::unique_ptr<Handles> known = handles_of(program);
  if (!known) return;
  std::vector<IValue> entries{IValue(bytecode_version)};
  for (const WrittenFunction& function : functions) {
    std::vector<int64_t> handles;
    for (const ir::Node* node : function.code.nodes) {
      handles.push_back(node ? known->handle(function.inlined, *node) : kUnknown);
    }
    entries.push_back(function_entry(function.code.function.name, handles));
  }
  StorageTable none;
  zip.add(kHandles, ValuePickler(none).run(IValue::tuple(std::move(entries))));
  known->write_map(zip);
}

}  // namespace wick::emit
