// torch::nn::Module: what networks written in C++ are made of.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <typeinfo>
#include <vector>

#include <torch/nn/modules/container/any_value.h>
#include <torch/nn/pimpl.h>
#include <torch/ordered_dict.h>
#include <torch/serialize.h>

namespace torch {
namespace nn {

// Parameters, buffers and submodules by name, as PyTorch's. Modules compute; there is no autograd, so that they are not
// trained. Threads: as a container; forward() of one module may run in several threads when it changes nothing.
class Module : public std::enable_shared_from_this<Module> {
 public:
  using ModuleApplyFunction = std::function<void(Module&)>;
  using ConstModuleApplyFunction = std::function<void(const Module&)>;
  using NamedModuleApplyFunction = std::function<void(const std::string&, Module&)>;
  using ConstNamedModuleApplyFunction = std::function<void(const std::string&, const Module&)>;
  using ModulePointerApplyFunction = std::function<void(const std::shared_ptr<Module>&)>;
  using NamedModulePointerApplyFunction = std::function<void(const std::string&, const std::shared_ptr<Module>&)>;

  Module();
  explicit Module(std::string name);
  Module(const Module&) = default;
  Module& operator=(const Module&) = default;
  Module(Module&&) = default;
  Module& operator=(Module&&) = default;
  virtual ~Module();

  // The name given to the constructor, or the C++ class's.
  const std::string& name() const noexcept;
  // A copy with tensors of its own. Throws for classes that are not derived from Cloneable.
  virtual std::shared_ptr<Module> clone(const c10::optional<at::Device>& device = c10::nullopt) const;

  void apply(const ModuleApplyFunction& function);
  void apply(const ConstModuleApplyFunction& function) const;
  void apply(const NamedModuleApplyFunction& function, const std::string& name_prefix = std::string());
  void apply(const ConstNamedModuleApplyFunction& function, const std::string& name_prefix = std::string()) const;
  void apply(const ModulePointerApplyFunction& function) const;
  void apply(const NamedModulePointerApplyFunction& function, const std::string& name_prefix = std::string()) const;

  std::vector<at::Tensor> parameters(bool recurse = true) const;
  OrderedDict<std::string, at::Tensor> named_parameters(bool recurse = true) const;
  std::vector<at::Tensor> buffers(bool recurse = true) const;
  OrderedDict<std::string, at::Tensor> named_buffers(bool recurse = true) const;
  std::vector<std::shared_ptr<Module>> modules(bool include_self = true) const;
  OrderedDict<std::string, std::shared_ptr<Module>> named_modules(const std::string& name_prefix = std::string(),
                                                                  bool include_self = true) const;
  std::vector<std::shared_ptr<Module>> children() const;
  OrderedDict<std::string, std::shared_ptr<Module>> named_children() const;

  virtual void train(bool on = true);
  void eval() { train(false); }
  virtual bool is_training() const noexcept { return is_training_; }
  virtual void to(at::Device device, at::ScalarType dtype, bool non_blocking = false);
  virtual void to(at::ScalarType dtype, bool non_blocking = false);
  virtual void to(at::Device device, bool non_blocking = false);
  virtual void zero_grad(bool = false) {}

  // Null when the module is of another class.
  template <class M, class = typename std::enable_if<torch::detail::is_module_holder<M>::value>::type>
  typename M::ContainedType* as() noexcept {
    return dynamic_cast<typename M::ContainedType*>(this);
  }
  template <class M, class = typename std::enable_if<torch::detail::is_module_holder<M>::value>::type>
  const typename M::ContainedType* as() const noexcept {
    return dynamic_cast<const typename M::ContainedType*>(this);
  }
  template <class M, class = typename std::enable_if<!torch::detail::is_module_holder<M>::value>::type, class = void>
  M* as() noexcept {
    return dynamic_cast<M*>(this);
  }
  template <class M, class = typename std::enable_if<!torch::detail::is_module_holder<M>::value>::type, class = void>
  const M* as() const noexcept {
    return dynamic_cast<const M*>(this);
  }

  virtual void save(serialize::OutputArchive& archive) const;
  // Reads into the tensors that there are. Throws c10::Error for one that the archive does not have.
  virtual void load(serialize::InputArchive& archive);
  virtual void pretty_print(std::ostream& stream) const;
  virtual bool is_serializable() const { return true; }

  // Names are not empty, have no dot and are not taken, or these throw c10::Error.
  at::Tensor& register_parameter(std::string name, at::Tensor tensor, bool requires_grad = true);
  at::Tensor& register_buffer(std::string name, at::Tensor tensor);
  template <class M>
  std::shared_ptr<M> register_module(std::string name, std::shared_ptr<M> module) {
    add_module(std::move(name), module);
    return module;
  }
  template <class M>
  std::shared_ptr<M> register_module(std::string name, ModuleHolder<M> holder) {
    return register_module(std::move(name), holder.ptr());
  }
  template <class M>
  std::shared_ptr<M> replace_module(const std::string& name, std::shared_ptr<M> module) {
    children_[name] = module;
    return module;
  }
  template <class M>
  std::shared_ptr<M> replace_module(const std::string& name, ModuleHolder<M> holder) {
    return replace_module(name, holder.ptr());
  }
  void unregister_module(const std::string& name);

 protected:
  // Default arguments of forward(), for modules in a Sequential: FORWARD_HAS_DEFAULT_ARGS gives them.
  virtual bool _forward_has_default_args() { return false; }
  virtual unsigned int _forward_num_required_args();
  virtual std::vector<AnyValue> _forward_populate_default_args(std::vector<AnyValue>&& arguments);

  OrderedDict<std::string, at::Tensor> parameters_;

 private:
  template <class Derived>
  friend class Cloneable;
  template <class M, class... Args>
  friend struct AnyModuleHolder;
  friend std::ostream& operator<<(std::ostream& out, const Module& module);
  virtual void clone_(Module& other, const c10::optional<at::Device>& device);
  void add_module(std::string name, std::shared_ptr<Module> module);
  void clear();
  void check_copied(const Module& original) const;
  void copy_tensors_of(const Module& original, const c10::optional<at::Device>& device);
  void print(std::ostream& out, const std::string& indentation) const;
  std::shared_ptr<Module> shared_self() const;

  OrderedDict<std::string, at::Tensor> buffers_;
  OrderedDict<std::string, std::shared_ptr<Module>> children_;
  mutable c10::optional<std::string> name_;
  bool is_training_ = true;
};
std::ostream& operator<<(std::ostream& out, const Module& module);
serialize::OutputArchive& operator<<(serialize::OutputArchive& archive, const std::shared_ptr<Module>& module);
serialize::InputArchive& operator>>(serialize::InputArchive& archive, const std::shared_ptr<Module>& module);

}  // namespace nn
}  // namespace torch
