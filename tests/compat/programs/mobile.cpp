// The lite interpreter: loading from files and streams, extra files, methods, attributes, errors.
#include <torch/csrc/jit/mobile/import.h>
#include <torch/csrc/jit/mobile/module.h>
#include <torch/script.h>

#include <sstream>

#include "common.h"

struct MobileCallGuard {
  torch::AutoNonVariableTypeMode non_var_guard{true};
  torch::jit::GraphOptimizerEnabledGuard no_optimizer_guard{false};
};

int main(int, char** argv) {
  const std::string folder = argv[1];
  c10::InferenceMode mode;
  std::unordered_map<std::string, std::string> extra_files;
  extra_files["labels.txt"] = "";
  extra_files["absent.txt"] = "before";
  torch::jit::mobile::Module module =
      torch::jit::_load_for_mobile(folder + "/classifier.ptl", torch::kCPU, extra_files);
  std::cout << extra_files["labels.txt"].substr(0, 13) << "|" << extra_files["absent.txt"] << "|\n";
  auto image = torch::linspace(0, 1, 3 * 64 * 64).reshape({1, 3, 64, 64});
  std::vector<c10::IValue> inputs{image};
  auto output = module.forward(inputs).toTensor();
  std::cout << output.slice(1, 0, 6) << "\n";
  auto method = module.get_method("forward");
  std::cout << method({image}).toTensor().equal(output) << " " << method.name() << "\n";
  for (const auto& p : module.named_parameters()) std::cout << p.first << " " << p.second.sizes() << "\n";
  std::cout << module.parameters().size() << " " << module.is_training() << " " << module.name() << "\n";
  module.eval();
  std::ifstream file(folder + "/text.ptl", std::ios::binary);
  auto text = torch::jit::_load_for_mobile(file);
  std::cout << text.run_method("describe", 2, 0.75) << "\n";
  std::cout << text.run_method("get_labels") << "\n";
  for (const auto& m : text.get_methods()) std::cout << "method " << m.name() << "\n";
  std::cout << text.attr("threshold", c10::IValue(1.0)) << " " << text.attr("nothing", c10::IValue("else")) << "\n";
  if (auto found = text.find_method("describe")) {
    torch::jit::Stack stack{1, 0.5};
    found->run(stack);
    std::cout << stack.size() << " " << stack[0] << "\n";
  }
  std::cout << text.find_method("nothing").has_value() << "\n";
  c10::Dict<std::string, at::Tensor> batch;
  batch.insert("tokens", torch::arange(10).view({2, 5}));
  batch.insert("mask", torch::ones({2, 5}));
  {
    MobileCallGuard guard;
    auto result = text.forward({batch, c10::IValue()}).toGenericDict();
    for (const auto& e : result) std::cout << e.key().toStringRef() << e.value().toTensor() << "\n";
  }
  try {
    torch::jit::_load_for_mobile(folder + "/absent.ptl");
  } catch (const c10::Error& e) {
    std::string what = e.what_without_backtrace();
    std::cout << what.substr(0, 30) << "\n";
  }
  try {
    std::istringstream bad("this is no archive at all");
    torch::jit::_load_for_mobile(bad);
    std::cout << "no error\n";
  } catch (const std::exception& e) {
    std::cout << "error\n";
  }
  try {
    module.forward({torch::ones({2, 2})});
  } catch (const std::exception& e) {
    std::cout << std::string(e.what()).substr(0, 60) << "\n";
  }
  torch::jit::mobile::Module copy = module;
  std::cout << copy.forward({image}).toTensor().equal(output) << "\n";
}
