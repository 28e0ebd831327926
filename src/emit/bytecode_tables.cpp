// Bytecode functions as the tuples of bytecode.pkl.
#include "emit/bytecode_tables.h"

#include <vector>

#include "core/check.h"
#include "emit/type_text.h"

namespace wick::emit {

namespace {

constexpr int64_t kFirstWithCounts = 6;

IValue field(const char* label, IValue value) { return IValue::tuple({IValue(label), std::move(value)}); }

IValue instructions(const lite::BytecodeFunction& function) {
  std::vector<IValue> out;
  for (const lite::Instruction& ins : function.instructions) {
    out.push_back(IValue::tuple(
        {IValue(lite::opcode_name(ins.op)), IValue(static_cast<int64_t>(ins.x)), IValue(static_cast<int64_t>(ins.n))}));
  }
  return IValue::tuple(std::move(out));
}

IValue operators(const lite::BytecodeFunction& function, int64_t version) {
  std::vector<IValue> out;
  for (const lite::OperatorRef& ref : function.operators) {
    std::vector<IValue> parts{IValue(ref.name), IValue(ref.overload)};
    if (version >= kFirstWithCounts) parts.push_back(IValue(ref.num_specified));
    out.push_back(IValue::tuple(std::move(parts)));
  }
  return IValue::tuple(std::move(out));
}

IValue type_table(const lite::BytecodeFunction& function) {
  std::vector<bool> tested(function.types.size());
  std::vector<bool> created(function.types.size());
  for (const lite::Instruction& ins : function.instructions) {
    const auto op = static_cast<lite::Opcode>(ins.op);
    for (size_t i = 0; op == lite::Opcode::kIsInstance && i < ins.n; ++i) tested[static_cast<size_t>(ins.x) + i] = true;
    if (op == lite::Opcode::kCreateObject) created[static_cast<size_t>(ins.x)] = true;
  }
  std::vector<IValue> out;
  for (size_t i = 0; i < function.types.size(); ++i) {
    const TypePtr& type = function.types[i];
    WICK_CHECK(!created[i] || type->name().starts_with("__torch__.torch.classes."), kUnsupported, function.name,
               " makes objects of class ", type->str(),
               "; lite files do not hold classes that are not modules. Keep the model as TorchScript (.pt)");
    out.push_back(tested[i] ? tested_text(type) : container_text(type));
  }
  return IValue::tuple(std::move(out));
}

IValue arguments(const std::vector<Argument>& arguments) {
  std::vector<IValue> out;
  out.reserve(arguments.size());
  for (const Argument& argument : arguments) {
    out.push_back(
        IValue::tuple({field("name", IValue(argument.name)), field("type", IValue(signature_text(argument.type))),
                       field("default_value", argument.has_default ? argument.default_value : IValue())}));
  }
  return IValue::tuple(std::move(out));
}

}  // namespace

IValue function_tables(const lite::BytecodeFunction& function, int64_t bytecode_version) {
  IValue code = IValue::tuple(
      {field("instructions", instructions(function)), field("operators", operators(function, bytecode_version)),
       field("constants", IValue::tuple(function.constants)), field("types", type_table(function)),
       field("register_size", IValue(function.register_size))});
  std::vector<IValue> parts{IValue(function.name), std::move(code)};
  if (function.has_schema) {
    parts.push_back(IValue::tuple({field("arguments", arguments(function.schema.arguments)),
                                   field("returns", arguments(function.schema.returns))}));
  }
  return IValue::tuple(std::move(parts));
}

}  // namespace wick::emit
