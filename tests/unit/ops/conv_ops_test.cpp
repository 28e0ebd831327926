// Convolution operators PyTorch's CPU build cannot answer for, and the objects that hold prepared weights.
#include <gtest/gtest.h>

#include <thread>

#include "core/copy.h"
#include "core/custom_classes.h"
#include "ops/conv/conv.h"
#include "ops/conv/prepacked.h"
#include "wick/error.h"

namespace wick::ops {
namespace {

Tensor counted(IntVec sizes) {
  const Tensor t = Tensor::empty(sizes);
  for (int64_t i = 0; i < t.numel(); ++i) t.data<float>()[i] = static_cast<float>(i * 7 % 11) - 5.0f;
  return t;
}

void expect_same(const Tensor& a, const Tensor& b) {
  ASSERT_EQ(a.sizes(), b.sizes());
  const Tensor x = contiguous(a), y = contiguous(b);
  for (int64_t i = 0; i < x.numel(); ++i) ASSERT_NEAR(x.data<float>()[i], y.data<float>()[i], 1e-4) << "element " << i;
}

TEST(ConvOps, DepthwiseOperatorsAreGroupedConvolutions) {
  const Tensor x3 = counted({2, 4, 5, 6, 7}), w3 = counted({8, 1, 3, 3, 3});
  expect_same(conv_depthwise3d(x3, w3, {3, 3, 3}, std::nullopt, {1, 2, 1}, {1, 1, 1}, {1, 1, 1}),
              conv3d(x3, w3, std::nullopt, {1, 2, 1}, {1, 1, 1}, {1, 1, 1}, 4));
  const Tensor x2 = counted({2, 4, 6, 7}), w2 = counted({4, 1, 3, 3});
  expect_same(conv_depthwise2d(x2, w2, {3, 3}, std::nullopt, {1}, {1}, {1}),
              conv2d(x2, w2, std::nullopt, {1}, {1}, {1}, 4));
}

TEST(PrepackedConv, StateMakesAnEqualObject) {
  const Tensor w = counted({6, 2, 3, 3}), b = counted({6}), x = counted({1, 4, 8, 9});
  const IValue made = conv2d_clamp_prepack(w, b, {1, 2}, {1, 0}, {1, 1}, 2, IValue(0.0), IValue(6.0));
  const Ref<CustomObject> again = make_custom_object(made.to_custom().class_name(), made.to_custom().get_state());
  expect_same(conv2d_clamp_run(x, made.to_custom()), conv2d_clamp_run(x, *again));
  const IValue transposed =
      conv2d_transpose_clamp_prepack(counted({4, 3, 3, 3}), std::nullopt, {2}, {1}, {1}, {1}, 1, {}, {});
  const Ref<CustomObject> transposed_again =
      make_custom_object(transposed.to_custom().class_name(), transposed.to_custom().get_state());
  expect_same(conv2d_transpose_clamp_run(x, transposed.to_custom()), conv2d_transpose_clamp_run(x, *transposed_again));
  EXPECT_THROW(conv2d_clamp_run(x, transposed.to_custom()), Error);
}

TEST(PrepackedConv, BadStatesAreRefused) {
  EXPECT_THROW(make_custom_object(Conv2dContext::kClass, IValue(1)), Error);
  EXPECT_THROW(make_custom_object(LinearContext::kClass, IValue::tuple({IValue(1), IValue(), IValue(), IValue()})),
               Error);
  EXPECT_THROW(make_custom_object(Conv2dContext::kClass,
                                  IValue::tuple({counted({6, 2, 3, 3}), IValue(), IValue::int_list({1, 1, 1}),
                                                 IValue::int_list({0}), IValue::int_list({1}), 1, IValue(), IValue()})),
               Error);
}

TEST(PrepackedConv, ManyThreadsShareOneObject) {
  const Tensor x = contiguous(counted({1, 8, 9, 9}), MemoryFormat::kChannelsLast);
  const Tensor w = counted({20, 8, 3, 3}), rows = counted({9, 8}), lw = counted({30, 8});
  const IValue conv = conv2d_clamp_prepack(w, std::nullopt, {1}, {1}, {1}, 1, {}, {});
  const IValue linear = linear_clamp_prepack(lw, std::nullopt, {}, {});
  const Tensor want = conv2d(x, w, std::nullopt, {1}, {1}, {1}, 1);
  std::vector<std::thread> threads;
  std::vector<Tensor> results(4), products(4);
  for (size_t i = 0; i < results.size(); ++i)
    threads.emplace_back([&, i] {
      results[i] = conv2d_clamp_run(x, conv.to_custom());
      products[i] = linear_clamp_run(rows, linear.to_custom());
    });
  for (std::thread& t : threads) t.join();
  for (size_t i = 0; i < results.size(); ++i) {
    expect_same(results[i], want);
    expect_same(products[i], products[0]);
  }
}

}  // namespace
}  // namespace wick::ops
