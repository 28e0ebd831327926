// Operators that give another view of the same elements. Nothing here copies unless its comment says so.
#pragma once

#include "ops/boxing.h"
#include "wick/tensor.h"

namespace wick::ops {

// Replaces -1 in a shape and checks it against numel; throws with PyTorch's texts.
IntVec infer_shape(IntSpan shape, int64_t numel);
// Strides that let a tensor of these sizes and strides be seen as `shape`; nothing when a copy is needed.
std::optional<IntVec> view_strides(IntSpan sizes, IntSpan strides, IntSpan shape);
// The caller promises that sizes, strides and offset stay inside what t already reaches.
Tensor make_view(const Tensor& t, IntVec sizes, IntVec strides, int64_t offset);

// Arithmetic on strides of dims that hold no element, which may be anything: wraps instead of overflowing.
inline int64_t wrapping_mul(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}
inline int64_t wrapping_add(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

Tensor view(const Tensor& self, IntSpan size);
Tensor view_dtype(const Tensor& self, DType dtype);
Tensor view_as(const Tensor& self, const Tensor& other);
Tensor reshape(const Tensor& self, IntSpan shape);  // copies when no view exists
Tensor reshape_as(const Tensor& self, const Tensor& other);
Tensor reshape_alias(const Tensor& self, IntSpan size, IntSpan stride);
Tensor flatten(const Tensor& self, int64_t start_dim, int64_t end_dim);  // as reshape
Tensor ravel(const Tensor& self);
Tensor unflatten(const Tensor& self, int64_t dim, IntSpan sizes);

Tensor squeeze(const Tensor& self);
Tensor squeeze_dim(const Tensor& self, int64_t dim);
Tensor squeeze_dims(const Tensor& self, IntSpan dims);
Tensor unsqueeze(const Tensor& self, int64_t dim);
Tensor transpose(const Tensor& self, int64_t dim0, int64_t dim1);
Tensor t(const Tensor& self);
Tensor permute(const Tensor& self, IntSpan dims);
Tensor movedim(const Tensor& self, int64_t source, int64_t destination);
Tensor movedim_list(const Tensor& self, IntSpan source, IntSpan destination);
Tensor numpy_T(const Tensor& self);
Tensor matrix_transpose(const Tensor& self);       // mT
Tensor matrix_conj_transpose(const Tensor& self);  // mH; a complex tensor is copied
Tensor matrix_H(const Tensor& self);               // as mH
Tensor adjoint(const Tensor& self);                // as mH

Tensor expand_view(const Tensor& self, IntSpan size, bool implicit);
Tensor expand_as(const Tensor& self, const Tensor& other);
Tensor broadcast_to(const Tensor& self, IntSpan size);
TensorList broadcast_tensors(const TensorList& tensors);
TensorList meshgrid(const TensorList& tensors);
TensorList meshgrid_indexing(const TensorList& tensors, std::string_view indexing);
Tensor atleast_1d(const Tensor& self);
Tensor atleast_2d(const Tensor& self);
Tensor atleast_3d(const Tensor& self);
TensorList atleast_1d_list(const TensorList& tensors);
TensorList atleast_2d_list(const TensorList& tensors);
TensorList atleast_3d_list(const TensorList& tensors);

Tensor select(const Tensor& self, int64_t dim, int64_t index);
Tensor slice(const Tensor& self, int64_t dim, std::optional<int64_t> start, std::optional<int64_t> end, int64_t step);
Tensor narrow(const Tensor& self, int64_t dim, int64_t start, int64_t length);
Tensor narrow_tensor(const Tensor& self, int64_t dim, const Tensor& start, int64_t length);
// Any sizes and strides that stay inside the storage.
Tensor as_strided(const Tensor& self, IntSpan size, IntSpan stride, std::optional<int64_t> storage_offset);
Tensor diagonal(const Tensor& self, int64_t offset, int64_t dim1, int64_t dim2);
Tensor unfold(const Tensor& self, int64_t dimension, int64_t size, int64_t step);

TensorList split(const Tensor& self, int64_t split_size, int64_t dim);
TensorList split_with_sizes(const Tensor& self, IntSpan sizes, int64_t dim);
TensorList chunk(const Tensor& self, int64_t chunks, int64_t dim);
TensorList tensor_split_sections(const Tensor& self, int64_t sections, int64_t dim);
TensorList tensor_split_indices(const Tensor& self, IntSpan indices, int64_t dim);
TensorList tensor_split_tensor(const Tensor& self, const Tensor& indices_or_sections, int64_t dim);
TensorList hsplit_int(const Tensor& self, int64_t sections);
TensorList hsplit_array(const Tensor& self, IntSpan indices);
TensorList vsplit_int(const Tensor& self, int64_t sections);
TensorList vsplit_array(const Tensor& self, IntSpan indices);
TensorList dsplit_int(const Tensor& self, int64_t sections);
TensorList dsplit_array(const Tensor& self, IntSpan indices);
TensorList unbind(const Tensor& self, int64_t dim);

Tensor alias(const Tensor& self);
Tensor detach(const Tensor& self);
Tensor identity(const Tensor& self);  // the same handle
Tensor view_as_real(const Tensor& self);
Tensor view_as_complex(const Tensor& self);
Tensor real(const Tensor& self);
Tensor imag(const Tensor& self);
Tensor conj(const Tensor& self);       // a complex tensor is copied: there is no lazy conjugate
Tensor conj_copy(const Tensor& self);  // always a new tensor

// A copy of another size; elements that self does not have are unspecified.
Tensor resized(const Tensor& self, IntSpan size, std::optional<MemoryFormat> format);
Tensor resized_as(const Tensor& self, const Tensor& like, std::optional<MemoryFormat> format);

// Change the handle itself; all who hold it see the new shape.
Tensor squeeze_inplace(const Tensor& self);
Tensor squeeze_dim_inplace(const Tensor& self, int64_t dim);
Tensor squeeze_dims_inplace(const Tensor& self, IntSpan dims);
Tensor unsqueeze_inplace(const Tensor& self, int64_t dim);
Tensor transpose_inplace(const Tensor& self, int64_t dim0, int64_t dim1);
Tensor t_inplace(const Tensor& self);
Tensor as_strided_inplace(const Tensor& self, IntSpan size, IntSpan stride, std::optional<int64_t> storage_offset);
Tensor detach_inplace(const Tensor& self);
Tensor resize_inplace(const Tensor& self, IntSpan size, std::optional<MemoryFormat> format);
Tensor resize_as_inplace(const Tensor& self, const Tensor& like, std::optional<MemoryFormat> format);
Tensor set_inplace(const Tensor& self);
Tensor set_tensor_inplace(const Tensor& self, const Tensor& source);
Tensor set_strided_inplace(const Tensor& self, const Tensor& source, int64_t storage_offset, IntSpan size,
                           IntSpan stride);

}  // namespace wick::ops
