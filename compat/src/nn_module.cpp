// torch::nn::Module and its containers.
#include <c10/util/Type.h>
#include <torch/nn/modules/container.h>

#include <sstream>

namespace torch {
namespace nn {

using at::Tensor;

Module::Module() : parameters_("Parameter"), buffers_("Buffer"), children_("Submodule") {}
Module::Module(std::string name) : Module() { name_ = std::move(name); }
Module::~Module() = default;

const std::string& Module::name() const noexcept {
  if (!name_) name_ = c10::demangle(typeid(*this).name());
  return *name_;
}

std::shared_ptr<Module> Module::clone(const c10::optional<at::Device>&) const {
  TORCH_CHECK(false, "clone() has not been implemented for ", name(), ". Subclass torch::nn::Cloneable<", name(),
              "> instead of torch::nn::Module to inherit the ability to "
              "clone.");
}
void Module::clone_(Module&, const c10::optional<at::Device>&) {}

namespace {

// Calls f(path, module) for the modules below one, in depth-first order.
template <class F>
void walk(const Module& module, const std::string& prefix, const F& f) {
  for (const auto& item : module.named_children()) {
    const std::string path = prefix.empty() ? item.key() : prefix + "." + item.key();
    f(path, item.value());
    walk(*item.value(), path, f);
  }
}

}  // namespace

std::shared_ptr<Module> Module::shared_self() const {
  std::shared_ptr<const Module> self;
  try {
    self = shared_from_this();
  } catch (const std::bad_weak_ptr&) {
    TORCH_CHECK(false,
                "It looks like you attempted to retrieve your top-level module as a shared_ptr, but it is not stored "
                "in a shared_ptr. Use std::make_shared<",
                name(),
                "> instead of creating your module on the stack, or alternatively do not try to access your "
                "top-level module at all by passing /*include_self=*/false to modules() or named_modules()");
  }
  return std::const_pointer_cast<Module>(self);
}

void Module::apply(const ModuleApplyFunction& function) {
  function(*this);
  walk(*this, "", [&](const std::string&, const std::shared_ptr<Module>& m) { function(*m); });
}
void Module::apply(const ConstModuleApplyFunction& function) const {
  function(*this);
  walk(*this, "", [&](const std::string&, const std::shared_ptr<Module>& m) { function(*m); });
}
void Module::apply(const NamedModuleApplyFunction& function, const std::string& prefix) {
  function(prefix, *this);
  walk(*this, prefix, [&](const std::string& path, const std::shared_ptr<Module>& m) { function(path, *m); });
}
void Module::apply(const ConstNamedModuleApplyFunction& function, const std::string& prefix) const {
  function(prefix, *this);
  walk(*this, prefix, [&](const std::string& path, const std::shared_ptr<Module>& m) { function(path, *m); });
}
void Module::apply(const ModulePointerApplyFunction& function) const {
  function(shared_self());
  walk(*this, "", [&](const std::string&, const std::shared_ptr<Module>& m) { function(m); });
}
void Module::apply(const NamedModulePointerApplyFunction& function, const std::string& prefix) const {
  function(prefix, shared_self());
  walk(*this, prefix, function);
}

std::vector<Tensor> Module::parameters(bool recurse) const { return named_parameters(recurse).values(); }
std::vector<Tensor> Module::buffers(bool recurse) const { return named_buffers(recurse).values(); }
OrderedDict<std::string, Tensor> Module::named_parameters(bool recurse) const {
  OrderedDict<std::string, Tensor> out;
  const auto add = [&](const std::string& prefix, const Module& module) {
    for (const auto& item : module.parameters_) {
      if (item.value().defined()) out.insert(prefix + item.key(), item.value());
    }
  };
  add("", *this);
  if (recurse) walk(*this, "", [&](const std::string& path, const auto& module) { add(path + ".", *module); });
  return out;
}
OrderedDict<std::string, Tensor> Module::named_buffers(bool recurse) const {
  OrderedDict<std::string, Tensor> out;
  const auto add = [&](const std::string& prefix, const Module& module) {
    for (const auto& item : module.buffers_) {
      if (item.value().defined()) out.insert(prefix + item.key(), item.value());
    }
  };
  add("", *this);
  if (recurse) walk(*this, "", [&](const std::string& path, const auto& module) { add(path + ".", *module); });
  return out;
}
std::vector<std::shared_ptr<Module>> Module::modules(bool include_self) const {
  return named_modules("", include_self).values();
}
OrderedDict<std::string, std::shared_ptr<Module>> Module::named_modules(const std::string& prefix,
                                                                        bool include_self) const {
  OrderedDict<std::string, std::shared_ptr<Module>> out;
  if (include_self) out.insert(prefix, shared_self());
  walk(*this, prefix, [&](const std::string& path, const auto& module) { out.insert(path, module); });
  return out;
}
std::vector<std::shared_ptr<Module>> Module::children() const { return children_.values(); }
OrderedDict<std::string, std::shared_ptr<Module>> Module::named_children() const { return children_; }

void Module::train(bool on) {
  for (auto& child : children_) child.value()->train(on);
  is_training_ = on;
}
namespace {
template <class... To>
void convert(const Module& module, const To&... to) {
  for (const auto& child : module.named_children()) child.value()->to(to...);
  for (const Tensor& t : module.parameters(false)) t.set_data(t.detach().to(to...));
  for (const Tensor& t : module.buffers(false)) t.set_data(t.detach().to(to...));
}
}  // namespace
void Module::to(at::Device device, at::ScalarType dtype, bool non_blocking) {
  convert(*this, device, dtype, non_blocking);
}
void Module::to(at::ScalarType dtype, bool non_blocking) { convert(*this, dtype, non_blocking); }
void Module::to(at::Device device, bool non_blocking) { convert(*this, device, non_blocking); }

void Module::save(serialize::OutputArchive& archive) const {
  for (const auto& item : named_parameters(false)) archive.write(item.key(), item.value());
  for (const auto& item : named_buffers(false)) archive.write(item.key(), item.value(), true);
  for (const auto& child : children_) {
    if (!child.value()->is_serializable()) continue;
    serialize::OutputArchive nested;
    child.value()->save(nested);
    archive.write(child.key(), nested);
  }
}
void Module::load(serialize::InputArchive& archive) {
  for (auto& item : named_parameters(false)) archive.read(item.key(), item.value());
  for (auto& item : named_buffers(false)) archive.read(item.key(), item.value(), true);
  for (const auto& child : children_) {
    if (!child.value()->is_serializable()) continue;
    serialize::InputArchive nested;
    archive.read(child.key(), nested);
    child.value()->load(nested);
  }
}

void Module::pretty_print(std::ostream& stream) const { stream << name(); }
void Module::print(std::ostream& out, const std::string& indentation) const {
  pretty_print(out);
  if (children_.is_empty()) return;
  out << "(\n";
  for (const auto& child : children_) {
    out << indentation + "  "
        << "(" << child.key() << "): ";
    child.value()->print(out, indentation + "  ");
    out << '\n';
  }
  out << indentation << ")";
}
std::ostream& operator<<(std::ostream& out, const Module& module) {
  module.print(out, "");
  return out;
}
serialize::OutputArchive& operator<<(serialize::OutputArchive& archive, const std::shared_ptr<Module>& module) {
  TORCH_CHECK(module, "Cannot serialize empty module");
  module->save(archive);
  return archive;
}
serialize::InputArchive& operator>>(serialize::InputArchive& archive, const std::shared_ptr<Module>& module) {
  TORCH_CHECK(module, "Cannot deserialize empty module");
  module->load(archive);
  return archive;
}

namespace {
void check_name(const char* what, const std::string& name) {
  TORCH_CHECK(!name.empty(), what, " name must not be empty");
  TORCH_CHECK(name.find('.') == name.npos, what, " name must not contain a dot (got '", name, "')");
}
}  // namespace
Tensor& Module::register_parameter(std::string name, Tensor tensor, bool requires_grad) {
  check_name("Parameter", name);
  if (tensor.defined()) {
    tensor.set_requires_grad(requires_grad);
  } else if (requires_grad) {
    TORCH_WARN("An undefined tensor cannot require grad. Ignoring the `requires_grad=true` function parameter.");
  }
  return parameters_.insert(std::move(name), std::move(tensor));
}
Tensor& Module::register_buffer(std::string name, Tensor tensor) {
  check_name("Buffer", name);
  return buffers_.insert(std::move(name), std::move(tensor));
}
void Module::add_module(std::string name, std::shared_ptr<Module> module) {
  check_name("Submodule", name);
  children_.insert(std::move(name), std::move(module));
}
void Module::unregister_module(const std::string& name) {
  TORCH_CHECK(children_.contains(name), "No Module with name `", name, "` is registered");
  children_.erase(name);
}

unsigned int Module::_forward_num_required_args() {
  TORCH_CHECK(false,
              "torch::nn::Module subclass that has default arguments in `forward` method must override "
              "`_forward_num_required_args` method. Please use `FORWARD_HAS_DEFAULT_ARGS` macro to do so.");
}
std::vector<AnyValue> Module::_forward_populate_default_args(std::vector<AnyValue>&&) {
  TORCH_CHECK(false,
              "torch::nn::Module subclass that has default arguments in `forward` method must override "
              "`_forward_populate_default_args` method. Please use `FORWARD_HAS_DEFAULT_ARGS` macro to do so.");
}

void Module::clear() {
  parameters_.clear();
  buffers_.clear();
  children_.clear();
}
void Module::check_copied(const Module& original) const {
  const char* advice = ". Are you sure you called register_";
  TORCH_CHECK(parameters_.size() == original.parameters_.size(),
              "The cloned module does not have the same number of parameters as the original module after calling "
              "reset()",
              advice, "parameter() inside reset() and not the constructor?");
  TORCH_CHECK(buffers_.size() == original.buffers_.size(),
              "The cloned module does not have the same number of buffers as the original module after calling reset()",
              advice, "buffer() inside reset() and not the constructor?");
  TORCH_CHECK(children_.size() == original.children_.size(),
              "The cloned module does not have the same number of child modules as the original module after calling "
              "reset()",
              advice, "module() inside reset() and not the constructor?");
}
void Module::copy_tensors_of(const Module& original, const c10::optional<at::Device>& device) {
  const auto copy = [&](auto& mine, const auto& theirs) {
    for (const auto& item : theirs) {
      if (!item.value().defined()) continue;
      const Tensor t = item.value().detach().clone();
      mine[item.key()].set_data(device ? t.to(*device) : t);
    }
  };
  copy(parameters_, original.parameters_);
  copy(buffers_, original.buffers_);
  for (const auto& child : original.children_) children_[child.key()]->clone_(*child.value(), device);
}

void SequentialImpl::push_back(std::string name, AnyModule module) {
  modules_.push_back(std::move(module));
  register_module(std::move(name), modules_.back().ptr());
}
std::shared_ptr<Module> SequentialImpl::clone(const c10::optional<at::Device>& device) const {
  auto copy = std::make_shared<SequentialImpl>();
  for (const AnyModule& module : modules_) copy->push_back(module.clone(device));
  return copy;
}
void SequentialImpl::pretty_print(std::ostream& stream) const { stream << "torch::nn::Sequential"; }

void ModuleListImpl::push_back(std::shared_ptr<Module> module) {
  modules_.push_back(std::move(module));
  register_module(std::to_string(modules_.size() - 1), modules_.back());
}
void ModuleListImpl::insert(size_t index, std::shared_ptr<Module> module) {
  TORCH_CHECK(index <= size(), "Index out of range");
  modules_.insert(modules_.begin() + static_cast<std::ptrdiff_t>(index), std::move(module));
  for (size_t i = index; i + 1 < size(); ++i) replace_module(std::to_string(i), modules_[i]);
  register_module(std::to_string(size() - 1), modules_.back());
}
std::shared_ptr<Module> ModuleListImpl::clone(const c10::optional<at::Device>& device) const {
  auto copy = std::make_shared<ModuleListImpl>();
  for (const auto& module : modules_) copy->push_back(module->clone(device));
  return copy;
}
void ModuleListImpl::pretty_print(std::ostream& stream) const { stream << "torch::nn::ModuleList"; }

void ModuleDictImpl::set(const std::string& key, std::shared_ptr<Module> module) {
  if (modules_.contains(key)) {
    modules_[key] = replace_module(key, std::move(module));
  } else {
    modules_.insert(key, module);
    register_module(key, std::move(module));
  }
}
void ModuleDictImpl::clear() {
  for (const auto& item : modules_) unregister_module(item.key());
  modules_.clear();
}
std::shared_ptr<Module> ModuleDictImpl::pop(const std::string& key) {
  std::shared_ptr<Module> out = modules_[key];
  modules_.erase(key);
  unregister_module(key);
  return out;
}
std::shared_ptr<Module> ModuleDictImpl::clone(const c10::optional<at::Device>& device) const {
  auto copy = std::make_shared<ModuleDictImpl>();
  for (const auto& item : modules_) copy->set(item.key(), item.value()->clone(device));
  return copy;
}
void ModuleDictImpl::pretty_print(std::ostream& stream) const { stream << "torch::nn::ModuleDict"; }

namespace {
void print_parameters(std::ostream& out, const char* name, const OrderedDict<std::string, Tensor>& parameters) {
  out << name << "(\n";
  for (const auto& item : parameters) {
    out << "(" << item.key() << "): Parameter containing: [" << item.value().scalar_type() << " of size "
        << item.value().sizes() << "]\n";
  }
  out << ")";
}
}  // namespace
void ParameterListImpl::pretty_print(std::ostream& stream) const {
  print_parameters(stream, "torch::nn::ParameterList", parameters_);
}
void ParameterDictImpl::pretty_print(std::ostream& stream) const {
  print_parameters(stream, "torch::nn::ParameterDict", parameters_);
}
void FunctionalImpl::pretty_print(std::ostream& stream) const { stream << "torch::nn::Functional()"; }

}  // namespace nn
}  // namespace torch
