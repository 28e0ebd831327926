// Tensor: an n-dimensional array, as a model takes and gives it.
#pragma once

#include <concepts>
#include <cstring>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "wick/accessor.h"
#include "wick/arguments.h"
#include "wick/dtype.h"
#include "wick/ref.h"
#include "wick/scalar.h"
#include "wick/span.h"

namespace wick {

class StorageImpl;
class TensorImpl;
using Storage = Ref<StorageImpl>;

struct Quantizer;
class Index;

// Types that elements are stored as.
template <class T>
concept Element = requires {
  DTypeOf<std::remove_const_t<T>>::value;
};

// A counted handle to a strided view of a storage. Copying a Tensor copies the handle: both see the same elements, as
// in PyTorch, and the memory lives until the last handle to a view of it is gone. A const Tensor is a handle that does
// not change; its elements may. Every operator is a method (wick/functions.h), as in PyTorch.
//
//   float pixels[1 * 3 * 224 * 224];
//   wick::Tensor image = wick::Tensor::from_blob(pixels, {1, 3, 224, 224});   // no copy: pixels must outlive the run
//   wick::Tensor zeros = wick::Tensor::zeros({2, 3}, wick::DType::kLong);
//   zeros.data<int64_t>()[5] = 7;                                              // the last element
//   auto [scores, classes] = logits.softmax(-1).topk(5);
//   float first = scores[0][0].item<float>();
//
// Threads: handles may be copied, destroyed and read by several threads at once as long as each thread has a handle of
// its own or none changes it. Elements are not locked: a writer needs exclusive access.
class Tensor {
 public:
  // An undefined tensor: members but defined(), is_same(), assignment and destruction throw kInvalidArgument.
  Tensor() = default;

  // Uninitialized memory, 64-byte aligned. kChannelsLast needs 4 dims, kChannelsLast3d 5. Throws kInvalidArgument for a
  // negative size, kOutOfMemory, and kLimitExceeded for too many dims (docs/limits.md).
  static Tensor empty(IntSpan sizes, DType dtype = DType::kFloat, MemoryFormat format = MemoryFormat::kContiguous);
  static Tensor empty_strided(IntSpan sizes, IntSpan strides, DType dtype);
  static Tensor zeros(IntSpan sizes, DType dtype = DType::kFloat);
  // Zero-dim tensor holding `value` converted to `dtype`.
  static Tensor scalar(const Scalar& value, DType dtype);
  // Uses the caller's memory without copying. It must hold all elements the sizes and strides
  // (in elements; empty: contiguous) reach, and live until the last tensor that shares it is gone;
  // `owner`, if given, is kept until then.
  static Tensor from_blob(void* data, IntSpan sizes, DType dtype = DType::kFloat, IntSpan strides = {},
                          std::shared_ptr<void> owner = nullptr);
  // The same with the dtype that stores T.
  template <Element T>
  requires(!std::is_const_v<T>) static Tensor from_blob(T* data, IntSpan sizes) {
    return from_blob(static_cast<void*>(data), sizes, DTypeOf<T>::value);
  }
  // `deleter` is called with `data` when the last tensor that shares it is gone, or when this throws.
  template <std::invocable<void*> Deleter>
  static Tensor from_blob(void* data, IntSpan sizes, Deleter deleter, DType dtype = DType::kFloat,
                          IntSpan strides = {}) {
    return from_blob(data, sizes, dtype, strides, std::shared_ptr<void>(data, std::move(deleter)));
  }
  // Elements that may not be written to are copied, since a model may write to what it is given.
  static Tensor from_blob(const void* data, IntSpan sizes, DType dtype = DType::kFloat, IntSpan strides = {});
  template <Element T>
  static Tensor from_blob(const T* data, IntSpan sizes) {
    return from_blob(static_cast<const void*>(data), sizes, DTypeOf<T>::value);
  }
  // Copies `values` into a new 1-D tensor.
  template <class T>
  static Tensor from_values(Span<T> values);
  template <Element T>
  static Tensor from_values(const std::vector<T>& values) {
    return from_values(Span<T>(values));
  }
  template <Element T>
  static Tensor from_values(std::initializer_list<T> values) {
    return from_values(Span<T>(values.begin(), values.size()));
  }

  bool defined() const noexcept { return static_cast<bool>(impl_); }
  DType dtype() const;
  int64_t dim() const;
  // Valid until this tensor's shape changes (as by resize_ in a model) or its last handle is gone.
  IntSpan sizes() const;
  IntSpan strides() const;  // in elements
  // Negative dims count from the end; throws kIndexOutOfRange with PyTorch's text.
  int64_t size(int64_t d) const;
  int64_t stride(int64_t d) const;
  int64_t numel() const;
  int64_t storage_offset() const;  // in elements
  size_t itemsize() const;
  size_t nbytes() const { return static_cast<size_t>(numel()) * itemsize(); }
  bool requires_grad() const;
  Device device() const noexcept { return {}; }

  // True when the elements lie in the order the format asks for, without gaps.
  bool is_contiguous(MemoryFormat format = MemoryFormat::kContiguous) const;
  // Every element exactly once and no gaps, in some order of the dims.
  bool is_non_overlapping_and_dense() const;
  // The format an operator should give its result: as PyTorch's suggest_memory_format().
  MemoryFormat suggest_memory_format() const;

