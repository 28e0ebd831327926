// Super resolution by tiles, color conversion, histogram, convolution filters, sliding windows over volumes.
#include <torch/torch.h>

#include "common.h"

namespace F = torch::nn::functional;
using namespace torch::indexing;

torch::Tensor rgb2ycbcr(const torch::Tensor& rgb) {
  auto m =
      torch::tensor({{65.481f, 128.553f, 24.966f}, {-37.797f, -74.203f, 112.f}, {112.f, -93.786f, -18.214f}}) / 255.f;
  return torch::einsum("ck,nkhw->nchw", {m, rgb}) + torch::tensor({16.f, 128.f, 128.f}).view({1, 3, 1, 1}) / 255.f;
}

int main(int, char** argv) {
  auto bytes = read_file<uint8_t>(std::string(argv[1]) + "/image.bin");
  auto img = torch::from_blob(bytes.data(), {3, 64, 64}, torch::kByte).to(torch::kFloat32).unsqueeze(0) / 255;
  auto ycc = rgb2ycbcr(img);
  std::cout << ycc.mean({0, 2, 3}) << "\n";
  auto up = torch::empty({1, 3, 128, 128});
  const int tile = 32;
  for (int y = 0; y < 64; y += tile)
    for (int x = 0; x < 64; x += tile) {
      auto part = img.index({Slice(), Slice(), Slice(y, y + tile), Slice(x, x + tile)});
      auto big = F::interpolate(part, F::InterpolateFuncOptions()
                                          .scale_factor(std::vector<double>{2, 2})
                                          .mode(torch::kBicubic)
                                          .align_corners(false));
      up.index_put_({Slice(), Slice(), Slice(2 * y, 2 * (y + tile)), Slice(2 * x, 2 * (x + tile))}, big);
    }
  std::cout << up.sizes() << up.mean().item<float>() << " " << up.clamp_(0, 1).max().item<float>() << "\n";
  auto shuffled = torch::pixel_shuffle(torch::cat({img, img, img, img}, 1), 2);
  std::cout << shuffled.sizes() << torch::pixel_unshuffle(shuffled, 2).equal(torch::cat({img, img, img, img}, 1))
            << "\n";
  auto sobel = torch::tensor({{1.f, 0.f, -1.f}, {2.f, 0.f, -2.f}, {1.f, 0.f, -1.f}}).view({1, 1, 3, 3});
  auto gray = (img * torch::tensor({0.299, 0.587, 0.114}).view({1, 3, 1, 1})).sum(1, true);
  auto gx = torch::conv2d(gray, sobel, {}, 1, 1), gy = torch::conv2d(gray, sobel.transpose(2, 3), {}, 1, 1);
  auto mag = (gx.pow(2) + gy.pow(2)).sqrt();
  std::cout << mag.mean() << mag.argmax() << torch::atan2(gy, gx).abs().mean() << "\n";
  std::cout << torch::histc(gray, 8, 0, 1) << torch::quantile(gray.flatten(), torch::tensor({0.05, 0.5, 0.95})) << "\n";
  auto patches = img.unfold(2, 16, 16).unfold(3, 16, 16).permute({0, 2, 3, 1, 4, 5}).contiguous().view({-1, 3, 16, 16});
  std::cout << patches.sizes() << patches.mean({1, 2, 3}).slice(0, 0, 4) << "\n";
  auto volume = torch::arange(4 * 6 * 6, torch::kFloat).view({1, 1, 4, 6, 6}).sin();
  auto kernel = torch::ones({1, 1, 3, 3, 3}) / 27;
  std::cout << torch::conv3d(volume, kernel, {}, 1, 1).sum() << torch::max_pool3d(volume, 2).sizes()
            << torch::avg_pool3d(volume, 2).sum() << "\n";
  auto psnr = 10 * torch::log10(1.0 / torch::mse_loss(img, img + 0.01));
  std::cout << psnr.item<float>() << "\n";
  auto gauss = torch::exp(-(torch::arange(11.) - 5).pow(2) / (2 * 1.5 * 1.5));
  gauss /= gauss.sum();
  auto window = gauss.unsqueeze(1).mm(gauss.unsqueeze(0)).expand({3, 1, 11, 11}).contiguous();
  auto mu = torch::conv2d(img, window, {}, 1, 5, 1, 3);
  std::cout << mu.sizes() << (torch::conv2d(img * img, window, {}, 1, 5, 1, 3) - mu * mu).mean() << "\n";
  auto out = up.squeeze().mul(255).add(0.5).clamp(0, 255).permute({1, 2, 0}).to(torch::kCPU, torch::kU8);
  std::cout << out.sizes() << out.is_contiguous() << out.contiguous().data_ptr<uint8_t>()[100] * 1 << "\n";
  auto flipped = torch::flip(img, {-1}), rotated = torch::rot90(img, 1, {2, 3});
  auto ensemble = (img + torch::flip(flipped, {-1}) + torch::rot90(rotated, -1, {2, 3})) / 3;
  std::cout << torch::allclose(ensemble, img) << "\n";
}
