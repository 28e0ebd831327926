// DLPack: tensors of other frameworks (PyTorch, JAX, TensorFlow) in place, and ours for them.
#include <cstdint>
#include <memory>
#include <string>

#include "arrays.h"

namespace wick_python {

using wick::DType;
using wick::Tensor;

namespace {

// The structures of the DLPack specification (https://dmlc.github.io/dlpack/latest/c_api.html).
struct Device {
  int32_t type;
  int32_t id;
};
struct DataType {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
};
struct TensorView {
  void* data;
  Device device;
  int32_t ndim;
  DataType dtype;
  int64_t* shape;
  int64_t* strides;  // in elements; null: rows one after the other
  uint64_t byte_offset;
};
struct Managed {
  TensorView view;
  void* context;
  void (*deleter)(Managed*);
};
struct Version {
  uint32_t major, minor;
};
struct VersionedManaged {
  Version version;
  void* context;
  void (*deleter)(VersionedManaged*);
  uint64_t flags;
  TensorView view;
};
constexpr uint64_t kReadOnly = 1, kCopied = 2;
constexpr int32_t kCpu = 1, kCudaHost = 3;
constexpr uint32_t kMajor = 1;

struct Code {
  DType dtype;
  uint8_t code, bits;
};
constexpr Code kCodes[] = {
    {DType::kChar, 0, 8},
    {DType::kShort, 0, 16},
    {DType::kInt, 0, 32},
    {DType::kLong, 0, 64},
    {DType::kByte, 1, 8},
    {DType::kUInt16, 1, 16},
    {DType::kUInt32, 1, 32},
    {DType::kUInt64, 1, 64},
    {DType::kHalf, 2, 16},
    {DType::kFloat, 2, 32},
    {DType::kDouble, 2, 64},
    {DType::kBFloat16, 4, 16},
    {DType::kComplexHalf, 5, 32},
    {DType::kComplexFloat, 5, 64},
    {DType::kComplexDouble, 5, 128},
    {DType::kBool, 6, 8},
    {DType::kFloat8_e4m3fn, 10, 8},
    {DType::kFloat8_e4m3fnuz, 11, 8},
    {DType::kFloat8_e5m2, 12, 8},
    {DType::kFloat8_e5m2fnuz, 13, 8},
};

// Gives a consumed tensor back to its maker when the last of ours that uses it is gone, on whichever thread that is.
template <class M>
std::shared_ptr<void> owner_of(M* managed) {
  return {managed, [](void* p) {
            if (!nb::is_alive()) return;
            nb::gil_scoped_acquire gil;  // deleters of other libraries may let go of Python objects
            auto* m = static_cast<M*>(p);
            if (m->deleter) m->deleter(m);
          }};
}

Tensor use(const TensorView& view, std::shared_ptr<void> owner, bool copy) {
  if (view.device.type != kCpu && view.device.type != kCudaHost) {
    throw nb::buffer_error("the tensor is not in the processor's memory; copy it first, e.g. tensor.cpu()");
  }
  const Code* found = nullptr;
  for (const Code& code : kCodes) {
    if (code.code == view.dtype.code && code.bits == view.dtype.bits && view.dtype.lanes == 1) found = &code;
  }
  if (!found) throw nb::type_error("a tensor of this dtype is unknown to Wick; convert it first");
  if (view.ndim < 0 || (view.ndim > 0 && view.shape == nullptr)) {
    throw nb::buffer_error("the DLPack tensor is damaged: it has no shape");
  }
  const auto dims = static_cast<size_t>(view.ndim);
  const wick::IntSpan sizes(view.shape, dims);
  const wick::IntSpan strides = view.strides ? wick::IntSpan(view.strides, dims) : wick::IntSpan();
  bool empty = false;
  for (size_t i = 0; i < dims; ++i) empty = empty || sizes[i] == 0;
  if (empty) return Tensor::empty(sizes, found->dtype);
  for (int64_t stride : strides) {
    if (stride < 0) throw nb::buffer_error("a tensor with negative strides; make it contiguous first");
  }
  auto* data = static_cast<char*>(view.data) + view.byte_offset;
  if (copy) return Tensor::from_blob(static_cast<const void*>(data), sizes, found->dtype, strides);
  return Tensor::from_blob(data, sizes, found->dtype, strides, std::move(owner));
}

template <class M>
M* consume(nb::handle capsule, const char* name, const char* used_name) {
  auto* managed = static_cast<M*>(PyCapsule_GetPointer(capsule.ptr(), name));
  if (!managed || PyCapsule_SetName(capsule.ptr(), used_name) != 0) throw nb::python_error();
  return managed;
}

}  // namespace

std::optional<Tensor> tensor_of_dlpack(nb::handle object, bool force_copy) {
  nb::object capsule;
  if (PyCapsule_CheckExact(object.ptr())) {
    capsule = nb::borrow(object);
  } else {
    if (!nb::hasattr(object, "__dlpack__")) return std::nullopt;
    nb::object method = object.attr("__dlpack__");
    try {
      capsule = method(nb::arg("max_version") = nb::make_tuple(1, 0));
    } catch (nb::python_error& e) {
      if (!e.matches(PyExc_TypeError)) throw;  // libraries of before DLPack 1.0 do not know the word
      capsule = method();
    }
  }
  if (PyCapsule_IsValid(capsule.ptr(), "dltensor_versioned")) {
    auto* managed = consume<VersionedManaged>(capsule, "dltensor_versioned", "used_dltensor_versioned");
    std::shared_ptr<void> owner = owner_of(managed);
    if (managed->version.major != kMajor) throw nb::buffer_error("a DLPack tensor of a version that is not 1");
    const bool copy = force_copy || (managed->flags & kReadOnly) != 0;
    return use(managed->view, std::move(owner), copy);
  }
  auto* managed = consume<Managed>(capsule, "dltensor", "used_dltensor");
  std::shared_ptr<void> owner = owner_of(managed);
  return use(managed->view, std::move(owner), force_copy);
}

namespace {

// What an exported tensor holds: no Python objects, so that it may be freed by any thread.
template <class M>
struct Exported {
  M managed{};
  Tensor tensor;
  wick::IntVec sizes, strides;
};

template <class M>
M* export_tensor(const Tensor& tensor) {
  const Code* found = nullptr;
  for (const Code& code : kCodes) {
    if (code.dtype == tensor.dtype()) found = &code;
  }
  if (!found) {
    throw nb::buffer_error((std::string("DLPack has no dtype ") + wick::torch_name_of(tensor.dtype()) +
                            (tensor.is_quantized() ? "; take .dequantize() first" : ""))
                               .c_str());
  }
  auto* out = new Exported<M>{{}, tensor, tensor.sizes(), tensor.strides()};
  out->managed.context = out;
  out->managed.deleter = [](M* m) { delete static_cast<Exported<M>*>(m->context); };
  out->managed.view = {tensor.numel() > 0 ? tensor.data_ptr() : nullptr,
                       {kCpu, 0},
                       static_cast<int32_t>(tensor.dim()),
                       {found->code, found->bits, 1},
                       const_cast<int64_t*>(out->sizes.data()),
                       const_cast<int64_t*>(out->strides.data()),
                       0};
  return &out->managed;
}

// A capsule that nobody consumed still owns its tensor.
template <class M>
nb::object capsule_of(M* managed, const char* name) {
  nb::object out = nb::steal(PyCapsule_New(managed, name, [](PyObject* capsule) {
    const char* is_named = PyCapsule_GetName(capsule);
    if (!is_named || std::string(is_named).starts_with("used_")) return;
    auto* m = static_cast<M*>(PyCapsule_GetPointer(capsule, is_named));
    if (m) m->deleter(m);
  }));
  if (!out.is_valid()) {
    managed->deleter(managed);
    throw nb::python_error();
  }
  return out;
}

}  // namespace

nb::object dlpack_of(const Tensor& tensor, bool versioned, bool is_copied) {
  if (!versioned) return capsule_of(export_tensor<Managed>(tensor), "dltensor");
  auto* managed = export_tensor<VersionedManaged>(tensor);
  managed->version = {kMajor, 0};
  managed->flags = is_copied ? kCopied : 0;
  return capsule_of(managed, "dltensor_versioned");
}

}  // namespace wick_python
