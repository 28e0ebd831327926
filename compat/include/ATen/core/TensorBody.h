// at::Tensor. One counted pointer: the same object as a wick::Tensor.
#pragma once

#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include <ATen/core/Generator.h>
#include <ATen/core/TensorAccessor.h>
#include <c10/core/Allocator.h>
#include <c10/core/InferenceMode.h>
#include <c10/core/Scalar.h>
#include <c10/core/TensorOptions.h>
#include <c10/util/MaybeOwned.h>
#include <c10/util/OptionalArrayRef.h>
#include <c10/util/intrusive_ptr.h>

namespace torch {
namespace autograd {
struct Node;
}
}  // namespace torch

namespace c10 {
// What autograd knows of a tensor: nothing.
struct AutogradMetaInterface {};
// Never made: the address of a tensor's own data, which may be compared.
struct TensorImpl {
  TensorImpl() = delete;
  AutogradMetaInterface* autograd_meta() const { return nullptr; }
};
struct StorageImpl;  // not defined: addresses may be compared
template <class T>
class List;
struct Storage;
}  // namespace c10

namespace at {

using namespace c10;
class Tensor;
using TensorList = ArrayRef<Tensor>;
using ITensorListRef = ArrayRef<Tensor>;
using IOptTensorListRef = ArrayRef<optional<Tensor>>;
using Variable = Tensor;

namespace indexing {
struct TensorIndex;
}

// What the deprecated Tensor::type() gives.
class DeprecatedTypeProperties {
 public:
  DeprecatedTypeProperties(Backend backend, ScalarType type) : backend_(backend), type_(type) {}
  Backend backend() const { return backend_; }
  Layout layout() const { return backend_ == Backend::SparseCPU ? kSparse : kStrided; }
  bool is_cuda() const { return backend_ == Backend::CUDA; }
  bool is_sparse() const { return layout() == kSparse; }
  DeviceType device_type() const { return is_cuda() ? kCUDA : kCPU; }
  ScalarType scalarType() const { return type_; }
  caffe2::TypeMeta typeMeta() const { return type_; }
  TensorOptions options() const { return TensorOptions().dtype(type_).device(Device(device_type())).layout(layout()); }
  TensorOptions options(int16_t index) const {
    return options().device(Device(device_type(), static_cast<DeviceIndex>(index)));
  }
  operator TensorOptions() const { return options(); }
  DeprecatedTypeProperties toScalarType(ScalarType t) const { return DeprecatedTypeProperties(backend_, t); }
  std::string toString() const { return std::string(c10::toString(backend_)) + c10::toString(type_) + "Type"; }
  bool operator==(const DeprecatedTypeProperties& o) const { return backend_ == o.backend_ && type_ == o.type_; }
  bool operator!=(const DeprecatedTypeProperties& o) const { return !(*this == o); }

 private:
  Backend backend_;
  ScalarType type_;
};
inline std::ostream& operator<<(std::ostream& out, const DeprecatedTypeProperties& t) { return out << t.toString(); }
inline DeprecatedTypeProperties CPU(ScalarType t) { return DeprecatedTypeProperties(Backend::CPU, t); }
inline DeprecatedTypeProperties CUDA(ScalarType t) { return DeprecatedTypeProperties(Backend::CUDA, t); }
inline DeprecatedTypeProperties getDeprecatedTypeProperties(Backend b, ScalarType t) {
  return DeprecatedTypeProperties(b, t);
}
using Type = DeprecatedTypeProperties;

// A handle to a strided view of a storage; copies see the same elements. Which thread may touch what: as wick::Tensor.
class Tensor {
 public:
  Tensor() noexcept : impl_(nullptr) {}
  Tensor(const Tensor& o) noexcept : impl_(o.impl_) { wick_compat::retain(impl_); }
  Tensor(Tensor&& o) noexcept : impl_(o.impl_) { o.impl_ = nullptr; }
  ~Tensor() { wick_compat::release(impl_); }
  Tensor& operator=(const Tensor& o) & noexcept {
    Tensor copy(o);
    std::swap(impl_, copy.impl_);
    return *this;
  }
  Tensor& operator=(Tensor&& o) & noexcept {
    std::swap(impl_, o.impl_);
    if (this != &o) o.reset();
    return *this;
  }
  // Assigning to a temporary, as in x[0] = 1, writes into what it views.
  Tensor& operator=(const Tensor& o) && { return copy_from(o); }
  Tensor& operator=(Tensor&& o) && { return copy_from(o); }
  Tensor& operator=(const Scalar& v) && { return fill_with(v); }

