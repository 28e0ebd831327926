// Classes, schemas and copies of modules; their texts.
#include <torch/csrc/jit/mobile/import.h>
#include <torch/script.h>
#include <torch/torch.h>

#include <regex>

#include "common.h"

template <class Call>
void fails(Call call) {
  try {
    call();
    std::cout << "no error\n";
  } catch (const std::exception&) {
    std::cout << "error\n";
  }
}

std::string without_addresses(const std::string& text) {
  return std::regex_replace(text, std::regex("0x[0-9a-f]+"), "0x");
}

int main(int, char** argv) {
  const std::string folder = argv[1];
  auto module = torch::jit::load(folder + "/parts.pt");
  const auto type = module.type();
  std::cout << type->numAttributes() << type->hasAttribute("scale") << type->hasAttribute("none")
            << (type->findAttribute("none") == nullptr) << type->findAttribute("scale")->str()
            << type->getAttribute("version")->str() << type->is_module() << "\n";
  for (size_t i = 0; i < type->numAttributes(); ++i)
    std::cout << type->getAttributeName(i) << ":" << type->getAttribute(i)->str() << " ";
  std::cout << type->getAttributeSlot("scale") << type->findAttributeSlot("scale").value()
            << type->findAttributeSlot("none").has_value() << "\n";
  fails([&] { type->getAttribute("none"); });
  const auto object_type = module._ivalue()->type();
  std::cout << object_type->name()->qualifiedName() << "\n";
  if (const auto cls = torch::IValue(module._ivalue()).type()->cast<c10::ClassType>()) {
    std::cout << cls->numAttributes() << cls->containedTypes().size() << "\n";
  }
  const auto encoder = module.attr("encoder").toModule();
  std::cout << encoder.type()->numAttributes() << encoder.type()->is_module() << "\n";

  const auto forward = module.get_method("forward");
  const auto& schema = forward.function().getSchema();
  std::cout << schema.argumentIndexWithName("self").value() << schema.argumentIndexWithName("none").has_value()
            << forward.function().name() << forward.function().num_inputs() << "\n";

  std::cout << module.get_properties().size() << "\n";
  fails([&] { module.get_property("none"); });
  std::vector<std::string> names;
  module.apply([&](torch::jit::Module& m) { names.push_back(m.type()->name()->name()); });
  for (const auto& name : names) std::cout << name << " ";
  std::cout << "\n";
  module.train();
  module.train(false);
  std::cout << module.is_training() << module.named_attributes(true).size() << module.named_attributes(false).size()
            << module.attributes(false).size() << module.modules().size() << "\n";
  std::cout << without_addresses(module.dump_to_str(false, false, false)) << "\n";
  std::cout << without_addresses(module.dump_to_str(false, true, true)) << "\n";

  // Clones and deep copies have tensors and attributes of their own.
  auto clone = module.clone();
  auto deep = module.deepcopy();
  const auto scale = module.attr("scale").toTensor();
  std::cout << clone.attr("scale").toTensor().is_alias_of(scale) << deep.attr("scale").toTensor().is_alias_of(scale)
            << "\n";
  clone.setattr("version", 100);
  deep.setattr("version", 101);
  std::cout << module.attr("version").toInt() << " " << clone.attr("version").toInt() << " "
            << deep.attr("version").toInt() << "\n";
  const auto x = torch::linspace(-1, 1, 12).view({2, 6});
  {
    torch::NoGradGuard guard;
    for (torch::Tensor p : module.parameters()) p.mul_(2);
  }
  const auto sum = [&](torch::jit::Module& m) { return m.forward({x}).toTensor().sum().item<float>(); };
  std::cout << sum(module) << " " << sum(clone) << " " << sum(deep) << "\n";
  auto part = module.attr("encoder").toModule().clone();
  std::cout << part.type()->name()->name() << " " << part.forward({x}).toTensor().sum().item<float>() << " "
            << part.parameters().size() << "\n";
  auto deep_part = module.attr("encoder").toModule().deepcopy();
  std::cout << deep_part.type()->name()->name() << " " << deep_part.forward({x}).toTensor().sum().item<float>() << "\n";

  module.to(torch::kHalf);
  for (const auto& p : module.named_parameters()) std::cout << p.name << p.value.dtype() << " ";
  for (const auto& a : module.named_attributes())
    if (a.value.isTensor()) std::cout << a.name << a.value.toTensor().dtype() << " ";
  module.to(torch::kCPU, torch::kFloat);
  std::cout << module.attr("scale").toTensor().dtype() << "\n";
  fails([&] { module.to(torch::kLong); });
  std::cout << module.hasattr("encoder") << module.find_method("forward")->name() << module.get_methods().size()
            << "\n";
  auto object = static_cast<torch::jit::Object&>(module);
  std::cout << object.num_slots() << object.hasattr("scale") << "\n";
}
