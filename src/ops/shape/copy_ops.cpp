// Operators that copy, convert or fill.
#include "ops/shape/copy_ops.h"

#include "core/copy.h"
#include "core/shape.h"
#include "core/tensor_impl.h"
#include "ops/index/combine.h"
#include "ops/iterator.h"
#include "ops/shape/number_range.h"
#include "ops/shape/view.h"

namespace wick::ops {

Tensor to_copy(const Tensor& self, DType dtype, OptFormat format) {
  WICK_CHECK(is_quantized(dtype) == is_quantized(self.dtype()) && (!is_quantized(dtype) || dtype == self.dtype()),
             kUnsupported, "to(): cannot convert ", name_of(self.dtype()), " to ", name_of(dtype));
  MemoryFormat to = format.value_or(MemoryFormat::kPreserve);
  if (is_quantized(dtype) && to == MemoryFormat::kPreserve) to = MemoryFormat::kContiguous;
  Tensor out = wick::empty_like(self, dtype, to);
  out.impl()->quantizer = self.impl()->quantizer;
  copy_into(out, self);
  return out;
}

namespace {

Tensor convert(const Tensor& self, std::optional<DType> dtype, bool copy, OptFormat format) {
  const DType wanted = dtype.value_or(self.dtype());
  const bool same_format = !format || *format == MemoryFormat::kPreserve || self.suggest_memory_format() == *format;
  if (!copy && wanted == self.dtype() && same_format) return self;
  return to_copy(self, wanted, format);
}

}  // namespace

Tensor to_device(const Tensor& self, Device device, DType dtype, bool non_blocking, bool copy, OptFormat format) {
  return convert(self, dtype, copy, format);
}
Tensor to_type(const Tensor& self, DType dtype, bool non_blocking, bool copy, OptFormat format) {
  return convert(self, dtype, copy, format);
}
Tensor to_other(const Tensor& self, const Tensor& other, bool non_blocking, bool copy, OptFormat format) {
  return convert(self, other.dtype(), copy, format);
}
Tensor to_options(const Tensor& self, TensorOptions options, bool non_blocking, bool copy, OptFormat format) {
  return convert(self, options.dtype, copy, format);
}
Tensor to_prim_device(const Tensor& self, std::optional<Device> device, std::optional<DType> dtype, bool non_blocking,
                      bool copy) {
  return convert(self, dtype, copy, {});
}
Tensor to_prim_dtype(const Tensor& self, std::optional<DType> dtype, bool non_blocking, bool copy) {
  return convert(self, dtype, copy, {});
}
Tensor to_prim_other(const Tensor& self, bool non_blocking, bool copy) { return convert(self, {}, copy, {}); }
Tensor to_copy_options(const Tensor& self, TensorOptions options, bool non_blocking, OptFormat format) {
  return to_copy(self, options.dtype_or(self.dtype()), format);
}
Tensor to_copy_out(const Tensor& self, bool non_blocking, OptFormat format) {
  return to_copy(self, self.dtype(), format);
}
Tensor cast_complex_half(const Tensor& self, OptFormat format) {
  return convert(self, DType::kComplexHalf, false, format);
}
Tensor to_dense(const Tensor& self, std::optional<DType> dtype, std::optional<bool>) {
  return convert(self, dtype, false, {});
}
Tensor type_as(const Tensor& self, const Tensor& other) { return convert(self, other.dtype(), false, {}); }

Tensor cast_byte(const Tensor& self, bool) { return convert(self, DType::kByte, false, {}); }
Tensor cast_char(const Tensor& self, bool) { return convert(self, DType::kChar, false, {}); }
Tensor cast_short(const Tensor& self, bool) { return convert(self, DType::kShort, false, {}); }
Tensor cast_int(const Tensor& self, bool) { return convert(self, DType::kInt, false, {}); }
Tensor cast_long(const Tensor& self, bool) { return convert(self, DType::kLong, false, {}); }
Tensor cast_half(const Tensor& self, bool) { return convert(self, DType::kHalf, false, {}); }
Tensor cast_float(const Tensor& self, bool) { return convert(self, DType::kFloat, false, {}); }
Tensor cast_double(const Tensor& self, bool) { return convert(self, DType::kDouble, false, {}); }
Tensor pin_memory(const Tensor& self, std::optional<Device> device) { return self; }

Tensor clone_tensor(const Tensor& self, OptFormat format) {
  // Copies of quantized tensors have a format, not any strides.
  if (!self.is_quantized()) return wick::clone(self, format.value_or(MemoryFormat::kPreserve));
  const MemoryFormat to = format.value_or(MemoryFormat::kContiguous);
  return wick::clone(self, to == MemoryFormat::kPreserve ? self.suggest_memory_format() : to);
}

Tensor plain_clone(const Tensor& self) { return clone(self); }
Tensor reshaped_clone(const Tensor& self, IntSpan size) {
  return clone(reshape(self, size), MemoryFormat::kContiguous);
}
Tensor contiguous_tensor(const Tensor& self, MemoryFormat format) {
  if (format == MemoryFormat::kPreserve) {
    WICK_CHECK(self.is_contiguous(), kInvalidArgument,
               "preserve memory format is unsupported by the contiguous operator");
    return self;
  }
  return wick::contiguous(self, format);
}

Tensor copy_inplace(const Tensor& self, const Tensor& src, bool non_blocking) {
  if (self.is_same(src)) return self;
  check_no_internal_overlap(self);
  check_no_partial_overlap(self, src);
  const IntVec joint = broadcast_shapes(self.sizes(), src.sizes());
  WICK_CHECK(joint == self.sizes(), kShapeMismatch, "output with shape ", self.sizes(),
             " doesn't match the broadcast shape ", joint);
  if (self.is_quantized() && src.is_quantized()) {
    WICK_CHECK(self.quantizer().scheme == src.quantizer().scheme, kUnsupported,
               "Quantized Copy only works with same qscheme");
    WICK_CHECK(self.dtype() == src.dtype(), kTypeMismatch, "copy_ of a ", name_of(src.dtype()), " tensor to a ",
               name_of(self.dtype()), " one: their dtypes should be the same");
    self.impl()->quantizer = src.impl()->quantizer;
  }
  copy_into(self, unaliased(src, self));
  return self;
}
Tensor copy_inplace_tensor(const Tensor& self, const Tensor& src) { return copy_inplace(self, src, false); }
Tensor copy_inplace_int(const Tensor& self, int64_t value) {
  fill(self, value);
  return self;
}
Tensor copy_inplace_float(const Tensor& self, double value) {
  fill(self, value);
  return self;
}
Tensor copy_functional(const Tensor& self, const Tensor& src, bool non_blocking) {
  const Tensor converted = to_dtype(src, self.dtype());
  return converted.sizes() == self.sizes()
             ? converted
             : wick::clone(wick::expand(converted, self.sizes()), MemoryFormat::kContiguous);
}

namespace {

// Fills self (in place), or a tensor like it, with what `write` writes.
template <class Write>
Tensor filled(const Tensor& self, Out out, Write&& write) {
  const bool in_place = out && out.tensor->is_same(self);
  const Tensor target = in_place ? self : wick::empty_like(self);
  write(target);
  return finish_write(target, out);
}

}  // namespace

Tensor fill_scalar(const Tensor& self, const Scalar& value, Out out) {
  check_number_fits(value, self.dtype());
  return filled(self, out, [&](const Tensor& t) { fill(t, value); });
}

Tensor fill_number(const Tensor& self, double value, Out out) { return fill_scalar(self, value, out); }
Tensor fill_tensor(const Tensor& self, const Tensor& value, Out out) {
  WICK_CHECK(value.dim() == 0, kShapeMismatch, "fill_ only supports 0-dimension value tensor but got tensor with ",
             value.dim(), " dimensions.");
  return fill_scalar(self, value.item(), out);
}

Tensor zero(const Tensor& self, Out out) { return fill_scalar(self, 0, out); }

Tensor fill_diagonal_inplace(const Tensor& self, const Scalar& value, bool wrap) {
  WICK_CHECK(self.dim() >= 2, kShapeMismatch, "dimensions must larger than 1");
  const int64_t rows = self.size(0), cols = self.size(1);
  int64_t side = rows, step = 0;
  for (int64_t d = 0; d < self.dim(); ++d) {
    WICK_CHECK(self.dim() == 2 || self.sizes()[d] == rows, kShapeMismatch,
               "all dimensions of input must be of equal length");
    side = std::min(side, self.sizes()[d]);
    step = wrapping_add(step, self.strides()[d]);
  }
  check_number_fits(value, self.dtype());
  if (self.numel() == 0) return self;
  fill(make_view(self, {side}, {step}, self.storage_offset()), value);
  // Tall matrices may go on with the next diagonal, one row below the end of the last.
  if (wrap && self.dim() == 2) {
    for (int64_t first = cols + 1; first < rows; first += cols + 1) {
      fill(make_view(self, {std::min(cols, rows - first)}, {step}, self.storage_offset() + first * self.strides()[0]),
           value);
    }
  }
  return self;
}

}  // namespace wick::ops
