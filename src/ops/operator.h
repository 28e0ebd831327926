// Operators: what the executor calls, how a C++ function becomes one, and how one is found.
//
// An operator is one line in its family's list:
//
//   const OpEntry kEntries[] = {
//       OP("aten::relu(Tensor self) -> Tensor", relu),
//       OP_INPLACE("aten::relu_(Tensor(a!) self) -> Tensor(a!)", relu),
//       OP_OUT("aten::sigmoid.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", sigmoid),
//   };
//   const OpFamily kActivationOps{kEntries};
//
// OP_INPLACE and OP_OUT derive the variant from the functional C++ function. A function whose last
// parameter is `Out` gets the destination passed and writes to it; for others the result is copied.
#pragma once

#include <span>
#include <string_view>

#include "core/schema.h"
#include "ops/boxing.h"

namespace wick {

struct OpEntry {
  const char* schema;
  AnyFn fn;
  Adapter adapter;
  int16_t arity;  // arguments the adapter takes, -1 for varargs; a test holds it equal to the schema's
};

struct OpFamily {
  std::span<const OpEntry> entries;
};

// An operator ready to be called. Lives as long as the process.
struct Operator {
  FunctionSchema schema;
  AnyFn fn;
  Adapter adapter;
  // args: schema.arguments.size() values (or any number for varargs), which may be consumed.
  // rets: room for schema.returns.size() values.
  void call(IValue* args, size_t nargs, IValue* rets) const { adapter(fn, args, nargs, rets); }
};

// Null when this build does not have it. Thread-safe. The schema is parsed at the first look-up.
const Operator* find_operator(std::string_view name, std::string_view overload);
const Operator* find_operator(std::string_view full_name);
// Schema texts of all operators in this build, in table order.
std::vector<std::string_view> all_operator_schemas();
// All entries in table order.
std::vector<const OpEntry*> all_operator_entries();

// Calls an operator by name with the arguments given, defaults filled in; for tests and tools.
// Throws kMissingOperator, kInvalidArgument.
std::vector<IValue> call_operator(std::string_view full_name, std::vector<IValue> args);

}  // namespace wick

#define WICK_OP_ENTRY(schema, fn, variant)                                              \
  ::wick::OpEntry {                                                                     \
    schema, reinterpret_cast<::wick::AnyFn>(&fn), &::wick::Box<decltype(&fn)>::variant, \
        ::wick::Box<decltype(&fn)>::variant##_arity                                     \
  }
#define OP(schema, fn) WICK_OP_ENTRY(schema, fn, plain)
#define OP_INPLACE(schema, fn) WICK_OP_ENTRY(schema, fn, inplace)
#define OP_OUT(schema, fn) WICK_OP_ENTRY(schema, fn, out)
