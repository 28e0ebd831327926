// Pre- and post-processing with many tensor operators.
#include <torch/torch.h>

#include "common.h"

namespace F = torch::nn::functional;
using namespace torch::indexing;

int main() {
  torch::Tensor x = torch::arange(24, torch::kFloat).reshape({2, 3, 4});
  std::cout << x << "\n" << x.index({0, Slice(None, None, 2), "..."}) << "\n" << x.index({Ellipsis, -1}) << "\n";
  std::cout << x.transpose(1, 2).contiguous().view({2, -1}).sum(1) << x.mean({1, 2}) << "\n";
  auto parts = torch::stack({x[0], x[1]}, 2).chunk(2, 0);
  std::cout << parts.size() << parts[1].sizes() << parts[1].strides() << "\n";
  torch::Tensor image = torch::linspace(0, 1, 48).view({1, 3, 4, 4});
  auto resized = F::interpolate(
      image, F::InterpolateFuncOptions().size(std::vector<int64_t>{8, 8}).mode(torch::kBilinear).align_corners(false));
  std::cout << resized.sizes() << " " << resized.sum().item<double>() << "\n";
  std::cout << F::pad(image, F::PadFuncOptions({1, 1, 0, 2}).mode(torch::kConstant).value(0.5)).sizes() << "\n";
  std::cout << torch::upsample_nearest2d(image, {2, 2}).flatten() << "\n";
  torch::Tensor mask = x > 10;
  std::cout << x.masked_select(mask).numel() << " " << torch::nonzero(mask).sizes() << " " << mask.any().item<bool>()
            << "\n";
  std::cout << torch::where(mask, x, torch::zeros_like(x)).sum().item().toFloat() << "\n";
  auto sorted = torch::tensor({3.5, 1.25, 2.0}).sort();
  std::cout << std::get<0>(sorted) << std::get<1>(sorted) << "\n";
  std::cout << torch::eye(2) << torch::full({2}, 7) << torch::ones({2}, torch::kInt) << torch::tensor({true, false})
            << "\n";
  std::cout << 2 - torch::tensor({1., 2.}) << 1 / torch::tensor({2., 4.}) << -torch::tensor({1, 2}) << "\n";
  torch::Tensor y = torch::zeros({3, 3});
  y[1] = 5;
  y[0][2] = 1.5;
  y.index_put_({Slice(), 0}, torch::tensor({7., 8., 9.}));
  y += 1;
  y *= 2;
  std::cout << y << y.t().is_contiguous() << y.max().item<float>() << "\n";
  std::cout << torch::matmul(y, y).norm().item<float>() << " " << y.inverse().sum().item<float>() << "\n";
  std::cout << x.flip({0}).select(0, 0).argmax().item<int64_t>() << " " << x.clamp(2, 9).sum().item<float>() << "\n";
  std::cout << torch::cat({x, x}, -1).sizes() << x.repeat({1, 2, 1}).sizes() << x.expand({2, 3, 4}).sizes() << "\n";
  std::cout << x.to(torch::kHalf).dtype() << " " << x.to(torch::kLong).sum().item<int64_t>() << " "
            << x.options().dtype() << "\n";
  std::cout << torch::allclose(x, x + 1e-9) << x.equal(x.clone()) << torch::equal(x, x * 2) << "\n";
  std::cout << x.std().item<float>() << " " << x.var(1).sum().item<float>() << " " << x.std(1, false, true).sizes()
            << "\n";
  std::vector<float> values(x.data_ptr<float>(), x.data_ptr<float>() + x.numel());
  std::cout << values.size() << " " << values.back() << "\n";
  std::cout << torch::quantize_per_tensor(torch::tensor({0.5f, 1.f}), 0.1, 10, torch::kQUInt8) << "\n";
  torch::manual_seed(3);
  std::cout << torch::rand({2, 2}) << torch::randn({3}) << torch::randint(0, 10, {4}) << "\n";
}
