// Operators and classes of the application: in models, by type, removed, from several threads.
#include "wick/registry.h"

#include <gtest/gtest.h>

#include <thread>

#include "core/operator.h"
#include "unit/frontend/script/run.h"

namespace wick {
namespace {

std::string failure(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& e) {
    return e.message();
  }
  return "";
}

// An operator that is there as long as the test.
struct Registered {
  template <class F>
  Registered(const std::string& schema, F function) : name(schema.substr(0, schema.find('('))) {
    Registry::add_operator(schema, std::move(function));
  }
  ~Registered() { Registry::remove_operator(name); }
  std::string name;
};

TEST(Registry, AModelCallsAnOperator) {
  const Registered op("mine::scale(Tensor x, float by=2.) -> Tensor", [](const Tensor& x, double by) {
    Tensor out = Tensor::empty(x.sizes());
    for (int64_t i = 0; i < x.numel(); ++i) out.data<float>()[i] = x.data<float>()[i] * static_cast<float>(by);
    return out;
  });
  script::Text text("def f(x: Tensor) -> Tensor:\n  return ops.mine.scale(ops.mine.scale(x), 5.)\n");
  const IValue result = text.run("f", {Tensor::from_values<float>({1, 2})});
  EXPECT_EQ(result.to_tensor().data<float>()[1], 20);
}

TEST(Registry, TypesOfCpp) {
  const Registered op("mine::describe(str name, int[] sizes, int? most=None) -> (str, int)",
                      [](std::string name, std::vector<int64_t> sizes, std::optional<int64_t> most) {
                        return std::tuple(name + "!", static_cast<int64_t>(sizes.size()) + most.value_or(100));
                      });
  const std::vector<IValue> results = call_operator("mine::describe", {"a", IValue::int_list({1, 2})});
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].to_string(), "a!");
  EXPECT_EQ(results[1].to_int(), 102);
}

TEST(Registry, ResultsAreOfTheSchemasTypes) {
  IValue given;
  const auto give = [&given](std::vector<IValue>) { return std::vector<IValue>{given}; };
  const Registered tensor("mine::tensor() -> Tensor", Registry::Function(give));
  const Registered number("mine::number() -> float", Registry::Function(give));
  const Registered list("mine::list() -> Tensor[]", Registry::Function(give));
  const Registered maybe("mine::maybe() -> Tensor?", Registry::Function(give));
  const Registered same("mine::same(t x) -> t", Registry::Function(give));
  for (const IValue& wrong : {IValue(), IValue(3), IValue::int_list({1}), IValue("a")}) {
    given = wrong;
    const std::string said = failure([] { call_operator("mine::tensor", {}); });
    EXPECT_NE(said.find("as result 0, and its schema says Tensor"), said.npos) << said;
  }
  EXPECT_NE(failure([] { call_operator("mine::list", {}); }), "");
  EXPECT_NE(failure([] { call_operator("mine::number", {}); }), "");
  EXPECT_EQ(call_operator("mine::same", {1})[0].to_string(), "a");  // known by the call alone
  given = IValue(3);
  EXPECT_EQ(call_operator("mine::number", {})[0].to_double(), 3.0);
  EXPECT_TRUE(call_operator("mine::number", {})[0].is_double());
  given = IValue();
  EXPECT_TRUE(call_operator("mine::maybe", {})[0].is_none());
  given = IValue::list({});
  EXPECT_TRUE(call_operator("mine::list", {})[0].is_list());
  given = Tensor::empty({1});
  EXPECT_TRUE(call_operator("mine::tensor", {})[0].is_tensor() && call_operator("mine::maybe", {})[0].is_tensor());
}

TEST(Registry, ABoxedFunction) {
  const Registered op("mine::twice(Any x) -> (Any, Any)", Registry::Function([](std::vector<IValue> args) {
                        return std::vector<IValue>{args[0], args[0]};
                      }));
  EXPECT_EQ(call_operator("mine::twice", {3})[1].to_int(), 3);
}

