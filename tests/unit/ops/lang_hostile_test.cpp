// Operators of the language with arguments of any type: each call must give a result or an Error.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/copy.h"
#include "ops/families.h"

namespace wick {
namespace {

struct Blob : ObjectImpl {
  Blob() {
    cls = std::make_shared<ClassInfo>();
    cls->name = "__torch__.Blob";
    cls->attributes = {"a"};
    cls->attribute_types = {types::any()};
    set(0, IValue(1));
  }
};

IValue deep_tuple() {
  IValue deep = 1;
  for (int i = 0; i < 2000; ++i) deep = IValue::tuple({deep});
  return deep;
}

// A list that holds itself until it goes out of scope.
struct Cyclic {
  IValue list = IValue::list(types::any(), {1});
  Cyclic() { list.to_list().items.push_back(list); }
  ~Cyclic() { list.to_list().items.clear(); }
};

// Fresh values each time: operators change them.
std::vector<IValue> pool(const IValue& cyclic, const IValue& deep) {
  auto dict = make_ref<DictImpl>();
  dict->key_type = types::string();
  dict->value_type = types::any();
  dict->set("a", 1);
  dict->set(2, cyclic);
  dict->set(std::nan(""), 3.5);
  auto color = make_ref<EnumImpl>();
  color->type_name = "__torch__.Color";
  color->name = "RED";
  color->value = 1;
  const Tensor one = Tensor::scalar(1, DType::kFloat);
  return {IValue(),
          IValue(true),
          IValue(0),
          IValue(1),
          IValue(-1),
          IValue(3),
          IValue(INT64_MAX),
          IValue(INT64_MIN),
          IValue(int64_t{1} << 40),
          IValue(0.0),
          IValue(2.5),
          IValue(std::nan("")),
          IValue(1e308),
          IValue(std::complex<double>(1, 2)),
          IValue(""),
          IValue("abc"),
          IValue("{} %d %s %"),
          IValue(std::string("\0\xff\n", 3)),
          IValue(Device{}),
          IValue::int_list({3, 1, 2}),
          IValue::list(types::any(), {}),
          IValue::list(types::any(), {1, "a", 2.5, IValue()}),
          IValue::list(types::string(), {"x", "y"}),
          IValue::list(types::any(), {IValue::tuple({1, "a"}), IValue::tuple({"b", 2})}),
          IValue::tensor_list({one, Tensor::zeros({2, 3})}),
          cyclic,
          IValue::tuple({}),
          IValue::tuple({1, cyclic}),
          deep,
          IValue(dict),
          IValue(color),
          IValue(make_ref<Blob>()),
          IValue(one),
          IValue(Tensor::zeros({0, 2})),
          IValue(Tensor::zeros({2, 3}, DType::kLong)),
          IValue(one.as_strided({int64_t{1} << 45}, {0}, 0)),
          IValue(Tensor::empty({int64_t{1} << 45, 0})),
          IValue::uninitialized()};
}

bool is_skipped(std::string_view name) {
  return name == "prim::Print" || name == "aten::warn";  // they write to the terminal
}

void torment(const OpFamily& family) {
  std::mt19937 rng(7);
  const IValue deep = deep_tuple();
  for (const OpEntry& entry : family.entries) {
    const Operator* op = find_operator(schema_full_name(entry.schema));
    ASSERT_NE(op, nullptr);
    if (is_skipped(op->schema.name)) continue;
    for (int round = 0; round < 60; ++round) {
      const Cyclic cyclic;
      const std::vector<IValue> values = pool(cyclic.list, deep);
      std::vector<IValue> args(op->schema.is_vararg ? rng() % 5 : op->schema.arguments.size());
      for (IValue& arg : args) arg = values[rng() % values.size()];
      std::vector<IValue> rets(std::max<size_t>(1, op->schema.returns.size()));
      try {
        op->call(args.data(), args.size(), rets.data());
      } catch (const Error&) {
      } catch (const std::bad_alloc&) {
      } catch (const std::length_error&) {
      }
    }
  }
}

TEST(LangHostile, Numbers) { torment(kNumberOps); }
TEST(LangHostile, Lists) { torment(kListOps); }
TEST(LangHostile, Dicts) { torment(kDictOps); }
TEST(LangHostile, Strings) { torment(kStringOps); }
TEST(LangHostile, Prims) { torment(kPrimOps); }
TEST(LangHostile, TensorInfo) { torment(kTensorInfoOps); }

TEST(LangHostile, AListThatHoldsItselfHasPythonsText) {
  const Cyclic cyclic;
  EXPECT_NE(repr(cyclic.list).find("[...]"), std::string::npos) << repr(cyclic.list);
}

TEST(LangHostile, SizesAreBounded) {
  EXPECT_THROW(call_operator("aten::mul.left_t", {IValue::int_list({1, 2}), int64_t{1} << 60}), Error);
  EXPECT_THROW(call_operator("aten::ljust", {"a", int64_t{1} << 60, " "}), Error);
  EXPECT_THROW(call_operator("aten::expandtabs", {"\t\t", INT64_MAX}), Error);
  EXPECT_THROW(call_operator("aten::replace", {"aaa", "", "xx", INT64_MAX}), Error);
  EXPECT_THROW(call_operator("prim::rangelist", {int64_t{1} << 60}), Error);
  const Tensor wide = Tensor::scalar(1, DType::kFloat).as_strided({int64_t{1} << 45}, {0}, 0);
  EXPECT_THROW(repr(IValue(wide)), Error);
  EXPECT_THROW(call_operator("prim::tolist", {IValue(wide), 1, 1}), Error);
  EXPECT_THROW(call_operator("prim::tolist", {IValue(Tensor::empty({int64_t{1} << 45, 0})), 2, 1}), Error);
}

}  // namespace
}  // namespace wick
