// Bytecode that no exporter writes is refused before anything runs.
#include "unit/frontend/bytecode/fixtures.h"

namespace wick::test {
namespace {

using lite::BytecodeFunction;

void expect_refused(const BytecodeFunction& f, const std::string& part) {
  const std::string message = message_of(ErrorCode::kCorruptFile, [&] { lift(f); });
  EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(LiteVerifier, AcceptsASmallFunction) {
  BytecodeFunction f = bytecode({{"STOREN", {1, 2}}, {"DROPR", {1, 0}}, {"MOVE", {2, 0}}, {"RET", {0, 0}}});
  auto function = lift(f);
  ir::verify(*function);
  EXPECT_EQ(function->graph.body()->results.size(), 1u);
  EXPECT_EQ(function->graph.body()->results[0], function->graph.body()->params[1]);
}

TEST(LiteVerifier, NamesFunctionAndInstruction) {
  BytecodeFunction f = bytecode({{"STOREN", {1, 2}}, {"LOAD", {7, 0}}, {"RET", {0, 0}}});
  expect_refused(f, "__torch__.M.forward, instruction 1 (LOAD 7): register 7 is read before it is written");
}

TEST(LiteVerifier, RefusesOperandsOutOfRange) {
  expect_refused(bytecode({{"STOREN", {1, 2}}, {"LOAD", {9, 0}}, {"RET", {0, 0}}}), "register 9 is outside 1..8");
  expect_refused(bytecode({{"STOREN", {1, 2}}, {"LOAD", {0, 0}}, {"RET", {0, 0}}}), "register 0 is outside");
  expect_refused(bytecode({{"STOREN", {7, 3}}, {"RET", {0, 0}}}), "register 7..9 is outside");
  expect_refused(bytecode({{"LOADC", {0, 0}}, {"RET", {0, 0}}}), "constant 0 does not exist");
  expect_refused(bytecode({{"LOADC", {-1, 0}}, {"RET", {0, 0}}}), "constant -1 does not exist");
  expect_refused(bytecode({{"OP", {0, 0}}, {"RET", {0, 0}}}), "operator 0 does not exist");
  expect_refused(bytecode({{"LIST_CONSTRUCT", {0, 0}}, {"RET", {0, 0}}}), "type 0 does not exist");
  expect_refused(bytecode({{"ISINSTANCE", {0, 2}}, {"RET", {0, 0}}}), "do not exist");
  expect_refused(bytecode({{"GET_ATTR", {-1, 0}}, {"RET", {0, 0}}}), "slot -1 is not valid");
  expect_refused(bytecode({{"LIST_UNPACK", {2147483647, 0}}, {"RET", {0, 0}}}),
                 "more values than the function has instructions");
  expect_refused(bytecode({{"TUPLE_CONSTRUCT", {-5, 0}}, {"RET", {0, 0}}}), "count -5 is not valid");
  expect_refused(bytecode({{"INTERFACE_CALL", {0, 1}}, {"RET", {0, 0}}}), "constant 0 does not exist");
}

TEST(LiteVerifier, RefusesInstructionsOfTheFullInterpreter) {
  for (const char* name : {"WAIT", "CALL", "FORK", "ENTER", "EXIT", "GUARD"}) {
    expect_refused(bytecode({{name, {0, 0}}, {"RET", {0, 0}}}), "is invalid in a lite-interpreter file");
  }
  BytecodeFunction f = bytecode({{"RET", {0, 0}}});
  f.instructions[0].op = 200;
  expect_refused(f, "unknown instruction code 200");
}

TEST(LiteVerifier, RefusesOperatorsWithoutAName) {
  BytecodeFunction f = bytecode({{"STOREN", {1, 2}}, {"MOVE", {2, 0}}, {"OP", {0, 0}}, {"RET", {0, 0}}});
  f.operators = {{"", "", 1}};
  expect_refused(f, "an operator has no name");
}

TEST(LiteVerifier, RefusesUnbalancedStacks) {
  expect_refused(bytecode({{"STOREN", {1, 2}}, {"DROP", {0, 0}}, {"RET", {0, 0}}}), "the stack is empty");
  expect_refused(bytecode({{"STOREN", {1, 3}}, {"RET", {0, 0}}}), "needs 3 values, the stack has 2");
  expect_refused(bytecode({{"STOREN", {1, 2}}, {"RET", {0, 0}}}), "RET leaves 0 values");
  expect_refused(bytecode({{"RET", {0, 0}}}), "RET leaves 2 values");
  expect_refused(bytecode({{"STOREN", {1, 2}}, {"LOAD", {1, 0}}}), "the last instruction is not RET");
  expect_refused(bytecode({{"STORE", {1, 0}}, {"RET", {0, 0}}, {"RET", {0, 0}}}), "RET before the end");
  BytecodeFunction branches = bytecode(
      {{"STOREN", {1, 2}}, {"LOADC", {0, 0}}, {"JF", {3, 0}}, {"LOAD", {1, 0}}, {"JMP", {1, 0}}, {"RET", {0, 0}}});
  branches.constants = {IValue(true)};
  expect_refused(branches, "the branches leave 1 and 0 values");
  BytecodeFunction pops = bytecode(
      {{"STORE", {1, 0}}, {"LOADC", {0, 0}}, {"JF", {3, 0}}, {"DROP", {0, 0}}, {"JMP", {1, 0}}, {"RET", {0, 0}}});
  pops.constants = {IValue(true)};
  expect_refused(pops, "the stack is empty");
}

TEST(LiteVerifier, RefusesUnstructuredJumps) {
  auto with_condition = [](std::vector<std::pair<const char*, std::pair<int, int>>> code) {
    BytecodeFunction f = bytecode(std::move(code));
    f.constants = {IValue(true), IValue(0), IValue(5)};
    return f;
  };
  expect_refused(with_condition({{"JMP", {0, 0}}, {"RET", {0, 0}}}), "belongs to no if or loop");
  expect_refused(with_condition({{"LOADC", {0, 0}}, {"JF", {100, 0}}, {"RET", {0, 0}}}), "leaves its block");
  expect_refused(with_condition({{"LOADC", {0, 0}}, {"JF", {-1, 0}}, {"RET", {0, 0}}}), "leaves its block");
  expect_refused(with_condition({{"LOADC", {0, 0}}, {"JF", {2, 0}}, {"DROP", {0, 0}}, {"RET", {0, 0}}}),
                 "does not end with a jump");
  expect_refused(with_condition({{"LOADC", {0, 0}}, {"JF", {2, 0}}, {"JMP", {50, 0}}, {"RET", {0, 0}}}),
                 "outside its block");
  expect_refused(with_condition({{"LOADC", {1, 0}},
                                 {"LOADC", {2, 0}},
                                 {"LOADC", {0, 0}},
                                 {"LOOP", {2, 2}},
                                 {"JMP", {-3, 0}},
                                 {"RET", {0, 0}}}),
                 "does not end with a jump back");
  expect_refused(with_condition({{"LOADC", {2, 0}},
                                 {"LOADC", {2, 0}},
                                 {"LOADC", {0, 0}},
                                 {"LOOP", {2, 2}},
                                 {"JMP", {-1, 0}},
                                 {"RET", {0, 0}}}),
                 "does not start at 0");
  expect_refused(with_condition({{"LOADC", {1, 0}},
                                 {"LOADC", {2, 0}},
                                 {"LOADC", {0, 0}},
                                 {"LOOP", {2, 2}},
                                 {"JMP", {-1, 0}},
                                 {"RET", {0, 0}}}),
                 "is not a bool");
  expect_refused(with_condition({{"LOADC", {1, 0}},
                                 {"LOADC", {2, 0}},
                                 {"LOADC", {0, 0}},
                                 {"LOOP", {2, 1}},
                                 {"JMP", {-1, 0}},
                                 {"RET", {0, 0}}}),
                 "needs a trip limit");
}

TEST(LiteVerifier, RefusesDeepNesting) {
  BytecodeFunction f = bytecode({{"STOREN", {1, 2}}});
  f.constants = {IValue(true)};
  auto code = [](const char* name, int x) {
    return lite::Instruction{static_cast<uint8_t>(lite::opcode_from_name(name)), 0, x};
  };
  constexpr int kDepth = 100000;
  for (int i = 0; i < kDepth; ++i) {
    f.instructions.push_back(code("LOADC", 0));
    f.instructions.push_back(code("JF", 3 * (kDepth - i) - 1));
  }
  for (int i = 0; i < kDepth; ++i) f.instructions.push_back(code("JMP", 1));
  f.instructions.push_back(code("MOVE", 2));
  f.instructions.push_back(code("RET", 0));
  expect_refused(f, "nested ifs and loops");
}

TEST(LiteVerifier, RefusesArgumentsOfTheWrongKind) {
  BytecodeFunction f = bytecode({{"STOREN", {1, 2}}, {"LOADC", {0, 0}}, {"OP", {0, 0}}, {"RET", {0, 0}}});
  f.operators = {{"aten::relu", "", 1}};
  f.constants = {IValue("text")};
  expect_refused(f, "argument 'self' of aten::relu is Tensor, given str");
  f.instructions[2].op = static_cast<uint8_t>(lite::Opcode::kOpN);
  expect_refused(f, "takes a fixed number of arguments");
  BytecodeFunction g = bytecode({{"STOREN", {1, 2}}, {"MOVE", {2, 0}}, {"GET_ATTR", {0, 0}}, {"RET", {0, 0}}});
  expect_refused(g, "expects an object, got Tensor");
}

TEST(LiteVerifier, RefusesTypesThatDoNotFitTheirInstruction) {
  BytecodeFunction f = bytecode({{"STOREN", {1, 2}}, {"LIST_CONSTRUCT", {0, 0}}, {"RET", {0, 0}}});
  f.types = {types::integer()};
  expect_refused(f, "type 0 is int, not a list");
  f.instructions[1].op = static_cast<uint8_t>(lite::Opcode::kDictConstruct);
  expect_refused(f, "not a dict");
  f.instructions[1].op = static_cast<uint8_t>(lite::Opcode::kNamedTupleConstruct);
  expect_refused(f, "not a named tuple");
  f.instructions[1].op = static_cast<uint8_t>(lite::Opcode::kCreateObject);
  expect_refused(f, "not a class");
}

TEST(LiteVerifier, TypesOfNestedTuplesStaySmall) {
  BytecodeFunction f = bytecode({{"STOREN", {1, 2}}});
  auto code = [](const char* name, int x) {
    return lite::Instruction{static_cast<uint8_t>(lite::opcode_from_name(name)), 0, x};
  };
  for (int i = 0; i < 50000; ++i) {
    f.instructions.push_back(code("LOAD", 2));
    f.instructions.push_back(code("LOAD", 2));
    f.instructions.push_back(code("TUPLE_CONSTRUCT", 2));
    f.instructions.push_back(code("STORE", 2));
  }
  f.instructions.push_back(code("LOAD", 2));
  f.instructions.push_back(code("RET", 0));
  ir::verify(*lift(f));
}

TEST(LiteVerifier, RegistersRewrittenInManyNestedLoopsAreLimited) {
  BytecodeFunction f = bytecode({{"STOREN", {1, 2}}});
  f.constants = {IValue(0), IValue(3), IValue(true)};
  f.register_size = 4000;
  auto code = [](const char* name, int x, int n = 0) {
    return lite::Instruction{static_cast<uint8_t>(lite::opcode_from_name(name)), static_cast<uint16_t>(n), x};
  };
  auto store_all = [&] {
    for (int r = 3; r < 3000; ++r) {
      f.instructions.push_back(code("LOAD", 2));
      f.instructions.push_back(code("STORE", r));
    }
  };
  store_all();
  constexpr int kDepth = 200;
  std::vector<size_t> loops;
  for (int i = 0; i < kDepth; ++i) {
    for (int c : {0, 1, 2}) f.instructions.push_back(code("LOADC", c));
    loops.push_back(f.instructions.size());
    f.instructions.push_back(code("LOOP", 0, 2));
    f.instructions.push_back(code("DROP", 0));
  }
  store_all();
  for (int i = kDepth; i-- > 0;) {
    f.instructions.push_back(code("LOADC", 2));
    const int back = static_cast<int>(loops[i]) - static_cast<int>(f.instructions.size());
    f.instructions.push_back(code("JMP", back));
    f.instructions[loops[i]].x = 1 - back;
  }
  f.instructions.push_back(code("LOAD", 2));
  f.instructions.push_back(code("RET", 0));
  expect_refused(f, "more values than the function has instructions");
}

}  // namespace
}  // namespace wick::test
