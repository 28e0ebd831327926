// torch::nn::functional as inference code uses it.
#include <torch/torch.h>

#include "common.h"

namespace F = torch::nn::functional;

int main() {
  auto x = torch::linspace(-2, 2, 1 * 2 * 6 * 6).view({1, 2, 6, 6});
  auto v = torch::linspace(-3, 3, 8).view({2, 4});
  std::cout << F::relu(v) << F::relu6(v) << F::leaky_relu(v, F::LeakyReLUFuncOptions().negative_slope(0.2))
            << F::elu(v, F::ELUFuncOptions().alpha(0.5)) << F::selu(v) << F::gelu(v) << F::silu(v) << F::mish(v)
            << F::hardtanh(v, F::HardtanhFuncOptions().min_val(-1).max_val(2)) << F::softplus(v) << F::softsign(v)
            << F::logsigmoid(v) << F::tanhshrink(v) << F::hardshrink(v) << F::softshrink(v)
            << F::threshold(v, F::ThresholdFuncOptions(0.5, 9)) << F::celu(v) << F::prelu(v, torch::tensor({0.1f}))
            << F::glu(v) << "\n";
  std::cout << F::softmax(v, 1) << F::softmin(v, F::SoftminFuncOptions(0))
            << F::log_softmax(v, F::LogSoftmaxFuncOptions(1)) << F::normalize(v, F::NormalizeFuncOptions().p(2).dim(1))
            << F::cosine_similarity(v, v + 1, F::CosineSimilarityFuncOptions().dim(1)) << F::pairwise_distance(v, v + 1)
            << "\n";
  auto w = torch::linspace(-0.5, 0.5, 3 * 2 * 3 * 3).view({3, 2, 3, 3});
  std::cout << F::conv2d(x, w, F::Conv2dFuncOptions().stride(2).padding(1)) << F::conv2d(x, w).sizes()
            << F::conv2d(x, w.slice(1, 0, 1).slice(0, 0, 2),
                         F::Conv2dFuncOptions().bias(torch::ones(2)).groups(2).dilation(2))
                   .sum()
            << F::conv1d(v.unsqueeze(0), torch::ones({1, 2, 3}))
            << F::conv_transpose2d(x, w.permute({1, 0, 2, 3}),
                                   F::ConvTranspose2dFuncOptions().stride(2).output_padding(1))
                   .sizes()
            << F::conv3d(torch::ones({1, 1, 3, 3, 3}), torch::ones({1, 1, 2, 2, 2})).sizes() << "\n";
  std::cout << F::max_pool2d(x, F::MaxPool2dFuncOptions(2))
            << F::max_pool2d(x, F::MaxPool2dFuncOptions({3, 2}).stride({2, 1}).padding({1, 0})).sizes()
            << F::avg_pool2d(x, F::AvgPool2dFuncOptions(3).stride(1).padding(1).count_include_pad(false)).sum()
            << F::adaptive_avg_pool2d(x, F::AdaptiveAvgPool2dFuncOptions({1, 1}))
            << F::adaptive_avg_pool2d(x, F::AdaptiveAvgPool2dFuncOptions(2)).sizes()
            << F::adaptive_max_pool2d(x, F::AdaptiveMaxPool2dFuncOptions(3)).sizes()
            << F::avg_pool1d(v.unsqueeze(0), F::AvgPool1dFuncOptions(2))
            << F::max_pool1d(v.unsqueeze(0), F::MaxPool1dFuncOptions(2).stride(1))
            << F::adaptive_avg_pool1d(v.unsqueeze(0), F::AdaptiveAvgPool1dFuncOptions(1))
            << F::lp_pool2d(x.abs(), F::LPPool2dFuncOptions(2, 2)).sizes() << "\n";
  torch::Tensor pooled, indices;
  std::tie(pooled, indices) = F::max_pool2d_with_indices(x, F::MaxPool2dFuncOptions(2));
  std::cout << indices << F::max_unpool2d(pooled, indices, F::MaxUnpool2dFuncOptions(2)).sizes() << "\n";
  using O = F::InterpolateFuncOptions;
  std::cout << F::interpolate(x, O().size(std::vector<int64_t>{3, 3}).mode(torch::kBilinear).align_corners(true))
            << F::interpolate(x, O().scale_factor(std::vector<double>{2., 2.}).mode(torch::kNearest)).sum()
            << F::interpolate(
                   x, O().scale_factor(std::vector<double>{1.5, 1.5}).mode(torch::kBicubic).align_corners(false))
                   .sizes()
            << F::interpolate(v.unsqueeze(0),
                              O().size(std::vector<int64_t>{7}).mode(torch::kLinear).align_corners(false))
            << F::interpolate(x, O().size(std::vector<int64_t>{2, 2}).mode(torch::kArea))
            << F::interpolate(x.unsqueeze(0),
                              O().size(std::vector<int64_t>{2, 3, 3}).mode(torch::kTrilinear).align_corners(false))
                   .sizes()
            << "\n";
  std::cout << F::pad(x, F::PadFuncOptions({1, 2, 1, 0}).mode(torch::kReflect)).sizes()
            << F::pad(x, F::PadFuncOptions({1, 1, 1, 1}).mode(torch::kReplicate)).sum()
            << F::pad(v.unsqueeze(0), F::PadFuncOptions({1, 1}).mode(torch::kCircular))
            << F::pad(v, F::PadFuncOptions({0, 1}).value(-1)) << "\n";
  auto theta = torch::tensor({{{1.f, 0.f, 0.1f}, {0.f, 1.f, -0.2f}}});
  auto grid = F::affine_grid(theta, {1, 2, 4, 4}, false);
  std::cout << grid.sizes()
            << F::grid_sample(
                   x, grid,
                   F::GridSampleFuncOptions().mode(torch::kBilinear).padding_mode(torch::kZeros).align_corners(false))
            << F::grid_sample(
                   x, grid,
                   F::GridSampleFuncOptions().mode(torch::kNearest).padding_mode(torch::kBorder).align_corners(true))
                   .sum()
            << "\n";
  auto mean = torch::zeros(2), var = torch::ones(2);
  std::cout
      << F::batch_norm(
             x, mean, var,
             F::BatchNormFuncOptions().weight(torch::tensor({2.f, 3.f})).bias(torch::ones(2)).training(false).eps(1e-3))
             .sum()
      << F::layer_norm(v, F::LayerNormFuncOptions({4}).eps(1e-5)) << F::group_norm(x, F::GroupNormFuncOptions(2)).std()
      << F::instance_norm(x).mean().abs().lt(1e-5)
      << F::local_response_norm(x, F::LocalResponseNormFuncOptions(2)).sizes() << "\n";
  std::cout << F::linear(v, torch::ones({3, 4}), torch::arange(3.)) << F::linear(v, torch::ones({1, 4}))
            << F::bilinear(v, v, torch::ones({1, 4, 4})).sizes() << F::embedding(torch::tensor({0, 1}), v)
            << F::one_hot(torch::tensor({0, 2, 1})) << F::one_hot(torch::tensor({1}), 4)
            << F::pixel_shuffle(torch::arange(8.).view({1, 4, 1, 2}), F::PixelShuffleFuncOptions(2))
            << F::unfold(x, F::UnfoldFuncOptions({3, 3}).stride(3)).sizes()
            << F::fold(torch::ones({1, 8, 9}), F::FoldFuncOptions({4, 4}, {2, 2})).sizes() << "\n";
  std::cout << F::dropout(v, F::DropoutFuncOptions().p(0.5).training(false)).equal(v)
            << F::dropout2d(x, F::Dropout2dFuncOptions().training(false)).equal(x)
            << F::embedding_bag(torch::tensor({0, 1, 1}), v,
                                F::EmbeddingBagFuncOptions().offsets(torch::tensor({0, 2})).mode(torch::kSum))
            << F::gumbel_softmax(v).sizes() << "\n";
  std::cout << F::mse_loss(v, v + 1) << F::l1_loss(v, v + 2, F::L1LossFuncOptions(torch::kSum))
            << F::cross_entropy(v, torch::tensor({1, 2})) << F::nll_loss(F::log_softmax(v, 1), torch::tensor({1, 2}))
            << F::binary_cross_entropy_with_logits(v, torch::ones_like(v)) << F::smooth_l1_loss(v, v * 2)
            << F::kl_div(F::log_softmax(v, 1), F::softmax(v * 2, 1), F::KLDivFuncOptions(torch::kBatchMean))
            << F::binary_cross_entropy(v.sigmoid(), torch::ones_like(v)) << "\n";
  auto inplace = v.clone();
  F::relu(inplace, F::ReLUFuncOptions().inplace(true));
  std::cout << inplace << torch::relu_(inplace).sum() << torch::dropout(v, 0.5, false).equal(v)
            << torch::softmax(v, 1).sum() << torch::conv2d(x, w, {}, 2, 1).sizes() << torch::max_pool2d(x, 2).sizes()
            << torch::adaptive_avg_pool2d(x, {1, 1}).sizes()
            << torch::batch_norm(x, {}, {}, mean, var, false, 0.1, 1e-5, false).sizes()
            << torch::layer_norm(v, {4}).sizes() << torch::embedding(v, torch::tensor({1}))
            << torch::pixel_shuffle(torch::ones({1, 4, 1, 1}), 2).sizes()
            << torch::nn::functional::softmax(v, 0).sizes() << "\n";
}
