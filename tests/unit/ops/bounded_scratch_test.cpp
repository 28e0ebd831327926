// Operators whose scratch memory and time the elements decide, not the bytes, of their arguments: bounds hold in them.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <functional>
#include <optional>

#include "core/budget.h"
#include "core/shape.h"
#include "ops/index/index.h"
#include "ops/nn/vision.h"
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

// Boxes that do not overlap are compared with each other, and regions may ask for many points.
TEST(BoundedTime, Detection) {
  constexpr int64_t kBoxes = 200000;
  Tensor boxes = Tensor::zeros({kBoxes, 4});
  for (int64_t i = 0; i < 4 * kBoxes; i += 4) {
    boxes.data<float>()[i] = static_cast<float>(i);
    boxes.data<float>()[i + 2] = static_cast<float>(i + 1);
    boxes.data<float>()[i + 3] = 1;
  }
  const RunOptions bounds{.timeout = std::chrono::milliseconds(50)};
  EXPECT_EQ(code_within(bounds, [&] { nms(boxes, Tensor::zeros({kBoxes}), 0.5); }), ErrorCode::kDeadlineExceeded);
  boxes.data<float>()[4 * kBoxes - 2] = INFINITY;
  EXPECT_EQ(code_within(bounds, [&] { nms(boxes, Tensor::zeros({kBoxes}), 0.5); }), ErrorCode::kDeadlineExceeded);
  const Tensor image = Tensor::zeros({1, 64, 64, 64}), rois = Tensor::zeros({40, 5});
  EXPECT_EQ(code_within(bounds, [&] { roi_align(image, rois, 1, 7, 7, 4096, true); }), ErrorCode::kDeadlineExceeded);
  EXPECT_EQ(code_within(bounds, [&] { ps_roi_align(image, rois, 1, 2, 2, 4096); }), ErrorCode::kDeadlineExceeded);
}

}  // namespace
}  // namespace wick::ops