  bool defined() const noexcept { return impl_ != nullptr; }
  void reset() noexcept {
    wick_compat::release(impl_);
    impl_ = nullptr;
  }
  size_t use_count() const noexcept { return impl_ ? wick_compat::use_count(impl_) : 0; }
  size_t weak_use_count() const noexcept { return impl_ ? 1 : 0; }
  bool is_same(const Tensor& o) const noexcept { return impl_ == o.impl_; }
  bool is_alias_of(const Tensor& o) const;
  bool is_set_to(const Tensor& o) const;
  TensorImpl* unsafeGetTensorImpl() const { return static_cast<TensorImpl*>(impl_); }
  bool has_storage() const { return defined(); }
  Storage storage() const;
  std::string toString() const;
  void print() const;

  int64_t dim() const;
  int64_t ndimension() const { return dim(); }
  IntArrayRef sizes() const;
  IntArrayRef strides() const;
  SymIntArrayRef sym_sizes() const;
  int64_t size(int64_t d) const;
  int64_t stride(int64_t d) const;
  SymInt sym_size(int64_t d) const { return SymInt(size(d)); }
  int64_t numel() const;
  SymInt sym_numel() const { return SymInt(numel()); }
  int64_t storage_offset() const;
  size_t itemsize() const;
  int64_t element_size() const { return static_cast<int64_t>(itemsize()); }
  size_t nbytes() const { return static_cast<size_t>(numel()) * itemsize(); }
  bool is_contiguous(MemoryFormat format = MemoryFormat::Contiguous) const;
  bool is_non_overlapping_and_dense() const;
  MemoryFormat suggest_memory_format(bool exact = false) const;
  Tensor contiguous(MemoryFormat format = MemoryFormat::Contiguous) const;
  // Refers to this tensor, which must live as long, when it is contiguous already.
  MaybeOwned<Tensor> expect_contiguous(MemoryFormat format = MemoryFormat::Contiguous) const&;
  MaybeOwned<Tensor> expect_contiguous(MemoryFormat format = MemoryFormat::Contiguous) && = delete;

  ScalarType scalar_type() const;
  caffe2::TypeMeta dtype() const { return caffe2::TypeMeta(scalar_type()); }
  Device device() const;
  int64_t get_device() const { return -1; }
  Layout layout() const { return kStrided; }
  TensorOptions options() const;
  DeprecatedTypeProperties type() const;
  QScheme qscheme() const;
  bool is_cpu() const { return true; }
  bool is_cuda() const { return false; }
  bool is_hip() const { return false; }
  bool is_xpu() const { return false; }
  bool is_mps() const { return false; }
  bool is_metal() const { return false; }
  bool is_vulkan() const { return false; }
  bool is_meta() const { return false; }
  bool is_sparse() const { return false; }
  bool is_sparse_csr() const { return false; }
  bool is_mkldnn() const { return false; }
  bool is_nested() const { return false; }
  bool has_names() const { return false; }
  bool is_pinned() const { return false; }
  bool is_quantized() const { return isQIntType(scalar_type()); }
  bool is_floating_point() const { return isFloatingType(scalar_type()); }
  bool is_complex() const { return isComplexType(scalar_type()); }
  bool is_signed() const { return isSignedType(scalar_type()); }
  bool is_conj() const { return false; }
  bool is_neg() const { return false; }
  bool is_inference() const;
  bool is_view() const { return false; }
  bool is_shared() const { return false; }
  Tensor pin_memory(optional<Device> = nullopt) const { return *this; }
  Tensor resolve_conj() const { return *this; }
  Tensor resolve_neg() const { return *this; }

