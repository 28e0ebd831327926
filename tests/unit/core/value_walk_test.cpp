// Walks over values that contain themselves, nest deeply or share their parts.
#include "core/value_walk.h"

#include <gtest/gtest.h>

#include <map>

#include "core/limits.h"
#include "core/visit_tensors.h"
#include "unit/hostile_values.h"
#include "unit/small_stack.h"

namespace wick {
namespace {

using test::deep;
using test::doubled;
using test::SelfHeld;

// The error's code; absent without an error.
template <class Function>
std::optional<ErrorCode> error_of(const Function& function) {
  return test::error_on_stack(512 << 10, function);
}

size_t visits(const IValue& value) {
  size_t count = 0;
  walk_value(value, [&](const IValue&) {
    ++count;
    return Walk::kEnter;
  });
  return count;
}

TEST(WalkValue, VisitsContainersBeforeTheirItemsInOrder) {
  auto dict = make_ref<DictImpl>();
  dict->set("k", IValue::int_list({3, 4}));
  const IValue value = IValue::tuple({1, IValue::list(types::any(), {2, IValue(dict)}), 5});
  std::string order;
  walk_value(value, [&](const IValue& v) {
    order += v.is_int() ? std::to_string(v.to_int()) : v.is_string() ? v.to_string() : v.tag_name();
    order += ' ';
    return Walk::kEnter;
  });
  EXPECT_EQ(order, "Tuple 1 GenericList 2 GenericDict k GenericList 3 4 5 ");
}

TEST(WalkValue, SkipsAndStops) {
  const IValue value = IValue::tuple({IValue::int_list({1, 2}), 3, 4});
  size_t count = 0;
  const bool ended = walk_value(value, [&](const IValue& v) {
    ++count;
    return v.is_list() ? Walk::kSkip : v.is_int() ? Walk::kStop : Walk::kEnter;
  });
  EXPECT_FALSE(ended);
  EXPECT_EQ(count, 3u);
}

TEST(WalkValue, SharedCyclicAndDeepValuesTakeLinearTime) {
  for (const auto kind : test::kKinds) {
    SCOPED_TRACE(static_cast<int>(kind));
    EXPECT_LE(visits(doubled(kind, 40)), 200u);
    const SelfHeld self(kind);
    EXPECT_LE(visits(self.value), 4u);
    EXPECT_EQ(error_of([&] { EXPECT_GE(visits(deep(kind, 200000)), 200000u); }), std::nullopt);
  }
}

TEST(WalkValue, EntersObjectsBySlot) {
  const IValue object = deep(test::Kind::kObject, 1);
  object.to_object().set(1, IValue::tensor_list({Tensor::zeros({1}), Tensor::zeros({2})}));
  size_t tensors = 0;
  walk_value(object, [&](const IValue& v) {
    tensors += v.is_tensor();
    return Walk::kEnter;
  });
  EXPECT_EQ(tensors, 2u);
}

TEST(VisitTensors, OfAContainerHeldTwiceOnce) {
  const IValue inner = IValue::tensor_list({Tensor::zeros({1}), Tensor::zeros({1})});
  size_t tensors = 0;
  each_tensor(IValue::tuple({inner, inner, inner.to_list().items[0]}), [&](const Tensor&) { ++tensors; });
  EXPECT_EQ(tensors, 3u);
}

TEST(Hash, DeepAndSharedKeysAreRefused) {
  for (const auto& key : {deep(test::Kind::kTuple, 200000), doubled(test::Kind::kTuple, 60)}) {
    EXPECT_EQ(error_of([&] { DictImpl().find(key); }), ErrorCode::kLimitExceeded);
    EXPECT_EQ(error_of([&] { DictImpl().set(key, 1); }), ErrorCode::kLimitExceeded);
  }
}

TEST(Hash, NestedKeysAreFound) {
  DictImpl dict;
  dict.set(doubled(test::Kind::kTuple, 10), 7);
  ASSERT_TRUE(dict.find(doubled(test::Kind::kTuple, 10)));
  EXPECT_FALSE(dict.find(doubled(test::Kind::kTuple, 9)));
  // Entries that were moved are still found.
  for (int64_t i = 0; i < 100; ++i) dict.set(IValue::tuple({i, IValue::tuple({i})}), i);
  for (int64_t i = 0; i < 100; i += 2) EXPECT_TRUE(dict.erase(IValue::tuple({i, IValue::tuple({i})})));
  EXPECT_EQ(dict.entries().size(), 51u);
  for (int64_t i = 1; i < 100; i += 2) {
    ASSERT_TRUE(dict.find(IValue::tuple({i, IValue::tuple({i})})));
    EXPECT_EQ(dict.find(IValue::tuple({i, IValue::tuple({i})}))->to_int(), i);
  }
}

TEST(Equal, CyclicDeepAndSharedValuesAreRefused) {
  for (const auto kind : {test::Kind::kList, test::Kind::kTuple, test::Kind::kDict}) {
    SCOPED_TRACE(static_cast<int>(kind));
    const SelfHeld a(kind), b(kind);
    EXPECT_EQ(error_of([&] { equal(a.value, b.value); }), ErrorCode::kLimitExceeded);
    const IValue x = deep(kind, 200000), y = deep(kind, 200000);
    EXPECT_EQ(error_of([&] { equal(x, y); }), ErrorCode::kLimitExceeded);
    const IValue v = doubled(kind, 60), w = doubled(kind, 60);
    EXPECT_EQ(error_of([&] { equal(v, w); }), ErrorCode::kLimitExceeded);
  }
}

TEST(Equal, LargeListsAreCompared) {
  const IValue large = IValue::int_list(IntVec(100000, 3)), same = IValue::int_list(IntVec(100000, 3));
  EXPECT_TRUE(equal(IValue::tuple({large, large}), IValue::tuple({same, large})));
}

TEST(Repr, WhatHoldsItselfIsPrintedAsInPython) {
  EXPECT_EQ(repr(SelfHeld(test::Kind::kList).value), "[[...]]");
  EXPECT_EQ(repr(SelfHeld(test::Kind::kTuple).value), "([(...)],)");
  EXPECT_EQ(repr(SelfHeld(test::Kind::kDict).value), "{0: {...}}");
  const IValue inner = IValue::int_list({1});
  EXPECT_EQ(repr(IValue::list(types::any(), {inner, inner})), "[[1], [1]]");
}

TEST(Repr, DeepAndSharedValuesAreRefused) {
  for (const auto kind : {test::Kind::kList, test::Kind::kTuple, test::Kind::kDict}) {
    SCOPED_TRACE(static_cast<int>(kind));
    EXPECT_EQ(error_of([&] { repr(deep(kind, 200000)); }), ErrorCode::kLimitExceeded);
    EXPECT_EQ(error_of([&] { repr(doubled(kind, 60)); }), ErrorCode::kLimitExceeded);
  }
}

TEST(TypeOfValue, SharedTuplesHaveABoundedType) {
  const TypePtr type = doubled(test::Kind::kTuple, 60).type();
  ASSERT_TRUE(type->is(TypeKind::kTuple));
  EXPECT_LT(type->str().size(), limits::kMaxValueTypes * 40);
  EXPECT_EQ(doubled(test::Kind::kTuple, 2).type()->str(), "Tuple[Tuple[int, int], Tuple[int, int]]");
  // A table of many numbers still has its own type.
  EXPECT_EQ(IValue::tuple(std::vector<IValue>(5000, IValue(1))).type()->elements().size(), 5000u);
}

}  // namespace
}  // namespace wick
