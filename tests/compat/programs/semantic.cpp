// Segmentation: the class of each pixel, a palette, blending, boxes of classes, resizing of the map.
#include <torch/script.h>
#include <torch/torch.h>

#include <array>
#include <iomanip>

#include "common.h"

namespace F = torch::nn::functional;

int main(int argc, const char* argv[]) {
  const std::string folder = argv[1];
  torch::jit::script::Module net = torch::jit::load(folder + "/segmenter.pt", torch::kCPU);
  net.eval();
  c10::InferenceMode guard;
  auto pixels = read_file<unsigned char>(folder + "/image.bin");
  torch::Tensor image = torch::from_blob(pixels.data(), {64, 64, 3}, at::kByte).clone();
  auto input = image.permute({2, 0, 1}).to(at::kFloat).div(255.0f);
  input[0] = input[0].sub_(0.485f).div_(0.229f);
  input[1] = input[1].sub_(0.456f).div_(0.224f);
  input[2] = input[2].sub_(0.406f).div_(0.225f);
  input.unsqueeze_(0);
  auto dict = net.forward({input}).toGenericDict();
  at::Tensor out = dict.at("out").toTensor().detach();
  std::cout << std::boolalpha << dict.contains("aux") << " " << out.sizes() << " " << out.is_inference() << "\n";
  at::Tensor prediction = out.argmax(1).squeeze().to(torch::kU8);
  std::cout << prediction.dtype() << " " << prediction.sizes() << " " << prediction.sum().item<int64_t>() << "\n";
  auto counts = torch::bincount(prediction.flatten().to(torch::kLong), {}, 21);
  std::cout << counts << "\n";
  auto unique = at::_unique2(prediction, true, false, true);
  std::cout << std::get<0>(unique) << std::get<2>(unique) << "\n";
  auto palette =
      torch::stack({torch::arange(21) * 11 % 256, torch::arange(21) * 47 % 256, torch::arange(21) * 91 % 256}, 1)
          .to(torch::kByte);
  auto colored = palette.index({prediction.to(torch::kLong)});
  auto blended =
      (image.to(torch::kFloat) * 0.4 + colored.to(torch::kFloat) * 0.6).round().clamp_(0, 255).to(torch::kByte);
  std::cout << blended.sizes() << " " << blended.index({0, torch::indexing::Slice(0, 4)}) << "\n";
  for (int64_t cls = 0; cls < 21; ++cls) {
    auto where = (prediction == cls).nonzero();
    if (where.size(0) < 200) continue;
    auto low = std::get<0>(where.min(0)), high = std::get<0>(where.max(0));
    std::cout << cls << ": " << low[0].item<int>() << " " << low[1].item<int>() << " " << high[0].item<int>() << " "
              << high[1].item<int>() << " of " << where.size(0) << "\n";
  }
  auto probabilities = F::softmax(out, F::SoftmaxFuncOptions(1));
  auto best = probabilities.max(1);
  std::cout << std::setprecision(4) << std::get<0>(best).mean().item<float>() << " "
            << std::get<0>(best).min().item<float>() << "\n";
  auto small = F::interpolate(prediction.to(torch::kFloat).unsqueeze(0).unsqueeze(0),
                              F::InterpolateFuncOptions().size(std::vector<int64_t>({8, 8})).mode(torch::kNearest));
  std::cout << small.squeeze().to(torch::kInt) << "\n";
  auto area =
      F::interpolate(probabilities.slice(1, 0, 1),
                     F::InterpolateFuncOptions().scale_factor(std::vector<double>({0.125, 0.125})).mode(torch::kArea));
  std::cout << area.sizes() << " " << area.mean().item<float>() << "\n";
  // A map in the manner of a C array.
  std::array<std::array<uint8_t, 64>, 64> map;
  std::memcpy(map.data(), prediction.data_ptr(), prediction.numel() * sizeof(uint8_t));
  size_t changes = 0;
  for (const auto& row : map)
    for (size_t i = 1; i < row.size(); ++i) changes += row[i] != row[i - 1];
  std::cout << changes << "\n";
}
