// From PyTorch's types to Wick's and back, for the sources of compat/.
//
// at::Tensor and c10::IValue have the layout of wick::Tensor and wick::IValue and are used as them; other types are
// converted.
#pragma once

#include <ATen/Functions.h>

#include <memory>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "wick/arguments.h"
#include "wick/ivalue.h"
#include "wick/tensor.h"

namespace wick_compat {

static_assert(sizeof(at::Tensor) == sizeof(wick::Tensor) && sizeof(c10::IValue) == sizeof(wick::IValue));
static_assert(static_cast<int>(c10::IValue::Tag::Tensor) == static_cast<int>(wick::IValue::Tag::kTensor) &&
              static_cast<int>(c10::IValue::Tag::Capsule) == static_cast<int>(wick::IValue::Tag::kCustom));

// Throws the exception that is being handled as PyTorch would: a wick::Error as c10::Error or one of its classes.
[[noreturn]] void rethrow();
// The same for what a TorchScript program throws.
[[noreturn]] void rethrow_from_script();

// --- to Wick ---
inline const wick::Tensor& w(const at::Tensor& t) { return reinterpret_cast<const wick::Tensor&>(t); }
inline const wick::IValue& w(const c10::IValue& v) { return reinterpret_cast<const wick::IValue&>(v); }
inline wick::IValue& w(c10::IValue& v) { return reinterpret_cast<wick::IValue&>(v); }
inline int64_t w(int64_t v) { return v; }
inline double w(double v) { return v; }
inline bool w(bool v) { return v; }
inline wick::DType w(at::ScalarType t) { return static_cast<wick::DType>(t); }
inline wick::MemoryFormat w(at::MemoryFormat f) { return static_cast<wick::MemoryFormat>(f); }
inline wick::Layout w(at::Layout l) { return static_cast<wick::Layout>(l); }
// Throws for a device that is none of Wick's.
wick::Device w(const at::Device& d);
wick::Scalar w(const at::Scalar& s);
inline std::string_view w(c10::string_view s) { return {s.data(), s.size()}; }
inline wick::IntList w(at::IntArrayRef list) { return wick::IntSpan(list.data(), list.size()); }
inline wick::OptIntList w(const at::OptionalIntArrayRef& list) {
  if (!list) return std::nullopt;
  const at::IntArrayRef v = list.value();
  return wick::OptIntList(wick::IntSpan(v.data(), v.size()));
}
inline wick::Span<wick::Tensor> w(at::TensorList list) {
  return {reinterpret_cast<const wick::Tensor*>(list.data()), list.size()};
}
inline wick::Span<double> w(at::ArrayRef<double> list) { return wick::Span<double>(list.data(), list.size()); }
inline wick::Span<bool> w(at::ArrayRef<bool> list) { return wick::Span<bool>(list.data(), list.size()); }
template <class T>
struct Borrowed {  // a list of its own that is passed as a Span
  std::vector<T> values;
  operator wick::Span<T>() const { return wick::Span<T>(values); }
};
inline Borrowed<wick::Scalar> w(at::ArrayRef<at::Scalar> list) {
  Borrowed<wick::Scalar> out;
  for (const at::Scalar& s : list) out.values.push_back(w(s));
  return out;
}
Borrowed<std::optional<wick::Tensor>> w(const c10::List<c10::optional<at::Tensor>>& list);
template <class T>
auto w(const c10::optional<T>& v) -> std::optional<std::decay_t<decltype(w(*v))>> {
  if (!v) return std::nullopt;
  return w(*v);
}
wick::TensorOptions w(const at::TensorOptions& options);
at::TensorOptions default_dtype(const at::TensorOptions& options);
inline c10::optional<at::MemoryFormat> memory_format_of(c10::optional<at::MemoryFormat> f, const at::TensorOptions& o) {
  return f ? f : o.memory_format_opt();
}

// --- from Wick ---
inline at::Tensor a(wick::Tensor&& t) { return std::move(reinterpret_cast<at::Tensor&>(t)); }
inline at::Tensor a(const wick::Tensor& t) { return reinterpret_cast<const at::Tensor&>(t); }
inline c10::IValue a(wick::IValue&& v) { return std::move(reinterpret_cast<c10::IValue&>(v)); }
inline const c10::IValue& a(const wick::IValue& v) { return reinterpret_cast<const c10::IValue&>(v); }
at::Scalar a(const wick::Scalar& s);
inline int64_t a(int64_t v) { return v; }
inline double a(double v) { return v; }
inline bool a(bool v) { return v; }
inline std::string a(std::string v) { return v; }
inline at::ScalarType a(wick::DType t) { return static_cast<at::ScalarType>(t); }
inline at::Device a(wick::Device d) { return at::Device(static_cast<at::DeviceType>(d.type), d.index); }
inline at::Layout a(wick::Layout l) { return static_cast<at::Layout>(l); }
template <class T>
auto a(std::vector<T>&& v) {
  std::vector<decltype(a(std::move(v[0])))> out;
  out.reserve(v.size());
  for (size_t i = 0; i < v.size(); ++i) out.push_back(a(T(std::move(v[i]))));
  return out;
}
template <class T>
auto a(std::optional<T>&& v) {
  using R = decltype(a(std::move(*v)));
  return v ? c10::optional<R>(a(std::move(*v))) : c10::optional<R>();
}
template <class... Ts>
auto a(std::tuple<Ts...>&& t) {
  return std::apply([](Ts&... v) { return std::make_tuple(a(std::move(v))...); }, t);
}

// While it lives, operators that are called draw from the generator.
class DrawsFrom {
 public:
  explicit DrawsFrom(const c10::optional<at::Generator>& generator);
  ~DrawsFrom();

 private:
  struct Scope;
  std::unique_ptr<Scope> scope_;
};

at::Tensor with_grad(at::Tensor t, const at::TensorOptions& options);

}  // namespace wick_compat
