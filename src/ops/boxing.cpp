// Converts arguments between IValues and the C++ types of operators; in-place and out variants.
#include "ops/boxing.h"

#include "core/copy.h"
#include "core/shape.h"
#include "core/tensor_impl.h"
#include "ops/iterator.h"

namespace wick {

DType to_dtype_arg(const IValue& v) {
  const int64_t code = v.to_int();
  WICK_CHECK(is_valid_dtype(code), kInvalidArgument, "unknown dtype code ", code);
  return static_cast<DType>(code);
}

MemoryFormat to_memory_format_arg(const IValue& v) {
  const int64_t code = v.to_int();
  WICK_CHECK(code >= 0 && code <= 3, kInvalidArgument, "unknown memory format code ", code);
  return static_cast<MemoryFormat>(code);
}

OptTensorList Unbox<OptTensorList>::get(const IValue* v) {
  OptTensorList out;
  const ListImpl& list = v->to_list();
  out.reserve(list.items.size());
  for (const IValue& item : list.items) {
    out.push_back(item.is_none() ? OptTensor() : OptTensor(item.to_tensor()));
  }
  return out;
}

TensorOptions Unbox<TensorOptions>::get(const IValue* v) {
  TensorOptions options;
  if (!v[0].is_none()) options.dtype = to_dtype_arg(v[0]);
  if (!v[1].is_none()) {
    WICK_CHECK(v[1].to_int() == static_cast<int64_t>(Layout::kStrided), kUnsupported,
               "only the strided layout is supported");
  }
  if (!v[2].is_none()) options.device = v[2].to_device();
  return options;
}

namespace {

void check_castable(DType result, DType output) {
  WICK_CHECK(can_cast(result, output), kTypeMismatch, "result type ", name_of(result),
             " can't be cast to the desired output type ", name_of(output));
}

}  // namespace

void assign_inplace(const Tensor& self, const Tensor& result) {
  if (result.is_same(self)) return;
  WICK_CHECK(self.sizes() == result.sizes(), kShapeMismatch, "output with shape ", self.sizes(),
             " doesn't match the broadcast shape ", result.sizes());
  check_castable(result.dtype(), self.dtype());
  ops::check_no_internal_overlap(self);
  copy_into(self, result);
}

void assign_out(const Tensor& out, const Tensor& result) {
  WICK_CHECK(result.defined(), kInvalidArgument, "the operator has no result for this output");
  if (result.is_same(out)) return;
  check_castable(result.dtype(), out.dtype());
  if (!(out.sizes() == result.sizes())) {
    resize(out, result.sizes());
    // A fresh output takes the result's layout, as PyTorch's resize does for outputs it allocates.
    if (result.is_non_overlapping_and_dense()) out.impl()->strides = result.strides();
  }
  ops::check_no_internal_overlap(out);
  copy_into(out, result);
}

}  // namespace wick
