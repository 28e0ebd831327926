// torch::nn::ModuleHolder: what the names of modules (torch::nn::Linear) are: shared pointers to the module itself.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include <torch/serialize.h>

namespace torch {
namespace detail {
struct ModuleHolderIndicator {};
template <class T>
using is_module_holder = std::is_base_of<ModuleHolderIndicator, typename std::decay<T>::type>;
template <class Holder, class Contained, class Enable = void>
struct is_module_holder_of : std::false_type {};
template <class Holder, class Contained>
struct is_module_holder_of<Holder, Contained, typename std::enable_if<is_module_holder<Holder>::value>::type>
    : std::is_same<typename std::decay<Holder>::type::ContainedType, Contained> {};
}  // namespace detail

namespace nn {

// Copies share the module. `= nullptr` makes an empty one; using it throws c10::Error.
template <class Contained>
class ModuleHolder : torch::detail::ModuleHolderIndicator {
 public:
  using ContainedType = Contained;

  ModuleHolder() : impl_(made(std::is_default_constructible<Contained>())) {}
  ModuleHolder(std::nullptr_t) {}
  ModuleHolder(std::shared_ptr<Contained> module) : impl_(std::move(module)) {}
  template <class Head, class... Tail,
            class = typename std::enable_if<!(torch::detail::is_module_holder_of<Head, Contained>::value &&
                                              sizeof...(Tail) == 0)>::type>
  explicit ModuleHolder(Head&& head, Tail&&... tail)
      : impl_(new Contained(std::forward<Head>(head), std::forward<Tail>(tail)...)) {}

  explicit operator bool() const noexcept { return !is_empty(); }
  bool is_empty() const noexcept { return !impl_; }
  Contained* operator->() { return get(); }
  const Contained* operator->() const { return get(); }
  Contained& operator*() { return *get(); }
  const Contained& operator*() const { return *get(); }
  const std::shared_ptr<Contained>& ptr() const {
    TORCH_CHECK(impl_, "Accessing empty ModuleHolder");
    return impl_;
  }
  Contained* get() { return ptr().get(); }
  const Contained* get() const { return ptr().get(); }
  template <class... Args, class C = Contained>
  auto operator()(Args&&... args) -> decltype(std::declval<C&>().forward(std::forward<Args>(args)...)) {
    return get()->forward(std::forward<Args>(args)...);
  }
  template <class Index>
  decltype(auto) operator[](Index&& index) {
    return (*get())[std::forward<Index>(index)];
  }

 protected:
  std::shared_ptr<Contained> impl_;

 private:
  static std::shared_ptr<Contained> made(std::true_type) { return std::make_shared<Contained>(); }
  static std::shared_ptr<Contained> made(std::false_type) {
    static_assert(std::is_default_constructible<Contained>::value,
                  "the module has no default constructor; `= nullptr` makes an empty one");
    return nullptr;
  }
};
template <class Contained>
std::ostream& operator<<(std::ostream& out, const ModuleHolder<Contained>& module) {
  return out << *module;
}
template <class Contained>
serialize::OutputArchive& operator<<(serialize::OutputArchive& archive, const ModuleHolder<Contained>& module) {
  return archive << module.ptr();
}
template <class Contained>
serialize::InputArchive& operator>>(serialize::InputArchive& archive, ModuleHolder<Contained>& module) {
  return archive >> module.ptr();
}

}  // namespace nn
}  // namespace torch

#define TORCH_MODULE_IMPL(Name, ImplType)                  \
  class Name : public torch::nn::ModuleHolder<ImplType> {  \
   public:                                                 \
    using torch::nn::ModuleHolder<ImplType>::ModuleHolder; \
    using Impl = ImplType;                                 \
  }
#define TORCH_MODULE(Name) TORCH_MODULE_IMPL(Name, Name##Impl)
