// An observer of mobile modules is told of loads and runs. Debian's LibTorch lacks observerConfig(): run.py has the lines.
#include <torch/csrc/jit/mobile/import.h>
#include <torch/csrc/jit/mobile/module.h>
#include <torch/csrc/jit/mobile/observer.h>
#include <torch/script.h>

#include <fstream>
#include <iostream>

class Observer : public torch::MobileModuleObserver {
 public:
  void onEnterRunMethod(const int32_t key) override {
    key_ = key;
    std::cout << "enter run\n";
  }
  void onExitRunMethod(const std::unordered_map<std::string, std::string>& metadata, const std::string& method,
                       const int32_t key) override {
    std::cout << "exit run of " << method << " " << (key == key_) << " " << metadata.at("model_name") << "\n";
  }
  void onFailRunMethod(const std::unordered_map<std::string, std::string>& metadata, const std::string& method,
                       const int32_t key, const char* error) override {
    std::cout << "failed run of " << method << " " << (key == key_) << " " << metadata.count("mine") << " "
              << (std::string(error).size() > 10) << "\n";
  }
  void onEnterLoadModel(const int32_t key) override {
    key_ = key;
    std::cout << "enter load\n";
  }
  void onExitLoadModel(const int32_t key, const std::unordered_map<std::string, std::string>& metadata) override {
    std::cout << "exit load " << (key == key_) << " " << metadata.size() << "\n";
  }
  void onFailLoadModel(const int32_t key, const char*) override { std::cout << "failed load " << (key == key_) << "\n"; }
  void onFailLoadModel(const int32_t key, const char*, const std::unordered_map<std::string, std::string>&) override {
    std::cout << "failed load " << (key == key_) << "\n";
  }
  std::vector<std::string> getDefaultExtraFiles() override { return {"metadata.json"}; }
  std::unordered_map<std::string, std::string> processMetadataFromExtra(
      const std::unordered_map<std::string, std::string>& files) override {
    std::cout << "files " << files.count("metadata.json") << " " << files.count("model_name") << " "
              << (std::stoul(files.at("model_size")) > 100) << "\n";
    return {{"mine", "yes"}, {"model_name", "classifier"}};
  }

 private:
  int32_t key_ = -1;
};

int main(int, char** argv) {
  const std::string path = std::string(argv[1]) + "/classifier.ptl";
  std::cout << (torch::observerConfig().getModuleObserver() == nullptr) << "\n";
  torch::observerConfig().setModuleObserver(std::unique_ptr<Observer>(new Observer));
  auto module = torch::jit::_load_for_mobile(path);
  std::cout << module.getMetadata().at("mine") << "\n";
  c10::InferenceMode guard;
  module.forward({torch::ones({1, 3, 224, 224})});
  try {
    module.forward({torch::ones({1})});
  } catch (const std::exception&) {
    std::cout << "caught\n";
  }
  std::ifstream in(path, std::ios::binary);
  std::unordered_map<std::string, std::string> files;
  torch::jit::_load_for_mobile(in, c10::nullopt, files);
  std::cout << files.count("metadata.json") << files.count("model_name") << files.count("model_size") << "\n";
  torch::observerConfig().setModuleObserver(nullptr);
  torch::jit::_load_for_mobile(path);
  return 0;
}
