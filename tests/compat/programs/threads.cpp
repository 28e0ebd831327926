// One module run by several threads, each with inputs of its own.
#include <torch/script.h>
#include <torch/torch.h>

#include <thread>

#include "common.h"

int main(int argc, char** argv) {
  const std::string folder = argv[1];
  torch::set_num_threads(1);
  const torch::jit::Module module = torch::jit::load(folder + "/classifier.pt");
  std::vector<float> sums(4);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      torch::NoGradGuard guard;
      torch::jit::Module own = module;
      for (int i = 0; i < 5; ++i) {
        auto input = torch::full({1, 3, 32 + 8 * t, 32}, 0.1 * (t + 1), torch::kFloat32);
        sums[t] = own.forward({input}).toTensor().abs().sum().item<float>();
      }
    });
  }
  for (auto& thread : threads) thread.join();
  for (float s : sums) std::cout << s << "\n";
  auto future = module.get_method("forward").run_async({torch::ones({1, 3, 32, 32})});
  future->wait();
  std::cout << future->value().toTensor().sizes() << " " << torch::get_num_threads() << "\n";
}
