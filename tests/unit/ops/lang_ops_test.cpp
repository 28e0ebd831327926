// What PyTorch's answers alone do not show: calls from which PyTorch dies or never returns, and exact texts.
#include <gtest/gtest.h>

#include <cmath>

#include "core/operator.h"
#include "core/tensor_impl.h"
#include "unit/hostile_values.h"

namespace wick {
namespace {

IValue call(std::string_view op, std::vector<IValue> args) { return call_operator(op, std::move(args))[0]; }

std::string error_of(std::string_view op, std::vector<IValue> args) {
  try {
    call_operator(op, std::move(args));
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

IValue strings(std::vector<std::string> items) {
  std::vector<IValue> values;
  for (std::string& s : items) values.emplace_back(std::move(s));
  return IValue::list(types::string(), std::move(values));
}

TEST(LangNumbers, RemainderByZeroIsAnError) {
  EXPECT_EQ(error_of("aten::remainder.int", {7, 0}), "ZeroDivisionError: integer division or modulo by zero");
  EXPECT_EQ(error_of("aten::floordiv.int", {7, 0}), "division by 0");
}

TEST(LangNumbers, TheSmallestIntegerDividedByMinusOneWraps) {
  EXPECT_EQ(call("aten::floordiv.int", {INT64_MIN, -1}).to_int(), INT64_MIN);
  EXPECT_EQ(call("aten::remainder.int", {INT64_MIN, -1}).to_int(), 0);
  EXPECT_EQ(call("aten::__round_to_zero_floordiv.int", {INT64_MIN, -1}).to_int(), INT64_MIN);
}

TEST(LangNumbers, LargeFactorialsWrapToZero) { EXPECT_EQ(call("aten::factorial.int", {INT64_MAX}).to_int(), 0); }

TEST(LangStrings, EmptyPartsAreTreatedAsPythonDoes) {
  EXPECT_EQ(call("aten::count", {"abc", "", 0, -1}).to_int(), 4);
  EXPECT_EQ(call("aten::replace", {"ab", "", "-", -1}).to_string(), "-a-b-");
  EXPECT_EQ(error_of("aten::rsplit", {"abc", "", -1}), "ValueError: empty separator");
  EXPECT_EQ(call("aten::center", {"ab", -1, "*"}).to_string(), "ab");
}

TEST(LangStrings, SplitTakesDefaults) {
  EXPECT_TRUE(equal(call("aten::split.str", {" a  b "}), strings({"a", "b"})));
  EXPECT_TRUE(equal(call("aten::rsplit", {"a b"}), strings({"a", "b"})));
  EXPECT_EQ(call("aten::strip", {" \t\v a\n"}).to_string(), "a");
}

TEST(LangDicts, DictsWithTensorKeysCompareByIdentity) {
  const Tensor a = Tensor::scalar(1, DType::kLong), b = Tensor::scalar(1, DType::kLong);
  auto dict = make_ref<DictImpl>();
  dict->key_type = types::tensor();
  dict->value_type = types::integer();
  call_operator("aten::_set_item.Tensor", {dict, a, 5});
  EXPECT_EQ(call("aten::__getitem__.Dict_Tensor", {dict, a}).to_int(), 5);
  EXPECT_FALSE(call("aten::__contains__.Tensor", {dict, b}).to_bool());
}

TEST(LangDicts, ContainersAreNoKeys) {
  auto dict = make_ref<DictImpl>();
  dict->key_type = types::string();
  dict->value_type = types::integer();
  EXPECT_EQ(error_of("aten::_set_item.str", {dict, IValue::int_list({1}), 5}), "unhashable type: 'GenericList'");
}

TEST(LangLists, ExtendingAListByItselfDoublesIt) {
  const IValue list = IValue::int_list({1, 2});
  call_operator("aten::extend.t", {list, list});
  EXPECT_TRUE(equal(list, IValue::int_list({1, 2, 1, 2})));
}

TEST(LangLists, SortingKeepsEqualElementsInOrderAndSurvivesNaN) {
  const double nan = std::nan("");
  std::vector<double> values;
  for (int i = 0; i < 200; ++i) values.push_back(i % 3 == 0 ? nan : 100 - i);
  EXPECT_EQ(call("aten::sorted.float", {IValue::double_list(values)}).to_list().items.size(), values.size());
}

TEST(LangPrims, RaisedExceptionsCarryTheClass) {
  EXPECT_EQ(error_of("prim::RaiseException", {"bad", "builtins.ValueError"}), "ValueError: bad");
  EXPECT_EQ(error_of("prim::RaiseException", {"bad", IValue()}), "bad");
  EXPECT_EQ(error_of("prim::RaiseException", {"", "builtins.ValueError"}), "ValueError");
}

TEST(LangPrims, CopiesOfViewsShareNothing) {
  const Tensor t = Tensor::zeros({2, 1, 3});
  const Tensor squeezed = call("prim::squeeze_copy", {t}).to_tensor();
  EXPECT_EQ(squeezed.sizes(), IntSpan({2, 3}));
  EXPECT_FALSE(squeezed.storage() == t.storage());
  EXPECT_EQ(call("prim::flatten_copy", {t, 0, -1}).to_tensor().sizes(), IntSpan({6}));
  EXPECT_EQ(call("prim::expand_copy", {t, IValue::int_list({2, 4, 3}), false}).to_tensor().numel(), 24);
}

TEST(LangPrims, AFutureIsWaitedFor) {
  auto future = make_ref<FutureImpl>();
  future->complete(IValue(3));
  EXPECT_EQ(call("aten::wait", {future}).to_int(), 3);
}

TEST(LangText, ValuesReadAsTorchScriptPrintsThem) {
  EXPECT_EQ(repr(IValue(1.0)), "1.");
  EXPECT_EQ(repr(IValue(-0.0)), "0.");
  EXPECT_EQ(repr(IValue(0.1)), "0.10000000000000001");
  EXPECT_EQ(repr(IValue(1e22)), "1e+22");
  EXPECT_EQ(repr(IValue(std::complex<double>(1.5, -2))), "1.5-2.j");
  EXPECT_EQ(repr(IValue::tuple({1})), "(1,)");
  EXPECT_EQ(repr(IValue::list(types::any(), {IValue(), true, "s"})), "[None, True, s]");
}

TEST(LangText, TensorsReadAsPyTorchPrintsThem) {
  EXPECT_EQ(repr(IValue(Tensor::from_values<float>({1, 2.5f}))), " 1.0000\n 2.5000\n[ CPUFloatType{2} ]");
  EXPECT_EQ(repr(IValue(Tensor::zeros({0, 3}))), "[ CPUFloatType{0,3} ]");
  EXPECT_EQ(repr(IValue(Tensor::scalar(7, DType::kLong))), "7\n[ CPULongType{} ]");
}

TEST(LangTuples, DeepAndSharedOnesAreSortedAndHashedInBoundedTime) {
  const auto nested = [] {
    IValue value = 1;
    for (int i = 0; i < 200; ++i) value = IValue::tuple({value});
    return value;
  };
  const IValue deep = nested(), same = nested();
  const auto sorted = [](const IValue& a, const IValue& b) {
    return call("aten::sorted.any", {IValue::list(types::any(), {a, b})});
  };
  EXPECT_TRUE(equal(sorted(deep, same), IValue::list(types::any(), {deep, same})));
  const IValue wide = test::doubled(test::Kind::kTuple, 60), wider = test::doubled(test::Kind::kTuple, 60);
  EXPECT_NE(error_of("aten::sorted.any", {IValue::list(types::any(), {wide, wider})}).find("cannot be compared"),
            std::string::npos);
  EXPECT_NE(error_of("aten::hash.generic", {wide}).find("cannot be hashed"), std::string::npos);
  const IValue two = IValue::tuple({1, IValue::tuple({2, 3})}), less = IValue::tuple({1, IValue::tuple({2, 1})});
  EXPECT_TRUE(equal(sorted(two, less), IValue::list(types::any(), {less, two})));
}

TEST(LangTensors, ListsWithoutElementsTakeBoundedTime) {
  IValue value = IValue::list(types::any(), {});
  for (int i = 0; i < 60; ++i) value = IValue::list(types::any(), {value, value});
  EXPECT_NE(error_of("aten::tensor", {value, IValue(), IValue(), false}).find("cannot be made a tensor"),
            std::string::npos);
}

}  // namespace
}  // namespace wick
