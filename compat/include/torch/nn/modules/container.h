// torch::nn::Sequential, ModuleList, ModuleDict, ParameterList, ParameterDict, Functional.
#pragma once

#include <torch/nn/cloneable.h>
#include <torch/nn/modules/container/any.h>

namespace torch {
namespace nn {

// Modules that run one after the other. Each takes what the one before gives.
class SequentialImpl : public Cloneable<SequentialImpl> {
 public:
  using Iterator = std::vector<AnyModule>::iterator;
  using ConstIterator = std::vector<AnyModule>::const_iterator;
  SequentialImpl() = default;
  template <class... Modules>
  explicit SequentialImpl(Modules&&... modules) {
    const int order[] = {0, (push_back(std::forward<Modules>(modules)), 0)...};
    (void)order;
  }
  explicit SequentialImpl(OrderedDict<std::string, AnyModule>&& named) {
    for (auto& item : named) push_back(item.key(), std::move(item.value()));
  }
  explicit SequentialImpl(std::initializer_list<NamedAnyModule> named) {
    for (const NamedAnyModule& each : named) push_back(each.name(), each.module());
  }
  std::shared_ptr<Module> clone(const c10::optional<at::Device>& device = c10::nullopt) const override;
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;

  template <class R = at::Tensor, class... Inputs>
  R forward(Inputs&&... inputs) {
    TORCH_CHECK(!is_empty(), "Cannot call forward() on an empty Sequential");
    AnyValue value = modules_[0].any_forward(std::forward<Inputs>(inputs)...);
    for (size_t i = 1; i < modules_.size(); ++i) value = modules_[i].any_forward(std::move(value));
    if (R* result = value.template try_get<R>()) return std::move(*result);
    TORCH_CHECK(false, "The type of the return value is ", c10::demangle(value.type_info().name()),
                ", but you asked for type ", c10::demangle(typeid(R).name()));
  }

  void push_back(std::string name, AnyModule module);
  void push_back(AnyModule module) { push_back(next_name(), std::move(module)); }
  template <class M>
  void push_back(std::string name, std::shared_ptr<M> module) {
    push_back(std::move(name), AnyModule(std::move(module)));
  }
  template <class M>
  void push_back(std::shared_ptr<M> module) {
    push_back(next_name(), std::move(module));
  }
  template <class M, class = detail::EnableIfModule<M>>
  void push_back(std::string name, M&& module) {
    push_back(std::move(name), AnyModule(std::forward<M>(module)));
  }
  template <class M, class = detail::EnableIfModule<M>>
  void push_back(M&& module) {
    push_back(next_name(), AnyModule(std::forward<M>(module)));
  }
  template <class M>
  void push_back(std::string name, const ModuleHolder<M>& holder) {
    push_back(std::move(name), holder.ptr());
  }
  template <class M>
  void push_back(const ModuleHolder<M>& holder) {
    push_back(next_name(), holder.ptr());
  }
  template <class Container>
  void extend(const Container& modules) {
    for (const auto& module : modules) push_back(module);
  }

  Iterator begin() { return modules_.begin(); }
  ConstIterator begin() const { return modules_.begin(); }
  Iterator end() { return modules_.end(); }
  ConstIterator end() const { return modules_.end(); }
  template <class M>
  M& at(size_t index) {
    return any(index).get<M>();
  }
  template <class M>
  const M& at(size_t index) const {
    return any(index).get<M>();
  }
  std::shared_ptr<Module> ptr(size_t index) const { return any(index).ptr(); }
  template <class M>
  std::shared_ptr<M> ptr(size_t index) const {
    return any(index).ptr<M>();
  }
  std::shared_ptr<Module> operator[](size_t index) const { return ptr(index); }
  size_t size() const noexcept { return modules_.size(); }
  bool is_empty() const noexcept { return modules_.empty(); }

 private:
  std::string next_name() const { return std::to_string(modules_.size()); }
  AnyModule& any(size_t index) const {
    TORCH_CHECK(index < size(), "Index out of range");
    return const_cast<AnyModule&>(modules_[index]);
  }
  std::vector<AnyModule> modules_;
};
class Sequential : public ModuleHolder<SequentialImpl> {
 public:
  using ModuleHolder<SequentialImpl>::ModuleHolder;
  using Impl = SequentialImpl;
  Sequential() = default;
  Sequential(std::initializer_list<NamedAnyModule> named) : ModuleHolder(std::make_shared<SequentialImpl>(named)) {}
};

namespace detail {
template <class M, class Key>
M& cast_of(const std::shared_ptr<Module>& module, const Key& key) {
  M* const found = module->template as<M>();
  TORCH_CHECK(found, "Unable to cast module[", key, "] to ", c10::demangle(typeid(M).name()));
  return *found;
}
}  // namespace detail

class ModuleListImpl : public Cloneable<ModuleListImpl> {
 public:
  using Iterator = std::vector<std::shared_ptr<Module>>::iterator;
  using ConstIterator = std::vector<std::shared_ptr<Module>>::const_iterator;
  ModuleListImpl() = default;
  template <class... Modules>
  explicit ModuleListImpl(Modules&&... modules) {
    const int order[] = {0, (push_back(std::forward<Modules>(modules)), 0)...};
    (void)order;
  }
  std::shared_ptr<Module> clone(const c10::optional<at::Device>& device = c10::nullopt) const override;
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;

