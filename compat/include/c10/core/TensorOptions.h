// c10::TensorOptions: dtype, device, layout and so on of a tensor to be made; what is not said has its default.
#pragma once

#include <c10/core/Device.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>

namespace c10 {

struct TensorOptions {
  TensorOptions() = default;
  TensorOptions(Layout layout) { set_layout(layout); }
  template <class T, class = typename std::enable_if<std::is_same<typename std::decay<T>::type, Device>::value ||
                                                     std::is_same<typename std::decay<T>::type, std::string>::value ||
                                                     std::is_convertible<T, const char*>::value>::type>
  TensorOptions(T&& device) {
    set_device(Device(std::forward<T>(device)));
  }
  template <class Index>
  TensorOptions(DeviceType type, Index index) {
    set_device(Device(type, static_cast<DeviceIndex>(index)));
  }
  TensorOptions(DeviceType type) { set_device(Device(type)); }
  TensorOptions(std::initializer_list<DeviceType> type) { set_device(Device(*type.begin())); }
  TensorOptions(caffe2::TypeMeta dtype) { set_dtype(dtype.toScalarType()); }
  TensorOptions(ScalarType dtype) { set_dtype(dtype); }
  TensorOptions(MemoryFormat format) { set_memory_format(format); }

  TensorOptions device(optional<Device> device) const noexcept {
    TensorOptions r = *this;
    r.has_device_ = device.has_value();
    if (device) r.device_ = *device;
    return r;
  }
  template <class... Args>
  TensorOptions device(Args&&... args) const {
    return device(optional<Device>(Device(std::forward<Args>(args)...)));
  }
  TensorOptions device_index(DeviceIndex index) const { return device(Device(DeviceType::CUDA, index)); }
  TensorOptions dtype(optional<caffe2::TypeMeta> dtype) const noexcept {
    TensorOptions r = *this;
    r.has_dtype_ = dtype.has_value();
    if (dtype) r.dtype_ = dtype->toScalarType();
    return r;
  }
  TensorOptions dtype(optional<ScalarType> dtype) const noexcept {
    TensorOptions r = *this;
    r.has_dtype_ = dtype.has_value();
    if (dtype) r.dtype_ = *dtype;
    return r;
  }
  TensorOptions dtype(ScalarType t) const noexcept { return dtype(optional<ScalarType>(t)); }
  TensorOptions dtype(caffe2::TypeMeta t) const noexcept { return dtype(optional<ScalarType>(t.toScalarType())); }
  template <class T>
  TensorOptions& dtype() {
    set_dtype(CppTypeToScalarType<T>::value);
    return *this;
  }
  TensorOptions layout(optional<Layout> layout) const noexcept {
    TensorOptions r = *this;
    r.has_layout_ = layout.has_value();
    if (layout) r.layout_ = *layout;
    return r;
  }
  TensorOptions requires_grad(optional<bool> v) const noexcept {
    TensorOptions r = *this;
    r.has_requires_grad_ = v.has_value();
    r.requires_grad_ = v.value_or(false);
    return r;
  }
  TensorOptions pinned_memory(optional<bool> v) const noexcept {
    TensorOptions r = *this;
    r.has_pinned_memory_ = v.has_value();
    r.pinned_memory_ = v.value_or(false);
    return r;
  }
  TensorOptions memory_format(optional<MemoryFormat> v) const noexcept {
    TensorOptions r = *this;
    r.has_memory_format_ = v.has_value();
    if (v) r.memory_format_ = *v;
    return r;
  }

