// Operators that choose elements by a mask.
#include "core/copy.h"
#include "core/shape.h"
#include "ops/index/combine.h"
#include "ops/quantize/layers.h"
#include "ops/shape/copy_ops.h"
#include "ops/shape/item_copy.h"
#include "ops/shape/layout.h"
#include "ops/shape/number_range.h"
#include "ops/shape/view.h"

namespace wick::ops {

namespace {

void check_mask(const Tensor& mask, const char* message) {
  WICK_CHECK(mask.dtype() == DType::kBool || mask.dtype() == DType::kByte, kTypeMismatch, message,
             name_of(mask.dtype()));
}

// Writes the zero-dim value wherever the mask, broadcast to target, is true.
void fill_where(const Tensor& target, const Tensor& mask, const Tensor& value) {
  const Tensor where = wick::expand(unaliased(mask, target), target.sizes());
  const char* item = static_cast<const char*>(value.raw_data());
  with_item_type(target.itemsize(), [&]<class T>(T fill_with) {
    std::memcpy(&fill_with, item, sizeof fill_with);
    StridedLoop(target.sizes()).add(target).add(where).run([fill_with](char* const* p, const int64_t* s, int64_t n) {
      char* to = p[0];
      const char* chosen = p[1];
      const int64_t step = s[0], chosen_step = s[1];
      if constexpr (std::is_integral_v<T>) {
        if (step == static_cast<int64_t>(sizeof(T))) {
          // Without a branch: what a mask says next is seldom foreseen.
          for (int64_t i = 0; i < n; ++i) {
            T v;
            std::memcpy(&v, to + i * step, sizeof v);
            const T keep = static_cast<T>(chosen[i * chosen_step] != 0) - T(1);
            v = static_cast<T>((v & keep) | (fill_with & static_cast<T>(~keep)));
            std::memcpy(to + i * step, &v, sizeof v);
          }
          return;
        }
      }
      for (int64_t i = 0; i < n; ++i) {
        if (chosen[i * chosen_step]) std::memcpy(to + i * step, &fill_with, sizeof fill_with);
      }
    });
  });
}

void check_fill_mask(const Tensor& mask) {
  check_mask(mask, "masked_fill only supports boolean masks, but got mask with dtype ");
}

Tensor zero_dim_value(const Tensor& self, const Tensor& value) {
  WICK_CHECK(value.dim() == 0, kShapeMismatch,
             "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with ", value.dim(),
             " dimension(s).");
  return number_tensor(value.item(), self.dtype());
}

Tensor fill_copy(const Tensor& self, const Tensor& mask, const Tensor& value) {
  check_fill_mask(mask);
  Tensor out = wick::clone(wick::expand(self, broadcast_shapes(self.sizes(), mask.sizes())), MemoryFormat::kContiguous);
  fill_where(out, mask, value);
  return out;
}

Tensor fill_self(const Tensor& self, const Tensor& mask, const Tensor& value) {
  check_fill_mask(mask);
  const IntVec joint = broadcast_shapes(self.sizes(), mask.sizes());
  WICK_CHECK(joint == self.sizes(), kShapeMismatch, "output with shape ", self.sizes(),
             " doesn't match the broadcast shape ", joint);
  fill_where(self, mask, value);
  return self;
}

}  // namespace

Tensor masked_fill(const Tensor& self, const Tensor& mask, const Scalar& value) {
  if (self.is_quantized()) return with_quantizer(masked_fill(ints_of(self), mask, quantized_number(self, value)), self);
  return fill_copy(self, mask, number_tensor(value, self.dtype()));
}
Tensor masked_fill_tensor(const Tensor& self, const Tensor& mask, const Tensor& value) {
  if (self.is_quantized() && value.dim() == 0) return masked_fill(self, mask, value.item());
  return fill_copy(self, mask, zero_dim_value(self, value));
}
Tensor masked_fill_inplace(const Tensor& self, const Tensor& mask, const Scalar& value) {
  if (self.is_quantized()) {
    masked_fill_inplace(ints_of(self), mask, quantized_number(self, value));
    return self;
  }
  return fill_self(self, mask, number_tensor(value, self.dtype()));
}
Tensor masked_fill_tensor_inplace(const Tensor& self, const Tensor& mask, const Tensor& value) {
  if (self.is_quantized() && value.dim() == 0) return masked_fill_inplace(self, mask, value.item());
  return fill_self(self, mask, unaliased(zero_dim_value(self, value), self));
}

Tensor masked_scatter_inplace(const Tensor& self, const Tensor& mask, const Tensor& source) {
  WICK_CHECK(self.dtype() == source.dtype(), kTypeMismatch,
             "masked_scatter: expected self and source to have same dtypes but got", name_of(self.dtype()), " and ",
             name_of(source.dtype()));
  check_mask(mask, "masked_scatter_ only supports boolean masks, but got mask with dtype ");
  begin_write(self, Out{&self});
  const Tensor where = wick::expand(unaliased(mask, self), self.sizes());
  const Tensor values = wick::contiguous(unaliased(source, self));
  const char* next = static_cast<const char*>(values.raw_data());
  int64_t left = values.numel();
  const size_t item = self.itemsize();
  // The source is used up in the order an elementwise loop goes through the two, as PyTorch does.
  IntVec outermost_first;
  const std::vector<size_t> order = elementwise_order(self.sizes(), {IntVec(self.strides()), IntVec(where.strides())});
  for (size_t i = order.size(); i-- > 0;) outermost_first.push_back(static_cast<int64_t>(order[i]));
  const Tensor target = permute(self, outermost_first), chosen = permute(where, outermost_first);
  StridedLoop(target.sizes()).add(target).add(chosen).run([&](char* const* p, const int64_t* s, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
      if (!p[1][i * s[1]]) continue;
      WICK_CHECK(left-- > 0, kInvalidArgument, "Number of elements of source < number of ones in mask");
      std::memcpy(p[0] + i * s[0], next, item);
      next += item;
    }
  });
  return self;
}

Tensor masked_scatter(const Tensor& self, const Tensor& mask, const Tensor& source) {
  const Tensor joint = wick::expand(self, broadcast_shapes(self.sizes(), mask.sizes()));
  return masked_scatter_inplace(wick::clone(joint, MemoryFormat::kContiguous), mask, source);
}

Tensor masked_select(const Tensor& self, const Tensor& mask) {
  check_mask(mask, "masked_select: expected BoolTensor or ByteTensor for mask, but got ");
  const IntVec joint = broadcast_shapes(mask.sizes(), self.sizes());
  const Tensor from = wick::expand(self, joint), where = wick::expand(mask, joint);
  int64_t count = 0;
  StridedLoop(joint).add(where).run([&](char* const* p, const int64_t* s, int64_t n) {
    for (int64_t i = 0; i < n; ++i) count += p[0][i * s[0]] != 0;
  });
  Tensor out = empty_of_kind(self, {count});
  char* next = static_cast<char*>(out.raw_data());
  with_item_type(self.itemsize(), [&]<class T>(T) {
    StridedLoop(joint).add(from).add(where).run([&](char* const* p, const int64_t* s, int64_t n) {
      for (int64_t i = 0; i < n; ++i) {
        if (!p[1][i * s[1]]) continue;
        std::memcpy(next, p[0] + i * s[0], sizeof(T));
        next += sizeof(T);
      }
    });
  });
  return out;
}

}  // namespace wick::ops
