// The functions of namespace at.
#pragma once

#include <initializer_list>
#include <memory>

#include <ATen/TensorIndexing.h>
#include <ATen/core/TensorBody.h>
#include <ATen/core/ivalue.h>

namespace at {

#include <ATen/generated_functions.inc>

// Drawn from the generator.
Tensor rand(IntArrayRef size, c10::optional<Generator> generator, TensorOptions options = {});
Tensor randn(IntArrayRef size, c10::optional<Generator> generator, TensorOptions options = {});
Tensor randint(int64_t high, IntArrayRef size, c10::optional<Generator> generator, TensorOptions options = kLong);
Tensor randint(int64_t low, int64_t high, IntArrayRef size, c10::optional<Generator> generator,
               TensorOptions options = kLong);
Tensor randperm(int64_t n, c10::optional<Generator> generator, TensorOptions options = kLong);

Tensor arange(const Scalar& start, const Scalar& end, TensorOptions options = {});
Tensor range(const Scalar& start, const Scalar& end, TensorOptions options = {});
Tensor clamp(const Tensor& self, const c10::optional<Tensor>& min, const c10::optional<Tensor>& max = c10::nullopt);
Tensor std(const Tensor& self, bool unbiased);
Tensor std(const Tensor& self, OptionalIntArrayRef dim = nullopt, bool unbiased = true, bool keepdim = false);
Tensor var(const Tensor& self, bool unbiased);
Tensor var(const Tensor& self, OptionalIntArrayRef dim = nullopt, bool unbiased = true, bool keepdim = false);
std::tuple<Tensor, Tensor> std_mean(const Tensor& self, bool unbiased);
std::tuple<Tensor, Tensor> std_mean(const Tensor& self, OptionalIntArrayRef dim = nullopt, bool unbiased = true,
                                    bool keepdim = false);
std::tuple<Tensor, Tensor> var_mean(const Tensor& self, bool unbiased);
std::tuple<Tensor, Tensor> var_mean(const Tensor& self, OptionalIntArrayRef dim = nullopt, bool unbiased = true,
                                    bool keepdim = false);
// A number is a dimension, not "unbiased".
inline Tensor std(const Tensor& self, int dim) { return at::std(self, OptionalIntArrayRef(dim)); }
inline Tensor std(const Tensor& self, int64_t dim) { return at::std(self, OptionalIntArrayRef(dim)); }
inline Tensor var(const Tensor& self, int dim) { return at::var(self, OptionalIntArrayRef(dim)); }
inline Tensor var(const Tensor& self, int64_t dim) { return at::var(self, OptionalIntArrayRef(dim)); }
inline std::tuple<Tensor, Tensor> std_mean(const Tensor& self, int dim) {
  return at::std_mean(self, OptionalIntArrayRef(dim));
}
inline std::tuple<Tensor, Tensor> std_mean(const Tensor& self, int64_t dim) {
  return at::std_mean(self, OptionalIntArrayRef(dim));
}
inline std::tuple<Tensor, Tensor> var_mean(const Tensor& self, int dim) {
  return at::var_mean(self, OptionalIntArrayRef(dim));
}
inline std::tuple<Tensor, Tensor> var_mean(const Tensor& self, int64_t dim) {
  return at::var_mean(self, OptionalIntArrayRef(dim));
}
Tensor& index_put_(Tensor& self, const c10::List<c10::optional<Tensor>>& indices, const Tensor& values,
                   bool accumulate = false);

// padding: "valid" or "same".
#define WICK_CONV(D)                                                                                     \
  inline Tensor conv##D##d(const Tensor& input, const Tensor& weight, const c10::optional<Tensor>& bias, \
                           IntArrayRef stride, c10::string_view padding, IntArrayRef dilation = 1,       \
                           int64_t groups = 1) {                                                         \
    return _convolution_mode(input, weight, bias, stride, padding, dilation, groups);                    \
  }
