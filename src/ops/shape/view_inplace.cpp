// Operators that change the shape, strides or storage of the tensor handle they are given.
#include "core/copy.h"
#include "core/shape.h"
#include "core/tensor_impl.h"
#include "ops/shape/channels.h"
#include "ops/shape/view.h"

namespace wick::ops {

namespace {

Tensor take_shape_of(const Tensor& self, const Tensor& view) {
  TensorImpl& impl = *self.impl();
  impl.sizes = view.impl()->sizes;
  impl.strides = view.impl()->strides;
  impl.offset = view.storage_offset();
  impl.numel = view.numel();
  impl.quantizer = view.impl()->quantizer;
  return self;
}

}  // namespace

Tensor squeeze_inplace(const Tensor& self) { return take_shape_of(self, squeeze(self)); }
Tensor squeeze_dim_inplace(const Tensor& self, int64_t dim) { return take_shape_of(self, squeeze_dim(self, dim)); }
Tensor squeeze_dims_inplace(const Tensor& self, IntSpan dims) { return take_shape_of(self, squeeze_dims(self, dims)); }
Tensor unsqueeze_inplace(const Tensor& self, int64_t dim) { return take_shape_of(self, unsqueeze(self, dim)); }
Tensor transpose_inplace(const Tensor& self, int64_t dim0, int64_t dim1) {
  return take_shape_of(self, transpose(self, dim0, dim1));
}
Tensor t_inplace(const Tensor& self) {
  WICK_CHECK(self.dim() <= 2, kShapeMismatch, "t_() expects a tensor with <= 2 dimensions, but self is ", self.dim(),
             "D");
  return take_shape_of(self, t(self));
}
Tensor as_strided_inplace(const Tensor& self, IntSpan size, IntSpan stride, std::optional<int64_t> storage_offset) {
  return take_shape_of(self, as_strided(self, size, stride, storage_offset));
}

Tensor detach_inplace(const Tensor& self) {
  self.impl()->requires_grad = false;
  return self;
}

Tensor resize_inplace(const Tensor& self, IntSpan size, std::optional<MemoryFormat> format) {
  WICK_CHECK(format != MemoryFormat::kPreserve, kInvalidArgument, "Unsupported memory formatPreserve");
  check_no_channels(self, "resize_");
  if (format || !(self.sizes() == size)) wick::resize(self, size, format.value_or(MemoryFormat::kContiguous));
  return self;
}

Tensor resize_as_inplace(const Tensor& self, const Tensor& like, std::optional<MemoryFormat> format) {
  if (format == MemoryFormat::kPreserve) format = like.suggest_memory_format();
  return resize_inplace(self, like.sizes(), format);
}

Tensor set_inplace(const Tensor& self) {
  TensorImpl& impl = *self.impl();
  impl.storage = make_ref<StorageImpl>(0);
  impl.sizes = IntVec{0};
  impl.strides = IntVec{1};
  impl.offset = 0;
  impl.numel = 0;
  return self;
}

Tensor set_tensor_inplace(const Tensor& self, const Tensor& source) {
  WICK_CHECK(self.dtype() == source.dtype(), kTypeMismatch, "set_: the source has dtype ", name_of(source.dtype()),
             " but the tensor has ", name_of(self.dtype()));
  self.impl()->storage = source.storage();
  return take_shape_of(self, source);
}

Tensor set_strided_inplace(const Tensor& self, const Tensor& source, int64_t storage_offset, IntSpan size,
                           IntSpan stride) {
  WICK_CHECK(source.is_contiguous(), kInvalidArgument, "passed in tensor to be used as storage must be contiguous");
  const IntVec dense = stride.empty() ? contiguous_strides(size) : IntVec(stride);
  int64_t offset = 0;
  WICK_CHECK(!__builtin_add_overflow(source.storage_offset(), storage_offset, &offset), kInvalidArgument,
             "set_: storage_offset ", storage_offset, " is too large");
  return set_tensor_inplace(self, source.as_strided(size, dense, offset));
}

Tensor resized(const Tensor& self, IntSpan size, std::optional<MemoryFormat> format) {
  return resize_inplace(clone(self), size, format);
}
Tensor resized_as(const Tensor& self, const Tensor& like, std::optional<MemoryFormat> format) {
  return resize_as_inplace(clone(self), like, format);
}

}  // namespace wick::ops