  Device device() const noexcept { return device_opt().value_or(Device(kCPU)); }
  bool has_device() const noexcept { return has_device_; }
  optional<Device> device_opt() const noexcept { return has_device_ ? optional<Device>(device_) : nullopt; }
  int32_t device_index() const noexcept { return device().index(); }
  caffe2::TypeMeta dtype() const noexcept { return has_dtype_ ? caffe2::TypeMeta(dtype_) : get_default_dtype(); }
  bool has_dtype() const noexcept { return has_dtype_; }
  optional<caffe2::TypeMeta> dtype_opt() const noexcept {
    return has_dtype_ ? optional<caffe2::TypeMeta>(caffe2::TypeMeta(dtype_)) : nullopt;
  }
  optional<ScalarType> scalar_type_opt() const noexcept { return has_dtype_ ? optional<ScalarType>(dtype_) : nullopt; }
  Layout layout() const noexcept { return has_layout_ ? layout_ : kStrided; }
  bool has_layout() const noexcept { return has_layout_; }
  optional<Layout> layout_opt() const noexcept { return has_layout_ ? optional<Layout>(layout_) : nullopt; }
  bool requires_grad() const noexcept { return has_requires_grad_ && requires_grad_; }
  bool has_requires_grad() const noexcept { return has_requires_grad_; }
  optional<bool> requires_grad_opt() const noexcept {
    return has_requires_grad_ ? optional<bool>(requires_grad_) : nullopt;
  }
  bool pinned_memory() const noexcept { return has_pinned_memory_ && pinned_memory_; }
  bool has_pinned_memory() const noexcept { return has_pinned_memory_; }
  optional<bool> pinned_memory_opt() const noexcept {
    return has_pinned_memory_ ? optional<bool>(pinned_memory_) : nullopt;
  }
  bool has_memory_format() const noexcept { return has_memory_format_; }
  optional<MemoryFormat> memory_format_opt() const noexcept {
    return has_memory_format_ ? optional<MemoryFormat>(memory_format_) : nullopt;
  }
  bool is_sparse() const { return layout() == kSparse; }
  Backend backend() const {
    return is_sparse() ? Backend::SparseCPU : device().is_cuda() ? Backend::CUDA : Backend::CPU;
  }
  bool type_equal(const TensorOptions& o) const { return dtype() == o.dtype() && backend() == o.backend(); }
  // What the other says goes first.
  TensorOptions merge_in(TensorOptions o) const noexcept { return merge_memory_format_in(o); }
  TensorOptions merge_memory_format_in(const TensorOptions& o) const noexcept {
    TensorOptions r = *this;
    if (o.has_device()) r = r.device(o.device_opt());
    if (o.has_dtype()) r = r.dtype(o.scalar_type_opt());
    if (o.has_layout()) r = r.layout(o.layout_opt());
    if (o.has_requires_grad()) r = r.requires_grad(o.requires_grad_opt());
    if (o.has_pinned_memory()) r = r.pinned_memory(o.pinned_memory_opt());
    if (o.has_memory_format()) r = r.memory_format(o.memory_format_opt());
    return r;
  }
  TensorOptions merge_memory_format(optional<MemoryFormat> f) const noexcept { return f ? memory_format(f) : *this; }

 private:
  void set_device(Device d) { device_ = d, has_device_ = true; }
  void set_dtype(ScalarType t) { dtype_ = t, has_dtype_ = true; }
  void set_layout(Layout l) { layout_ = l, has_layout_ = true; }
  void set_memory_format(MemoryFormat f) { memory_format_ = f, has_memory_format_ = true; }

  Device device_;
  ScalarType dtype_ = ScalarType::Float;
  Layout layout_ = Layout::Strided;
  MemoryFormat memory_format_ = MemoryFormat::Contiguous;
  bool requires_grad_ = false;
  bool pinned_memory_ = false;
  bool has_device_ = false;
  bool has_dtype_ = false;
  bool has_layout_ = false;
  bool has_requires_grad_ = false;
  bool has_pinned_memory_ = false;
  bool has_memory_format_ = false;
};
std::ostream& operator<<(std::ostream& out, const TensorOptions& options);

inline TensorOptions dtype(caffe2::TypeMeta t) { return TensorOptions().dtype(t.toScalarType()); }
inline TensorOptions dtype(ScalarType t) { return TensorOptions().dtype(t); }
template <class T>
TensorOptions dtype() {
  return TensorOptions().dtype(CppTypeToScalarType<T>::value);
}
inline TensorOptions layout(Layout l) { return TensorOptions().layout(l); }
inline TensorOptions device(Device d) { return TensorOptions().device(optional<Device>(d)); }
inline TensorOptions device_index(int16_t i) { return TensorOptions().device_index(static_cast<DeviceIndex>(i)); }
inline TensorOptions requires_grad(bool v = true) { return TensorOptions().requires_grad(v); }
inline TensorOptions memory_format(MemoryFormat f) { return TensorOptions().memory_format(f); }
inline std::string toString(const TensorOptions& options) { return str(options); }

}  // namespace c10
