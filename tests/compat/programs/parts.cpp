// Parameters, buffers, submodules and attributes of a module; changing them; saving tensors.
#include <torch/script.h>
#include <torch/torch.h>

#include <sstream>

#include "common.h"

int main(int argc, char** argv) {
  const std::string folder = argv[1];
  auto module = torch::jit::load(folder + "/parts.pt");
  for (const auto& p : module.named_parameters()) std::cout << p.name << " " << p.value.sizes() << "\n";
  for (const auto& b : module.named_buffers()) std::cout << b.name << " " << b.value << "\n";
  for (const auto& child : module.named_children()) std::cout << "child " << child.name << "\n";
  for (const auto& m : module.named_modules()) std::cout << "module '" << m.name << "'\n";
  std::cout << module.parameters().size() << " " << module.is_training() << " " << module.attr("version").toInt()
            << "\n";
  auto x = torch::linspace(-1, 1, 12).view({2, 6});
  auto encoder = module.attr("encoder").toModule();
  std::cout << encoder.forward({x}).toTensor() << module.run_method("encode", x).toTensor() << "\n";
  std::cout << module.forward({x}).toTensor() << module.forward({x, true}).toTensor() << "\n";
  module.setattr("scale", torch::tensor({0.5f}));
  std::cout << module({x}).toTensor() << "\n";
  for (auto method : module.get_methods()) {
    if (method.name() == "encode") std::cout << method.name() << " " << method.num_inputs() << "\n";
  }
  module.to(torch::kDouble);
  std::cout << module.forward({x.to(torch::kDouble)}).toTensor().dtype() << "\n";

  std::stringstream stream;
  torch::save(x, stream);
  torch::Tensor y;
  torch::load(y, stream);
  std::cout << y.equal(x) << "\n";
  torch::save(std::vector<torch::Tensor>{x, x * 2}, "tensors.pt");
  std::vector<torch::Tensor> both;
  torch::load(both, "tensors.pt");
  std::cout << both.size() << both[1].equal(x * 2) << "\n";
  auto bytes = read_file<char>(folder + "/values.pt");
  auto values = torch::pickle_load(bytes).toGenericDict();
  std::cout << values.at("a").toTensor() << values.at("b") << "\n";
  auto copy = torch::pickle_load(torch::pickle_save(std::vector<int64_t>{1, 2, 3}));
  std::cout << copy << "\n";
}
