// from_blob and tensors of numbers given in C++.
#include <cstring>

#include "bridge.h"

namespace at {
using namespace wick_compat;
namespace {

Tensor make_from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, int64_t offset, const Deleter& deleter,
                      const TensorOptions& options) {
  std::shared_ptr<void> owner;
  if (deleter) owner = std::shared_ptr<void>(data, deleter);
  try {
    const at::ScalarType type = options.dtype().toScalarType();
    (void)w(options.device());  // refuses those that there are not
    char* first = static_cast<char*>(data) + offset * static_cast<int64_t>(elementSize(type));
    TORCH_CHECK(strides.empty() || strides.size() == sizes.size(), "mismatch in length of strides and shape");
    return with_grad(a(wick::Tensor::from_blob(first, wick::IntSpan(sizes.data(), sizes.size()), w(type),
                                               wick::IntSpan(strides.data(), strides.size()), std::move(owner))),
                     options);
  } catch (...) {
    rethrow();
  }
}

}  // namespace

Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, const Deleter& deleter,
                 const TensorOptions& options, c10::optional<Device>) {
  return make_from_blob(data, sizes, strides, 0, deleter, options);
}
Tensor from_blob(void* data, IntArrayRef sizes, const Deleter& deleter, const TensorOptions& options) {
  return make_from_blob(data, sizes, {}, 0, deleter, options);
}
Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, const TensorOptions& options) {
  return make_from_blob(data, sizes, strides, 0, nullptr, options);
}
Tensor from_blob(void* data, IntArrayRef sizes, const TensorOptions& options) {
  return make_from_blob(data, sizes, {}, 0, nullptr, options);
}
Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, int64_t storage_offset, const Deleter& deleter,
                 const TensorOptions& options) {
  return make_from_blob(data, sizes, strides, storage_offset, deleter, options);
}

namespace detail {

Tensor tensor_of(const void* data, size_t count, ScalarType type, const TensorOptions& options) {
  try {
    wick::Tensor t = wick::Tensor::empty({static_cast<int64_t>(count)}, w(type));
    if (count) std::memcpy(t.data_ptr(), data, count * elementSize(type));
    TORCH_CHECK(!isComplexType(type) || isComplexType(options.has_dtype() ? options.dtype().toScalarType() : type),
                "\"tensor_cpu\" not implemented for '", options.dtype().toScalarType(), "'");
    return with_grad(a(std::move(t)).to(options.has_dtype() ? options.dtype().toScalarType() : type), options);
  } catch (...) {
    rethrow();
  }
}

TensorDataContainer::TensorDataContainer(std::initializer_list<TensorDataContainer> list)
    : sizes_({static_cast<int64_t>(list.size())}),
      type_(list.size() ? list.begin()->type_ : get_default_dtype_as_scalartype()),
      items_(list) {
  if (items_.empty()) return;
  const TensorDataContainer& first = items_[0];
  for (const TensorDataContainer& item : items_) {
    TORCH_CHECK(item.sizes_ == first.sizes_, "Expected all sub-lists to have sizes: ", Join(" ", first.sizes_),
                " (e.g. ", first, "), but got sub-list ", item, " with sizes: ", Join(" ", item.sizes_));
    TORCH_CHECK(item.type_ == first.type_,
                "Expected all elements of the tensor to have the same scalar type: ", first.type_,
                ", but got element of scalar type: ", item.type_);
  }
  sizes_.insert(sizes_.end(), first.sizes_.begin(), first.sizes_.end());
}

TensorDataContainer::TensorDataContainer(const std::vector<bool>& v)
    : sizes_({static_cast<int64_t>(v.size())}), type_(kBool) {
  values_ = at::empty(sizes_, TensorOptions(kBool));
  for (size_t i = 0; i < v.size(); ++i) values_.data_ptr<bool>()[i] = v[i];
}

const Scalar& TensorDataContainer::scalar() const {
  TORCH_CHECK(is_scalar(), "Can only call `scalar()` on a TensorDataContainer that has `is_scalar() == true`");
  return scalar_;
}
const std::vector<TensorDataContainer>& TensorDataContainer::init_list() const {
  TORCH_CHECK(is_init_list(), "Can only call `init_list()` on a TensorDataContainer that has `is_init_list() == true`");
  return items_;
}
const Tensor& TensorDataContainer::tensor() const {
  TORCH_CHECK(is_tensor(), "Can only call `tensor()` on a TensorDataContainer that has `is_tensor() == true`");
  return values_;
}
std::ostream& operator<<(std::ostream& out, const TensorDataContainer& c) {
  if (c.is_scalar()) return out << c.scalar_;
  out << "{";
  const size_t count = c.is_tensor() ? static_cast<size_t>(c.values_.numel()) : c.items_.size();
  for (size_t i = 0; i < count; ++i) {
    if (i) out << ", ";
    if (c.is_tensor()) {
      out << c.values_[static_cast<int64_t>(i)].item();
    } else {
      out << c.items_[i];
    }
  }
  return out << "}";
}

void TensorDataContainer::fill(Tensor& tensor) const {
  if (is_scalar_) {
    tensor.fill_(scalar_);
  } else if (values_.defined()) {
    tensor.copy_(values_);
  } else {
    for (size_t i = 0; i < items_.size(); ++i) {
      Tensor part = tensor[static_cast<int64_t>(i)];
      items_[i].fill(part);
    }
  }
}

Tensor TensorDataContainer::convert(TensorOptions options) const {
  Tensor out = at::empty(
      sizes_, TensorOptions(options.has_dtype() ? options.dtype().toScalarType() : type_).device(options.device()));
  TORCH_CHECK(!isComplexType(type_) || out.is_complex() || !values_.defined(),
              "can not do torch::tensor(complex, dtype=non-complex) because complex can not be casted to real number "
              "without loss of information");
  fill(out);
  return with_grad(std::move(out), options);
}

}  // namespace detail

}  // namespace at