  void push_back(std::shared_ptr<Module> module);
  template <class M, class = detail::EnableIfModule<M>>
  void push_back(M&& module) {
    push_back(std::make_shared<typename std::decay<M>::type>(std::forward<M>(module)));
  }
  template <class M>
  void push_back(const ModuleHolder<M>& holder) {
    push_back(std::shared_ptr<Module>(holder.ptr()));
  }
  template <class Container>
  void extend(const Container& modules) {
    for (const auto& module : modules) push_back(module);
  }
  void insert(size_t index, std::shared_ptr<Module> module);
  template <class M>
  void insert(size_t index, const ModuleHolder<M>& holder) {
    insert(index, std::shared_ptr<Module>(holder.ptr()));
  }
  template <class M, class = detail::EnableIfModule<M>>
  void insert(size_t index, M&& module) {
    insert(index, std::shared_ptr<Module>(std::make_shared<typename std::decay<M>::type>(std::forward<M>(module))));
  }

  Iterator begin() { return modules_.begin(); }
  ConstIterator begin() const { return modules_.begin(); }
  Iterator end() { return modules_.end(); }
  ConstIterator end() const { return modules_.end(); }
  template <class M>
  M& at(size_t index) {
    return detail::cast_of<M>(ptr(index), index);
  }
  template <class M>
  const M& at(size_t index) const {
    return detail::cast_of<M>(ptr(index), index);
  }
  std::shared_ptr<Module> ptr(size_t index) const {
    TORCH_CHECK(index < size(), "Index out of range");
    return modules_[index];
  }
  template <class M>
  std::shared_ptr<M> ptr(size_t index) const {
    return std::dynamic_pointer_cast<M>(ptr(index));
  }
  std::shared_ptr<Module> operator[](size_t index) const { return ptr(index); }
  size_t size() const noexcept { return modules_.size(); }
  bool is_empty() const noexcept { return modules_.empty(); }

 private:
  std::vector<std::shared_ptr<Module>> modules_;
};
TORCH_MODULE(ModuleList);

class ModuleDictImpl : public Cloneable<ModuleDictImpl> {
 public:
  using Items = OrderedDict<std::string, std::shared_ptr<Module>>;
  using Iterator = Items::Iterator;
  using ConstIterator = Items::ConstIterator;
  ModuleDictImpl() = default;
  explicit ModuleDictImpl(const std::vector<std::pair<std::string, std::shared_ptr<Module>>>& modules) {
    update(modules);
  }
  explicit ModuleDictImpl(const Items& modules) { update(modules); }
  std::shared_ptr<Module> clone(const c10::optional<at::Device>& device = c10::nullopt) const override;
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;

  std::vector<std::pair<std::string, std::shared_ptr<Module>>> items() const { return modules_.pairs(); }
  std::vector<std::string> keys() const { return modules_.keys(); }
  std::vector<std::shared_ptr<Module>> values() const { return modules_.values(); }
  Iterator begin() { return modules_.begin(); }
  ConstIterator begin() const { return modules_.begin(); }
  Iterator end() { return modules_.end(); }
  ConstIterator end() const { return modules_.end(); }
  size_t size() const noexcept { return modules_.size(); }
  bool empty() const noexcept { return modules_.is_empty(); }
  bool contains(const std::string& key) const noexcept { return modules_.contains(key); }
  void clear();
  std::shared_ptr<Module> pop(const std::string& key);
  // Replaces modules of the same names.
  void update(const std::vector<std::pair<std::string, std::shared_ptr<Module>>>& modules) {
    for (const auto& entry : modules) set(entry.first, entry.second);
  }
  template <class Container>
  void update(const Container& modules) {
    for (const auto& item : modules) set(item.key(), item.value());
  }
  std::shared_ptr<Module> operator[](const std::string& key) const { return modules_[key]; }
  template <class M>
  M& at(const std::string& key) {
    return detail::cast_of<M>(modules_[key], key);
  }
  template <class M>
  const M& at(const std::string& key) const {
    return detail::cast_of<M>(modules_[key], key);
  }
  std::shared_ptr<Module> ptr(const std::string& key) const { return modules_[key]; }
  template <class M>
  std::shared_ptr<M> ptr(const std::string& key) const {
    return std::dynamic_pointer_cast<M>(modules_[key]);
  }

