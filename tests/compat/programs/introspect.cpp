// What a model is made of: names, types, schemas, attributes; changing and copying it.
#include <torch/script.h>
#include <torch/torch.h>

#include <sstream>

#include "common.h"

int main(int, char** argv) {
  const std::string folder = argv[1];
  torch::jit::script::Module module = torch::jit::load(folder + "/parts.pt");
  for (const auto& pair : module.named_parameters(/*recurse=*/true)) {
    std::cout << pair.name << ": " << pair.value.sizes() << " " << pair.value.requires_grad() << "\n";
  }
  int64_t count = 0;
  for (at::Tensor p : module.parameters()) count += p.numel();
  for (auto&& p : module.parameters(false)) count += 1000;
  std::cout << count << "\n";
  for (const auto& a : module.named_attributes(false)) std::cout << a.name << " " << a.value.tagKind() << "\n";
  for (const torch::jit::NameModule& c : module.named_children())
    std::cout << c.name << " " << c.value.type()->str() << "\n";
  for (torch::jit::Module m : module.children()) std::cout << m.type()->name()->name() << "\n";
  for (const auto& buffer : module.buffers()) std::cout << buffer << "\n";
  std::cout << module.named_modules().size() << " " << module.children().size() << " " << module.attributes().size()
            << "\n";
  auto forward = module.get_method("forward");
  std::cout << forward.name() << " " << forward.num_inputs() << "\n" << forward.function().getSchema() << "\n";
  for (const auto& argument : forward.function().getSchema().arguments())
    if (argument.name() != "self")
      std::cout << argument.name() << " " << argument.type()->str() << " " << argument.type()->annotation_str() << " "
                << (argument.default_value() ? "default" : "") << "\n";
  for (const auto& r : forward.function().getSchema().returns()) std::cout << r.type()->str() << "\n";
  std::cout << forward.function().qualname().name() << "\n";
  for (const auto& m : module.get_methods()) std::cout << "method " << m.name() << "\n";
  std::cout << module.find_method("encode").has_value() << module.find_method("none").has_value()
            << module.hasattr("version") << module.hasattr("none") << module.attr("none", 5).toInt() << "\n";
  std::cout << module._ivalue()->type()->str() << "\n";
  module.setattr("version", 8);
  std::cout << module.attr("version").toInt() << module.is_training() << "\n";
  module.train();
  std::cout << module.is_training() << module.attr("encoder").toModule().is_training() << "\n";
  module.eval();
  auto x = torch::linspace(-1, 1, 6).view({1, 6});
  auto before = module.forward({x}).toTensor();
  auto clone = module.clone();
  auto deep = module.deepcopy();
  {
    torch::NoGradGuard guard;
    for (auto p : module.parameters()) p.zero_();
    for (const auto& p : module.named_parameters())
      if (p.name == "decoder.bias") p.value.fill_(1);
  }
  std::cout << before << module.forward({x}).toTensor() << deep.forward({x}).toTensor().equal(before) << "\n";
  std::stringstream stream;
  deep.save(stream);
  auto again = torch::jit::load(stream);
  std::cout << again.forward({x}).toTensor().equal(before) << "\n";
  deep.save("introspect_saved.pt");
  torch::jit::ExtraFilesMap extra{{"labels.txt", ""}};
  auto classifier = torch::jit::load(folder + "/classifier.pt", c10::nullopt, extra);
  std::cout << extra["labels.txt"].size() << "\n";
  classifier.to(at::kDouble);
  for (const auto& p : classifier.parameters()) {
    std::cout << p.dtype() << " ";
    break;
  }
  classifier.to(torch::Device(torch::kCPU), torch::kFloat);
  auto frozen = torch::jit::freeze(classifier);
  auto image = torch::ones({1, 3, 32, 32});
  std::cout << torch::allclose(frozen.forward({image}).toTensor(), classifier.forward({image}).toTensor(), 1e-4, 1e-5)
            << "\n";
  auto optimized = torch::jit::optimize_for_inference(frozen);
  std::cout << optimized.forward({image}).toTensor().sizes() << "\n";
  torch::jit::setGraphExecutorOptimize(false);
  std::vector<torch::jit::IValue> stack{image};
  std::cout << classifier(stack).toTensor().sizes() << " "
            << classifier.get_method("forward")({image}).toTensor().argmax().item<int64_t>() << "\n";
  auto text = torch::jit::load(folder + "/text.pt");
  std::cout << text.attr("labels").toList().size() << " " << text.attr("labels").toListRef()[1].toStringRef() << " "
            << text.attr("threshold").toDouble() << "\n";
  for (const auto& v : text.attr("labels").toList()) std::cout << c10::IValue(v).toStringRef() << " ";
  std::cout << "\n" << text.get_method("describe").function().getSchema() << "\n";
  std::cout << text.run_method("describe", 1).toStringRef()
            << text.get_method("describe")({2}, {{"score", 0.25}}).toString()->string() << "\n";
  std::cout << text.run_method("get_labels").toList().size() << "\n";
  auto shared = std::make_shared<torch::jit::script::Module>(torch::jit::load(folder + "/parts.pt"));
  std::unique_ptr<torch::jit::Module> unique(new torch::jit::Module(*shared));
  std::cout << shared->forward({x}).toTensor().equal(unique->forward({x}).toTensor()) << "\n";
}
