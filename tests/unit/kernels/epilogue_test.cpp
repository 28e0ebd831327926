// Activations at the ends of the number range.
#include "kernels/epilogue.h"

#include <cmath>
#include <limits>
#include <vector>

#include "unit/kernels/kernel_targets.h"

namespace wick::kernels {
namespace {

constexpr float kMax = std::numeric_limits<float>::max(), kInf = std::numeric_limits<float>::infinity();

// As PyTorch computes it, in double where that changes nothing.
float expected_of(Activation activation, float v) {
  const double x = v;
  switch (activation) {
    case Activation::kSilu:
      return static_cast<float>(x / (1 + std::exp(-x)));
    case Activation::kGelu:
      return static_cast<float>(x * std::erfc(-x / std::sqrt(2.0)) / 2);
    case Activation::kGeluTanh:
      return v * static_cast<float>((1 + std::tanh(0.7978845608 * (x + 0.044715 * x * x * x))) / 2);
    case Activation::kHardSwish:
      return v * (std::fmin(std::fmax(v + 3, 0.0f), 6.0f) / 6);
    case Activation::kMish:
      return static_cast<float>(x * std::tanh(std::log1p(std::exp(x))));
    default:
      return v;
  }
}

// An activation that multiplies its argument by what is almost 0 or 1.
TEST(KernelEpilogue, HugeNumbersAndInfinitiesGiveWhatPyTorchGives) {
  const std::vector<float> x = {-kMax,  -1e38f, -3e30f, -1e10f, -1000.0f, -200.0f, -90.0f, 0.0f, 90.0f,
                                200.0f, 1e10f,  3e30f,  1e38f,  2e38f,    kMax,    -kInf,  kInf, NAN};
  with_each_target([&x] {
    for (const Activation activation :
         {Activation::kSilu, Activation::kGelu, Activation::kGeluTanh, Activation::kHardSwish, Activation::kMish}) {
      // In vectors, and as the rest of some.
      for (const size_t repeat : {size_t{1}, size_t{64}}) {
        for (const float value : x) {
          const std::vector<float> in(repeat, value);
          std::vector<float> out(repeat);
          Epilogue e;
          e.activation = activation;
          apply_epilogue(e, in.data(), out.data(), static_cast<int64_t>(repeat));
          const float want = expected_of(activation, value);
          for (const float got : out) {
            if (std::isnan(want)) {
              EXPECT_TRUE(std::isnan(got))
                  << value << " gives " << got << ", activation " << static_cast<int>(activation);
            } else if (std::isinf(want)) {
              EXPECT_EQ(got, want) << value << ", activation " << static_cast<int>(activation);
            } else {
              EXPECT_NEAR(got, want, 2e-36 + 4e-7 * std::fabs(want))
                  << value << ", activation " << static_cast<int>(activation);
            }
          }
        }
      }
    }
  });
}

}  // namespace
}  // namespace wick::kernels
