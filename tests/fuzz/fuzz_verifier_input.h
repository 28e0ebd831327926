// A bytecode function made from arbitrary bytes, for the verifier's fuzz target and its seeded test.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/check.h"
#include "frontend/bytecode/lift.h"
#include "fuzz/feed.h"
#include "fuzz/rewritten.h"

namespace wick::fuzz {

inline lite::BytecodeFunction function_from_bytes(const uint8_t* data, size_t size) {
  static const char* const kOperators[][2] = {
      {"aten::add", "Tensor"},
      {"aten::relu", ""},
      {"aten::add", "out"},
      {"aten::div", "Tensor"},
      {"aten::__getitem__", "t"},
      {"aten::append", "t"},
      {"aten::len", "t"},
      {"prim::TupleUnpack", ""},
      {"prim::ListUnpack", ""},
      {"prim::TupleConstruct", ""},
      {"aten::format", ""},
      {"prim::unchecked_cast", ""},
      {"aten::no_such_operator", ""},
      {"aten::_convolution", ""},
      {"prim::RaiseException", ""},
      {"aten::linspace", ""},
  };
  static const char* const kTypes[] = {"List[int]",
                                       "Dict[str, Tensor]",
                                       "Tuple[int, Tensor]",
                                       "Optional[int]",
                                       "Any",
                                       "__torch__.P[NamedTuple, [[a, Tensor], [b, int]]]",
                                       "__torch__.C"};
  ByteFeed feed(data, size);
  lite::BytecodeFunction f;
  f.name = "__torch__.M.forward";
  f.register_size = feed.byte();
  f.has_schema = feed.byte() % 4 != 0;
  if (f.has_schema) {
    f.schema.arguments.resize(feed.byte() % 4);
    f.schema.returns.resize(feed.byte() % 3);
    for (Argument& a : f.schema.arguments) a.type = parse_type(kTypes[feed.byte() % std::size(kTypes)]);
    for (Argument& a : f.schema.returns) a.type = types::any();
  }
  for (const auto& [name, overload] : kOperators) f.operators.push_back({name, overload, feed.small() % 6});
  for (lite::OperatorRef& ref : f.operators) ref.num_specified = std::max<int64_t>(ref.num_specified, -1);
  f.constants = {IValue(0),
                 IValue(true),
                 IValue(),
                 IValue("text"),
                 IValue(1.5),
                 IValue(int64_t{1} << 40),
                 IValue::int_list({1, 2}),
                 IValue::tuple({IValue(1), IValue("a")})};
  for (const char* type : kTypes) f.types.push_back(parse_type(type));
  while (!feed.empty()) {
    lite::Instruction ins;
    ins.op = feed.byte() % 52;
    ins.x = feed.small();
    ins.n = feed.byte() % 8;
    f.instructions.push_back(ins);
  }
  return f;
}

// Lifts the function under the versions that differ; what is accepted must be well formed.
inline void verify_bytes(const uint8_t* data, size_t size) {
  if (size > (1 << 16)) return;
  const lite::BytecodeFunction f = function_from_bytes(data, size);
  for (int64_t version : {3, 5, 8}) {
    lite::LiftContext context;
    context.bytecode_version = version;
    context.operator_version = version;
    lite::BytecodeFunction lifted = f;
    try {
      const std::unique_ptr<ir::Function> function = lite::lift(lifted, context);
      ir::verify(*function);
      check_rewritten(*function, version);
    } catch (const Error& e) {
      if (e.code() == ErrorCode::kInternal) throw;
    }
  }
}

}  // namespace wick::fuzz