  // The first element, as sizes() and strides() count them, whatever the dtype. The pointer is valid as long as the
  // storage: while any tensor shares it and none is resized.
  void* data_ptr() const;
  void* raw_data() const { return data_ptr(); }
  // The same as a T*: data_ptr<float>(), or data_ptr<const float>() to read. Throws kTypeMismatch when the elements are
  // not stored as T.
  template <class T>
  T* data_ptr() const {
    return static_cast<T*>(data_of(DTypeOf<std::remove_const_t<T>>::value));
  }
  // All elements one after the other, as a T*. Throws kInvalidArgument when they lie otherwise, as those of a permuted
  // tensor do: take contiguous() first, or accessor().
  template <class T>
  T* data() const {
    return static_cast<T*>(contiguous_data_of(DTypeOf<std::remove_const_t<T>>::value));
  }
  // Elements by index, whatever the strides: accessor<float, 2>()[i][j]. Throws kTypeMismatch for another dtype and
  // kInvalidArgument for another number of dims.
  template <class T, size_t kDims>
  Accessor<T, kDims> accessor() const {
    T* data = data_ptr<T>();
    expect_dims(kDims);
    return Accessor<T, kDims>(data, sizes().data(), strides().data());
  }
  // The single element as a number. Throws kInvalidArgument when there are more or none.
  Scalar item() const;
  template <class T>
  T item() const {
    return item().to<T>();
  }

  // This tensor when it is contiguous in the format, else a copy that is.
  Tensor contiguous(MemoryFormat format = MemoryFormat::kContiguous) const;
  // x[0], x[mask]; x.index({...}) takes several, slices and more: see Index in wick/index.h.
  Tensor operator[](int64_t index) const;
  Tensor operator[](const Tensor& index) const;
  Tensor index(std::initializer_list<Index> indices) const;
  Tensor index(Span<Index> indices) const;
  // x[indices] = values
  Tensor index_put_(std::initializer_list<Index> indices, const Tensor& values) const;
  Tensor index_put_(std::initializer_list<Index> indices, const Scalar& value) const;

  // Another view of the same storage. Bounds are checked against the storage; throws.
  Tensor as_strided(IntSpan sizes, IntSpan strides, int64_t offset) const;
  // The same elements under another handle: changing its shape does not change this one's.
  Tensor alias() const;

  bool is_quantized() const { return wick::is_quantized(dtype()); }
  // Throws kInvalidArgument for a tensor that is not quantized.
  const Quantizer& quantizer() const;

  // Python's `is`: handles of one and the same view. Says nothing of other views with the same values.
  bool is_same(const Tensor& other) const noexcept { return impl_ == other.impl_; }
  // Whether the two share a storage, so that writing to one may change the other.
  bool is_alias_of(const Tensor& other) const;

  // Every operator whose first argument is a tensor: softmax(dim), topk(k), add_(other), ... (see wick/functions.h).
#ifndef WICK_BUILDING  // the library itself does not use them, and need not be compiled again for a new operator
#include "wick/tensor_methods.h"
#endif

  // For the library's own code: defined in its internal header core/tensor_impl.h.
  inline explicit Tensor(Ref<TensorImpl> impl) noexcept;
  inline TensorImpl* impl() const noexcept;
  inline const Storage& storage() const noexcept;

 private:
  void* data_of(DType dtype) const;  // throws kTypeMismatch for another dtype
  void* contiguous_data_of(DType dtype) const;
  void expect_dims(size_t count) const;
  Ref<RefCounted> impl_;  // a TensorImpl
};

// How the integers q of a quantized tensor stand for real numbers: scale * (q - zero_point), with one scale and zero
// point for the tensor or one for each index of `axis`. Shared by the tensor's views; it does not change.
//
//   const wick::Quantizer& q = t.quantizer();                            // of a DType::kQUInt8 tensor
//   const auto* ints = static_cast<const uint8_t*>(t.data_ptr());
//   double first = q.scale * static_cast<double>(ints[0] - q.zero_point);  // with scheme kPerTensorAffine
struct Quantizer {
  QScheme scheme = QScheme::kPerTensorAffine;
  double scale = 1;        // per tensor
  int64_t zero_point = 0;  // per tensor
  Tensor scales;           // per channel: 1-D, double or float
  Tensor zero_points;      // per channel: 1-D, long or float
  int64_t axis = 0;        // per channel
};

template <class T>
Tensor Tensor::from_values(Span<T> values) {
  Tensor t = empty({static_cast<int64_t>(values.size())}, DTypeOf<T>::value);
  if (!values.empty()) std::memcpy(t.raw_data(), values.data(), values.size() * sizeof(T));
  return t;
}

// In PyTorch's form: the elements, then "[ CPUFloatType{2,3} ]".
std::ostream& operator<<(std::ostream& out, const Tensor& t);

// Row-major (or channels-last) strides of a dense tensor of these sizes.
IntVec contiguous_strides(IntSpan sizes, MemoryFormat format = MemoryFormat::kContiguous);
// Product of the sizes; throws kOutOfMemory on overflow and kInvalidArgument on a negative size.
int64_t checked_numel(IntSpan sizes);

}  // namespace wick
