// Quantized operators in plans: the same bytes as the interpreter's.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "core/copy.h"
#include "plan/planned.h"
#include "plan/profile.h"
#include "unit/frontend/script/run.h"

namespace wick::script {
namespace {

IValue numbers(IntVec sizes, MemoryFormat format) {
  Tensor t = Tensor::empty(sizes);
  uint32_t state = 7;
  for (int64_t i = 0; i < t.numel(); ++i) {
    state = state * 1664525u + 1013904223u;
    t.data<float>()[i] = 8.0F * static_cast<float>(state >> 8) / static_cast<float>(1 << 24) - 4.0F;
  }
  return contiguous(t, format);
}

// By the interpreter and by plans f gives the same bytes, scale and zero point; the profile names the steps, and calls
// none of the operators.
void expect_equal(const std::string& body, const IValue& input, const std::vector<std::string>& steps) {
  const std::string text = "def f(x: Tensor) -> Tensor:\n" + body;
  Text plain(text), planned(text);
  ir::Function& f = plain.function("f");
  ir::Function& g = planned.function("f");
  for (int run = 0; run < 3; ++run) {
    const Tensor want = plain.executor->run(f, {input}).to_tensor();
    plan::Profile profile;
    const plan::ProfileScope scope(profile);
    const Tensor got = planned.planner.run(g, {input}).to_tensor();
    ASSERT_EQ(got.dtype(), DType::kQUInt8);
    ASSERT_TRUE(got.sizes() == want.sizes() && got.strides() == want.strides());
    EXPECT_EQ(got.quantizer().scale, want.quantizer().scale);
    EXPECT_EQ(got.quantizer().zero_point, want.quantizer().zero_point);
    EXPECT_EQ(std::memcmp(got.raw_data(), want.raw_data(), static_cast<size_t>(want.numel())), 0) << body;
    if (run == 0) continue;
    std::string names;
    for (const plan::StepTime& step : profile.steps) names += step.name + "\n";
    for (const std::string& step : steps) EXPECT_NE(names.find(step), std::string::npos) << step << " in\n" << names;
    EXPECT_EQ(names.find("quantized::"), std::string::npos) << names;
  }
}

constexpr const char* kBytes = "  q = torch.quantize_per_tensor(x, 0.05, 100, 13)\n";

TEST(PlanQuantized, ActivationsAreTables) {
  const std::pair<const char*, const char*> activations[] = {
      {"ops.quantized.hardswish(q, 0.04, 30)", "quantized hardswish"},
      {"ops.quantized.sigmoid(q, 0.00390625, 0)", "quantized sigmoid"},
      {"ops.quantized.leaky_relu(q, 0.1, False, 0.06, 90)", "quantized leaky_relu"},
      {"ops.quantized.elu(q, 0.03, 70, 1.0, 1.0, 1.0)", "quantized elu"},
      {"ops.quantized.celu(q, 0.03, 70, 1.5)", "quantized celu"},
      {"torch.relu(q)", "quantized relu"},
  };
  for (const auto& [call, step] : activations) {
    for (const MemoryFormat format : {MemoryFormat::kContiguous, MemoryFormat::kChannelsLast}) {
      expect_equal(std::string(kBytes) + "  return " + call + "\n", numbers({2, 5, 7, 9}, format), {step});
    }
  }
}

TEST(PlanQuantized, CatOfOneScaleAndOfSeveral) {
  const std::string parts = std::string(kBytes) +
                            "  r = ops.quantized.hardswish(q, 0.04, 30)\n"
                            "  s = ops.quantized.leaky_relu(q, 0.2, False, 0.05, 100)\n";
  for (const char* call : {"cat([q, r, s], 1, 0.05, 100)", "cat_relu([q, r, s], 1, 0.05, 100)",
                           "cat([s, q], -3, 0.05, 100)", "cat([r, q], 0, 0.02, 130)", "cat([r, q], -1, 0.02, 130)"}) {
    for (const MemoryFormat format : {MemoryFormat::kContiguous, MemoryFormat::kChannelsLast}) {
      // By other dims than channels, images with channels last are no rows.
      const bool is_planned =
          format == MemoryFormat::kContiguous || std::string(call).find("0.05") != std::string::npos;
      if (!is_planned) continue;
      expect_equal(parts + "  return ops.quantized." + call + "\n", numbers({2, 5, 7, 9}, format), {"quantized cat"});
    }
  }
}

}  // namespace
}  // namespace wick::script
