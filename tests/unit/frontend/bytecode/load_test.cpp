// Fixture files of tests/data/lite: they load, and give PyTorch's answers.
#include "api/module_access.h"
#include "core/tensor_impl.h"
#include "unit/frontend/bytecode/answers.h"

namespace wick::test {
namespace {

class LiteFixtures : public ::testing::TestWithParam<Fixture> {};

TEST_P(LiteFixtures, LoadsAndVerifies) {
  LoadOptions options;
  options.allow_missing_operators = true;
  auto program = load_fixture(GetParam().file, options);
  ASSERT_TRUE(program->root.is_object());
  ASSERT_FALSE(program->functions.empty());
  for (const auto& function : program->functions) ir::verify(*function);
}

TEST_P(LiteFixtures, GivesPyTorchsAnswers) {
  expect_answers(make_module(load_fixture(GetParam().file)), GetParam().cases);
}

INSTANTIATE_TEST_SUITE_P(All, LiteFixtures, ::testing::ValuesIn(kFixtures), fixture_name);

TEST(LiteLoad, VersionsAreKnown) {
  LoadOptions options;
  options.allow_missing_operators = true;
  EXPECT_EQ(load_fixture("arithmetic.ptl", options)->bytecode_version, 8);
  EXPECT_EQ(load_fixture("arithmetic_v4.ptl", options)->bytecode_version, 4);
  EXPECT_EQ(load_fixture("arithmetic.ff", options)->bytecode_version, 9);
  EXPECT_EQ(load_fixture("old_ops.ptl", options)->operator_version, 10);
  EXPECT_EQ(load_fixture("counter.ptl", options)->operator_version, 3);
}

TEST(LiteLoad, ExtraFilesComeAlong) {
  LoadOptions options;
  options.allow_missing_operators = true;
  for (const char* file : {"arithmetic.ptl", "arithmetic.ff"}) {
    auto program = load_fixture(file, options);
    ASSERT_EQ(program->extra_files.count("metadata.json"), 1u) << file;
    EXPECT_EQ(program->extra_files["metadata.json"], "{\"answer\": 42}");
  }
}

TEST(LiteLoad, ObjectsAreRestoredByTheirSetState) {
  LoadOptions options;
  options.allow_missing_operators = true;
  for (const char* file : {"stateful.ptl", "stateful.ff"}) {
    auto program = load_fixture(file, options);
    const IValue inner = program->root.to_object().attr("inner");
    ASSERT_TRUE(inner.is_object()) << file;
    EXPECT_EQ(inner.to_object().cls->name, "__torch__.Stateful");
    EXPECT_TRUE(program->find("__torch__.Stateful.__setstate__"));
  }
}

TEST(LiteLoad, TensorsShareStorageAsInTheFile) {
  LoadOptions options;
  options.allow_missing_operators = true;
  for (const char* file : {"aliases.ptl", "aliases.ff"}) {
    auto program = load_fixture(file, options);
    const ObjectImpl& root = program->root.to_object();
    const Tensor whole = root.attr("whole").to_tensor();
    const Tensor view = root.attr("view").to_tensor();
    EXPECT_EQ(whole.storage(), view.storage()) << file;
    EXPECT_EQ(view.storage_offset(), 1) << file;
    EXPECT_EQ(root.attr("quantised").to_tensor().quantizer().scale, 0.5) << file;
    EXPECT_EQ(root.attr("channels").to_tensor().quantizer().axis, 0) << file;
  }
}

TEST(LiteLoad, AttributeNamesReachTheGraph) {
  LoadOptions options;
  options.allow_missing_operators = true;
  auto program = load_fixture("failing.ptl", options);
  EXPECT_NE(ir::to_text(*program->find_method("forward")).find("prim::GetAttr[name=\"inner\"]"), std::string::npos);
}

TEST(LiteLoad, DebugInfoNamesModulesAndLines) {
  LoadOptions options;
  options.allow_missing_operators = true;
  auto program = load_fixture("failing.ptl", options);
  std::string where;
  for (const ir::Node* node : program->find_method("forward")->graph.body()->nodes) {
    if (node->op_name == "aten::matmul") where = program->describe_source(node->source);
  }
  EXPECT_NE(where.find("Module hierarchy:top(Failing)::forward.inner(Inner)::forward.aten::matmul"), std::string::npos)
      << where;
  EXPECT_NE(where.find("return self.inner(x, y) + 1"), std::string::npos) << where;
  EXPECT_NE(where.find("return torch.matmul(x, y)"), std::string::npos) << where;
  EXPECT_NE(where.find("make.py:"), std::string::npos) << where;
  EXPECT_EQ(program->describe_source(-1), "");
  EXPECT_EQ(program->describe_source(int64_t{1} << 50), "");
}

TEST(LiteLoad, ErrorsNameTheModelsOwnCode) {
  const Module module = make_module(load_fixture("failing.ptl"));
  const Tensor x = Tensor::zeros({2, 3});
  try {
    module.forward({IValue(x), IValue(x)});
    FAIL() << "no error";
  } catch (const Error& e) {
    const std::string message = e.what();
    EXPECT_NE(message.find("mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)"), std::string::npos) << message;
    EXPECT_NE(message.find("top(Failing)::forward.inner(Inner)::forward.aten::matmul"), std::string::npos) << message;
    EXPECT_NE(message.find("return torch.matmul(x, y)"), std::string::npos) << message;
  }
}

TEST(LiteLoad, BundledInputsComeOutAndRun) {
  for (const char* file : {"bundled.ptl", "bundled.ff"}) {
    const Module module = make_module(load_fixture(file));
    const auto inputs = module.bundled_inputs();
    ASSERT_EQ(inputs.size(), 2u) << file;
    EXPECT_EQ(inputs[1][0].to_tensor().numel(), 40);
    EXPECT_EQ(inputs[1][1].to_int(), 3);
    expect_close(module.run_on_bundled_input(0), module.forward(inputs[0]), file);
  }
}

TEST(LiteLoad, OtherKindsOfFilesAreNamed) {
  auto message = [](const char* file) { return message_of(ErrorCode::kUnsupported, [&] { load_fixture(file); }); };
  EXPECT_NE(message("not_lite.pt").find("TorchScript model"), std::string::npos);
  EXPECT_NE(message("arithmetic.cases.pt").find("torch.save archive"), std::string::npos);
}

TEST(LiteLoad, InterfaceCallsNameTheMissingMethod) {
  const Module module = make_module(load_fixture("interfaces.ptl"));
  const std::string message = message_of(ErrorCode::kNotFound, [&] {
    module.forward({IValue(Tensor::zeros({2, 2}))});
  });
  EXPECT_NE(message.find("forward"), std::string::npos) << message;
  EXPECT_NE(message.find("__torch__.Twice"), std::string::npos) << message;
}

}  // namespace
}  // namespace wick::test
