// Copies between tensors: any strides, any dtypes.
#pragma once

#include "wick/tensor.h"

namespace wick {

// dst[...] = src[...] with broadcasting of src and conversion of the dtype. Overlap of the two is handled
// as PyTorch's copy_ does for exact aliases (no-op); partial overlap is the caller's concern.
// Quantized tensors: same quantizer kind, or dst quantized and src float (quantizes), or the reverse.
void copy_into(const Tensor& dst, const Tensor& src);

// Fills every element with the number converted to the tensor's dtype.
void fill(const Tensor& dst, const Scalar& value);

// A new tensor with the same values; kPreserve keeps dense strides.
Tensor clone(const Tensor& t, MemoryFormat format = MemoryFormat::kPreserve);
// t itself when it is contiguous in that format, else a copy.
Tensor contiguous(const Tensor& t, MemoryFormat format = MemoryFormat::kContiguous);
// t itself when it has the dtype, else a converted copy (memory format preserved).
Tensor to_dtype(const Tensor& t, DType dtype);
// Uninitialized tensor like t: dtype, and strides preserved when dense (PyTorch's empty_like).
Tensor empty_like(const Tensor& t, std::optional<DType> dtype = {}, MemoryFormat format = MemoryFormat::kPreserve);

// Changes sizes in place (aten::resize_): the storage grows when needed, new elements are uninitialized.
void resize(const Tensor& t, IntSpan sizes, MemoryFormat format = MemoryFormat::kContiguous);

// One run of n elements converted between dtypes; strides in bytes.
void convert_elements(void* dst, int64_t dst_stride, DType dst_dtype, const void* src, int64_t src_stride,
                      DType src_dtype, int64_t n);

}  // namespace wick
