// torch::autograd::Function: functions with a gradient of their own, of which the forward half runs.
#pragma once

#include <torch/types.h>

namespace torch {
namespace autograd {

// What forward() keeps for backward(), which nothing calls here.
struct AutogradContext {
  AutogradContext() = default;
  AutogradContext(const AutogradContext&) = delete;
  AutogradContext& operator=(const AutogradContext&) = delete;
  std::unordered_map<std::string, at::IValue> saved_data;
  void save_for_backward(variable_list to_save) { saved_ = std::move(to_save); }
  variable_list get_saved_variables() const { return saved_; }
  void mark_dirty(const variable_list&) {}
  void mark_non_differentiable(const variable_list&) {}
  void set_materialize_grads(bool) {}
  bool needs_input_grad(size_t) const { return false; }

 private:
  variable_list saved_;
};

template <class T>
struct Function {
  template <class X = T, class... Args>
  static auto apply(Args&&... args)
      -> decltype(X::forward(static_cast<AutogradContext*>(nullptr), std::forward<Args>(args)...)) {
    AutogradContext context;
    const at::NoGradGuard no_grad;
    return X::forward(&context, std::forward<Args>(args)...);
  }
};

}  // namespace autograd
}  // namespace torch
