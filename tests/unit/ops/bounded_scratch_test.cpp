// Operators whose scratch memory and time the elements decide, not the bytes, of their arguments: bounds hold in them.
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <optional>

#include "core/budget.h"
#include "core/shape.h"
#include "ops/index/index.h"
#include "ops/shape/rearrange.h"
#include "ops/shape/view.h"
#include "wick/error.h"

namespace wick::ops {
namespace {

std::optional<ErrorCode> code_within(const RunOptions& bounds, const std::function<void()>& work) {
  const BoundedWork bounded("the test", bounds);
  try {
    work();
    return std::nullopt;
  } catch (const Error& e) {
    return e.code();
  }
}

TEST(BoundedScratch, NonzeroOfAnExpandedTensor) {
  const Tensor ones = wick::expand(Tensor::scalar(1, DType::kInt), {int64_t{1} << 20, int64_t{1} << 20});
  EXPECT_EQ(code_within({.max_memory = 1 << 20}, [&] { nonzero(ones); }), ErrorCode::kLimitExceeded);
  const Tensor zeros = wick::expand(Tensor::scalar(0, DType::kInt), {int64_t{1} << 50});
  EXPECT_EQ(code_within({.timeout = std::chrono::milliseconds(50)}, [&] { nonzero(zeros); }),
            ErrorCode::kDeadlineExceeded);
  EXPECT_EQ(nonzero(wick::expand(Tensor::scalar(1, DType::kInt), {300, 400})).size(0), 120000);
}

TEST(BoundedScratch, CombinationsAreCountedBeforeTheyAreMade) {
  const Tensor many = Tensor::zeros({1000});
  EXPECT_EQ(code_within({}, [&] { combinations(many, 6, false); }), ErrorCode::kLimitExceeded);
  EXPECT_EQ(code_within({}, [&] { combinations(many, 990, true); }), ErrorCode::kLimitExceeded);
  EXPECT_EQ(code_within({.max_memory = 1 << 20}, [&] { combinations(many, 3, false); }), ErrorCode::kLimitExceeded);
  EXPECT_EQ(combinations(many, 2, false).size(0), 499500);
  EXPECT_EQ(combinations(many, 2, true).size(0), 500500);
  EXPECT_EQ(combinations(many, 999, false).size(0), 1000);
  EXPECT_EQ(combinations(many, 1000, false).size(0), 1);
  EXPECT_EQ(combinations(many, 1001, false).size(0), 0);
  const Tensor three = Tensor::from_values<int64_t>({5, 6, 7});
  const Tensor pairs = combinations(three, 2, true);
  const int64_t want[] = {5, 5, 5, 6, 5, 7, 6, 6, 6, 7, 7, 7};
  ASSERT_EQ(pairs.numel(), 12);
  for (size_t k = 0; k < 12; ++k) EXPECT_EQ(pairs.data_ptr<const int64_t>()[k], want[k]) << k;
}

}  // namespace
}  // namespace wick::ops