WICK_CONV(1)
WICK_CONV(2)
WICK_CONV(3)
#undef WICK_CONV
// Without padding around the signal.
inline Tensor stft(const Tensor& self, int64_t n_fft, c10::optional<int64_t> hop_length,
                   c10::optional<int64_t> win_length, const c10::optional<Tensor>& window, bool normalized,
                   c10::optional<bool> onesided, c10::optional<bool> return_complex = c10::nullopt) {
  return stft(self, n_fft, hop_length, win_length, window, false, "reflect", normalized, onesided, return_complex);
}

using Deleter = std::function<void(void*)>;
// A tensor over memory of the caller's, which is not copied and must live as long as tensors that share it; the
// deleter, if there is one, is called with the pointer when the last of them is gone.
Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, const Deleter& deleter,
                 const TensorOptions& options = {}, c10::optional<Device> target_device = c10::nullopt);
Tensor from_blob(void* data, IntArrayRef sizes, const Deleter& deleter, const TensorOptions& options = {});
Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, const TensorOptions& options = {});
Tensor from_blob(void* data, IntArrayRef sizes, const TensorOptions& options = {});
Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, int64_t storage_offset, const Deleter& deleter,
                 const TensorOptions& options = {});

class TensorMaker {
 public:
  TensorMaker(void* data, IntArrayRef sizes) : data_(data), sizes_(sizes.vec()) {}
  TensorMaker& strides(OptionalIntArrayRef v) { return strides_ = v ? v.value().vec() : std::vector<int64_t>(), *this; }
  TensorMaker& deleter(std::function<void(void*)> v) { return deleter_ = std::move(v), *this; }
  TensorMaker& options(TensorOptions v) { return options_ = v, *this; }
  TensorMaker& target_device(c10::optional<Device>) { return *this; }
  Tensor make_tensor() { return from_blob(data_, sizes_, strides_, deleter_, options_); }

 private:
  void* data_;
  std::vector<int64_t> sizes_;
  std::vector<int64_t> strides_;
  Deleter deleter_;
  TensorOptions options_;
};
inline TensorMaker for_blob(void* data, IntArrayRef sizes) { return TensorMaker(data, sizes); }

namespace detail {
// Numbers in nested braces, for torch::tensor({{1, 2}, {3, 4}}).
struct TensorDataContainer {
  TensorDataContainer() : sizes_({0}), type_(get_default_dtype_as_scalartype()) {}
  TensorDataContainer(std::initializer_list<TensorDataContainer> list);
#define WICK_CONTAINER(T, S) \
  TensorDataContainer(T v) : type_(S), is_scalar_(true), scalar_(v) {}
  WICK_CONTAINER(uint8_t, kByte)
  WICK_CONTAINER(int8_t, kChar)
  WICK_CONTAINER(int16_t, kShort)
  WICK_CONTAINER(int, kLong)
  WICK_CONTAINER(int64_t, kLong)
  WICK_CONTAINER(bool, kBool)
  WICK_CONTAINER(Half, kHalf)
  WICK_CONTAINER(BFloat16, kBFloat16)
  WICK_CONTAINER(float, get_default_dtype_as_scalartype())
  WICK_CONTAINER(double, get_default_dtype_as_scalartype())
  WICK_CONTAINER(c10::complex<float>, get_default_complex_dtype().toScalarType())
  WICK_CONTAINER(c10::complex<double>, get_default_complex_dtype().toScalarType())
#undef WICK_CONTAINER
  template <class T>
  TensorDataContainer(ArrayRef<T> v);
  template <class T>
  TensorDataContainer(const std::vector<T>& v) : TensorDataContainer(ArrayRef<T>(v)) {}
  TensorDataContainer(const std::vector<bool>& v);
  template <class T, size_t N>
  TensorDataContainer(const std::array<T, N>& v) : TensorDataContainer(ArrayRef<T>(v)) {}
  Tensor convert(TensorOptions options) const;

