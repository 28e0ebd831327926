// Image classification: bytes of an image, normalization, the five best classes with their labels.
#include <torch/script.h>

#include <sstream>

#include "common.h"

int main(int argc, const char* argv[]) {
  const std::string folder = argv[1];
  torch::jit::script::Module module;
  torch::jit::ExtraFilesMap extra{{"labels.txt", ""}, {"missing.txt", "kept"}};
  try {
    module = torch::jit::load(folder + "/classifier.pt", torch::kCPU, extra);
  } catch (const c10::Error& e) {
    std::cerr << "error loading the model\n";
    return -1;
  }
  module.eval();
  std::vector<std::string> labels;
  std::istringstream lines(extra["labels.txt"]);
  for (std::string line; std::getline(lines, line);) labels.push_back(line);

  std::vector<uint8_t> image = read_file<uint8_t>(folder + "/image.bin");
  at::Tensor tensor = torch::from_blob(image.data(), {1, 64, 64, 3}, at::kByte);
  tensor = tensor.to(at::kFloat).div_(255).permute({0, 3, 1, 2}).contiguous();
  const std::vector<double> mean{0.485, 0.456, 0.406}, deviation{0.229, 0.224, 0.225};
  for (int c = 0; c < 3; ++c) tensor[0][c] = tensor[0][c].sub(mean[c]).div(deviation[c]);

  torch::NoGradGuard no_grad;
  std::vector<torch::jit::IValue> inputs;
  inputs.push_back(tensor);
  at::Tensor output = module.forward(inputs).toTensor();
  at::Tensor probabilities = torch::softmax(output, 1);
  std::tuple<at::Tensor, at::Tensor> top = probabilities.topk(5, -1, true, true);
  auto scores = std::get<0>(top)[0];
  auto indices = std::get<1>(top)[0];
  auto accessor = indices.accessor<int64_t, 1>();
  for (int i = 0; i < 5; ++i) {
    std::cout << labels[accessor[i]] << " " << scores[i].item<float>() << "\n";
  }
  std::cout << output.slice(/*dim=*/1, /*start=*/0, /*end=*/5) << "\n";
  std::cout << output.sizes() << " " << output.dtype() << " " << output.device() << " " << extra["missing.txt"] << "\n";
  std::cout << std::get<1>(output.max(1)).item().toInt() << " " << output.argmax(1).item<int64_t>() << "\n";
}
