// The C API's tensors.
#include <cstring>
#include <memory>

#include "c_api/handles.h"
#include "core/copy.h"
#include "core/repr.h"

namespace {

using wick::DType;
using wick::IntSpan;
using wick::Tensor;
using wick::c_api::give;
using wick::c_api::guard;
using wick::c_api::needed;
using wick::c_api::new_string;
using wick::c_api::span_of;

DType dtype_of(wick_dtype code) {
  WICK_CHECK(wick::is_valid_dtype(code), kInvalidArgument, "unknown dtype ", code);
  return static_cast<DType>(code);
}
// Memory of the caller's has no scale and zero point: quantized tensors come from models.
DType plain_dtype_of(wick_dtype code) {
  const DType dtype = dtype_of(code);
  WICK_CHECK(!wick::is_quantized(dtype), kUnsupported, "a quantized tensor is made by a model, not from memory");
  return dtype;
}

const Tensor& tensor_of(const wick_tensor* t) { return needed(t, "tensor").tensor; }

}  // namespace

extern "C" {

wick_status wick_tensor_zeros(wick_dtype dtype, const int64_t* sizes, size_t dims, wick_tensor** out,
                              wick_error** error) {
  return give(out, error, [&] { return Tensor::zeros(span_of(sizes, dims, "sizes"), plain_dtype_of(dtype)); });
}

wick_status wick_tensor_from_blob(void* data, wick_dtype dtype, const int64_t* sizes, size_t dims,
                                  const int64_t* strides, wick_deleter deleter, void* context, wick_tensor** out,
                                  wick_error** error) {
  std::shared_ptr<void> owner;  // destroyed with the deleter called, unless a tensor takes it
  const wick_status status = guard(error, [&] {
    if (deleter) owner = std::shared_ptr<void>(data, [deleter, context](void* memory) { deleter(memory, context); });
  });
  if (status != WICK_OK) return status;
  return give(out, error, [&] {
    return Tensor::from_blob(data, span_of(sizes, dims, "sizes"), plain_dtype_of(dtype),
                             strides ? IntSpan(strides, dims) : IntSpan(), std::move(owner));
  });
}

wick_status wick_tensor_from_copy(const void* data, size_t nbytes, wick_dtype dtype, const int64_t* sizes, size_t dims,
                                  wick_tensor** out, wick_error** error) {
  return give(out, error, [&] {
    Tensor t = Tensor::empty(span_of(sizes, dims, "sizes"), plain_dtype_of(dtype));
    WICK_CHECK(t.nbytes() == nbytes, kInvalidArgument, "a tensor of sizes ", t.sizes(), " takes ", t.nbytes(),
               " bytes, got ", nbytes);
    WICK_CHECK(data || nbytes == 0, kInvalidArgument, "argument 'data' is NULL");
    if (nbytes > 0) std::memcpy(t.data_ptr(), data, nbytes);
    return t;
  });
}

wick_tensor* wick_tensor_retain(const wick_tensor* tensor) {
  return tensor ? new (std::nothrow) wick_tensor{tensor->tensor} : nullptr;
}
void wick_tensor_release(wick_tensor* tensor) { delete tensor; }

wick_dtype wick_tensor_dtype(const wick_tensor* t) { return t ? static_cast<wick_dtype>(t->tensor.dtype()) : -1; }
size_t wick_tensor_dims(const wick_tensor* t) { return t ? t->tensor.sizes().size() : 0; }
const int64_t* wick_tensor_sizes(const wick_tensor* t) { return t ? t->tensor.sizes().data() : nullptr; }
const int64_t* wick_tensor_strides(const wick_tensor* t) { return t ? t->tensor.strides().data() : nullptr; }
int64_t wick_tensor_numel(const wick_tensor* t) { return t ? t->tensor.numel() : 0; }
size_t wick_tensor_itemsize(const wick_tensor* t) { return t ? t->tensor.itemsize() : 0; }
bool wick_tensor_is_contiguous(const wick_tensor* t) { return t && t->tensor.is_contiguous(); }
void* wick_tensor_data(const wick_tensor* t) { return t ? t->tensor.data_ptr() : nullptr; }

wick_status wick_tensor_contiguous(const wick_tensor* tensor, wick_tensor** out, wick_error** error) {
  return give(out, error, [&] { return tensor_of(tensor).contiguous(); });
}

wick_status wick_tensor_to(const wick_tensor* tensor, wick_dtype dtype, wick_tensor** out, wick_error** error) {
  return give(out, error, [&] { return wick::to_dtype(tensor_of(tensor), plain_dtype_of(dtype)); });
}

wick_status wick_tensor_copy_to(const wick_tensor* tensor, void* buffer, size_t nbytes, wick_error** error) {
  return guard(error, [&] {
    const Tensor whole = tensor_of(tensor).contiguous();
    WICK_CHECK(whole.nbytes() == nbytes, kInvalidArgument, "the elements take ", whole.nbytes(),
               " bytes, and the buffer has ", nbytes);
    WICK_CHECK(buffer || nbytes == 0, kInvalidArgument, "argument 'buffer' is NULL");
    if (nbytes > 0) std::memcpy(buffer, whole.data_ptr(), nbytes);
  });
}

wick_status wick_tensor_qparams(const wick_tensor* tensor, double* scale, int64_t* zero_point, wick_error** error) {
  return guard(error, [&] {
    const wick::Quantizer& q = tensor_of(tensor).quantizer();
    WICK_CHECK(q.scheme == wick::QScheme::kPerTensorAffine || q.scheme == wick::QScheme::kPerTensorSymmetric,
               kTypeMismatch, "the tensor has a scale and zero point for each channel");
    if (scale) *scale = q.scale;
    if (zero_point) *zero_point = q.zero_point;
  });
}

wick_status wick_tensor_repr(const wick_tensor* tensor, char** out, wick_error** error) {
  if (out) *out = nullptr;
  return guard(error, [&] {
    std::string text;
    wick::append_tensor(text, tensor_of(tensor));
    needed(out, "out") = new_string(text);
  });
}

}  // extern "C"
