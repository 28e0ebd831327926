#include "emit/debug_records.h"

#include "archive/pickle.h"
#include "core/check.h"
#include "emit/pickle_values.h"

namespace wick::emit {

namespace {

constexpr const char* kHandles = "mobile_debug_handles.pkl";
constexpr const char* kCallStacks = "callstack_debug_map.pkl";
constexpr const char* kBackends = "delegated_backends.debug_pkl";
constexpr int64_t kUnknown = -1;

// Handles of the instructions of each function, in the order of the file.
std::vector<std::vector<int64_t>> read_handles(const ZipReader& archive) {
  std::vector<std::vector<int64_t>> out;
  const ZipReader::Record record = archive.read(kHandles);
  const IValue root = read_pickle(record.bytes, kHandles, {});
  for (const IValue& entry : root.to_tuple().items) {
    if (!entry.is_tuple()) continue;
    const IValue& table = entry.to_tuple().items.at(1).to_tuple().items.at(0).to_tuple().items.at(1);
    out.push_back(table.to_tuple().items.at(0).to_int_vec().vec());
  }
  return out;
}

// Nodes of a lifted program know the instruction they were, as function << 32 | instruction.
int64_t handle_of(const std::vector<std::vector<int64_t>>& handles, const ir::Node* node) {
  if (!node || node->source < 0) return kUnknown;
  const auto function = static_cast<size_t>(node->source >> 32);
  const auto instruction = static_cast<size_t>(node->source & 0xffffffff);
  return function < handles.size() && instruction < handles[function].size() ? handles[function][instruction]
                                                                             : kUnknown;
}

IValue function_handles(const GeneratedCode& code, std::vector<int64_t> handles) {
  IValue list = IValue::tuple({IValue::int_list(handles)});
  IValue table = IValue::tuple({IValue::tuple({IValue("function_debug_handles"), std::move(list)})});
  return IValue::tuple({IValue(code.function.name), std::move(table)});
}

}  // namespace

void write_debug_records(ZipWriter& zip, const ir::Program& program, const std::vector<GeneratedCode>& functions,
                         int64_t bytecode_version) {
  if (!program.archive || !program.archive->has(kHandles) || !program.archive->has(kCallStacks)) return;
  std::vector<std::vector<int64_t>> known;
  try {
    known = read_handles(*program.archive);
  } catch (const std::exception&) {
    return;  // bad debug records are as good as none
  }
  std::vector<IValue> entries{IValue(bytecode_version)};
  for (const GeneratedCode& code : functions) {
    std::vector<int64_t> handles;
    for (const ir::Node* node : code.nodes) handles.push_back(handle_of(known, node));
    entries.push_back(function_handles(code, std::move(handles)));
  }
  StorageTable none;
  zip.add(kHandles, ValuePickler(none).run(IValue::tuple(std::move(entries))));
  for (const char* record : {kBackends, kCallStacks}) {
    if (program.archive->has(record)) zip.add(record, program.archive->read(record).bytes, /*deflate=*/true);
  }
}

}  // namespace wick::emit
