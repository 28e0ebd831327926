// torch::nn::Module as far as code that only runs saved models names it: a list of parts. Networks that are written in
// C++ (torch::nn::Linear and so on) are not there.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <torch/types.h>

namespace torch {
namespace nn {

class Module : public std::enable_shared_from_this<Module> {
 public:
  Module() = default;
  explicit Module(std::string name) : name_(std::move(name)) {}
  virtual ~Module() = default;
  const std::string& name() const noexcept { return name_; }
  template <class Part>
  Part register_module(std::string name, Part part) {
    parts_.push_back(std::move(name));
    return part;
  }
  virtual void eval() { training_ = false; }
  virtual void train(bool on = true) { training_ = on; }
  bool is_training() const noexcept { return training_; }

 private:
  std::string name_;
  std::vector<std::string> parts_;
  bool training_ = true;
};

template <class Derived>
class Cloneable : public Module {
 public:
  using Module::Module;
  virtual void reset() = 0;
};

}  // namespace nn
}  // namespace torch
