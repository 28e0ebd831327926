// The examples in the comments of the public headers do what they say.
#include <gtest/gtest.h>

#include "wick/bounds.h"
#include "wick/functions.h"
#include "wick/index.h"
#include "wick/memory_charge.h"
#include "wick/wick.h"

namespace {

TEST(HeaderExamples, ListsOfIntegers) {
  const wick::Tensor tensor = wick::Tensor::zeros({2, 3, 4, 5});
  const wick::IntSpan sizes = tensor.sizes();
  const int64_t pixels = sizes[2] * sizes[3];
  EXPECT_EQ(pixels, 20);
  wick::IntVec copy = tensor.sizes();
  copy[0] = 1;
  EXPECT_EQ(wick::Tensor::zeros(copy).numel(), 60);
  EXPECT_EQ(tensor.size(0), 2);
  const wick::Tensor x = wick::Tensor::zeros({2, 3, 4});
  EXPECT_EQ(x.nansum(std::nullopt).dim(), 0);
  EXPECT_EQ(x.nansum({0, 2}).size(0), 3);
}

TEST(HeaderExamples, CountedReferences) {
  struct Counter : wick::RefCounted {
    std::atomic<int> value{0};
  };
  const wick::Ref<Counter> counter = wick::make_ref<Counter>();
  const wick::Ref<Counter> same = counter;
  same->value = 3;
  EXPECT_EQ(counter->value, 3);
  EXPECT_EQ(counter->use_count(), 2u);
}

TEST(HeaderExamples, Types) {
  wick::TypePtr type = wick::IValue::int_list({1, 2}).type();
  if (type->is(wick::TypeKind::kList)) type = type->element(0);
  EXPECT_EQ(type->str(), "int");
}

TEST(HeaderExamples, ObjectsOfAnApplication) {
  class Counter : public wick::CustomObject {
   public:
    std::string_view class_name() const override { return "__torch__.torch.classes.app.Counter"; }
    wick::IValue get_state() const override { return wick::IValue(int64_t{0}); }
  };
  const wick::IValue value(wick::Ref<wick::CustomObject>(new Counter));
  EXPECT_EQ(value.to_custom().class_name(), "__torch__.torch.classes.app.Counter");
  EXPECT_EQ(value.to_custom().get_state().to_int(), 0);
  EXPECT_THROW(value.to_custom().call("add", {}), wick::Error);
}

TEST(HeaderExamples, MemoryOfALimit) {
  const wick::BoundedScope bounded("the test", {.max_memory = 1000});
  const int64_t n = 100;
  const wick::MemoryCharge scratch(n * sizeof(int64_t));
  EXPECT_THROW(wick::MemoryCharge(n * sizeof(int64_t)), wick::Error);
}

TEST(HeaderExamples, IndexingWithAnEllipsis) {
  const wick::Tensor x = wick::Tensor::zeros({2, 3, 4});
  EXPECT_EQ(x.index({wick::kEllipsis, wick::Slice(0, 3)}).size(2), 3);
}

}  // namespace
