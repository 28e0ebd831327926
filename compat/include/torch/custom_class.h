// torch::class_: classes of the application's own that models hold and call.
#pragma once

#include <torch/boxing.h>

namespace torch {

using c10::intrusive_ptr;

// A default value of a method's argument: torch::arg("val") = 1.
struct arg {
  explicit arg(std::string name) : name_(std::move(name)) {}
  arg& operator=(c10::IValue v) {
    value_ = std::move(v);
    has_value_ = true;
    return *this;
  }
  static c10::IValue none() { return {}; }
  std::string name_;
  c10::IValue value_;
  bool has_value_ = false;
};

namespace detail {
template <class... Types>
struct Constructor {};
template <class F>
struct ConstructorFunction {
  F f;
};
// Tables of classes, by the mark of the C++ class. Throw c10::Error for a name or a class that is registered already.
void add_class(const void* mark, const std::string& name_space, const std::string& name);
void add_method(const void* mark, const std::string& name, wick_compat::BoxedFunction f, std::vector<arg> defaults);
void add_pickle(const void* mark, wick_compat::BoxedFunction get, wick_compat::BoxedFunction set);

template <class T, class R, class... A>
std::function<R(const intrusive_ptr<T>&, A...)> method_of(R (T::*f)(A...)) {
  return [f](const intrusive_ptr<T>& self, A... args) -> R { return ((*self).*f)(std::forward<A>(args)...); };
}
template <class T, class R, class... A>
std::function<R(const intrusive_ptr<T>&, A...)> method_of(R (T::*f)(A...) const) {
  return [f](const intrusive_ptr<T>& self, A... args) -> R { return ((*self).*f)(std::forward<A>(args)...); };
}
template <class T, class F>
F method_of(F f) {
  return f;
}
}  // namespace detail

template <class... Types>
detail::Constructor<Types...> init() {
  return {};
}
template <class F>
detail::ConstructorFunction<typename std::decay<F>::type> init(F&& f) {
  return {std::forward<F>(f)};
}

// Registers T as __torch__.torch.classes.NAMESPACE.NAME. Methods are members of T, or functions whose first parameter
// is an intrusive_ptr<T>. Threads: objects are used by every thread that runs a model; T guards itself.
template <class T>
class class_ {
  static_assert(std::is_base_of<CustomClassHolder, T>::value, "a custom class derives from torch::CustomClassHolder");

 public:
  explicit class_(const std::string& name_space, const std::string& name, std::string = "") {
    detail::add_class(mark(), name_space, name);
  }
  template <class... Types>
  class_& def(detail::Constructor<Types...>, std::string = "", std::initializer_list<arg> defaults = {}) {
    return add(
        "__init__", [](Types... args) { return c10::make_intrusive<T>(std::forward<Types>(args)...); }, defaults);
  }
  template <class F>
  class_& def(detail::ConstructorFunction<F> constructor, std::string = "", std::initializer_list<arg> defaults = {}) {
    return add("__init__", constructor.f, defaults);
  }
  template <class F>
  class_& def(std::string name, F f, std::string = "", std::initializer_list<arg> defaults = {}) {
    return add(name, detail::method_of<T>(f), defaults);
  }
  template <class F>
  class_& def_static(std::string name, F f, std::string = "") {
    return add(name, f, {});
  }
  template <class G>
  class_& def_property(const std::string& name, G getter, std::string = "") {
    return add(name + "_getter", detail::method_of<T>(getter), {});
  }
  template <class G, class S>
  typename std::enable_if<!std::is_convertible<S, std::string>::value, class_&>::type def_property(
      const std::string& name, G getter, S setter, std::string = "") {
    add(name + "_getter", detail::method_of<T>(getter), {});
    return add(name + "_setter", detail::method_of<T>(setter), {});
  }
  template <class V>
  class_& def_readwrite(const std::string& name, V T::*field) {
    return def_property(
        name, [field](const intrusive_ptr<T>& self) { return (*self).*field; },
        [field](const intrusive_ptr<T>& self, V value) { (*self).*field = value; });
  }
  template <class V>
  class_& def_readonly(const std::string& name, V T::*field) {
    return def_property(
        name, [field](const intrusive_ptr<T>& self) { return typename std::remove_const<V>::type((*self).*field); });
  }
  template <class Get, class Set>
  class_& def_pickle(Get&& get, Set&& set) {
    // One value each, a tuple of C++ too.
    const auto state = [get](const intrusive_ptr<T>& self) { return c10::IValue(get(self)); };
    detail::add_pickle(mark(), wick_compat::box(state), wick_compat::box(typename std::decay<Set>::type(set)));
    return *this;
  }

 private:
  static const void* mark() { return c10::IValue::class_mark<T>(); }
  template <class F>
  class_& add(const std::string& name, F f, std::initializer_list<arg> defaults) {
    detail::add_method(mark(), name, wick_compat::box(std::move(f)), defaults);
    return *this;
  }
};

template <class T, class... Args>
c10::IValue make_custom_class(Args&&... args) {
  return c10::IValue(c10::make_intrusive<T>(std::forward<Args>(args)...));
}

// The type of a class that torch::class_ registered, by its full name ("__torch__.torch.classes.ns.Name"); null when
// there is none.
c10::ClassTypePtr getCustomClass(const std::string& name);

namespace jit {
using torch::class_;
using torch::CustomClassHolder;
using torch::getCustomClass;
using torch::make_custom_class;
}  // namespace jit

}  // namespace torch
