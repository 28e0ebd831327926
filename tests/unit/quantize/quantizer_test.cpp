// Ranges, weights and the refusals of the quantizer; whole models are compared with PyTorch in
// tests/parity/quantizer.py.
#include "wick/quantize.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/operator.h"
#include "quantize/observer.h"
#include "quantize/weights.h"
#include "unit/frontend/script/run.h"

namespace wick::quantize {
namespace {

Tensor tensor_of(const std::vector<float>& values) {
  return Tensor::from_values(Span<float>(values.data(), values.size()));
}

Tensor normal(int64_t n, float deviation, uint32_t seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> distribution(0, deviation);
  Tensor t = Tensor::empty({n});
  for (int64_t i = 0; i < n; ++i) t.data<float>()[i] = distribution(generator);
  return t;
}

double squared_error(const Tensor& values, const QParams& params) {
  double sum = 0;
  for (int64_t i = 0; i < values.numel(); ++i) {
    const double x = values.data<float>()[i];
    const double q = std::clamp(std::nearbyint(x / params.scale) + static_cast<double>(params.zero_point), 0.0, 255.0);
    const double error = (q - static_cast<double>(params.zero_point)) * params.scale - x;
    sum += error * error;
  }
  return sum;
}

TEST(Quantizer, ParametersHoldTheRangeAndZero) {
  const QParams both = params_for(-1, 3);
  EXPECT_FLOAT_EQ(static_cast<float>(both.scale), 4.0f / 255);
  EXPECT_EQ(both.zero_point, 64);
  EXPECT_EQ(params_for(2, 5).zero_point, 0);
  EXPECT_EQ(params_for(-5, -2).zero_point, 255);
  EXPECT_GT(params_for(0, 0).scale, 0);
}

TEST(Quantizer, MinMaxSeesEverything) {
  ValueObserver observer;
  observer.observe(tensor_of({-1, 0.5f}), std::nullopt);
  observer.observe(tensor_of({0, 3}), std::nullopt);
  EXPECT_EQ(observer.params(Observer::kMinMax).zero_point, 64);
  EXPECT_EQ(observer.count(), 2u);
}

TEST(Quantizer, MovingAverageGivesTheNewestOneHundredth) {
  ValueObserver observer;
  observer.observe(tensor_of({0, 1}), std::nullopt);
  observer.observe(tensor_of({0, 2}), std::nullopt);
  EXPECT_NEAR(observer.params(Observer::kMovingAverage).scale, 1.01 / 255, 1e-6);
}

TEST(Quantizer, HistogramIsNoWorseThanMinMaxAndClipsOutliers) {
  ValueObserver observer;
  Tensor values = normal(50000, 1, 1);
  values.data<float>()[7] = 60;
  observer.observe(values, std::nullopt);
  const QParams fine = observer.params(Observer::kHistogram), full = observer.params(Observer::kMinMax);
  EXPECT_LT(fine.scale, full.scale);
  EXPECT_LT(squared_error(values, fine), squared_error(values, full));
}

TEST(Quantizer, HistogramGrowsWithItsRange) {
  Histogram histogram;
  for (int k = 0; k < 12; ++k) {
    const Tensor values = normal(1000, std::pow(2.0f, static_cast<float>(k - 6)), static_cast<uint32_t>(k));
    const float* p = values.data<float>();
    const auto [low, high] = std::minmax_element(p, p + values.numel());
    histogram.add(p, values.numel(), *low, *high);
  }
  double total = 0;
  for (float count : histogram.coarse(40)) total += count;
  EXPECT_EQ(total, 12000);
}

TEST(Quantizer, ConstantAndEmptyValuesHaveParameters) {
  ValueObserver constant, empty;
  constant.observe(tensor_of({2, 2, 2}), std::nullopt);
  constant.observe(tensor_of({2}), std::nullopt);
  EXPECT_NEAR(constant.params(Observer::kHistogram).high(), 2, 1e-4);
  empty.observe(Tensor::empty({0}), std::nullopt);
  EXPECT_GT(empty.params(Observer::kHistogram).scale, 0);
}

TEST(Quantizer, NotANumberIsAProblem) {
  ValueObserver observer;
  observer.observe(tensor_of({1, NAN}), std::nullopt);
  EXPECT_NE(observer.problem(), "");
  EXPECT_THROW(check_finite(tensor_of({1, NAN}), "layer"), Error);
}

TEST(Quantizer, WeightsPerChannelHaveTheirOwnScales) {
  Tensor weight = Tensor::empty({2, 3});
  for (int i = 0; i < 6; ++i) weight.data<float>()[i] = i < 3 ? 0.01f * static_cast<float>(i) : static_cast<float>(i);
  const Tensor q = quantize_weight(weight, 0);
  const Tensor back = call_operator("aten::dequantize.self", {q})[0].to_tensor();
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(back.data<float>()[i], weight.data<float>()[i], i < 3 ? 2e-4 : 4e-2);
}

TEST(Quantizer, LeastScalesAreKept) {
  const Tensor q = quantize_weight(Tensor::zeros({1, 4}), 0, {0.5});
  EXPECT_EQ(call_operator("aten::q_per_channel_scales", {q})[0].to_tensor().item().to_double(), 0.5);
}

TEST(Quantizer, AnEmptyModuleIsRefused) {
  EXPECT_THROW(quantize_dynamic(Module()), Error);
  EXPECT_THROW(quantize_static(Module(), {{IValue(1)}}), Error);
  EXPECT_THROW(quantize_float16(Module()), Error);
}

// A method that takes an interface keeps every object as it is; forward counts its runs in a buffer.
constexpr const char* kCounting =
    "class I(ModuleInterface):\n"
    "  def forward(self, x: Tensor) -> Tensor:\n"
    "    pass\n"
    "class M(Module):\n"
    "  __parameters__ = []\n"
    "  __buffers__ = [\"runs\", ]\n"
    "  training : bool\n"
    "  runs : Tensor\n"
    "  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n"
    "    _0 = torch.add_(self.runs, 1)\n"
    "    return torch.linear(x, CONSTANTS.c0, None)\n"
    "  def through(self: __torch__.M, other: __torch__.I, x: Tensor) -> Tensor:\n"
    "    return (other).forward(x, )\n";

TEST(Quantizer, AQuantizedModuleSharesNoStateWithTheOriginal) {
  for (const bool is_static : {false, true}) {
    script::Text text(kCounting, {normal(64, 1, 3).as_strided({8, 8}, {8, 1}, 0)});
    text.importer.class_named("__torch__.I");
    const Module original = script::module_of(text);
    text.program->root.to_object().set(1, IValue(Tensor::zeros({1})));
    const std::vector<IValue> input{normal(16, 1, 4).as_strided({2, 8}, {8, 1}, 0)};
    Module quantized = is_static ? quantize_static(original, {input}).module : quantize_dynamic(original).module;
    quantized.train(true);
    EXPECT_FALSE(original.attr("training").to_bool()) << is_static;
    EXPECT_TRUE(quantized.attr("training").to_bool()) << is_static;
    quantized.forward(input);
    EXPECT_EQ(original.attr("runs").to_tensor().item().to_double(), 0) << is_static;
    EXPECT_EQ(quantized.attr("runs").to_tensor().item().to_double(), 1) << is_static;
  }
}

}  // namespace
}  // namespace wick::quantize
