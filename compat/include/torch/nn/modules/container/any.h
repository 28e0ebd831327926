// torch::nn::AnyModule: a module of any class, whose forward() takes and gives AnyValues; what a Sequential holds.
#pragma once

#include <torch/nn/module.h>

namespace torch {
namespace nn {

template <class M, class... Args>
struct AnyModuleHolder;

namespace detail {
template <class M>
using EnableIfModule = typename std::enable_if<std::is_base_of<Module, typename std::decay<M>::type>::value>::type;

struct AnyModuleBase {
  virtual ~AnyModuleBase() = default;
  virtual AnyValue forward(std::vector<AnyValue>&& arguments) = 0;
  virtual std::shared_ptr<Module> ptr() const = 0;
  virtual const std::type_info& type() const = 0;
  virtual std::unique_ptr<AnyModuleBase> copy() const = 0;
  virtual std::unique_ptr<AnyModuleBase> clone(const c10::optional<at::Device>& device) const = 0;
};
}  // namespace detail

template <class M, class... Args>
struct AnyModuleHolder : detail::AnyModuleBase {
  explicit AnyModuleHolder(std::shared_ptr<M> m) : module(std::move(m)) {}
  AnyValue forward(std::vector<AnyValue>&& arguments) override {
    Module& base = *module;
    if (base._forward_has_default_args()) {
      const size_t least = base._forward_num_required_args();
      TORCH_CHECK(arguments.size() >= least && arguments.size() <= sizeof...(Args), c10::demangle(typeid(M).name()),
                  "'s forward() method expects at least ", least, " argument(s) and at most ", sizeof...(Args),
                  " argument(s), but received ", arguments.size(), ".");
      arguments = base._forward_populate_default_args(std::move(arguments));
    } else {
      TORCH_CHECK(arguments.size() == sizeof...(Args), c10::demangle(typeid(M).name()), "'s forward() method expects ",
                  sizeof...(Args), " argument(s), but received ", arguments.size(), ".",
                  arguments.size() < sizeof...(Args)
                      ? " If " + c10::demangle(typeid(M).name()) +
                            "'s forward() method has default arguments, please make sure the forward() method is "
                            "declared with a corresponding `FORWARD_HAS_DEFAULT_ARGS` macro."
                      : std::string());
    }
    return call(arguments, std::index_sequence_for<Args...>());
  }
  std::shared_ptr<Module> ptr() const override { return module; }
  const std::type_info& type() const override { return typeid(M); }
  std::unique_ptr<AnyModuleBase> copy() const override {
    return std::unique_ptr<AnyModuleBase>(new AnyModuleHolder(*this));
  }
  std::unique_ptr<AnyModuleBase> clone(const c10::optional<at::Device>& device) const override {
    return std::unique_ptr<AnyModuleBase>(new AnyModuleHolder(std::dynamic_pointer_cast<M>(module->clone(device))));
  }
  std::shared_ptr<M> module;

 private:
  template <class T>
  static T& argument(std::vector<AnyValue>& arguments, size_t index) {
    if (T* value = arguments[index].template try_get<T>()) return *value;
    TORCH_CHECK(false, "Expected argument #", index, " to be of type ", c10::demangle(typeid(T).name()),
                ", but received value of type ", c10::demangle(arguments[index].type_info().name()));
  }
  template <size_t... I>
  AnyValue call(std::vector<AnyValue>& arguments, std::index_sequence<I...>) {
    return AnyValue(module->forward(std::move(argument<typename std::decay<Args>::type>(arguments, I))...));
  }
};

class AnyModule {
 public:
  AnyModule() = default;
  AnyModule(AnyModule&&) = default;
  AnyModule& operator=(AnyModule&&) = default;
  AnyModule(const AnyModule& o) : held_(o.held_ ? o.held_->copy() : nullptr) {}
  AnyModule& operator=(const AnyModule& o) {
    held_ = o.held_ ? o.held_->copy() : nullptr;
    return *this;
  }
  // forward() of the class must be one function that is no template.
  template <class M>
  explicit AnyModule(std::shared_ptr<M> module) : held_(holder(std::move(module), &M::forward)) {}
  template <class M, class = detail::EnableIfModule<M>>
  explicit AnyModule(M&& module) : AnyModule(std::make_shared<typename std::decay<M>::type>(std::forward<M>(module))) {}
  template <class M>
  explicit AnyModule(const ModuleHolder<M>& holder) : AnyModule(holder.ptr()) {}
  template <class M>
  AnyModule& operator=(std::shared_ptr<M> module) {
    return *this = AnyModule(std::move(module));
  }
  AnyModule clone(c10::optional<at::Device> device = c10::nullopt) const {
    AnyModule out;
    if (held_) out.held_ = held_->clone(device);
    return out;
  }

