// Operators that PyTorch 1.13 does not have, against values worked out by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "core/operator.h"

namespace wick {
namespace {

Tensor floats(std::initializer_list<float> values, IntVec sizes) {
  const Tensor t = Tensor::from_values<float>(values);
  return t.as_strided(sizes, contiguous_strides(sizes), 0);
}
Tensor call(const char* op, std::vector<IValue> args) { return call_operator(op, std::move(args))[0].to_tensor(); }
float at(const Tensor& t, int64_t i) { return t.data<float>()[i]; }

TEST(NnOps, RmsNormDividesByTheRootOfTheMeanSquare) {
  const Tensor y =
      call("aten::rms_norm", {floats({3, 4, 0, 5}, {2, 2}), IValue::int_list({2}), floats({1, 2}, {2}), 0.0});
  EXPECT_NEAR(at(y, 0), 3 / std::sqrt(12.5), 1e-6);
  EXPECT_NEAR(at(y, 1), 8 / std::sqrt(12.5), 1e-6);
  EXPECT_NEAR(at(y, 3), 10 / std::sqrt(12.5), 1e-6);
}

TEST(NnOps, AttentionIsCausalWhenAsked) {
  const Tensor x = floats({1, 0, 0, 1}, {2, 2}), v = floats({5, 6, 7, 8}, {2, 2});
  const Tensor y = call("aten::scaled_dot_product_attention", {x, x, v, IValue(), 0.0, true});
  EXPECT_EQ(at(y, 0), 5);
  EXPECT_EQ(at(y, 1), 6);
  const double w = 1 / (1 + std::exp(-1 / std::sqrt(2.0)));
  EXPECT_NEAR(at(y, 2), 5 * (1 - w) + 7 * w, 1e-5);
}

TEST(NnOps, AttentionTakesAScaleAndSharedHeads) {
  const Tensor q = floats({1, 2, 3, 4}, {1, 4, 1, 1}), k = floats({1, 2}, {1, 2, 1, 1}),
               v = floats({10, 20}, {1, 2, 1, 1});
  const Tensor y = call("aten::scaled_dot_product_attention", {q, k, v, IValue(), 0.0, false, 0.5, true});
  EXPECT_EQ(at(y, 0), 10);
  EXPECT_EQ(at(y, 1), 10);
  EXPECT_EQ(at(y, 2), 20);
  EXPECT_EQ(at(y, 3), 20);
}

TEST(NnOps, BatchNormLegitUpdatesRunningStatistics) {
  const Tensor mean = floats({0}, {1}), var = floats({1}, {1});
  call("aten::_native_batch_norm_legit", {floats({1, 3}, {2, 1}), IValue(), IValue(), mean, var, true, 0.5, 0.0});
  EXPECT_FLOAT_EQ(at(mean, 0), 1);
  EXPECT_FLOAT_EQ(at(var, 0), 1.5);
}

TEST(NnOps, CircularPaddingTakesInputsWithoutABatch) {
  const Tensor y = call("aten::pad", {floats({1, 2, 3, 4, 5, 6}, {2, 3}), IValue::int_list({1, 2}), "circular"});
  ASSERT_EQ(y.sizes(), (IntSpan{2, 6}));
  const float expected[] = {3, 1, 2, 3, 1, 2, 6, 4, 5, 6, 4, 5};
  for (int64_t i = 0; i < 12; ++i) EXPECT_EQ(at(y, i), expected[i]);
  EXPECT_THROW(call("aten::pad", {floats({1, 2}, {2}), IValue::int_list({1, 1}), "circular"}), Error);
}

TEST(NnOps, FusedCellsAreTheCellsOfMultipliedGates) {
  const Tensor x = floats({0.5f, -1, 2, 0.25f}, {2, 2}), h = floats({1, -0.5f, 0.1f, 3}, {2, 2}),
               c = floats({0.2f, -2, 1, 0}, {2, 2});
  for (const auto& [cell, fused, gates] : {std::tuple("aten::lstm_cell", "aten::_thnn_fused_lstm_cell", 4),
                                           std::tuple("aten::gru_cell", "aten::_thnn_fused_gru_cell", 3)}) {
    const Tensor w = Tensor::empty({gates * 2, 2}), b = Tensor::empty({gates * 2});
    for (int64_t i = 0; i < w.numel(); ++i) w.data<float>()[i] = 0.1f * static_cast<float>(i % 7) - 0.3f;
    for (int64_t i = 0; i < b.numel(); ++i) b.data<float>()[i] = 0.05f * static_cast<float>(i);
    const bool lstm = gates == 4;
    const IValue state = lstm ? IValue::tensor_list({h, c}) : IValue(h);
    const Tensor expected = call(cell, {x, state, w, w, b, b});
    const Tensor in = call("aten::linear", {x, w, IValue()}), hidden = call("aten::linear", {h, w, IValue()});
    const Tensor got = call(fused, {in, hidden, lstm ? c : h, b, b});
    for (int64_t i = 0; i < 4; ++i) EXPECT_NEAR(at(got, i), at(expected, i), 1e-6) << fused;
  }
}

TEST(NnOps, ProductsGiveTheDtypeAskedFor) {
  const Tensor a = call("aten::to.dtype", {floats({1, 2, 3, 4}, {2, 2}), int64_t{15}});
  const Tensor b = call("aten::mm.dtype", {a, a, int64_t{6}});
  EXPECT_EQ(b.dtype(), DType::kFloat);
  EXPECT_EQ(at(b, 3), 22);
  const Tensor c = call("aten::addmm.dtype", {floats({1, 1}, {2}), a, a, int64_t{6}, 2.0, 1.0});
  EXPECT_EQ(at(c, 0), 9);
  const Tensor batch = call("aten::unsqueeze", {a, int64_t{0}});
  EXPECT_EQ(at(call("aten::bmm.dtype", {batch, batch, int64_t{6}}), 0), 7);
  EXPECT_EQ(at(call("aten::baddbmm.dtype", {floats({1, 1}, {2}), batch, batch, int64_t{6}}), 0), 8);
}

TEST(NnOps, RotatedBoxesOverlap) {
  const Tensor a = floats({0, 0, 2, 2, 0}, {1, 5});
  const Tensor b = floats({0, 0, 2, 2, 90, 1, 0, 2, 2, 0, 0, 0, 2, 2, 45}, {3, 5});
  const Tensor iou = call("torchvision::box_iou_rotated", {a, b});
  EXPECT_NEAR(at(iou, 0), 1, 1e-5);
  EXPECT_NEAR(at(iou, 1), 2.0 / 6, 1e-5);
  const double octagon = 8 * (std::sqrt(2.0) - 1);
  EXPECT_NEAR(at(iou, 2), octagon / (8 - octagon), 1e-5);
}

TEST(NnOps, LanczosKeepsAConstantImage) {
  const Tensor x = floats({2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, {1, 1, 4, 4});
  const Tensor y = call("aten::_upsample_lanczos2d_aa", {x, IValue::int_list({2, 3}), false});
  for (int64_t i = 0; i < 6; ++i) EXPECT_NEAR(at(y, i), 2, 1e-5);
}

TEST(NnOps, NestedRowsArePaddedBack) {
  const Tensor x = floats({1, 2, 3, 4, 5, 6}, {2, 3, 1});
  const Tensor mask = Tensor::zeros({2, 3}, DType::kBool);
  bool* there = mask.data<bool>();
  there[0] = there[1] = there[3] = true;
  EXPECT_TRUE(call_operator("aten::_nested_tensor_from_mask_left_aligned", {x, mask})[0].to_bool());
  const IValue nested = call_operator("aten::_nested_tensor_from_mask", {x, mask})[0];
  EXPECT_TRUE(call_operator("prim::is_nested", {nested})[0].to_bool());
  EXPECT_FALSE(call_operator("prim::is_nested", {x})[0].to_bool());
  const Tensor padded = call_operator("aten::to_padded_tensor", {nested, -1.0})[0].to_tensor();
  ASSERT_EQ(padded.sizes(), (IntSpan{2, 2, 1}));
  EXPECT_EQ(padded.data<float>()[1], 2.f);
  EXPECT_EQ(padded.data<float>()[2], 4.f);
  EXPECT_EQ(padded.data<float>()[3], -1.f);
  there[5] = true;
  EXPECT_FALSE(call_operator("aten::_nested_tensor_from_mask_left_aligned", {x, mask})[0].to_bool());
  EXPECT_THROW(call_operator("aten::_nested_tensor_from_mask", {x, mask}), Error);
  EXPECT_THROW(call_operator("aten::to_padded_tensor", {x, 0.0}), Error);
}

Tensor pooled(const Tensor& image, const Tensor& rois, int64_t height, int64_t width, int64_t ratio) {
  return call("torchvision::roi_align", {image, rois, 1.0, height, width, ratio, true});
}

Tensor doubles(const Tensor& t) {
  Tensor out = Tensor::empty(t.sizes(), DType::kDouble);
  const float* const from = static_cast<const float*>(t.raw_data());
  for (int64_t i = 0; i < t.numel(); ++i) out.data<double>()[i] = from[i];
  return out;
}

// Regions of a few points are pooled another way than those of many: both in one call, and each alone.
TEST(NnOps, RoiAlignOfSmallAndLargeRegions) {
  Tensor image = Tensor::empty({1, 8, 40, 150});
  for (int64_t i = 0; i < image.numel(); ++i) image.data<float>()[i] = static_cast<float>((i * 7919) % 101) / 50 - 1;
  const Tensor rois = floats({0, 0, 0, 5, 5, 0, 0, 0, 149, 39, 0, 3, 4, 9, 10}, {3, 5});
  const Tensor all = pooled(image, rois, 1, 2, -1);
  for (int64_t n = 0; n < 3; ++n) {
    const Tensor one = pooled(image, rois.as_strided({1, 5}, {5, 1}, 5 * n), 1, 2, -1);
    // In double, which has one way.
    const Tensor exact = pooled(doubles(image), doubles(rois.as_strided({1, 5}, {5, 1}, 5 * n)), 1, 2, -1);
    for (int64_t i = 0; i < one.numel(); ++i) {
      EXPECT_EQ(at(all, n * one.numel() + i), at(one, i));
      EXPECT_NEAR(at(one, i), exact.data<double>()[i], 1e-5);
    }
  }
}

TEST(NnOps, RoiPoolingOfHugePooledSizes) {
  constexpr int64_t kHuge = int64_t{1} << 32;
  const Tensor image = Tensor::zeros({1, 4, 3, 3}), none = Tensor::zeros({0, 5}), one = Tensor::zeros({1, 5});
  for (const char* op :
       {"torchvision::roi_align", "torchvision::ps_roi_align", "torchvision::roi_pool", "torchvision::ps_roi_pool"}) {
    for (const Tensor& rois : {none, one}) {
      std::vector<IValue> args = {image, rois, 1.0, kHuge, kHuge};
      if (std::string_view(op).find("align") != std::string_view::npos) args.emplace_back(2);
      if (std::string_view(op) == "torchvision::roi_align") args.emplace_back(true);
      EXPECT_THROW(call_operator(op, args), Error) << op;
    }
  }
  EXPECT_EQ(pooled(image, none, 1 << 19, 1 << 19, 2).numel(), 0);
}

TEST(NnOps, RegionsOfABatchWithoutImages) {
  const Tensor rois = floats({-0.5F, 0, 0, 2, 2}, {1, 5});
  EXPECT_THROW(pooled(Tensor::zeros({0, 4, 3, 3}), rois, 2, 2, 2), Error);
  EXPECT_EQ(pooled(Tensor::zeros({1, 4, 3, 3}), rois, 2, 2, 2).numel(), 16);
}

}  // namespace
}  // namespace wick
