// Operators as every layer above core sees them: a schema and a function to call, found by name.
//
//   const Operator* op = find_operator("aten::relu");
//   op->call(args, nargs, rets);
//
// The table itself, and how a C++ function becomes an operator, is ops/op_entry.h.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "core/schema.h"
#include "wick/ivalue.h"

namespace wick {

using OpCall = void (*)(IValue* args, size_t nargs, IValue* rets);

// An operator ready to be called. Lives as long as the process.
struct Operator {
  FunctionSchema schema;
  OpCall function;
  // args: schema.arguments.size() values (or any number for varargs), which may be consumed.
  // rets: room for schema.returns.size() values.
  void call(IValue* args, size_t nargs, IValue* rets) const { function(args, nargs, rets); }
};

// Null when this build does not have it. Thread-safe. The schema is parsed at the first look-up.
const Operator* find_operator(std::string_view name, std::string_view overload);
const Operator* find_operator(std::string_view full_name);
// Schema texts of all operators in this build, in table order.
std::vector<std::string_view> all_operator_schemas();

// Calls an operator by name with the arguments given, defaults filled in; for tests and tools.
// Throws kMissingOperator, kInvalidArgument.
std::vector<IValue> call_operator(std::string_view full_name, std::vector<IValue> args);

}  // namespace wick
