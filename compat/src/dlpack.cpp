// Tensors to and from DLPack.
#include <ATen/DLConvertor.h>

#include <memory>

namespace at {
namespace {

struct Exported {
  DLManagedTensor managed{};
  Tensor tensor;
  std::vector<int64_t> sizes;
  std::vector<int64_t> strides;
};

DLDataType of(DLDataTypeCode code, ScalarType type) {
  return {static_cast<uint8_t>(code), static_cast<uint8_t>(elementSize(type) * 8), 1};
}

}  // namespace

DLDataType getDLDataType(const Tensor& t) {
  const ScalarType type = t.scalar_type();
  switch (type) {
    case kByte:
      return of(kDLUInt, type);
    case kChar:
    case kShort:
    case kInt:
    case kLong:
      return of(kDLInt, type);
    case kHalf:
    case kFloat:
    case kDouble:
      return of(kDLFloat, type);
    case kBFloat16:
      return of(kDLBfloat, type);
    case kComplexHalf:
    case kComplexFloat:
    case kComplexDouble:
      return of(kDLComplex, type);
    default:
      TORCH_CHECK(false, type, " type is not supported by dlpack");
  }
}
DLDevice getDLContext(const Tensor&, const int64_t& device_id) { return {kDLCPU, static_cast<int32_t>(device_id)}; }

ScalarType toScalarType(const DLDataType& dtype) {
  TORCH_CHECK(dtype.lanes == 1, "ATen does not support lanes != 1");
  for (const ScalarType type : {kByte, kChar, kShort, kInt, kLong, kHalf, kFloat, kDouble, kBFloat16, kComplexHalf,
                                kComplexFloat, kComplexDouble}) {
    const bool is_integer = type == kChar || type == kShort || type == kInt || type == kLong;
    const DLDataTypeCode code = type == kByte         ? kDLUInt
                                : is_integer          ? kDLInt
                                : type == kBFloat16   ? kDLBfloat
                                : isComplexType(type) ? kDLComplex
                                                      : kDLFloat;
    const DLDataType own = of(code, type);
    if (own.code == dtype.code && own.bits == dtype.bits) return type;
  }
  TORCH_CHECK(false, "Unsupported DLPack type: code ", static_cast<int>(dtype.code), ", ", static_cast<int>(dtype.bits),
              " bits");
}

DLManagedTensor* toDLPack(const Tensor& src) {
  auto out = std::make_unique<Exported>();
  DLTensor& view = out->managed.dl_tensor;
  view.dtype = getDLDataType(src);
  out->tensor = src;
  out->sizes = src.sizes().vec();
  out->strides = src.strides().vec();
  // What has one element or none may say any stride, for which importers expect 1.
  for (size_t i = 0; i < out->sizes.size(); ++i) {
    if (out->sizes[i] < 2) out->strides[i] = 1;
  }
  view.data = src.data_ptr();
  view.device = getDLContext(src, 0);
  view.ndim = static_cast<int>(src.dim());
  view.shape = out->sizes.data();
  view.strides = out->strides.data();
  out->managed.manager_ctx = out.get();
  out->managed.deleter = [](DLManagedTensor* self) { delete static_cast<Exported*>(self->manager_ctx); };
  return &out.release()->managed;
}

Tensor fromDLPack(const DLManagedTensor* src) {
  return fromDLPack(src, [src](void*) {
    if (src->deleter) src->deleter(const_cast<DLManagedTensor*>(src));
  });
}
Tensor fromDLPack(const DLManagedTensor* src, std::function<void(void*)> deleter) {
  const DLTensor& view = src->dl_tensor;
  TORCH_CHECK(view.device.device_type == kDLCPU,
              "Unsupported device_type: ", static_cast<int>(view.device.device_type));
  TORCH_CHECK(view.ndim >= 0, "The tensor has ", view.ndim, " dimensions");
  const size_t dim = static_cast<size_t>(view.ndim);
  const TensorOptions options = TensorOptions().dtype(toScalarType(view.dtype));
  void* const data = static_cast<char*>(view.data) + view.byte_offset;
  const IntArrayRef sizes(view.shape, dim);
  // The tensor is made without the deleter first: what is wrong with the sizes must not call it.
  if (!view.strides) {
    (void)from_blob(data, sizes, options);
    return from_blob(data, sizes, deleter, options);
  }
  const IntArrayRef strides(view.strides, dim);
  (void)from_blob(data, sizes, strides, options);
  return from_blob(data, sizes, strides, deleter, options, c10::nullopt);
}

}  // namespace at
