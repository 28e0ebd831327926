// What a Tensor is a handle to, for the library's own code; applications see wick/tensor.h alone.
//
// Accessors of Tensor are calls. Code that asks for several fields on a hot path takes `const TensorImpl&` once.
#pragma once

#include <memory>

#include "wick/memory_charge.h"
#include "wick/tensor.h"

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
  MemoryCharge charge_;  // of owned memory
  void* data_ = nullptr;
  size_t nbytes_ = 0;
  bool owned_ = false;
  std::shared_ptr<void> owner_;
};

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

  // The first element.
  void* data() const { return static_cast<char*>(storage->data()) + offset * static_cast<int64_t>(itemsize(dtype)); }
};

inline Tensor::Tensor(Ref<TensorImpl> impl) noexcept : impl_(std::move(impl)) {}
inline TensorImpl* Tensor::impl() const noexcept { return static_cast<TensorImpl*>(impl_.get()); }
inline const Storage& Tensor::storage() const noexcept { return impl()->storage; }

}  // namespace wick