  // The first element. data_ptr<T>() throws when the elements are not stored as T.
  void* data_ptr() const;
  const void* const_data_ptr() const { return data_ptr(); }
  void* mutable_data_ptr() const { return data_ptr(); }
  template <class T>
  T* data_ptr() const {
    using Element = typename std::remove_const<T>::type;
    return static_cast<T*>(data_of(CppTypeToScalarType<Element>::value));
  }
  template <class T>
  const T* const_data_ptr() const {
    return data_ptr<T>();
  }
  template <class T>
  T* mutable_data_ptr() const {
    return data_ptr<T>();
  }
  template <class T>
  T* data() const {
    return data_ptr<T>();
  }
  Tensor data() const { return variable_data(); }
  Tensor tensor_data() const { return variable_data(); }
  Tensor variable_data() const;

  Scalar item() const;
  template <class T>
  T item() const {
    return item().template to<T>();
  }
  bool is_nonzero() const;

  template <class T, size_t N>
  TensorAccessor<T, N> accessor() const& {
    static_assert(N > 0, "accessor is used for indexing tensor, for scalars use *data_ptr<T>()");
    TORCH_CHECK(dim() == static_cast<int64_t>(N), "TensorAccessor expected ", N, " dims but tensor has ", dim());
    return TensorAccessor<T, N>(data_ptr<T>(), sizes().data(), strides().data());
  }
  template <class T, size_t N>
  TensorAccessor<T, N> accessor() && = delete;
  template <class T, size_t N, template <class> class PtrTraits = DefaultPtrTraits, class index_t = int64_t>
  GenericPackedTensorAccessor<T, N, PtrTraits, index_t> generic_packed_accessor() const& {
    static_assert(N > 0, "accessor is used for indexing tensor, for scalars use *data_ptr<T>()");
    TORCH_CHECK(dim() == static_cast<int64_t>(N), "TensorAccessor expected ", N, " dims but tensor has ", dim());
    return GenericPackedTensorAccessor<T, N, PtrTraits, index_t>(data_ptr<T>(), sizes().data(), strides().data());
  }
  template <class T, size_t N, template <class> class PtrTraits = DefaultPtrTraits>
  PackedTensorAccessor32<T, N, PtrTraits> packed_accessor32() const& {
    return generic_packed_accessor<T, N, PtrTraits, int32_t>();
  }
  template <class T, size_t N, template <class> class PtrTraits = DefaultPtrTraits>
  PackedTensorAccessor64<T, N, PtrTraits> packed_accessor64() const& {
    return generic_packed_accessor<T, N, PtrTraits, int64_t>();
  }
  template <class T, size_t N, template <class> class PtrTraits = DefaultPtrTraits, class index_t = int64_t>
  GenericPackedTensorAccessor<T, N, PtrTraits, index_t> packed_accessor() const& {
    return generic_packed_accessor<T, N, PtrTraits, index_t>();
  }

  Tensor operator[](const Scalar& i) const;
  Tensor operator[](const Tensor& i) const;
  Tensor operator[](int64_t i) const;
  Tensor index(ArrayRef<indexing::TensorIndex> indices) const;
  Tensor index(std::initializer_list<indexing::TensorIndex> indices) const;
  Tensor index(const List<optional<Tensor>>& indices) const;
  Tensor& index_put_(ArrayRef<indexing::TensorIndex> indices, const Tensor& values);
  Tensor& index_put_(std::initializer_list<indexing::TensorIndex> indices, const Tensor& values);
  Tensor& index_put_(ArrayRef<indexing::TensorIndex> indices, const Scalar& value);
  Tensor& index_put_(std::initializer_list<indexing::TensorIndex> indices, const Scalar& value);
  Tensor& index_put_(const List<optional<Tensor>>& indices, const Tensor& values, bool accumulate = false) const;
  Tensor index_put(const List<optional<Tensor>>& indices, const Tensor& values, bool accumulate = false) const;

