// Module::attr, setattr and get_method: what is found, what is refused, and what later runs see.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "wick/save.h"
#include "wick/wick.h"

namespace wick {
namespace {

Module script(const std::string& name) { return load(std::string(WICK_TEST_DATA) + "/script/" + name); }
Module lite(const std::string& name) { return load(std::string(WICK_TEST_DATA) + "/lite/" + name); }

Tensor filled(IntSpan sizes, float value) {
  Tensor t = Tensor::empty(sizes);
  std::fill_n(t.data_ptr<float>(), t.numel(), value);
  return t;
}

double first_of(const IValue& v) { return v.to_tensor().data_ptr<const float>()[0]; }

template <class Call>
void expect_error(ErrorCode code, const std::string& part, const Call& call) {
  try {
    call();
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), code) << e.what();
    EXPECT_NE(e.message().find(part), std::string::npos) << e.what();
  }
}

// Attributes that no code changes are constants of plans: those must be made again.
TEST(SetAttr, PlannedRunsSeeTheNewValue) {
  for (const bool planning : {true, false}) {
    Module module = script("roles.pt");
    module.set_planning(planning);
    const Tensor x = Tensor::zeros({3});
    const double before = first_of(module.forward({x}));
    EXPECT_EQ(first_of(module.forward({x})), before);
    const Tensor plain = module.attr("plain").to_tensor();
    double sum = 0;
    for (int64_t i = 0; i < plain.numel(); ++i) sum += plain.data_ptr<const float>()[i];
    module.setattr("plain", filled(plain.sizes(), 100));
    EXPECT_FLOAT_EQ(first_of(module.forward({x})), before - sum + 100.0 * plain.numel()) << planning;
    module.setattr("plain", plain);
    EXPECT_EQ(first_of(module.forward({x})), before) << planning;
  }
}

TEST(SetAttr, ReachesIntoSubmodulesAndIsSharedByCopies) {
  Module module = script("tree.pt");
  const Module copy = module;
  const Tensor weight = filled({4, 4}, 0.25f);
  module.setattr("sequence.0.weight", weight);
  EXPECT_TRUE(module.attr("sequence.0.weight").to_tensor().is_same(weight));
  EXPECT_TRUE(copy.attr("sequence.0.weight").to_tensor().is_same(weight));
  // An object of its own, which had the same tensor: only the attribute that was named is set.
  EXPECT_FALSE(module.attr("again.weight").to_tensor().is_same(weight));
}

TEST(SetAttr, AnUnknownAttributeIsNotFound) {
  Module module = script("tree.pt");
  for (const char* path : {"", "nothing", "sequence.0.nothing", "nothing.weight", "sequence.0.weight.data", "a..b"}) {
    expect_error(ErrorCode::kNotFound, "", [&] { module.setattr(path, 1); });
  }
  expect_error(ErrorCode::kInvalidArgument, "empty", [] { Module().setattr("x", 1); });
}

TEST(SetAttr, AValueOfAnotherTypeIsRefusedAndChangesNothing) {
  Module module = script("tree.pt");
  const Tensor before = module.attr("sequence.0.weight").to_tensor();
  expect_error(ErrorCode::kInvalidArgument, "'Tensor' for attribute 'sequence.0.weight' but instead found type 'int'",
               [&] { module.setattr("sequence.0.weight", 1); });
  EXPECT_TRUE(module.attr("sequence.0.weight").to_tensor().is_same(before));
  expect_error(ErrorCode::kInvalidArgument, "'bool'", [&] { module.setattr("training", Tensor::zeros({})); });
  expect_error(ErrorCode::kInvalidArgument, "", [&] { module.setattr("sequence", 1); });
  // An object of another class.
  const IValue other = module.attr("named");
  expect_error(ErrorCode::kInvalidArgument, "", [&] { module.setattr("sequence", other); });
  module.setattr("again", module.attr("sequence.0"));
}

TEST(SetAttr, ContainersAndUnionsAreCheckedAndConverted) {
  Module module = script("words.pt");
  module.setattr("maybe", 3);
  module.setattr("maybe", IValue());
  expect_error(ErrorCode::kInvalidArgument, "'maybe'", [&] { module.setattr("maybe", 1.5); });
  auto table = make_ref<DictImpl>();
  table->key_type = table->value_type = types::any();
  table->set("b", IValue::list(types::any(), {2, IValue()}));
  module.setattr("table", IValue(table));
  EXPECT_EQ(module.attr("table").type()->str(), "Dict[str, List[Optional[int]]]");
  table->set("c", "text");
  expect_error(ErrorCode::kInvalidArgument, "'table'", [&] { module.setattr("table", IValue(table)); });
}

// Lite files declare no types of attributes; what code writes is seen too.
TEST(SetAttr, OfALiteFileIsReadAndSaved) {
  Module module = lite("counter.ptl");
  module.forward({Tensor::zeros({2})});
  module.setattr("count", 41);
  module.setattr("seen", filled({2}, 1));
  EXPECT_EQ(first_of(module.forward({Tensor::zeros({2})})), 42);
  EXPECT_EQ(module.attr("count").to_int(), 42);
  const Module again = load(save_lite(module));
  EXPECT_EQ(again.attr("count").to_int(), 42);
}

TEST(Method, RunsAndDescribesItself) {
  const Method method = script("words.pt").get_method("forward");  // keeps the module
  EXPECT_EQ(method.name(), "forward");
  const MethodInfo info = method.info();
  EXPECT_EQ(info.name, "forward");
  ASSERT_EQ(info.arguments.size(), 2u);
  EXPECT_EQ(info.arguments[1].name, "n");
  EXPECT_EQ(info.arguments[1].type, "int");
  EXPECT_EQ(info.arguments[1].default_value.to_int(), 2);
  EXPECT_EQ(info.return_type, "Tuple[Tensor, int]");

  const Module module = script("words.pt");
  const Tensor x = filled({4}, 3);
  EXPECT_EQ(first_of(method({x, 3}).to_tuple().items[0]), first_of(module.forward({x, 3}).to_tuple().items[0]));
  EXPECT_EQ(first_of(method({x}, {{"n", 3}}).to_tuple().items[0]), first_of(method({x, 3}).to_tuple().items[0]));
}

TEST(Method, AnUnknownOneIsNotFound) {
  const Module module = script("words.pt");
  expect_error(ErrorCode::kNotFound,
               "Method 'backward' is not defined. The model has: ", [&] { module.get_method("backward"); });
  expect_error(ErrorCode::kInvalidArgument, "empty", [] { Module().get_method("forward"); });
}

}  // namespace
}  // namespace wick
