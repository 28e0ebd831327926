// Values, types and schemas.
#include <gtest/gtest.h>

#include <limits>

#include "core/limits.h"
#include "core/parallel.h"
#include "core/schema.h"
#include "wick/ivalue.h"

namespace wick {
namespace {

TEST(IValue, AccessorsNameBothTypes) {
  try {
    IValue(int64_t{1}).to_tensor();
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kTypeMismatch);
    EXPECT_EQ(e.message(), "Expected Tensor but got Int");
  }
}

TEST(IValue, CopiesShareAndMovesLeaveNone) {
  IValue list = IValue::int_list({1, 2});
  IValue same = list;
  same.to_list().items.emplace_back(int64_t{3});
  EXPECT_EQ(list.to_list().items.size(), 3u);
  const IValue moved = std::move(list);
  EXPECT_TRUE(list.is_none());
  EXPECT_TRUE(moved.is_same(same));
}

TEST(Dict, KeepsInsertionOrderAcrossErase) {
  DictImpl dict;
  for (int64_t i = 0; i < 5; ++i) dict.set(i, i * 10);
  EXPECT_TRUE(dict.erase(int64_t{1}));
  EXPECT_FALSE(dict.erase(int64_t{1}));
  dict.set(int64_t{1}, int64_t{7});
  dict.set(int64_t{2}, int64_t{8});
  std::vector<int64_t> keys;
  for (const auto& [k, v] : dict.entries()) keys.push_back(k.to_int());
  EXPECT_EQ(keys, (std::vector<int64_t>{0, 2, 3, 4, 1}));
  EXPECT_EQ(dict.find(int64_t{2})->to_int(), 8);
}

TEST(Dict, NaNKeysKeepTheIndexRight) {
  DictImpl dict;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  dict.set(nan, int64_t{1});
  dict.set(nan, int64_t{2});
  dict.set(1.0, int64_t{3});
  EXPECT_TRUE(dict.erase(1.0));
  EXPECT_EQ(dict.entries().size(), dict.size());
  EXPECT_EQ(dict.size(), 1u);
}

TEST(IValue, DeepNestingIsFreedAndComparedWithoutExhaustingTheStack) {
  const auto nest = [] {
    IValue value = int64_t{1};
    for (int i = 0; i < 1000000; ++i) value = i % 2 ? IValue::tuple({value}) : IValue::list(types::any(), {value});
    return value;
  };
  const IValue a = nest(), b = nest();
  EXPECT_THROW(equal(a, b), Error);
  EXPECT_NO_THROW(a.type());
}

TEST(Type, ParsesTheTypeStringsOfFiles) {
  for (const char* text :
       {"Tensor", "Dict[str, List[int]]", "Optional[Tensor]", "Tuple[int, str, Tuple[()]]", "Union[int, str]",
        "__torch__.torch.classes.xnnpack.Conv2dOpContext", "Future[List[Tensor]]"}) {
    EXPECT_EQ(parse_type(text)->str(), text);
  }
  const TypePtr named = parse_type("__torch__.P[NamedTuple, [[a, Tensor],[b, int]]]");
  EXPECT_EQ(named->fields(), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(named->name(), "__torch__.P");
}

TEST(Type, BadStringsAreRefused) {
  for (const char* text :
       {"", "List[", "List[]", "Dict[int]", "Tuple[int", "List[int]]", "__torch__.P[NamedTuple, [[a"}) {
    EXPECT_THROW(parse_type(text), Error) << text;
  }
  std::string deep;
  for (size_t i = 0; i < limits::kMaxTypeDepth + 2; ++i) deep += "List[";
  EXPECT_THROW(parse_type(deep), Error);
}

TEST(Type, Subtypes) {
  const auto sub = [](const char* a, const char* b) { return is_subtype(*parse_type(a), *parse_type(b)); };
  EXPECT_TRUE(sub("int", "Optional[int]"));
  EXPECT_TRUE(sub("None", "Optional[int]"));
  EXPECT_TRUE(sub("Tuple[int, int]", "Tuple[Optional[int], Any]"));
  EXPECT_FALSE(sub("List[int]", "List[Optional[int]]"));
  EXPECT_TRUE(sub("int", "Union[int, str]"));
  EXPECT_TRUE(sub("Optional[int]", "Union[int, str, None]"));
  EXPECT_FALSE(sub("Optional[int]", "Union[int, str]"));
}

TEST(Schema, DefaultsAliasesAndOuts) {
  const FunctionSchema s = parse_schema(
      "aten::x.out(Tensor(a!) self, int[2] stride=1, float eps=1e-05, str mode=\"nearest\", int[1]? dim=None, *, "
      "ScalarType? dtype=None, Tensor(b!) out) -> (Tensor(a!), Tensor(b!))");
  EXPECT_EQ(s.full_name(), "aten::x.out");
  EXPECT_TRUE(s.arguments[0].is_mutated);
  EXPECT_FALSE(s.arguments[0].is_out);
  EXPECT_EQ(s.arguments[1].default_value.to_int_vec(), (IntVec{1, 1}));
  EXPECT_EQ(s.arguments[2].default_value.to_double(), 1e-5);
  EXPECT_EQ(s.arguments[3].default_value.to_string(), "nearest");
  EXPECT_TRUE(s.arguments[4].default_value.is_none());
  EXPECT_EQ(s.out_count(), 1u);
  EXPECT_EQ(s.returns.size(), 2u);
  EXPECT_TRUE(parse_schema("prim::Print(...) -> ()").is_vararg);
  EXPECT_THROW(parse_schema("aten::bad(Tensor self"), Error);
}

TEST(Parallel, CoversTheRangeOnceAndPassesExceptionsOn) {
  set_num_threads(3);
  std::vector<std::atomic<int>> seen(10000);
  parallel_for(0, 10000, 10, [&](int64_t a, int64_t b) {
    for (int64_t i = a; i < b; ++i) ++seen[i];
    parallel_for(0, 4, 1, [](int64_t, int64_t) {});
  });
  for (const auto& s : seen) ASSERT_EQ(s.load(), 1);
  const auto failing = [](int64_t a, int64_t) {
    if (a > 500) throw Error(ErrorCode::kInternal, "x");
  };
  EXPECT_THROW(parallel_for(0, 1000, 1, failing), Error);
  set_num_threads(0);
}

}  // namespace
}  // namespace wick