  Tensor operator~() const;
  Tensor operator-() const;
  Tensor& operator+=(const Tensor& o);
  Tensor& operator+=(const Scalar& o);
  Tensor& operator-=(const Tensor& o);
  Tensor& operator-=(const Scalar& o);
  Tensor& operator*=(const Tensor& o);
  Tensor& operator*=(const Scalar& o);
  Tensor& operator/=(const Tensor& o);
  Tensor& operator/=(const Scalar& o);
  Tensor& operator&=(const Tensor& o);
  Tensor& operator|=(const Tensor& o);
  Tensor& operator^=(const Tensor& o);

  // The same tensor when nothing changes and no copy is asked for.
  Tensor to(TensorOptions options = {}, bool non_blocking = false, bool copy = false,
            optional<MemoryFormat> format = nullopt) const;
  Tensor to(optional<ScalarType> dtype, optional<Layout> layout, optional<Device> device, optional<bool> pin_memory,
            bool non_blocking, bool copy, optional<MemoryFormat> format) const;
  Tensor to(Device device, ScalarType dtype, bool non_blocking = false, bool copy = false,
            optional<MemoryFormat> format = nullopt) const;
  Tensor to(ScalarType dtype, bool non_blocking = false, bool copy = false,
            optional<MemoryFormat> format = nullopt) const;
  Tensor to(const Tensor& other, bool non_blocking = false, bool copy = false,
            optional<MemoryFormat> format = nullopt) const;
  Tensor to(Device device, caffe2::TypeMeta dtype, bool non_blocking = false, bool copy = false) const {
    return to(device, dtype.toScalarType(), non_blocking, copy);
  }
  Tensor to(caffe2::TypeMeta dtype, bool non_blocking = false, bool copy = false) const {
    return to(dtype.toScalarType(), non_blocking, copy);
  }
  Tensor toType(ScalarType t) const { return to(t); }
  Tensor toType(const DeprecatedTypeProperties& t) const { return to(t.scalarType()); }
  Tensor toBackend(Backend) const { return *this; }
  Tensor cpu() const { return *this; }
  Tensor cuda() const { return to(Device(kCUDA)); }
  Tensor hip() const { return to(Device(kHIP)); }
  // Wick computes on the CPU whatever device is asked for here.
  Tensor metal() const { return *this; }
  Tensor vulkan() const { return *this; }

  // Strided tensors do for what oneDNN's layout is there for; sparse ones there are none, and to_sparse() throws.
  Tensor to_mkldnn(optional<ScalarType> dtype = nullopt) const { return dtype ? to(*dtype) : *this; }
  Tensor to_sparse() const;
  Tensor to_sparse(int64_t sparse_dim) const;

  // There is no autograd: gradients are undefined, and backward() throws.
  bool requires_grad() const;
  const Tensor& set_requires_grad(bool on) const;
  Tensor& requires_grad_(bool on = true) const;
  bool is_leaf() const { return true; }
  int64_t output_nr() const { return 0; }
  int64_t _version() const { return 0; }
  void retain_grad() const {}
  bool retains_grad() const { return false; }
  const Tensor& grad() const;
  Tensor& mutable_grad() const;
  void backward(const Tensor& gradient = {}, optional<bool> retain_graph = nullopt, bool create_graph = false,
                optional<TensorList> inputs = nullopt) const;
  void set_data(const Tensor& data) const;
  // This tensor becomes a view of the storage. Throw c10::Error for what reaches past its end.
  Tensor& set_(Storage source) const;
  Tensor& set_(Storage source, int64_t storage_offset, IntArrayRef size, IntArrayRef stride = {}) const;
  std::shared_ptr<torch::autograd::Node> grad_fn() const { return nullptr; }
  Tensor& detach_();

#include <ATen/tensor_methods.inc>
  Tensor clamp(const optional<Tensor>& min, const optional<Tensor>& max = nullopt) const;
  Tensor& clamp_(const optional<Tensor>& min, const optional<Tensor>& max = nullopt) const;
  // A number is a dimension, not "unbiased".
  Tensor std(int dim) const { return std(OptionalIntArrayRef(dim)); }
  Tensor std(int64_t dim) const { return std(OptionalIntArrayRef(dim)); }
  Tensor var(int dim) const { return var(OptionalIntArrayRef(dim)); }
  Tensor var(int64_t dim) const { return var(OptionalIntArrayRef(dim)); }
  Tensor std(bool unbiased) const;
  Tensor std(OptionalIntArrayRef dim = nullopt, bool unbiased = true, bool keepdim = false) const;
  Tensor var(bool unbiased) const;
  Tensor var(OptionalIntArrayRef dim = nullopt, bool unbiased = true, bool keepdim = false) const;

