// torch::MobileModuleObserver: told of every load and run of a mobile::Module.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace torch {

// Functions are called on the thread that loads or runs. The number is the same for one load or run.
class MobileModuleObserver {
 public:
  using Texts = std::unordered_map<std::string, std::string>;
  virtual ~MobileModuleObserver() = default;
  virtual void onEnterRunMethod(const int32_t) {}
  virtual void onExitRunMethod(const Texts& metadata, const std::string& method, const int32_t) {}
  virtual void onFailRunMethod(const Texts& metadata, const std::string& method, const int32_t, const char* error) {}
  virtual void onEnterLoadModel(const int32_t) {}
  virtual void onExitLoadModel(const int32_t, const Texts& metadata) {}
  virtual void onFailLoadModel(const int32_t, const char* error) {}
  virtual void onFailLoadModel(const int32_t, const char* error, const Texts& metadata) {}
  // Names of extra files that loads read beside those that are asked for.
  virtual std::vector<std::string> getDefaultExtraFiles() = 0;
  // The module's metadata, made of these files.
  virtual Texts processMetadataFromExtra(const Texts& files) = 0;
};

// Set before models are loaded: reading and setting at the same time is not allowed.
class MobileObserverConfig {
 public:
  void setModuleObserver(std::unique_ptr<MobileModuleObserver> observer) { module_observer_ = std::move(observer); }
  MobileModuleObserver* getModuleObserver() { return module_observer_.get(); }

 private:
  std::unique_ptr<MobileModuleObserver> module_observer_;
};

MobileObserverConfig& observerConfig();

}  // namespace torch
