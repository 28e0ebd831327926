// Images without OpenCV: from_blob, layouts, normalization, resizing, padding, cropping, batches.
#include <torch/script.h>
#include <torch/torch.h>

#include <numeric>

#include "common.h"

namespace F = torch::nn::functional;

int main() {
  std::vector<uint8_t> pixels(12 * 10 * 3);
  std::iota(pixels.begin(), pixels.end(), 0);
  auto options = torch::TensorOptions().dtype(torch::kUInt8).device(torch::kCPU).requires_grad(false);
  auto image = torch::from_blob(pixels.data(), {12, 10, 3}, options);
  auto x = image.permute({2, 0, 1}).to(torch::kFloat32).div_(255).unsqueeze(0);
  std::cout << x.sizes() << " " << x.strides() << " " << x.is_contiguous() << " " << x.dtype() << "\n";
  auto mean = torch::tensor({0.485, 0.456, 0.406}, torch::kFloat).view({1, 3, 1, 1});
  auto stddev = torch::tensor({0.229f, 0.224f, 0.225f}).reshape({1, -1, 1, 1});
  x = x.sub(mean).div(stddev).contiguous();
  std::cout << x.mean().item<float>() << " " << x.std().item<double>() << "\n";
  auto resized = F::interpolate(
      x, F::InterpolateFuncOptions().size(std::vector<int64_t>({6, 8})).mode(torch::kBilinear).align_corners(false));
  std::cout << resized[0][0] << "\n";
  std::cout << torch::upsample_nearest2d(x, {4, 4})[0][1] << "\n";
  auto padded = F::pad(resized, F::PadFuncOptions({1, 1, 2, 0}).mode(torch::kConstant).value(0.5));
  std::cout << padded.sizes() << " " << padded.index({0, 2, 0}) << "\n";
  auto reflected = torch::constant_pad_nd(resized, {0, 2}, 1);
  std::cout << reflected.sizes() << "\n";
  auto crop = padded.slice(2, 1, 7).slice(3, 2, 8).flip({3});
  auto batch = torch::stack({crop.squeeze(0), crop.squeeze(0) * 2});
  std::cout << batch.sizes() << " " << batch.select(0, 1)[0][0] << "\n";
  auto channels_last = batch.contiguous(torch::MemoryFormat::ChannelsLast);
  std::cout << channels_last.strides() << " " << channels_last.is_contiguous(at::MemoryFormat::ChannelsLast) << "\n";
  auto bytes = batch.mul(40).add_(120).clamp(0, 255).to(torch::kU8).permute({0, 2, 3, 1}).contiguous();
  std::vector<uint8_t> back(bytes.data_ptr<uint8_t>(), bytes.data_ptr<uint8_t>() + bytes.numel());
  std::cout << std::accumulate(back.begin(), back.end(), 0) << " " << bytes.nbytes() << "\n";
  std::vector<torch::Tensor> parts = batch.chunk(2, 0);
  std::cout << parts.size() << " " << torch::allclose(parts[1], parts[0] * 2) << "\n";
  std::cout << F::softmax(batch.flatten(1).slice(1, 0, 4), F::SoftmaxFuncOptions(1)) << "\n";
  std::cout << torch::avg_pool2d(batch, {2, 2}).sizes() << " " << F::relu(-batch).max().item().toFloat() << "\n";
  bool deleted = false;
  {
    auto owned = torch::from_blob(
        pixels.data(), {4}, [&](void*) { deleted = true; }, torch::kByte);
    std::cout << owned.sum() << "\n";
  }
  std::cout << deleted << " " << torch::full({2}, 7, torch::kInt32) << torch::linspace(0, 1, 5) << torch::eye(2)
            << "\n";
  std::cout << torch::where(resized[0][0] > 0, resized[0][0], torch::zeros({})).sum() << "\n";
  std::cout << (torch::tensor({1, 2, 3}) == torch::tensor({1, 0, 3})) << torch::tensor({true, false}) << "\n";
  std::cout << torch::randn({2, 3}).options().dtype() << " " << image.options().device() << "\n";
}