  bool is_scalar() const { return is_scalar_; }
  bool is_init_list() const { return !is_scalar_ && !values_.defined(); }
  bool is_tensor() const { return values_.defined(); }
  const Scalar& scalar() const;
  const std::vector<TensorDataContainer>& init_list() const;
  const Tensor& tensor() const;
  const std::vector<int64_t>& sizes() const { return sizes_; }
  ScalarType scalar_type() const { return type_; }
  friend std::ostream& operator<<(std::ostream& out, const TensorDataContainer& c);

 private:
  void fill(Tensor& tensor) const;
  std::vector<int64_t> sizes_;
  ScalarType type_;
  bool is_scalar_ = false;
  Scalar scalar_;
  std::vector<TensorDataContainer> items_;
  Tensor values_;
};
Tensor tensor_of(const void* data, size_t count, ScalarType type, const TensorOptions& options);
}  // namespace detail

// A one-dimensional tensor of the list's element type; of a number, too.
template <class T>
Tensor tensor(ArrayRef<T> values, const TensorOptions& options) {
  return detail::tensor_of(values.data(), values.size(), c10::CppTypeToScalarType<T>::value, options);
}
template <class T>
Tensor tensor(std::initializer_list<T> values, const TensorOptions& options) {
  return tensor(ArrayRef<T>(values), options);
}
template <class T, class = typename std::enable_if<std::is_arithmetic<T>::value>::type>
Tensor tensor(T value, const TensorOptions& options) {
  return detail::tensor_of(&value, 1, c10::CppTypeToScalarType<T>::value, options);
}
template <class T>
Tensor tensor(ArrayRef<T> values) {
  return tensor(values, TensorOptions(c10::CppTypeToScalarType<T>::value));
}
template <class T>
Tensor tensor(std::initializer_list<T> values) {
  return tensor(ArrayRef<T>(values));
}
template <class T, class = typename std::enable_if<std::is_arithmetic<T>::value>::type>
Tensor tensor(T value) {
  return tensor(value, TensorOptions(c10::CppTypeToScalarType<T>::value));
}
template <class T>
Tensor tensor(const std::vector<T>& values,
              const TensorOptions& options = TensorOptions(c10::CppTypeToScalarType<T>::value)) {
  return tensor(ArrayRef<T>(values), options);
}
template <class T>
Tensor tensor(const c10::complex<T>& value,
              const TensorOptions& options = TensorOptions(c10::CppTypeToScalarType<c10::complex<T>>::value)) {
  return detail::tensor_of(&value, 1, c10::CppTypeToScalarType<c10::complex<T>>::value, options);
}

namespace detail {
template <class T>
TensorDataContainer::TensorDataContainer(ArrayRef<T> v)
    : sizes_({static_cast<int64_t>(v.size())}), type_(c10::CppTypeToScalarType<T>::value), values_(at::tensor(v)) {
  if (type_ == kInt) type_ = kLong;
  if (type_ == kDouble || type_ == kFloat) type_ = get_default_dtype_as_scalartype();
}
}  // namespace detail

inline int64_t numel(const Tensor& t) { return t.numel(); }
inline int64_t size(const Tensor& t, int64_t d) { return t.size(d); }
inline int64_t stride(const Tensor& t, int64_t d) { return t.stride(d); }
inline bool is_complex(const Tensor& t) { return t.is_complex(); }
inline bool is_floating_point(const Tensor& t) { return t.is_floating_point(); }
inline bool is_signed(const Tensor& t) { return t.is_signed(); }
inline bool is_nonzero(const Tensor& t) { return t.is_nonzero(); }
inline ScalarType promote_types(ScalarType a, ScalarType b) { return c10::promoteTypes(a, b); }
inline bool can_cast(ScalarType from, ScalarType to) { return c10::canCast(from, to); }

// Random numbers and threads.
void manual_seed(uint64_t seed);

}  // namespace at

namespace c10 {
inline at::Tensor scalar_to_tensor(const Scalar& s, Device = Device(kCPU)) {
  return at::scalar_tensor(s, TensorOptions(s.type()));
}
}  // namespace c10
