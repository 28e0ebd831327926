// torch::nn::AnyValue: an argument or a result of a module whose class is not known.
#pragma once

#include <memory>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include <c10/util/Type.h>
#include <torch/types.h>

namespace torch {
namespace nn {

class AnyValue {
 public:
  AnyValue() = default;
  AnyValue(AnyValue&&) = default;
  AnyValue& operator=(AnyValue&&) = default;
  AnyValue(const AnyValue& o) : held_(o.held_ ? o.held_->copy() : nullptr) {}
  AnyValue& operator=(const AnyValue& o) {
    held_ = o.held_ ? o.held_->copy() : nullptr;
    return *this;
  }
  template <class T,
            class = typename std::enable_if<!std::is_same<typename std::decay<T>::type, AnyValue>::value>::type>
  explicit AnyValue(T&& value) : held_(new Holder<typename std::decay<T>::type>(std::forward<T>(value))) {}

  // Null when it holds another type.
  template <class T>
  T* try_get() {
    return held_ && held_->type() == typeid(T) ? &static_cast<Holder<T>&>(*held_).value : nullptr;
  }
  // Throws c10::Error when it holds another type.
  template <class T>
  T get() {
    if (T* value = try_get<T>()) return *value;
    TORCH_CHECK(false, "Attempted to cast AnyValue to ", c10::demangle(typeid(T).name()), ", but its actual type is ",
                c10::demangle(type_info().name()));
  }
  const std::type_info& type_info() const noexcept { return held_ ? held_->type() : typeid(void); }

 private:
  struct Placeholder {
    virtual ~Placeholder() = default;
    virtual const std::type_info& type() const = 0;
    virtual std::unique_ptr<Placeholder> copy() const = 0;
  };
  template <class T>
  struct Holder : Placeholder {
    template <class U>
    explicit Holder(U&& v) : value(std::forward<U>(v)) {}
    const std::type_info& type() const override { return typeid(T); }
    std::unique_ptr<Placeholder> copy() const override { return std::unique_ptr<Placeholder>(new Holder(value)); }
    T value;
  };
  std::unique_ptr<Placeholder> held_;
};

}  // namespace nn
}  // namespace torch
