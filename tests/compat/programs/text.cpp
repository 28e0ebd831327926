// A text model: dicts, lists and strings in and out, methods by name, attributes.
#include <torch/script.h>

#include "common.h"

int main(int argc, char** argv) {
  const std::string folder = argv[1];
  torch::jit::Module module = torch::jit::load(folder + "/text.pt");
  c10::Dict<std::string, torch::Tensor> batch;
  batch.insert("tokens", torch::tensor({{1, 5, 9, 60, 2}, {7, 8, 0, 0, 0}}));
  batch.insert("mask", torch::tensor({{1.f, 1.f, 1.f, 1.f, 1.f}, {1.f, 1.f, 0.f, 0.f, 0.f}}));
  c10::IValue result = module.forward({batch});
  auto dict = result.toGenericDict();
  for (const auto& entry : dict) std::cout << entry.key().toStringRef() << "\n" << entry.value().toTensor() << "\n";
  auto best = dict.at("best").toTensor();

  std::vector<std::string> labels;
  for (const c10::IValue& label : module.run_method("get_labels").toListRef()) labels.push_back(label.toStringRef());
  for (int i = 0; i < best.numel(); ++i) std::cout << labels[best[i].item<int>()] << " ";
  std::cout << module.get_method("describe")({2, 0.75}).toStringRef() << " / "
            << module.get_method("describe")({1}).toString()->string() << "\n";
  torch::jit::Kwargs kwargs{{"index", 3}, {"score", 1.0}};
  std::cout << module.get_method("describe")({}, kwargs).toStringRef() << "\n";
  std::cout << module.attr("threshold").toDouble() << " " << module.hasattr("labels") << module.hasattr("nothing")
            << " " << module.attr("labels") << " " << module.attr("nothing", 5).toInt() << "\n";
  std::cout << result.isGenericDict() << result.isTensor() << result.isTuple() << " " << result.tagKind() << "\n";
  for (const auto& argument : module.get_method("forward").function().getSchema().arguments()) {
    std::cout << argument.name() << ";";
  }
  std::cout << "\n"
            << (module.find_method("describe") ? "has" : "lacks") << " "
            << (module.find_method("absent").has_value() ? "has" : "lacks") << "\n";
}
