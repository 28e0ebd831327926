// Fixture files of tests/data/lite: they load, and give PyTorch's answers.
#include "archive/pickle.h"
#include "core/check.h"
#include "lite_fixtures.h"
#include "ops/operator.h"

namespace wick::test {
namespace {

struct Fixture {
  const char* file;
  const char* cases;
};

constexpr Fixture kFixtures[] = {
    {"arithmetic.ptl", "arithmetic"},
    {"arithmetic_v4.ptl", "arithmetic"},
    {"arithmetic_v5.ptl", "arithmetic"},
    {"arithmetic_v6.ptl", "arithmetic"},
    {"arithmetic_v7.ptl", "arithmetic"},
    {"arithmetic.ff", "arithmetic"},
    {"control_flow.ptl", "control_flow"},
    {"control_flow_v5.ptl", "control_flow"},
    {"control_flow.ff", "control_flow"},
    {"containers.ptl", "containers"},
    {"containers_v4.ptl", "containers"},
    {"containers.ff", "containers"},
    {"named_tuples.ptl", "named_tuples"},
    {"counter.ptl", "counter"},
    {"counter.ff", "counter"},
    {"classes.ptl", "classes"},
    {"classes.ff", "classes"},
    {"enums.ptl", "enums"},
    {"stateful.ptl", "stateful"},
    {"stateful.ff", "stateful"},
    {"failing.ptl", "failing"},
    {"failing.ff", "failing"},
    {"bundled.ptl", "bundled"},
    {"bundled.ff", "bundled"},
    {"defaults.ptl", "defaults"},
    {"defaults.ff", "defaults"},
    {"aliases.ptl", "aliases"},
    {"aliases.ff", "aliases"},
    {"prepacked.ptl", "prepacked"},
    {"old_ops.ptl", "old_ops"},
    {"control_flow_v3.ptl", "control_flow"},
    {"language.ptl", "language"},
    {"language.ff", "language"},
    {"language_v7.ptl", "language"},
    {"language_v6.ptl", "language"},
    {"language_v5.ptl", "language"},
    {"language_v4.ptl", "language"},
    {"two/attention.ptl", "two/attention"},
    {"two/attention.ff", "two/attention"},
    {"two/transformer.ptl", "two/transformer"},
    {"two/overloads.ptl", "two/overloads"},
    {"two/overloads.ff", "two/overloads"},
    {"two/dtypes.ptl", "two/dtypes"},
};

// Equal up to rounding; tensors must agree in dtype, shape and strides.
void expect_close(const IValue& actual, const IValue& expected, const std::string& where) {
  if (expected.is_tensor()) {
    ASSERT_TRUE(actual.is_tensor()) << where << ": got " << actual.tag_name();
    const Tensor& a = actual.to_tensor();
    const Tensor& b = expected.to_tensor();
    ASSERT_EQ(a.dtype(), b.dtype()) << where;
    ASSERT_EQ(a.sizes(), b.sizes()) << where;
    for (int64_t d = 0; d < a.dim(); ++d) {
      if (a.size(d) > 1) {
        EXPECT_EQ(a.stride(d), b.stride(d)) << where << ": stride of dim " << d;
      }
    }
    const IValue same = call_operator("aten::allclose", {actual, expected, 1e-5, 1e-6})[0];
    EXPECT_TRUE(same.to_bool()) << where << ": " << repr(actual) << " instead of " << repr(expected);
  } else if (expected.is_tuple()) {
    ASSERT_TRUE(actual.is_tuple()) << where << ": got " << actual.tag_name();
    const auto& a = actual.to_tuple().items;
    const auto& b = expected.to_tuple().items;
    ASSERT_EQ(a.size(), b.size()) << where;
    for (size_t i = 0; i < a.size(); ++i) expect_close(a[i], b[i], cat(where, "[", i, "]"));
  } else {
    EXPECT_TRUE(equal(actual, expected)) << where << ": " << repr(actual) << " instead of " << repr(expected);
  }
}

// Lists of a torch.save file have no element type; a model's arguments need one.
IValue typed(const IValue& value, const Type& type) {
  if (value.is_list() && type.is(TypeKind::kList)) {
    std::vector<IValue> items;
    for (const IValue& item : value.to_list().items) items.push_back(typed(item, *type.element(0)));
    return IValue::list(type.element(0), std::move(items));
  }
  return value;
}

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
  auto program = load_fixture(GetParam().file);
  const Module module(program);
  const IValue cases = load_saved(lite_path(std::string(GetParam().cases) + ".cases.pt"));
  for (const IValue& entry : cases.to_list().items) {
    const auto& parts = entry.to_tuple().items;
    const std::string& method = parts[0].to_string();
    std::vector<IValue> args = parts[1].to_tuple().items;
    const ir::Function* function = program->find_method(method);
    ASSERT_TRUE(function) << method;
    for (size_t i = 0; i < args.size() && function->has_schema; ++i) {
      args[i] = typed(args[i], *function->schema.arguments[i + 1].type);
    }
    expect_close(module.run_method(method, args), parts[2], method);
  }
}

INSTANTIATE_TEST_SUITE_P(All, LiteFixtures, ::testing::ValuesIn(kFixtures), [](const auto& info) {
  std::string name = info.param.file;
  for (char& c : name) c = c == '.' || c == '/' ? '_' : c;
  return name;
});

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
  const Module module(load_fixture("failing.ptl"));
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
    const Module module(load_fixture(file));
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
  const Module module(load_fixture("interfaces.ptl"));
  const std::string message = message_of(ErrorCode::kNotFound, [&] {
    module.forward({IValue(Tensor::zeros({2, 2}))});
  });
  EXPECT_NE(message.find("forward"), std::string::npos) << message;
  EXPECT_NE(message.find("__torch__.Twice"), std::string::npos) << message;
}

}  // namespace
}  // namespace wick::test
