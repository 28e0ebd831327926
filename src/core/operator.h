// Operators as every layer above core sees them: a schema and a function to call, found by name.
//
//   const Operator* op = find_operator("aten::relu");
//   op->call(args, nargs, rets);
//
// The table itself, and how a C++ function becomes an operator, is ops/op_entry.h.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "core/callback.h"
#include "core/op_traits.h"
#include "core/schema.h"
#include "wick/ivalue.h"

namespace wick {

using OpCall = void (*)(IValue* args, size_t nargs, IValue* rets);

// What an operator does that an application has registered: a function with state.
class CustomCall {
 public:
  virtual ~CustomCall() = default;
  // As Operator::call.
  virtual void call(IValue* args, size_t nargs, IValue* rets) const = 0;
};

// An operator ready to be called. Lives as long as the process.
struct Operator {
  Operator(FunctionSchema schema, OpCall function, OpTraits traits = {});

  // args: schema.arguments.size() values (or any number for varargs), which may be consumed.
  // rets: space for schema.returns.size() values.
  void call(IValue* args, size_t nargs, IValue* rets) const {
    if (custom) [[unlikely]] {
      custom->call(args, nargs, rets);
    } else {
      function(args, nargs, rets);
    }
  }

  bool has(OpTraits all) const { return traits.has(all); }
  // Nothing is known about it: it may do anything.
  bool is_unknown() const { return traits.empty(); }
  // Whether equal arguments always give equal results, and nothing else happens, whatever the arguments.
  bool is_function() const;

  FunctionSchema schema;
  OpCall function;
  std::shared_ptr<const CustomCall> custom;  // instead of the function, if set
  OpTraits traits;
  // What follows from the schema.
  bool mutates = false;         // writes to an argument that the schema marks
  bool has_statistics = false;  // in training, writes running statistics that the schema does not mark
};

// The value of an argument of a call, null where it is not known.
using KnownArgument = Callback<const IValue*(size_t)>;
// Whether the call may draw random numbers: a dropout that is switched off does not.
bool may_draw(const Operator& op, const KnownArgument& argument);
// Whether the call may write running statistics: a normalization in evaluation mode does not.
bool may_update_statistics(const Operator& op, const KnownArgument& argument);
// Whether the call, repeated, would give equal results, and nothing else happens.
bool is_function_call(const Operator& op, const KnownArgument& argument);

// Of an in-place operator the one that gives a new tensor: "aten::add_.Tensor" -> "aten::add.Tensor", with the same
// arguments. Null when there is none.
const Operator* functional_variant_of(const Operator& op);

// Operators that an application registers at run time (wick/registry.h) are found after those of the table. The hook
// is null until there are any, so that a library without them does not hold the registry.
struct CustomOperators {
  const Operator* (*find)(std::string_view full_name);
  // Appends the operators of this name, whatever their overloads.
  void (*find_all)(std::string_view name, std::vector<const Operator*>& out);
};
extern std::atomic<const CustomOperators*> custom_operators;

// Null when this build does not have it. Thread-safe. The schema is parsed at the first look-up.
const Operator* find_operator(std::string_view name, std::string_view overload);
const Operator* find_operator(std::string_view full_name);
// Schema texts of all operators in this build, in table order.
std::vector<std::string_view> all_operator_schemas();

// Calls an operator by name with the arguments given, defaults filled in; for tests and tools.
// Throws kMissingOperator, kInvalidArgument.
std::vector<IValue> call_operator(std::string_view full_name, std::vector<IValue> args);

}  // namespace wick
