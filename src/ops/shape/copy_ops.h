// Operators that copy, convert or fill.
#pragma once

#include "ops/boxing.h"
#include "wick/tensor.h"

namespace wick::ops {

using OptFormat = std::optional<MemoryFormat>;

// aten::_to_copy: always a new tensor. kPreserve (the default) keeps dense strides.
Tensor to_copy(const Tensor& self, DType dtype, OptFormat format);

Tensor to_device(const Tensor& self, Device device, DType dtype, bool non_blocking, bool copy, OptFormat format);
Tensor to_type(const Tensor& self, DType dtype, bool non_blocking, bool copy, OptFormat format);
Tensor to_other(const Tensor& self, const Tensor& other, bool non_blocking, bool copy, OptFormat format);
Tensor to_options(const Tensor& self, TensorOptions options, bool non_blocking, bool copy, OptFormat format);
Tensor to_prim_device(const Tensor& self, std::optional<Device> device, std::optional<DType> dtype, bool non_blocking,
                      bool copy);
Tensor to_prim_dtype(const Tensor& self, std::optional<DType> dtype, bool non_blocking, bool copy);
Tensor to_prim_other(const Tensor& self, bool non_blocking, bool copy);
Tensor to_copy_options(const Tensor& self, TensorOptions options, bool non_blocking, OptFormat format);
Tensor to_copy_out(const Tensor& self, bool non_blocking, OptFormat format);
Tensor to_dense(const Tensor& self, std::optional<DType> dtype, std::optional<bool> masked_grad);
Tensor type_as(const Tensor& self, const Tensor& other);
Tensor cast_byte(const Tensor& self, bool non_blocking);
Tensor cast_char(const Tensor& self, bool non_blocking);
Tensor cast_short(const Tensor& self, bool non_blocking);
Tensor cast_int(const Tensor& self, bool non_blocking);
Tensor cast_long(const Tensor& self, bool non_blocking);
Tensor cast_half(const Tensor& self, bool non_blocking);
Tensor cast_float(const Tensor& self, bool non_blocking);
Tensor cast_double(const Tensor& self, bool non_blocking);
Tensor cast_complex_half(const Tensor& self, OptFormat format);
Tensor pin_memory(const Tensor& self, std::optional<Device> device);

Tensor clone_tensor(const Tensor& self, OptFormat format);
Tensor plain_clone(const Tensor& self);
Tensor reshaped_clone(const Tensor& self, IntSpan size);
Tensor contiguous_tensor(const Tensor& self, MemoryFormat format);
Tensor copy_inplace(const Tensor& self, const Tensor& src, bool non_blocking);
Tensor copy_inplace_tensor(const Tensor& self, const Tensor& src);
Tensor copy_inplace_int(const Tensor& self, int64_t value);
Tensor copy_inplace_float(const Tensor& self, double value);
Tensor copy_functional(const Tensor& self, const Tensor& src, bool non_blocking);

Tensor fill_scalar(const Tensor& self, const Scalar& value, Out out = {});
Tensor fill_number(const Tensor& self, double value, Out out = {});
Tensor fill_tensor(const Tensor& self, const Tensor& value, Out out = {});
Tensor zero(const Tensor& self, Out out = {});
Tensor fill_diagonal_inplace(const Tensor& self, const Scalar& value, bool wrap);
Tensor masked_fill(const Tensor& self, const Tensor& mask, const Scalar& value);
Tensor masked_fill_tensor(const Tensor& self, const Tensor& mask, const Tensor& value);
Tensor masked_fill_inplace(const Tensor& self, const Tensor& mask, const Scalar& value);
Tensor masked_fill_tensor_inplace(const Tensor& self, const Tensor& mask, const Tensor& value);
Tensor masked_scatter(const Tensor& self, const Tensor& mask, const Tensor& source);
Tensor masked_scatter_inplace(const Tensor& self, const Tensor& mask, const Tensor& source);
Tensor masked_select(const Tensor& self, const Tensor& mask);

}  // namespace wick::ops
