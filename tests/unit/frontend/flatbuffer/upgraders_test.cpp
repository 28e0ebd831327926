// Calls of PyTorch's functions for old operators: whose list of them a file means.
#include "frontend/flatbuffer/upgraders.h"

#include <fstream>
#include <iterator>

#include "unit/frontend/bytecode/answers.h"

namespace wick::flatbuffer {
namespace {

constexpr const char* kCall = "OP";  // replaced below: CALL has no name in other files

// forward(self, x, y, n) with a call of the function after the given pushes.
lite::BytecodeFunction calling(int function, const std::vector<std::pair<const char*, std::pair<int, int>>>& pushes) {
  std::vector<std::pair<const char*, std::pair<int, int>>> code{{"STOREN", {1, 4}}};
  code.insert(code.end(), pushes.begin(), pushes.end());
  code.push_back({kCall, {function, 0}});
  code.push_back({"RET", {0, 0}});
  lite::BytecodeFunction f = test::bytecode(code);
  f.instructions[f.instructions.size() - 2].op = 14;
  Argument y = f.schema.arguments[1], n = f.schema.arguments[1];
  y.name = "y";
  n.name = "n";
  n.type = types::number();
  f.schema.arguments.push_back(y);
  f.schema.arguments.push_back(n);
  f.constants = {IValue(2.5), IValue("floor")};
  return f;
}

// The operator that the call becomes, or the error.
std::string meaning(std::vector<lite::BytecodeFunction> functions) {
  lite::LiftContext context;
  context.bytecode_version = 9;
  context.operator_version = 10;
  try {
    name_upgraders(functions, context);
  } catch (const Error& e) {
    return std::string(to_string(e.code())) + ": " + e.what();
  }
  const lite::OperatorRef& ref = functions[0].operators.back();
  return ref.name + "." + ref.overload;
}

constexpr std::pair<const char*, std::pair<int, int>> kX{"LOAD", {2, 0}}, kY{"LOAD", {3, 0}}, kN{"LOAD", {4, 0}},
    kNumber{"LOADC", {0, 0}}, kMode{"LOADC", {1, 0}};

TEST(Upgraders, AreKnownByTheNumberOfTheirArguments) {
  EXPECT_EQ(meaning({calling(0, {kX, kN})}), "aten::div.Scalar");
  EXPECT_EQ(meaning({calling(1, {kX, kY})}), "aten::div.Tensor");
  EXPECT_EQ(meaning({calling(1, {kX, kN, kMode})}), "aten::div.Scalar_mode");
  EXPECT_EQ(meaning({calling(3, {kX, kY})}), "aten::div_.Tensor");
  EXPECT_EQ(meaning({calling(3, {kX, kY, kMode})}), "aten::div.Tensor_mode");
  EXPECT_EQ(meaning({calling(4, {kX, kN})}), "aten::div_.Scalar");
  EXPECT_EQ(meaning({calling(4, {kX, kY, kX})}), "aten::div.out");
  EXPECT_EQ(meaning({calling(5, {kX})}), "aten::gelu.");
  EXPECT_EQ(meaning({calling(8, {kX, kY, kX})}), "aten::div.out");
  EXPECT_EQ(meaning({calling(11, {kX})}), "aten::gelu.");
  EXPECT_EQ(meaning({calling(12, {kX, kY})}), "aten::gelu.out");
}

TEST(Upgraders, AreKnownByTheTypeOfTheLastArgument) {
  EXPECT_EQ(meaning({calling(2, {kX, kNumber})}), "aten::div_.Scalar");
  EXPECT_EQ(meaning({calling(2, {kX, kN})}), "aten::div_.Scalar");
  EXPECT_EQ(meaning({calling(2, {kX, kY})}), "aten::div.Tensor");
}

TEST(Upgraders, OneFunctionTellsForAllOfTheFile) {
  EXPECT_EQ(meaning({calling(6, {kX, kY}), calling(5, {kX})}), "aten::gelu.out");
  EXPECT_EQ(meaning({calling(6, {kX, kY}), calling(11, {kX})}), "aten::div_.Tensor");
}

TEST(Upgraders, WhatMayBeEitherIsRefused) {
  const std::string message = meaning({calling(6, {kX, kY})});
  EXPECT_NE(message.find("unsupported: flatbuffer: __torch__.M.forward calls PyTorch's function 6"), message.npos);
  EXPECT_NE(message.find("aten::gelu.out in PyTorch 1.13 and aten::div_.Tensor in PyTorch 2"), message.npos) << message;
}

TEST(Upgraders, UnknownOnesAreCorrupt) {
  EXPECT_NE(meaning({calling(17, {kX})}).find("corrupt_file: flatbuffer: instruction 2"), std::string::npos);
  EXPECT_NE(meaning({calling(-1, {kX})}).find("corrupt_file"), std::string::npos);
}

// The fixture calls functions of PyTorch 1.13's list; the same file with the places that they have in PyTorch 2's.
TEST(Upgraders, AFileOfPyTorch2GivesTheSameAnswers) {
  std::ifstream in(test::lite_path("upgraded.ff"), std::ios::binary);
  std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(in), {}};
  constexpr uint8_t kPlaces[] = {0, 2, 4, 6, 8, 11};
  int changed = 0;
  for (size_t at = 8; at + 8 <= bytes.size(); at += 4) {
    const uint8_t* b = bytes.data() + at;
    const bool is_pushed = b[-8] == 2 || b[-8] == 3 || b[-8] == 8;  // LOAD, MOVE, LOADC
    const bool is_call = is_pushed && b[0] == 14 && !b[1] && !b[2] && !b[3] && b[4] < 6 && !b[5] && !b[6] && !b[7];
    if (!is_call) continue;
    bytes[at + 4] = kPlaces[b[4]];
    ++changed;
  }
  ASSERT_EQ(changed, 6);
  test::expect_answers(load(bytes), "upgraded");
}

}  // namespace
}  // namespace wick::flatbuffer
