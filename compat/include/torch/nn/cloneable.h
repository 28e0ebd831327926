// torch::nn::Cloneable: modules that can be copied, because reset() makes their parameters anew.
#pragma once

#include <torch/nn/module.h>

namespace torch {
namespace nn {

template <class Derived>
class Cloneable : public Module {
 public:
  using Module::Module;
  // Makes the parameters, buffers and submodules.
  virtual void reset() = 0;
  std::shared_ptr<Module> clone(const c10::optional<at::Device>& device = c10::nullopt) const override {
    const at::NoGradGuard no_grad;
    const auto copy = std::make_shared<Derived>(static_cast<const Derived&>(*this));
    Module& made = *copy;
    made.clear();
    copy->reset();
    made.check_copied(*this);
    made.copy_tensors_of(*this, device);
    return copy;
  }

 private:
  void clone_(Module& other, const c10::optional<at::Device>& device) final {
    const auto copy = std::dynamic_pointer_cast<Derived>(other.clone(device));
    TORCH_CHECK(copy,
                "Attempted to clone submodule, but it is of a different type than the submodule it was to be "
                "cloned into");
    static_cast<Derived&>(*this) = *copy;
  }
};

}  // namespace nn
}  // namespace torch
