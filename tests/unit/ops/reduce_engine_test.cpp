// The reduction engine: any dims, threads, empty and expanded inputs.
#include <gtest/gtest.h>

#include <cmath>

#include "core/copy.h"
#include "core/parallel.h"
#include "core/shape.h"
#include "ops/pointwise/pointwise.h"
#include "ops/reduce/reduce.h"

namespace wick::ops {
namespace {

Tensor ramp(IntSpan sizes) {
  Tensor t = Tensor::empty(sizes);
  for (int64_t i = 0; i < t.numel(); ++i) t.data<float>()[i] = static_cast<float>(i % 1009);
  return t;
}

TEST(Reduce, InnerAndOuterDimsAgree) {
  const Tensor a = ramp({37, 1300}), t = contiguous(a.as_strided({1300, 37}, {1, 1300}, 0));
  EXPECT_TRUE(equal_tensors(sum_dims(a, IntVec{0}), sum_dims(t, IntVec{1})));
  EXPECT_TRUE(equal_tensors(sum_dims(a, IntVec{1}), sum_dims(t, IntVec{0})));
  EXPECT_TRUE(equal_tensors(std::get<1>(max_dim(a, 0)), std::get<1>(max_dim(t, 1))));
  EXPECT_TRUE(equal_tensors(std::get<0>(min_dim(a, 1)), std::get<0>(min_dim(t, 0))));
}

TEST(Reduce, SplittingOverThreadsGivesTheSameAnswer) {
  const Tensor a = ramp({500, 700});
  set_num_threads(1);
  const float one = sum(a).data<float>()[0];
  const int64_t where = argmax(a).data<int64_t>()[0];
  set_num_threads(2);
  EXPECT_FLOAT_EQ(sum(a).data<float>()[0], one);
  EXPECT_EQ(argmax(a).data<int64_t>()[0], where);
  EXPECT_EQ(where, 1008);
  set_num_threads(0);
}

TEST(Reduce, EmptyReductions) {
  const Tensor none = Tensor::empty({0, 3});
  EXPECT_EQ(sum(none).data<float>()[0], 0.0f);
  EXPECT_EQ(prod(none).data<float>()[0], 1.0f);
  EXPECT_TRUE(std::isnan(mean(none).data<float>()[0]));
  EXPECT_EQ(sum_dims(none, IntVec{0}).data<float>()[2], 0.0f);
  EXPECT_EQ(sum_dims(none, IntVec{1}).numel(), 0);
  EXPECT_THROW(max(none), Error);
  EXPECT_THROW(max_dim(none, 0), Error);
}

TEST(Reduce, SpreadWithLargeMean) {
  Tensor a = ramp({1000});
  for (int64_t i = 0; i < 1000; ++i) a.data<float>()[i] = 1e6f + static_cast<float>(i % 2);
  EXPECT_NEAR(var(a, false).data<float>()[0], 0.25, 1e-6);
}

TEST(Reduce, ExpandedInput) {
  const Tensor a = expand(ramp({1, 5}), {1000, 5});
  EXPECT_EQ(sum(a).data<float>()[0], 10000.0f);
  EXPECT_EQ(sum_dims(a, IntVec{0}).data<float>()[4], 4000.0f);
}

}  // namespace
}  // namespace wick::ops
