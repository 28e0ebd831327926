// The observer of mobile modules.
#include "observer.h"

#include <atomic>

namespace {

int32_t new_key() {
  static std::atomic<int32_t> last{0};
  return ++last;
}

}  // namespace

namespace torch {

MobileObserverConfig& observerConfig() {
  static MobileObserverConfig config;
  return config;
}

}  // namespace torch

namespace wick_compat {

torch::jit::mobile::Module observed_load(
    torch::jit::ExtraFilesMap* files, size_t model_size,
    const std::function<torch::jit::mobile::Module(torch::jit::ExtraFilesMap*)>& load) {
  torch::MobileModuleObserver* const observer = torch::observerConfig().getModuleObserver();
  if (!observer) return load(files);
  const int32_t key = new_key();
  torch::jit::ExtraFilesMap own;
  if (!files) files = &own;
  observer->onEnterLoadModel(key);
  for (const std::string& name : observer->getDefaultExtraFiles()) files->emplace(name, "");
  try {
    torch::jit::mobile::Module module = load(files);
    files->emplace("model_name", module.name());
    files->emplace("model_size", std::to_string(model_size));
    module.setMetadata(observer->processMetadataFromExtra(*files));
    observer->onExitLoadModel(key, module.getMetadata());
    return module;
  } catch (const std::exception& error) {
    observer->onFailLoadModel(key, error.what(), observer->processMetadataFromExtra(*files));
    throw;
  } catch (...) {
    observer->onFailLoadModel(key, "Unknown exception", observer->processMetadataFromExtra(*files));
    throw;
  }
}

c10::IValue observed_run(const std::unordered_map<std::string, std::string>& metadata, const std::string& method,
                         const std::function<c10::IValue()>& run) {
  torch::MobileModuleObserver* const observer = torch::observerConfig().getModuleObserver();
  if (!observer) return run();
  const int32_t key = new_key();
  observer->onEnterRunMethod(key);
  try {
    c10::IValue result = run();
    observer->onExitRunMethod(metadata, method, key);
    return result;
  } catch (const std::exception& error) {
    observer->onFailRunMethod(metadata, method, key, error.what());
    throw;
  }
}

}  // namespace wick_compat
