// Tensor: a strided view of a Storage. Copying a Tensor copies a handle: both see the same elements,
// as in PyTorch. Numeric work is done by operators, not by methods.
#pragma once

#include <cstring>
#include <memory>
#include <optional>

#include "wick/dtype.h"
#include "wick/ref.h"
#include "wick/scalar.h"
#include "wick/span.h"

namespace wick {

// A block of bytes shared by tensors. Either owned memory or memory kept alive by `owner`.
class StorageImpl : public RefCounted {
 public:
  // Allocates 64-byte aligned, uninitialized memory. Throws kOutOfMemory.
  explicit StorageImpl(size_t nbytes);
  // Borrows memory; `owner` (may be null) is released when the last tensor is gone.
  StorageImpl(void* data, size_t nbytes, std::shared_ptr<void> owner);
  ~StorageImpl() override;

  void* data() const { return data_; }
  size_t nbytes() const { return nbytes_; }
  // Grows owned memory, keeping its bytes; never shrinks. Throws when borrowed memory would have to grow.
  void resize(size_t nbytes);

 private:
  void* data_ = nullptr;
  size_t nbytes_ = 0;
  bool owned_ = false;
  std::shared_ptr<void> owner_;
};
using Storage = Ref<StorageImpl>;

class Tensor;

// How the integers of a quantized tensor stand for real numbers.
struct Quantizer;

class TensorImpl : public RefCounted {
 public:
  Storage storage;
  IntVec sizes;
  IntVec strides;      // in elements
  int64_t offset = 0;  // in elements
  int64_t numel = 0;
  DType dtype = DType::kFloat;
  bool requires_grad = false;
  std::shared_ptr<const Quantizer> quantizer;  // set exactly for quantized dtypes
  // Set for a nested tensor, which is held padded: how many entries of dim 1 each row of dim 0 has.
  std::shared_ptr<const IntVec> row_lengths;
};

class Tensor {
 public:
  // An undefined tensor: defined() is false, nothing else may be asked of it.
  Tensor() = default;
  explicit Tensor(Ref<TensorImpl> impl) : impl_(std::move(impl)) {}

  // Uninitialized memory. Sizes must be >= 0. kChannelsLast needs 4 dims, kChannelsLast3d 5.
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
  // Copies `values` into a new 1-D (or given-size) tensor.
  template <class T>
  static Tensor from_values(Span<T> values);

  bool defined() const { return static_cast<bool>(impl_); }
  DType dtype() const { return impl_->dtype; }
  int64_t dim() const { return static_cast<int64_t>(impl_->sizes.size()); }
  IntSpan sizes() const { return impl_->sizes; }
  IntSpan strides() const { return impl_->strides; }
  // Negative dims count from the end; throws kIndexOutOfRange with PyTorch's text.
  int64_t size(int64_t d) const;
  int64_t stride(int64_t d) const;
  int64_t numel() const { return impl_->numel; }
  int64_t storage_offset() const { return impl_->offset; }
  size_t itemsize() const { return wick::itemsize(impl_->dtype); }
  size_t nbytes() const { return static_cast<size_t>(numel()) * itemsize(); }
  bool requires_grad() const { return impl_->requires_grad; }
  const Storage& storage() const { return impl_->storage; }
  Device device() const { return {}; }

  // True when the elements lie in the order the format asks for, without gaps.
  bool is_contiguous(MemoryFormat format = MemoryFormat::kContiguous) const;
  // Every element exactly once and no gaps, in some order of the dims.
  bool is_non_overlapping_and_dense() const;
  // The format an operator should give its result: as PyTorch's suggest_memory_format().
  MemoryFormat suggest_memory_format() const;

  // First element. The caller promises that T is the dtype's type; data() checks it.
  void* raw_data() const {
    return static_cast<char*>(impl_->storage->data()) + impl_->offset * static_cast<int64_t>(itemsize());
  }
  template <class T>
  T* data() const {
    expect_dtype(DTypeOf<T>::value);
    return static_cast<T*>(raw_data());
  }
  // The single element of a one-element tensor as a number; throws otherwise.
  Scalar item() const;

  // Another view of the same storage. Bounds are checked against the storage; throws.
  Tensor as_strided(IntSpan sizes, IntSpan strides, int64_t offset) const;
  // The same elements under another handle: changing its shape does not change this one's.
  Tensor alias() const;

  bool is_quantized() const { return wick::is_quantized(impl_->dtype); }
  const Quantizer& quantizer() const;  // throws for a tensor that is not quantized

  // Same handle (not: same values).
  bool is_same(const Tensor& other) const { return impl_ == other.impl_; }
  TensorImpl* impl() const { return impl_.get(); }
  const Ref<TensorImpl>& ref() const { return impl_; }

 private:
  void expect_dtype(DType dtype) const;
  Ref<TensorImpl> impl_;
};

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

// Row-major (or channels-last) strides of a dense tensor of these sizes.
IntVec contiguous_strides(IntSpan sizes, MemoryFormat format = MemoryFormat::kContiguous);
// Product of the sizes; throws kOutOfMemory on overflow and kInvalidArgument on a negative size.
int64_t checked_numel(IntSpan sizes);

}  // namespace wick
