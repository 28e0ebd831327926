// Every operator of the table with random arguments of its schema's types: each call must give a result or an Error,
// soon and without much memory. A model file may ask for any of these calls.
//
// WICK_HOSTILE_ROUNDS  calls of each operator (long runs under the sanitizers want thousands)
// WICK_HOSTILE_SEED    another sequence of arguments
// WICK_HOSTILE_FROM    the first operator, by its place in the table
// WICK_HOSTILE_ONLY    only operators whose name has this in it
// WICK_HOSTILE_BOUNDED calls of each operator with tensors of one element seen as very many, within limits
// WICK_HOSTILE_TRACE   prints each operator before it is called, and how many calls gave a result
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <optional>

#include "core/budget.h"
#include "ops/op_entry.h"
#include "unit/ops/hostile_guard.h"
#include "unit/ops/wild_values.h"

namespace wick {
namespace {

std::string_view environment(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value ? value : otherwise;
}

int64_t number_from_environment(const char* name, const char* otherwise) {
  return std::atoll(environment(name, otherwise).data());
}

// True when the operator took the arguments.
bool call_once(const Operator& op, hostile::Wild wild, const std::optional<RunOptions>& bounds = std::nullopt) {
  std::vector<IValue> rets(std::max<size_t>(1, op.schema.returns.size()));
  try {
    std::vector<IValue> args = wild.arguments(op.schema);
    std::optional<BoundedWork> bounded;
    if (bounds) bounded.emplace("the call", *bounds);
    op.call(args.data(), args.size(), rets.data());
    // What came back must be readable to its end.
    for (const IValue& ret : rets)
      if (ret.is_tensor() && ret.to_tensor().numel() < 4096) clone(ret.to_tensor());
  } catch (const Error&) {
    return false;
  } catch (const std::bad_alloc&) {
    return false;
  } catch (const std::length_error&) {
    return false;
  }
  return true;
}

// Calls each operator that is asked for; `repeats`: with tensors that repeat their elements, too.
void call_operators(int64_t rounds, bool repeats, const std::optional<RunOptions>& bounds) {
  const auto seed = static_cast<unsigned>(number_from_environment("WICK_HOSTILE_SEED", "1"));
  const auto from = static_cast<size_t>(number_from_environment("WICK_HOSTILE_FROM", "0"));
  const std::string_view only = environment("WICK_HOSTILE_ONLY", "");
  const bool trace = std::getenv("WICK_HOSTILE_TRACE") != nullptr;
  const std::vector<IValue> packed = hostile::packed_weights();
  const hostile::Guard guard;
  const std::vector<const OpEntry*> entries = all_operator_entries();
  for (size_t k = from; k < entries.size(); ++k) {
    const Operator* op = find_operator(schema_full_name(entries[k]->schema));
    ASSERT_NE(op, nullptr);
    const std::string name = op->schema.full_name();
    if (hostile::is_skipped(op->schema.name) || name.find(only) == std::string::npos) continue;
    if (trace) std::fprintf(stderr, "%zu %s\n", k, name.c_str());
    hostile::watch(name);
    int64_t taken = 0;
    for (int64_t round = 0; round < rounds; ++round) {
      const hostile::Wild wild(seed * 1000003u + static_cast<unsigned>(round), packed, repeats);
      taken += call_once(*op, wild, bounds);
    }
    if (trace) std::fprintf(stderr, "  %lld\n", static_cast<long long>(taken));
  }
}

TEST(AllOperators, AnyArgumentsGiveAResultOrAnError) {
  call_operators(number_from_environment("WICK_HOSTILE_ROUNDS", "12"), false, std::nullopt);
}

// Tensors may repeat their elements: they are then larger than all memory, and a loop over them does not end. With
// limits on time and memory every call ends soon.
TEST(AllOperators, LimitsHoldOverMoreElementsThanMemoryHas) {
  call_operators(number_from_environment("WICK_HOSTILE_BOUNDED", "2"), true,
                 RunOptions{.timeout = std::chrono::milliseconds(10), .max_memory = 64 << 20});
}

}  // namespace
}  // namespace wick
