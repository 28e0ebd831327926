// Packed quantized weights: the states files store, and what PyTorch's mobile engine has no reference for.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "core/copy.h"
#include "core/custom_classes.h"
#include "ops/conv/conv.h"
#include "ops/quantize/embedding.h"
#include "ops/quantize/layers.h"
#include "ops/quantize/packed.h"

namespace wick {
namespace {

Tensor ramp(IntSpan sizes, float low, float step) {
  Tensor t = Tensor::empty(sizes);
  for (int64_t i = 0; i < t.numel(); ++i) t.data<float>()[i] = low + step * static_cast<float>(i % 23);
  return t;
}

Tensor qint8_weight(IntSpan sizes) { return ops::quantize_per_tensor(ramp(sizes, -1, 0.09f), 0.01, 0, DType::kQInt8); }

std::string_view conv2d_class() { return ops::ConvPacked::kClass2d; }

Tensor run(const Ref<CustomObject>& packed) {
  const Tensor x = ops::quantize_per_tensor(ramp({1, 4, 5, 5}, -1, 0.1f), 0.02, 100, DType::kQUInt8);
  return ops::int_repr(ops::quantized_conv2d(x, *packed, 0.1, 90));
}

void expect_same(const Tensor& a, const Tensor& b) {
  ASSERT_TRUE(a.sizes() == b.sizes());
  const Tensor x = contiguous(a), y = contiguous(b);
  EXPECT_EQ(0, std::memcmp(x.raw_data(), y.raw_data(), x.nbytes()));
}

TEST(Quantized, ConvolutionStatesOfAllVersionsAreRead) {
  const Tensor weight = qint8_weight({3, 4, 3, 3}), bias = ramp({3}, 0, 0.1f);
  auto one = [](int64_t n) { return Tensor::from_values(Span<int64_t>({n})); };
  const IValue v1 =
      IValue::tuple({weight, bias, IValue::tensor_list({one(2), one(1)}), IValue::tensor_list({one(1), one(1)}),
                     IValue::tensor_list({one(1), one(1)}), one(1)});
  const Tensor numbers = Tensor::from_values(Span<int16_t>({2, 2, 1, 1, 1, 1, 1, 0, 0, 1, 0}));
  const IValue v2 = IValue::tuple({IValue(std::string("2")), IValue::tensor_list({numbers, weight}),
                                   IValue::list(types::optional(types::tensor()), {IValue(bias)})});
  const IValue v3 = IValue::tuple({int64_t{3}, IValue::int_list(IntVec{2, 2, 1, 1, 1, 1, 1, 0, 0, 1, 0}),
                                   IValue::list(types::optional(types::tensor()), {IValue(), weight, IValue(bias)})});
  const Ref<CustomObject> first = make_custom_object(conv2d_class(), v1);
  const Tensor expected = run(first);
  EXPECT_EQ(expected.size(2), 3);
  expect_same(run(make_custom_object(conv2d_class(), v2)), expected);
  expect_same(run(make_custom_object(conv2d_class(), v3)), expected);
  expect_same(run(make_custom_object(conv2d_class(), first->get_state())), expected);
  EXPECT_EQ(first->call("stride", {}).to_int_vec(), (IntVec{2, 1}));
  EXPECT_EQ(first->call("groups", {}).to_int(), 1);
}

TEST(Quantized, StatesThatAreNotTheClassesAreRefused) {
  const Tensor weight = qint8_weight({3, 4, 3, 3});
  const Tensor few = Tensor::from_values(Span<int16_t>({2, 2, 1}));
  const Tensor no_groups = Tensor::from_values(Span<int16_t>({2, 2, 1, 1, 1, 1, 1, 0, 0, 0, 0}));
  const IValue none = IValue::list(types::optional(types::tensor()), {IValue()});
  for (const IValue& bad : {IValue(), IValue::tuple({}), IValue::tuple({IValue(std::string("9")), none, none}),
                            IValue::tuple({IValue(std::string("2")), IValue::tensor_list({few, weight}), none}),
                            IValue::tuple({IValue(std::string("2")), IValue::tensor_list({no_groups, weight}), none}),
                            IValue::tuple({weight, IValue(), none, none, none, IValue()})}) {
    EXPECT_THROW(make_custom_object(conv2d_class(), bad), Error);
  }
  for (std::string_view name : {ops::LinearPacked::kClass, ops::ConvPacked::kClass3d}) {
    EXPECT_THROW(make_custom_object(name, IValue::tuple({IValue(), IValue()})), Error);
  }
}

TEST(Quantized, TransposedConvolutionOf3DimsFollowsTheFloatOne) {
  const Tensor weight = qint8_weight({4, 3, 2, 3, 3}), bias = ramp({3}, -0.2f, 0.1f);
  const IValue packed =
      ops::quantized_conv_transpose3d_prepack(weight, bias, {2, 1, 1}, {1, 0, 0}, {1, 0, 0}, {1, 1, 1}, 1);
  const Tensor x = ops::quantize_per_tensor(ramp({2, 4, 3, 4, 5}, -1, 0.1f), 0.02, 100, DType::kQUInt8);
  constexpr float kScale = 0.2f;
  const Tensor y = contiguous(ops::dequantize(ops::quantized_conv3d(x, packed.to_custom(), kScale, 128)));
  const Tensor want = contiguous(ops::conv_transpose3d(ops::dequantize(x), ops::dequantize(weight), bias, {2, 1, 1},
                                                       {1, 0, 0}, {1, 0, 0}, 1, {1, 1, 1}));
  ASSERT_TRUE(y.sizes() == want.sizes());
  for (int64_t i = 0; i < y.numel(); ++i) EXPECT_NEAR(y.data<float>()[i], want.data<float>()[i], kScale * 0.51f);
}

TEST(Quantized, HalfPrecisionLinearRoundsTheWeightOnly) {
  const Tensor weight = ramp({3, 8}, -0.7f, 0.0613f), x = ramp({2, 8}, -1, 0.3f);
  const IValue packed = ops::quantized_linear_prepack_fp16(weight, std::nullopt);
  const Tensor y = ops::quantized_linear_dynamic_fp16(x, packed.to_custom());
  const Tensor relu = ops::quantized_linear_relu_dynamic_fp16(x, packed.to_custom());
  for (int64_t i = 0; i < 2; ++i) {
    for (int64_t j = 0; j < 3; ++j) {
      double want = 0;
      for (int64_t k = 0; k < 8; ++k) want += x.data<float>()[i * 8 + k] * weight.data<float>()[j * 8 + k];
      EXPECT_NEAR(y.data<float>()[i * 3 + j], want, 2e-3 * (1 + std::abs(want)));
      EXPECT_EQ(relu.data<float>()[i * 3 + j], std::max(0.0f, y.data<float>()[i * 3 + j]));
    }
  }
  EXPECT_THROW(ops::quantized_linear_dynamic(x, packed.to_custom(), false), Error);
}

TEST(Quantized, SearchingRangesInTooManyPartsIsRefused) {
  const Tensor rows = ramp({3, 8}, -0.7f, 0.0613f);
  EXPECT_EQ(ops::embedding_bag_4bit_prepack(rows, true, 200, 0.16).size(0), 3);
  EXPECT_THROW(ops::embedding_bag_4bit_prepack(rows, true, int64_t{1} << 62, 0.16), Error);
  EXPECT_THROW(ops::embedding_bag_2bit_prepack(rows, true, int64_t{1} << 62, 0.16), Error);
}

}  // namespace
}  // namespace wick
