// The lite interpreter by its umbrella header: extra files, adapters, streams, methods.
#include <LibTorch-Lite/LibTorch-Lite.h>
#include <caffe2/serialize/in_memory_adapter.h>

#include "common.h"

int main(int argc, char** argv) {
  const std::string folder = argv[1];
  c10::InferenceMode mode;
  torch::jit::ExtraFilesMap extra{{"note.json", ""}};
  auto module = torch::jit::_load_for_mobile(folder + "/parts.ptl", c10::nullopt, extra);
  std::cout << extra["note.json"] << " " << module.name() << "\n";
  auto x = torch::ones({2, 6});
  std::cout << module.forward({x}).toTensor() << "\n";
  std::cout << module.run_method("encode", x).toTensor() << module.get_method("forward")({x, true}).toTensor() << "\n";
  std::vector<char> bytes = read_file<char>(folder + "/parts.ptl");
  auto again =
      torch::jit::_load_for_mobile(std::make_unique<caffe2::serialize::MemoryReadAdapter>(bytes.data(), bytes.size()));
  std::cout << again.forward({x}).toTensor().equal(module.forward({x}).toTensor()) << "\n";
  std::ifstream file(folder + "/parts.ptl", std::ios::binary);
  std::cout << torch::jit::_load_for_mobile(file).parameters().size() << "\n";
  std::cout << module.attr("version", c10::IValue(0)).toInt() << module.is_training() << "\n";
  for (const std::string& op : torch::jit::mobile::_export_operator_list(module)) std::cout << op << "\n";
}
