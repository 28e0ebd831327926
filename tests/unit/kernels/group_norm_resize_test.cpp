// Group normalization and resampling of images with channels last, against plain loops.
#include <cmath>
#include <vector>

#include "kernels/group_norm.h"
#include "kernels/resize.h"
#include "unit/kernels/kernel_targets.h"

namespace wick::kernels {
namespace {

std::vector<float> waves(int64_t count, float step, float offset = 0) {
  std::vector<float> out(static_cast<size_t>(count));
  for (size_t i = 0; i < out.size(); ++i) out[i] = offset + std::sin(step * static_cast<float>(i) + 0.3F);
  return out;
}

void check_group_norm(int64_t pixels, int64_t channels, int64_t groups, bool affine) {
  const auto x = waves(pixels * channels, 0.37F, 3), weight = waves(channels, 0.5F), bias = waves(channels, 0.9F);
  std::vector<float> y(x.size());
  GroupNorm norm{pixels, channels, groups, affine ? weight.data() : nullptr, affine ? bias.data() : nullptr, 1e-5F};
  const Scratch<float> scratch(group_norm_scratch_size(norm));
  Workers workers;
  workers.count = 3;
  workers.run = [](int64_t tasks, const Workers::Body& body) {
    for (int64_t t = tasks - 1; t >= 0; --t) body(t, t + 1);
  };
  group_norm(norm, x.data(), y.data(), scratch.data(), workers);
  const int64_t each = channels / groups;
  for (int64_t g = 0; g < groups; ++g) {
    double sum = 0, squares = 0;
    const double count = static_cast<double>(each * pixels);
    for (int64_t p = 0; p < pixels; ++p)
      for (int64_t c = g * each; c < (g + 1) * each; ++c) sum += x[static_cast<size_t>(p * channels + c)];
    for (int64_t p = 0; p < pixels; ++p)
      for (int64_t c = g * each; c < (g + 1) * each; ++c)
        squares += std::pow(x[static_cast<size_t>(p * channels + c)] - sum / count, 2);
    for (int64_t p = 0; p < pixels; ++p)
      for (int64_t c = g * each; c < (g + 1) * each; ++c) {
        const auto at = static_cast<size_t>(p * channels + c), k = static_cast<size_t>(c);
        double want = (x[at] - sum / count) / std::sqrt(squares / count + 1e-5);
        if (affine) want = want * weight[k] + bias[k];
        ASSERT_NEAR(y[at], want, 5e-5) << pixels << " pixels, channel " << c << " of " << channels;
      }
  }
}

TEST(KernelImage, GroupNormMatchesPlainLoops) {
  with_each_target([] {
    for (const int64_t pixels : {1, 5, 64, 131}) {
      check_group_norm(pixels, 32, 8, true);
      check_group_norm(pixels, 75, 25, false);
      check_group_norm(pixels, 6, 6, true);
      check_group_norm(pixels, 130, 1, true);
    }
  });
}

TEST(KernelImage, RowsAndPixelsAreBlended) {
  with_each_target([] {
    for (const int64_t channels : {1, 3, 21, 64, 70}) {
      const int64_t in = 5, width = 8, count = 3;
      const auto x = waves(in * channels, 0.4F);
      std::vector<int64_t> index;
      std::vector<float> weight;
      for (int64_t i = 0; i < width * count; ++i) {
        index.push_back(i * 7 % in);
        weight.push_back(0.25F * static_cast<float>(i % 5) - 0.3F);
      }
      std::vector<float> y(static_cast<size_t>(width * channels)), line(static_cast<size_t>(channels));
      resize_row(x.data(), {count, index.data(), weight.data()}, width, channels, y.data());
      for (int64_t i = 0; i < width; ++i) {
        blend_rows(x.data(), channels, index.data() + i * count, weight.data() + i * count, count, channels,
                   line.data());
        for (int64_t c = 0; c < channels; ++c) {
          double want = 0;
          for (int64_t k = 0; k < count; ++k) {
            const auto tap = static_cast<size_t>(i * count + k);
            want += static_cast<double>(weight[tap]) * x[static_cast<size_t>(index[tap] * channels + c)];
          }
          ASSERT_NEAR(y[static_cast<size_t>(i * channels + c)], want, 1e-6);
          ASSERT_EQ(line[static_cast<size_t>(c)], y[static_cast<size_t>(i * channels + c)]);
        }
      }
      const float one = 1;
      const int64_t last = in - 1;
      blend_rows(x.data(), channels, &last, &one, 1, channels, line.data());
      for (int64_t c = 0; c < channels; ++c)
        ASSERT_EQ(line[static_cast<size_t>(c)], x[static_cast<size_t>(last * channels + c)]);
    }
  });
}

}  // namespace
}  // namespace wick::kernels
