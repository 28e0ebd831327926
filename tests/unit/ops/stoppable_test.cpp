// Operators that work long through one row look at the budget meanwhile: sorts, selections, searches, boxes.
#include "ops/stoppable.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "core/copy.h"
#include "core/shape.h"
#include "ops/index/index.h"
#include "ops/index/sort.h"
#include "ops/nn/embedding.h"
#include "ops/nn/vision.h"
#include "ops/reduce/reduce.h"
#include "ops/shape/view.h"
#include "wick/error.h"

namespace wick::ops {
namespace {

constexpr int64_t kLong = int64_t{1} << 17;

// Neither sorted nor repeated: i * odd modulo a power of two.
std::vector<double> scattered(int64_t n) {
  std::vector<double> values;
  for (int64_t i = 0; i < n; ++i) values.push_back(static_cast<double>(i * 48271 % kLong));
  return values;
}

Tensor row(int64_t n) { return Tensor::from_values(Span<double>(scattered(n))); }

// Boxes that are all kept: of one unit, in a row.
Tensor boxes(int64_t n) {
  std::vector<double> corners;
  for (int64_t i = 0; i < n; ++i) {
    const auto x = static_cast<double>(2 * i);
    corners.insert(corners.end(), {x, 0, x + 1, 1});
  }
  return view(Tensor::from_values(Span<double>(corners)), {n, 4});
}

struct Case {
  const char* name;
  std::function<Tensor(int64_t n)> run;  // on a row of n elements
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      {"sort", [](int64_t n) { return std::get<1>(sort(row(n), 0, false)); }},
      {"descending sort", [](int64_t n) { return std::get<1>(sort(row(n), 0, true)); }},
      {"stable sort", [](int64_t n) { return std::get<1>(sort_stable(row(n), true, 0, false)); }},
      {"few of topk",
       [](int64_t n) { return std::get<1>(topk(row(n), std::max<int64_t>(n / 100, 1), 0, true, true)); }},
      {"many of topk", [](int64_t n) { return std::get<1>(topk(row(n), n / 2, 0, false, true)); }},
      {"kthvalue", [](int64_t n) { return std::get<1>(kthvalue(row(n), n / 3, 0, false)); }},
      {"median", [](int64_t n) { return median(row(n)); }},
      {"mode", [](int64_t n) { return std::get<0>(mode(row(n), 0, false)); }},
      {"unique",
       [](int64_t n) {
         return std::get<0>(unique_dim(view(row(n), {n, 1}), 0, true, true, true));
       }},
      {"unique rows",
       [](int64_t n) {
         return std::get<0>(unique_dim(view(row(n), {n / 2, 2}), 0, true, true, true));
       }},
      {"quantile", [](int64_t n) { return quantile(row(n), Tensor::scalar(0.3, DType::kDouble), 0, false, "linear"); }},
      {"isin", [](int64_t n) { return isin(row(8), row(n), false, false); }},
      {"many elements of isin", [](int64_t n) { return isin(row(n), row(8), false, false); }},
      {"searchsorted",
       [](int64_t n) { return searchsorted(std::get<0>(sort(row(8), 0, false)), row(n), false, false, {}, {}); }},
      {"nms", [](int64_t n) { return nms(boxes(n / 64), row(n / 64), 0.5); }},
  };
  return all;
}

std::vector<double> numbers(const Tensor& t) {
  std::vector<double> out;
  const Tensor dense = wick::contiguous(wick::to_dtype(t, DType::kDouble));
  for (int64_t i = 0; i < dense.numel(); ++i) out.push_back(dense.data_ptr<double>()[i]);
  return out;
}

TEST(Stoppable, LongRowsAreStopped) {
  const Cancellation stop;
  stop.cancel();
  for (const Case& c : cases()) {
    const BoundedWork bounded("the test", {.cancellation = stop});
    try {
      c.run(kLong);
      ADD_FAILURE() << c.name << " ran to its end";
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::kCancelled) << c.name << ": " << e.what();
    }
  }
}

TEST(Stoppable, ResultsAreTheSameWithABudget) {
  for (const Case& c : cases()) {
    const std::vector<double> free = numbers(c.run(1 << 12));
    const BoundedWork bounded("the test", {.timeout = std::chrono::hours(1)});
    EXPECT_EQ(numbers(c.run(1 << 12)), free) << c.name;
  }
}

TEST(Stoppable, StepsAreCounted) {
  StepCounter steps;
  steps.count((1 << 16) - 1);
  const Cancellation stop;
  stop.cancel();
  const BoundedWork bounded("the test", {.cancellation = stop});
  EXPECT_THROW(steps.count(), Error);
  steps.count((1 << 16) - 1);
  EXPECT_THROW(steps.count(int64_t{1} << 40), Error);
}

// Sorting by a comparison that throws leaves every element there once or more, and nothing else.
TEST(Stoppable, WhatASortLeavesWhenItIsStopped) {
  std::vector<double> values = scattered(kLong);
  const Cancellation stop;
  stop.cancel();
  const BoundedWork bounded("the test", {.cancellation = stop});
  EXPECT_THROW(compare_stoppably(std::less<>(), [&](auto less) { std::sort(values.begin(), values.end(), less); }),
               Error);
  EXPECT_TRUE(std::all_of(values.begin(), values.end(), [](double v) { return v >= 0 && v < kLong; }));
}

}  // namespace
}  // namespace wick::ops