  template <class... Args>
  AnyValue any_forward(Args&&... args) {
    TORCH_CHECK(held_, "Cannot call forward() on an empty AnyModule");
    std::vector<AnyValue> values;
    values.reserve(sizeof...(Args));
    const int order[] = {0, (values.push_back(AnyValue(std::forward<Args>(args))), 0)...};
    (void)order;
    return held_->forward(std::move(values));
  }
  template <class R = at::Tensor, class... Args>
  R forward(Args&&... args) {
    return any_forward(std::forward<Args>(args)...).template get<R>();
  }

  template <class M, class = detail::EnableIfModule<M>>
  M& get() {
    TORCH_CHECK(held_, "Cannot call get() on an empty AnyModule");
    return *ptr<M>();
  }
  template <class M, class = detail::EnableIfModule<M>>
  const M& get() const {
    TORCH_CHECK(held_, "Cannot call get() on an empty AnyModule");
    return *ptr<M>();
  }
  template <class Holder, class Contained = typename Holder::ContainedType>
  Holder get() const {
    TORCH_CHECK(held_, "Cannot call get() on an empty AnyModule");
    return Holder(ptr<Contained>());
  }
  std::shared_ptr<Module> ptr() const {
    TORCH_CHECK(held_, "Cannot call ptr() on an empty AnyModule");
    return held_->ptr();
  }
  template <class M, class = detail::EnableIfModule<M>>
  std::shared_ptr<M> ptr() const {
    const std::shared_ptr<Module> module = ptr();
    TORCH_CHECK(held_->type() == typeid(M), "Attempted to cast module of type ", c10::demangle(held_->type().name()),
                " to type ", c10::demangle(typeid(M).name()));
    return std::dynamic_pointer_cast<M>(module);
  }
  const std::type_info& type_info() const {
    TORCH_CHECK(held_, "Cannot call type_info() on an empty AnyModule");
    return held_->type();
  }
  bool is_empty() const noexcept { return !held_; }

 private:
  template <class M, class C, class R, class... Args>
  static std::unique_ptr<detail::AnyModuleBase> holder(std::shared_ptr<M>&& module, R (C::*)(Args...)) {
    return std::unique_ptr<detail::AnyModuleBase>(new AnyModuleHolder<M, Args...>(std::move(module)));
  }
  template <class M, class C, class R, class... Args>
  static std::unique_ptr<detail::AnyModuleBase> holder(std::shared_ptr<M>&& module, R (C::*)(Args...) const) {
    return std::unique_ptr<detail::AnyModuleBase>(new AnyModuleHolder<M, Args...>(std::move(module)));
  }
  std::unique_ptr<detail::AnyModuleBase> held_;
};

class NamedAnyModule {
 public:
  NamedAnyModule(std::string name, AnyModule module) : name_(std::move(name)), module_(std::move(module)) {}
  template <class M>
  NamedAnyModule(std::string name, std::shared_ptr<M> module)
      : NamedAnyModule(std::move(name), AnyModule(std::move(module))) {}
  template <class M, class = detail::EnableIfModule<M>>
  NamedAnyModule(std::string name, M&& module) : NamedAnyModule(std::move(name), AnyModule(std::forward<M>(module))) {}
  template <class M>
  NamedAnyModule(std::string name, const ModuleHolder<M>& holder) : NamedAnyModule(std::move(name), holder.ptr()) {}
  const std::string& name() const noexcept { return name_; }
  AnyModule& module() noexcept { return module_; }
  const AnyModule& module() const noexcept { return module_; }

 private:
  std::string name_;
  AnyModule module_;
};

}  // namespace nn
}  // namespace torch

// Inside of a module's class: forward()'s default arguments as pairs of position and AnyValue.
#define FORWARD_HAS_DEFAULT_ARGS(...)                                                                            \
  template <class M, class... Args>                                                                              \
  friend struct torch::nn::AnyModuleHolder;                                                                      \
  static std::vector<std::pair<unsigned int, torch::nn::AnyValue>> _forward_defaults() { return {__VA_ARGS__}; } \
  bool _forward_has_default_args() override { return true; }                                                     \
  unsigned int _forward_num_required_args() override { return _forward_defaults()[0].first; }                    \
  std::vector<torch::nn::AnyValue> _forward_populate_default_args(std::vector<torch::nn::AnyValue>&& arguments)  \
      override {                                                                                                 \
    for (auto& entry : _forward_defaults()) {                                                                    \
      if (entry.first >= arguments.size()) arguments.push_back(std::move(entry.second));                         \
    }                                                                                                            \
    return std::move(arguments);                                                                                 \
  }
