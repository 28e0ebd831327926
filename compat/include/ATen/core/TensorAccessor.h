// at::TensorAccessor: elements of a tensor of known type and rank by index, following its strides.
#pragma once

#include <c10/util/ArrayRef.h>

namespace at {

using c10::IntArrayRef;

// Borrows the tensor's memory, sizes and strides: valid while the tensor lives and is not resized.
template <class T, size_t N, class index_t = int64_t>
class TensorAccessorBase {
 public:
  using PtrType = T*;
  TensorAccessorBase(T* data, const index_t* sizes, const index_t* strides)
      : data_(data), sizes_(sizes), strides_(strides) {}
  IntArrayRef sizes() const { return IntArrayRef(sizes_, N); }
  IntArrayRef strides() const { return IntArrayRef(strides_, N); }
  index_t size(index_t i) const { return sizes_[i]; }
  index_t stride(index_t i) const { return strides_[i]; }
  T* data() const { return data_; }

 protected:
  T* data_;
  const index_t* sizes_;
  const index_t* strides_;
};

template <class T, size_t N, class index_t = int64_t>
class TensorAccessor : public TensorAccessorBase<T, N, index_t> {
 public:
  using TensorAccessorBase<T, N, index_t>::TensorAccessorBase;
  TensorAccessor<T, N - 1, index_t> operator[](index_t i) {
    return TensorAccessor<T, N - 1, index_t>(this->data_ + this->strides_[0] * i, this->sizes_ + 1, this->strides_ + 1);
  }
  const TensorAccessor<T, N - 1, index_t> operator[](index_t i) const {
    return TensorAccessor<T, N - 1, index_t>(this->data_ + this->strides_[0] * i, this->sizes_ + 1, this->strides_ + 1);
  }
};
template <class T, class index_t>
class TensorAccessor<T, 1, index_t> : public TensorAccessorBase<T, 1, index_t> {
 public:
  using TensorAccessorBase<T, 1, index_t>::TensorAccessorBase;
  T& operator[](index_t i) { return this->data_[this->strides_[0] * i]; }
  const T& operator[](index_t i) const { return this->data_[this->strides_[0] * i]; }
};

template <class T>
struct DefaultPtrTraits {
  using PtrType = T*;
};
template <class T>
struct RestrictPtrTraits {
  using PtrType = T* C10_RESTRICT;
};

// The same with sizes and strides of its own.
template <class T, size_t N, template <class> class PtrTraits = DefaultPtrTraits, class index_t = int64_t>
class GenericPackedTensorAccessor {
 public:
  GenericPackedTensorAccessor(T* data, const int64_t* sizes, const int64_t* strides) : data_(data) {
    for (size_t i = 0; i < N; ++i)
      sizes_[i] = static_cast<index_t>(sizes[i]), strides_[i] = static_cast<index_t>(strides[i]);
  }
  index_t size(index_t i) const { return sizes_[i]; }
  index_t stride(index_t i) const { return strides_[i]; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  template <size_t M = N>
  typename std::enable_if<(M > 1), TensorAccessor<T, M - 1, index_t>>::type operator[](index_t i) const {
    return TensorAccessor<T, M - 1, index_t>(data_ + strides_[0] * i, sizes_ + 1, strides_ + 1);
  }
  template <size_t M = N>
  typename std::enable_if<M == 1, T&>::type operator[](index_t i) const {
    return data_[strides_[0] * i];
  }

 private:
  T* data_;
  index_t sizes_[N];
  index_t strides_[N];
};
template <class T, size_t N, template <class> class PtrTraits = DefaultPtrTraits>
using PackedTensorAccessor32 = GenericPackedTensorAccessor<T, N, PtrTraits, int32_t>;
template <class T, size_t N, template <class> class PtrTraits = DefaultPtrTraits>
using PackedTensorAccessor64 = GenericPackedTensorAccessor<T, N, PtrTraits, int64_t>;

}  // namespace at