 private:
  void set(const std::string& key, std::shared_ptr<Module> module);
  Items modules_;
};
TORCH_MODULE(ModuleDict);

class ParameterListImpl : public Cloneable<ParameterListImpl> {
 public:
  using Iterator = OrderedDict<std::string, at::Tensor>::Iterator;
  using ConstIterator = OrderedDict<std::string, at::Tensor>::ConstIterator;
  ParameterListImpl() = default;
  template <class... Tensors>
  explicit ParameterListImpl(Tensors&&... tensors) {
    const int order[] = {0, (append(at::Tensor(std::forward<Tensors>(tensors))), 0)...};
    (void)order;
  }
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;
  void append(const at::Tensor& tensor) {
    register_parameter(std::to_string(parameters_.size()), tensor, tensor.requires_grad());
  }
  void append(const OrderedDict<std::string, at::Tensor>::Item& item) { append(item.value()); }
  template <class Container>
  void extend(const Container& tensors) {
    for (const auto& tensor : tensors) append(tensor);
  }
  Iterator begin() { return parameters_.begin(); }
  ConstIterator begin() const { return parameters_.begin(); }
  Iterator end() { return parameters_.end(); }
  ConstIterator end() const { return parameters_.end(); }
  at::Tensor& at(size_t index) {
    TORCH_CHECK(index < size(), "Index out of range");
    return parameters_[std::to_string(index)];
  }
  const at::Tensor& at(size_t index) const { return const_cast<ParameterListImpl&>(*this).at(index); }
  at::Tensor& operator[](size_t index) { return at(index); }
  const at::Tensor& operator[](size_t index) const { return at(index); }
  size_t size() const noexcept { return parameters_.size(); }
  bool is_empty() const noexcept { return parameters_.is_empty(); }
};
TORCH_MODULE(ParameterList);

class ParameterDictImpl : public Cloneable<ParameterDictImpl> {
 public:
  using Items = OrderedDict<std::string, at::Tensor>;
  using Iterator = Items::Iterator;
  using ConstIterator = Items::ConstIterator;
  ParameterDictImpl() = default;
  explicit ParameterDictImpl(const Items& tensors) { parameters_ = tensors; }
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;
  at::Tensor& insert(std::string key, at::Tensor tensor) {
    const bool grad = tensor.requires_grad();
    return register_parameter(std::move(key), std::move(tensor), grad);
  }
  at::Tensor pop(const std::string& key) {
    at::Tensor out = parameters_[key];
    parameters_.erase(key);
    return out;
  }
  std::vector<std::string> keys() const { return parameters_.keys(); }
  std::vector<at::Tensor> values() const { return parameters_.values(); }
  Iterator begin() { return parameters_.begin(); }
  ConstIterator begin() const { return parameters_.begin(); }
  Iterator end() { return parameters_.end(); }
  ConstIterator end() const { return parameters_.end(); }
  size_t size() const noexcept { return parameters_.size(); }
  bool empty() const noexcept { return parameters_.is_empty(); }
  void clear() { parameters_.clear(); }
  bool contains(const std::string& key) const noexcept { return parameters_.contains(key); }
  at::Tensor& get(const std::string& key) { return parameters_[key]; }
  const at::Tensor& get(const std::string& key) const { return parameters_[key]; }
  at::Tensor& operator[](const std::string& key) { return parameters_[key]; }
  const at::Tensor& operator[](const std::string& key) const { return parameters_[key]; }
  template <class Container>
  void update(const Container& tensors) {
    for (const auto& item : tensors) {
      if (at::Tensor* present = parameters_.find(item.key())) {
        *present = item.value();
      } else {
        parameters_.insert(item.key(), item.value());
      }
    }
  }
};
TORCH_MODULE(ParameterDict);

// A function as a module; further arguments are bound to it.
class FunctionalImpl : public Cloneable<FunctionalImpl> {
 public:
  using Function = std::function<at::Tensor(at::Tensor)>;
  explicit FunctionalImpl(Function function) : function_(std::move(function)) {}
  template <class F, class... Args, class = typename std::enable_if<(sizeof...(Args) > 0)>::type>
  explicit FunctionalImpl(F function, Args&&... args)
      : function_([function, args...](at::Tensor input) { return function(std::move(input), args...); }) {}
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;
  at::Tensor forward(at::Tensor input) { return function_(std::move(input)); }
  at::Tensor operator()(at::Tensor input) { return forward(std::move(input)); }
  bool is_serializable() const override { return false; }

 private:
  Function function_;
};
TORCH_MODULE(Functional);

}  // namespace nn
}  // namespace torch
