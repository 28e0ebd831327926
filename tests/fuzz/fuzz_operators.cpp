// Operators called with any arguments of their schemas' types, several in a row over the same values: each call gives a
// result that can be read to its end, or an Error.
#include <algorithm>

#include "core/copy.h"
#include "fuzz/bounds.h"
#include "fuzz/feed.h"
#include "ops/op_entry.h"
#include "unit/ops/hostile_guard.h"
#include "unit/ops/wild_values.h"

namespace {

using wick::IValue;

const std::vector<const wick::Operator*>& operators() {
  static const std::vector<const wick::Operator*> all = [] {
    std::vector<const wick::Operator*> out;
    for (const wick::OpEntry* entry : wick::all_operator_entries()) {
      const wick::Operator* op = wick::find_operator(wick::schema_full_name(entry->schema));
      if (op != nullptr && !wick::hostile::is_skipped(op->schema.name)) out.push_back(op);
    }
    return out;
  }();
  return all;
}

// What came out of calls before goes into later ones: views of the same storage, packed weights, lists that hold
// themselves.
void reuse(std::vector<IValue>& args, const wick::FunctionSchema& schema, const std::vector<IValue>& results,
           wick::fuzz::ByteFeed& feed) {
  if (results.empty()) return;
  for (size_t i = 0; i < std::min(args.size(), schema.arguments.size()); ++i) {
    const bool is_out = schema.arguments[i].is_out;
    const IValue& result = results[feed.below(results.size())];
    if (result.tag() == args[i].tag() && feed.one_in(is_out ? 2 : 3)) args[i] = result;
    // Written where it is read from.
    if (is_out && i > 0 && args[0].is_tensor() && args[i].is_tensor() && feed.one_in(4)) args[i] = args[0];
  }
}

void read_to_its_end(const IValue& value) {
  constexpr int64_t kMostElements = 4096;
  if (value.is_tensor() && value.to_tensor().numel() < kMostElements) wick::clone(value.to_tensor());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::vector<IValue> packed = wick::hostile::packed_weights();
  constexpr size_t kMostCalls = 6;
  wick::fuzz::ByteFeed feed(data, size);
  std::vector<IValue> results;
  for (size_t i = 0; i < kMostCalls && !feed.empty(); ++i) {
    const wick::Operator& op = *operators()[feed.word() % operators().size()];
    // Choices of this call's arguments are the next bytes, so that a change to one call leaves the others as they were.
    uint8_t choices[24];
    const size_t count = std::min(sizeof choices, feed.left());
    for (size_t k = 0; k < count; ++k) choices[k] = feed.byte();
    const std::string name = op.schema.full_name();
    wick::fuzz::run_bounded(name.c_str(), [&] {
      wick::hostile::Wild wild(wick::hostile::Entropy(choices, count), packed);
      std::vector<IValue> args = wild.arguments(op.schema);
      reuse(args, op.schema, results, feed);
      std::vector<IValue> rets(std::max<size_t>(1, op.schema.returns.size()));
      op.call(args.data(), args.size(), rets.data());
      for (const IValue& ret : rets) {
        read_to_its_end(ret);
        if (!ret.is_none()) results.push_back(ret);
      }
    });
  }
  return 0;
}
