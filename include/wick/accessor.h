// Accessor: the elements of a tensor by index, whatever its strides.
#pragma once

#include <cstddef>
#include <cstdint>

namespace wick {

// What Tensor::accessor<T, N>() gives: a[i][j] is an element of a tensor of N dims. Indices are not checked. Valid as
// long as the tensor's elements are; it owns nothing.
//
//   auto boxes = result.accessor<const float, 2>();
//   for (int64_t i = 0; i < boxes.size(0); ++i) use(boxes[i][0], boxes[i][1]);
template <class T, size_t kDims>
class Accessor {
 public:
  Accessor(T* data, const int64_t* sizes, const int64_t* strides) : data_(data) {
    for (size_t d = 0; d < kDims; ++d) {
      sizes_[d] = sizes[d];
      strides_[d] = strides[d];
    }
  }
  int64_t size(size_t dim) const { return sizes_[dim]; }
  int64_t stride(size_t dim) const { return strides_[dim]; }
  T* data() const { return data_; }
  decltype(auto) operator[](int64_t i) const {
    if constexpr (kDims == 1) {
      return static_cast<T&>(data_[i * strides_[0]]);
    } else {
      return Accessor<T, kDims - 1>(data_ + i * strides_[0], sizes_ + 1, strides_ + 1);
    }
  }

 private:
  T* data_;
  int64_t sizes_[kDims];
  int64_t strides_[kDims];
};

}  // namespace wick