  Tensor m(const std::function<Tensor(const Tensor&)>& f) const { return f(*this); }

 private:
  void* data_of(ScalarType type) const;
  Tensor& copy_from(const Tensor& o);
  Tensor& fill_with(const Scalar& v);
  void* impl_ = nullptr;
};

using TensorBase = Tensor;

// PyTorch's text: the elements, and a last line such as "[ CPUFloatType{2,3} ]".
std::ostream& operator<<(std::ostream& out, const Tensor& t);
std::ostream& print(std::ostream& out, const Tensor& t, int64_t line_size);
void print(const Tensor& t, int64_t line_size = 80);
inline Backend get_backend(const Tensor& t) { return t.type().backend(); }

#define AT_FORALL_BINARY_OPS(_) _(+) _(*) _(-) _(/) _(%) _(|) _(&) _(^) _(<) _(<=) _(>) _(>=) _(==) _(!=)
#define DEFINE_OPERATOR(op)                             \
  Tensor operator op(const Tensor& x, const Tensor& y); \
  Tensor operator op(const Tensor& x, const Scalar& y); \
  Tensor operator op(const Scalar& x, const Tensor& y);
AT_FORALL_BINARY_OPS(DEFINE_OPERATOR)
#undef DEFINE_OPERATOR
#undef AT_FORALL_BINARY_OPS

}  // namespace at

namespace c10 {
using at::Tensor;

// The memory of tensors, which it keeps alive.
struct Storage {
  struct use_byte_size_t {};
  Storage() = default;
  explicit Storage(at::Tensor owner) : owner_(std::move(owner)) {}
  // Memory of the application's, which is let go of when no tensor or storage uses it.
  Storage(use_byte_size_t, size_t size_bytes, DataPtr data_ptr, Allocator* allocator = nullptr, bool resizable = false);
  Storage(use_byte_size_t, size_t size_bytes, Allocator* allocator = nullptr, bool resizable = false);
  void* data() const;
  DataPtr data_ptr() const { return DataPtr(data()); }
  template <class T>
  T* data() const {
    return static_cast<T*>(data());
  }
  template <class T>
  T* unsafe_data() const {
    return data<T>();
  }
  size_t nbytes() const;
  size_t use_count() const;
  bool unique() const { return use_count() == 1; }
  Device device() const { return Device(kCPU); }
  DeviceType device_type() const { return kCPU; }
  StorageImpl* unsafeGetStorageImpl() const { return static_cast<StorageImpl*>(data()); }
  bool is_alias_of(const Storage& o) const { return owner_.is_alias_of(o.owner_); }
  operator bool() const { return owner_.defined(); }

 private:
  friend class at::Tensor;
  at::Tensor owner_;
};
}  // namespace c10
namespace at {
namespace detail {
std::vector<int64_t> defaultStrides(IntArrayRef sizes);
// Of a strided view of that many elements; throw c10::Error when it cannot be said in bytes.
size_t computeStorageNbytes(IntArrayRef sizes, IntArrayRef strides, size_t itemsize, size_t storage_offset = 0);
size_t computeStorageNbytesContiguous(IntArrayRef sizes, size_t itemsize, size_t storage_offset = 0);
}  // namespace detail
inline Storage Tensor::storage() const { return Storage(*this); }
inline MaybeOwned<Tensor> Tensor::expect_contiguous(MemoryFormat format) const& {
  return is_contiguous(format) ? MaybeOwned<Tensor>::borrowed(*this) : MaybeOwned<Tensor>::owned(contiguous(format));
}
}  // namespace at
