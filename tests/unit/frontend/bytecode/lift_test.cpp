// Bytecode to IR: what the graphs look like.
#include "core/operator.h"
#include "runtime/executor.h"
#include "unit/frontend/bytecode/fixtures.h"

namespace wick::test {
namespace {

using lite::BytecodeFunction;

size_t count(const std::string& text, const std::string& part) {
  size_t n = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST(LiteLift, MergesRegistersThatBranchesChange) {
  BytecodeFunction f = bytecode({{"STOREN", {1, 2}},
                                 {"LOADC", {1, 0}},
                                 {"STORE", {3, 0}},
                                 {"LOADC", {0, 0}},
                                 {"JF", {4, 0}},
                                 {"LOADC", {2, 0}},
                                 {"STORE", {3, 0}},
                                 {"JMP", {1, 0}},
                                 {"LOAD", {3, 0}},
                                 {"RET", {0, 0}}});
  f.constants = {IValue(true), IValue(1), IValue(2)};
  auto function = lift(f);
  ir::verify(*function);
  const ir::Value* result = function->graph.body()->results[0];
  ASSERT_TRUE(result->def);
  EXPECT_EQ(result->def->kind, ir::NodeKind::kIf);
  EXPECT_TRUE(result->type->is(TypeKind::kInt));
}

TEST(LiteLift, RegisterOfOneBranchOnlyCannotBeReadAfterwards) {
  BytecodeFunction f = bytecode({{"STOREN", {1, 2}},
                                 {"LOADC", {0, 0}},
                                 {"JF", {4, 0}},
                                 {"LOADC", {0, 0}},
                                 {"STORE", {3, 0}},
                                 {"JMP", {1, 0}},
                                 {"LOAD", {3, 0}},
                                 {"RET", {0, 0}}});
  f.constants = {IValue(true)};
  EXPECT_NE(message_of(ErrorCode::kCorruptFile, [&] { lift(f); }).find("register 3 is read"), std::string::npos);
}

TEST(LiteLift, CarriesRegistersThatALoopChanges) {
  BytecodeFunction f = bytecode({{"STOREN", {1, 2}},
                                 {"LOADC", {0, 0}},
                                 {"STORE", {3, 0}},
                                 {"LOADC", {0, 0}},
                                 {"LOADC", {1, 0}},
                                 {"LOADC", {2, 0}},
                                 {"LOOP", {4, 2}},
                                 {"STORE", {3, 0}},
                                 {"LOADC", {2, 0}},
                                 {"JMP", {-3, 0}},
                                 {"LOAD", {3, 0}},
                                 {"RET", {0, 0}}});
  f.constants = {IValue(0), IValue(5), IValue(true)};
  auto function = lift(f);
  ir::verify(*function);
  const ir::Value* result = function->graph.body()->results[0];
  ASSERT_TRUE(result->def);
  EXPECT_EQ(result->def->kind, ir::NodeKind::kLoop);
  EXPECT_EQ(result->def->inputs.size(), 3u);
}

TEST(LiteLift, FillsDefaultArguments) {
  BytecodeFunction f =
      bytecode({{"STOREN", {1, 2}}, {"LOAD", {2, 0}}, {"LOAD", {2, 0}}, {"OP", {0, 0}}, {"RET", {0, 0}}});
  f.operators = {{"aten::add", "Tensor", 2}};
  auto function = lift(f);
  ir::verify(*function);
  const ir::Node* node = function->graph.body()->results[0]->def;
  ASSERT_EQ(node->inputs.size(), 3u);
  EXPECT_EQ(node->inputs[2]->def->constant.to_int(), 1);
}

TEST(LiteLift, DefaultsGoBeforeOutArguments) {
  BytecodeFunction f = bytecode(
      {{"STOREN", {1, 2}}, {"LOAD", {2, 0}}, {"LOAD", {2, 0}}, {"LOAD", {2, 0}}, {"OP", {0, 0}}, {"RET", {0, 0}}});
  f.operators = {{"aten::add", "out", 3}};
  auto function = lift(f);
  const ir::Node* node = function->graph.body()->results[0]->def;
  ASSERT_EQ(node->inputs.size(), 4u);
  EXPECT_EQ(node->inputs[2]->def->kind, ir::NodeKind::kConstant);
  EXPECT_EQ(node->inputs[3], function->graph.body()->params[1]);
}

TEST(LiteLift, RefusesSurplusArgumentsOfNewerOperators) {
  BytecodeFunction f =
      bytecode({{"STOREN", {1, 2}}, {"LOAD", {2, 0}}, {"LOADC", {0, 0}}, {"OP", {0, 0}}, {"RET", {0, 0}}});
  f.operators = {{"aten::relu", "", 2}};
  f.constants = {IValue(7)};
  EXPECT_NE(message_of(ErrorCode::kUnsupportedVersion, [&] { lift(f); }).find("aten::relu is called with 2 arguments"),
            std::string::npos);
  f.constants = {IValue()};
  EXPECT_EQ(lift(f)->graph.body()->results[0]->def->inputs.size(), 1u);
}

TEST(LiteLift, TupleUnpackTakesItsCountFromTheStore) {
  BytecodeFunction f = bytecode({{"STOREN", {1, 2}},
                                 {"LOAD", {1, 0}},
                                 {"GET_ATTR", {0, 0}},
                                 {"OP", {0, 0}},
                                 {"STOREN", {3, 3}},
                                 {"LOAD", {5, 0}},
                                 {"RET", {0, 0}}});
  f.operators = {{"prim::TupleUnpack", "", 1}};
  auto function = lift(f);
  const ir::Node* node = function->graph.body()->results[0]->def;
  EXPECT_EQ(node->kind, ir::NodeKind::kTupleUnpack);
  EXPECT_EQ(node->outputs.size(), 3u);
}

TEST(LiteLift, TruncatingDivisionOfOldFiles) {
  BytecodeFunction f =
      bytecode({{"STOREN", {1, 2}}, {"LOAD", {2, 0}}, {"LOAD", {2, 0}}, {"OP", {0, 0}}, {"RET", {0, 0}}});
  f.operators = {{"aten::div", "Tensor", 2}};
  lite::LiftContext context;
  context.bytecode_version = 5;
  context.operator_version = 3;
  lite::BytecodeFunction again = f;
  auto function = lite::lift(f, context);
  ir::verify(*function);
  const std::string text = ir::to_text(*function);
  EXPECT_EQ(count(text, "aten::div.Tensor_mode"), 1u) << text;
  EXPECT_EQ(count(text, "prim::If"), 1u) << text;
  context.operator_version = 4;
  EXPECT_EQ(count(ir::to_text(*lite::lift(again, context)), "prim::If"), 0u);
}

TEST(LiteLift, CollectsMissingOperatorsWithTheirUse) {
  BytecodeFunction f =
      bytecode({{"STOREN", {1, 2}}, {"LOAD", {2, 0}}, {"OP", {0, 0}}, {"OP", {1, 0}}, {"RET", {0, 0}}});
  f.operators = {{"aten::no_such_thing", "", 1}, {"custom::other", "over", 1}};
  lite::LiftContext context;
  context.bytecode_version = 8;
  context.operator_version = 10;
  auto function = lite::lift(f, context);
  ir::verify(*function);
  ASSERT_EQ(context.missing.size(), 2u);
  ir::Program program;
  const std::string message = message_of(ErrorCode::kMissingOperator, [&] { lite::refuse_missing(context, program); });
  EXPECT_NE(message.find("Following ops cannot be found: [aten::no_such_thing, custom::other.over]"), std::string::npos)
      << message;
  EXPECT_NE(message.find("aten::no_such_thing is used in __torch__.M.forward"), std::string::npos) << message;
}

TEST(LiteLift, MissingOperatorsOfOldFilesWithUnknownArity) {
  BytecodeFunction f =
      bytecode({{"STOREN", {1, 2}}, {"LOAD", {2, 0}}, {"OP", {0, 0}}, {"OP", {1, 0}}, {"RET", {0, 0}}});
  f.operators = {{"aten::no_such_thing", "", -1}, {"custom::other", "", -1}};
  lite::LiftContext context;
  context.bytecode_version = 5;
  auto function = lite::lift(f, context);
  ir::verify(*function);
  EXPECT_EQ(context.missing.size(), 2u);
}

// A Union is refined by a cast: what was known of the value before must not be held against it.
TEST(LiteLift, CastsForgetTheTypeBefore) {
  BytecodeFunction f =
      bytecode({{"STOREN", {1, 2}}, {"LOADC", {0, 0}}, {"OP", {0, 0}}, {"OP", {1, 0}}, {"RET", {0, 0}}});
  f.operators = {{"prim::unchecked_cast", "", 1}, {"aten::relu", "", 1}};
  f.constants = {IValue("text")};
  ir::verify(*lift(f));
}

TEST(LiteLift, ObjectsAreMadeAndFilled) {
  BytecodeFunction f = bytecode({{"STOREN", {1, 2}},
                                 {"CREATE_OBJECT", {0, 0}},
                                 {"STORE", {3, 0}},
                                 {"LOAD", {3, 0}},
                                 {"LOADC", {0, 0}},
                                 {"SET_ATTR", {2, 0}},
                                 {"MOVE", {3, 0}},
                                 {"GET_ATTR", {2, 0}},
                                 {"RET", {0, 0}}});
  f.types = {types::class_type("__torch__.Box")};
  f.constants = {IValue(7)};
  ir::Program program;
  ir::Function* function = program.add(lift(f));
  const auto executor = std::make_shared<runtime::Executor>(program);
  const IValue result = executor->run(*function, {IValue(), IValue(Tensor::zeros({1}))});
  EXPECT_EQ(result.to_int(), 7);
}

TEST(LiteLift, PrintsLikeTorchScript) {
  BytecodeFunction f = bytecode({{"STOREN", {1, 2}}, {"LOAD", {2, 0}}, {"OP", {0, 0}}, {"RET", {0, 0}}});
  f.operators = {{"aten::relu", "", 1}};
  EXPECT_EQ(ir::to_text(*lift(f)),
            "graph(%self.0 : __torch__.M,\n"
            "      %x.1 : Tensor):\n"
            "  %2 : Tensor = aten::relu(%x.1)\n"
            "  return (%2)\n");
}

TEST(LiteLift, AReleasedGraphIsMadeAgainAsItWas) {
  for (const char* file :
       {"control_flow.ptl", "language.ptl", "classes.ptl", "old_ops.ptl", "language_v4.ptl", "containers.ff"}) {
    SCOPED_TRACE(file);
    const auto kept = test::load_fixture(file), released = test::load_fixture(file);
    ASSERT_EQ(kept->functions.size(), released->functions.size());
    for (const auto& f : released->functions) f->graph.release();
    for (size_t i = 0; i < kept->functions.size(); ++i) {
      EXPECT_EQ(ir::to_text(*released->functions[i]), ir::to_text(*kept->functions[i]));
      ir::verify(*released->functions[i]);
      // Whoever has looked at a graph may hold on to it.
      const ir::Block* body = released->functions[i]->graph.body();
      released->functions[i]->graph.release();
      EXPECT_EQ(released->functions[i]->graph.body(), body);
    }
  }
}

}  // namespace
}  // namespace wick::test