TEST(Registry, WrongRegistrationsAreRefused) {
  const auto number = [](int64_t x) { return x; };
  EXPECT_NE(failure([&] { Registry::add_operator("mine::a(Tensor x) -> int", number); }).find("argument 'x'"),
            std::string::npos);
  EXPECT_NE(failure([&] { Registry::add_operator("mine::a(int x, int y) -> int", number); }).find("2 arguments"),
            std::string::npos);
  EXPECT_NE(failure([&] { Registry::add_operator("mine::a(int x", number); }), "");
  EXPECT_NE(failure([&] {
              Registry::add_operator("aten::relu(Tensor x) -> Tensor", [](Tensor x) { return x; });
            }).find("already"),
            std::string::npos);
  const Registered op("mine::a(int x) -> int", number);
  EXPECT_NE(failure([&] { Registry::add_operator("mine::a(int x) -> int", number); }).find("already"),
            std::string::npos);
}

TEST(Registry, ARemovedOperatorIsNotFoundAndKeptWhereItWas) {
  script::Text* text = nullptr;
  {
    const Registered op("mine::one(int x) -> int", [](int64_t x) { return x + 1; });
    text = new script::Text("def f(x: int) -> int:\n  return ops.mine.one(x)\n");
    EXPECT_EQ(text->run("f", {1}).to_int(), 2);
    EXPECT_EQ(Registry::operators(), std::vector<std::string>{"mine::one(int x) -> int"});
  }
  EXPECT_EQ(find_operator("mine::one"), nullptr);
  EXPECT_EQ(text->run("f", {5}).to_int(), 6);
  delete text;
  EXPECT_FALSE(Registry::remove_operator("mine::one"));
}

TEST(Registry, ExceptionsOfAnOperatorAreErrors) {
  const Registered op("mine::fails(int x) -> int", [](int64_t) -> int64_t { throw std::runtime_error("no luck"); });
  EXPECT_NE(failure([] { call_operator("mine::fails", {1}); }).find("mine::fails: no luck"), std::string::npos);
}

class Counter : public CustomObject {
 public:
  explicit Counter(int64_t start) : count_(start) {}
  std::string_view class_name() const override { return "__torch__.torch.classes.mine.Counter"; }
  IValue get_state() const override { return count_; }
  IValue call(std::string_view method, std::vector<IValue> args) override {
    if (method != "add") return CustomObject::call(method, std::move(args));
    return count_ += args.at(0).to_int();
  }

 private:
  int64_t count_;
};

TEST(Registry, AModelMakesAndCallsAnObject) {
  const auto make = [](std::vector<IValue> args) { return make_ref<Counter>(args.at(0).to_int()); };
  Registry::add_class("mine.Counter", make, make);
  EXPECT_EQ(Registry::classes(), std::vector<std::string>{"mine.Counter"});
  EXPECT_NE(failure([&] { Registry::add_class("mine.Counter", make); }).find("already"), std::string::npos);
  script::Text text(
      "def f(x: int) -> int:\n"
      "  c = __torch__.torch.classes.mine.Counter(x)\n"
      "  _0 = c.add(2)\n"
      "  _1 = annotate(int, c.add(3))\n"
      "  return _1\n");
  EXPECT_EQ(text.run("f", {10}).to_int(), 15);
  EXPECT_TRUE(Registry::remove_class("mine.Counter"));
  EXPECT_TRUE(Registry::classes().empty());
}

TEST(Registry, FromSeveralThreads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      for (int i = 0; i < 50; ++i) {
        const std::string name = "mine::thread" + std::to_string(t);
        Registry::add_operator(name + "(int x) -> int", [t](int64_t x) { return x + t; });
        EXPECT_EQ(call_operator(name, {1})[0].to_int(), 1 + t);
        EXPECT_TRUE(Registry::remove_operator(name));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace wick
