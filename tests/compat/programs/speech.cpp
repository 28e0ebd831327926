// Streaming speech: a string, a state that is passed on, chunks of a buffer with a deleter.
#include <torch/script.h>

#include "common.h"

int main(int argc, char** argv) {
  const std::string folder = argv[1];
  std::ifstream file(folder + "/speech.pt", std::ios::binary);
  torch::jit::script::Module module = torch::jit::load(file);
  torch::autograd::AutoGradMode no_grad(false);
  auto* samples = new std::vector<float>(read_file<float>(folder + "/audio.bin"));
  int deleted = 0;
  {
    auto audio = torch::from_blob(
        samples->data(), {static_cast<int64_t>(samples->size())},
        [&deleted, samples](void*) { delete samples, ++deleted; }, torch::kFloat32);
    c10::IValue state;
    for (const auto& chunk : audio.split(800)) {
      auto output = module.forward({chunk, state}).toTuple();
      state = output->elements()[1];
      std::cout << "'" << output->elements()[0].toStringRef() << "' " << output->elements()[2] << "\n";
    }
    std::cout << state.toTensor().sizes() << " " << state.toTensor().sum().item<float>() << " " << deleted << "\n";
    auto frames = audio.unfold(0, 400, 160);
    auto window = torch::hann_window(400);
    auto energy = (frames * window).pow(2).sum(-1).add(1e-6).log();
    std::cout << frames.sizes() << " " << energy.mean().item<float>() << " " << energy.std().item<float>() << "\n";
  }
  std::cout << deleted << "\n";
}
