// at::Tensor: metadata, data, operators and factories that are not in the operator table.
#include <cstring>
#include <iostream>

#include "bridge.h"
#include "core/tensor_impl.h"
#include "wick/functions.h"

namespace wick_compat {

void retain(const void* object) noexcept {
  if (object) static_cast<const wick::RefCounted*>(object)->retain();
}
void release(const void* object) noexcept {
  if (object) static_cast<const wick::RefCounted*>(object)->release();
}
size_t use_count(const void* object) noexcept { return static_cast<const wick::RefCounted*>(object)->use_count(); }

}  // namespace wick_compat

namespace at {
using namespace wick_compat;
namespace {

IntArrayRef list_of(wick::IntSpan s) { return IntArrayRef(s.data(), s.size()); }

const wick::Tensor& defined(const Tensor& t, const char* what) {
  TORCH_CHECK(t.defined(), what, " called on an undefined Tensor");
  return w(t);
}

}  // namespace

bool Tensor::is_alias_of(const Tensor& o) const { return defined() && o.defined() && w(*this).is_alias_of(w(o)); }
bool Tensor::is_set_to(const Tensor& o) const {
  return is_alias_of(o) && storage_offset() == o.storage_offset() && sizes() == o.sizes() && strides() == o.strides();
}
std::string Tensor::toString() const { return defined() ? type().toString() : "UndefinedType"; }
void Tensor::print() const {
  if (defined()) {
    std::cerr << "[" << toString() << " " << sizes() << "]" << std::endl;
  } else {
    std::cerr << "[UndefinedTensor]" << std::endl;
  }
}

int64_t Tensor::dim() const { return defined() ? w(*this).dim() : 1; }
IntArrayRef Tensor::sizes() const {
  static const int64_t none = 0;
  return defined() ? list_of(w(*this).sizes()) : IntArrayRef(none);
}
IntArrayRef Tensor::strides() const { return list_of(at::defined(*this, "strides()").strides()); }
SymIntArrayRef Tensor::sym_sizes() const {
  static_assert(sizeof(SymInt) == sizeof(int64_t), "a SymInt is a number");
  return SymIntArrayRef(reinterpret_cast<const SymInt*>(sizes().data()), sizes().size());
}
int64_t Tensor::size(int64_t d) const {
  try {
    return at::defined(*this, "size()").size(d);
  } catch (...) {
    rethrow();
  }
}
int64_t Tensor::stride(int64_t d) const {
  try {
    return at::defined(*this, "stride()").stride(d);
  } catch (...) {
    rethrow();
  }
}
int64_t Tensor::numel() const { return defined() ? w(*this).numel() : 0; }
int64_t Tensor::storage_offset() const { return at::defined(*this, "storage_offset()").storage_offset(); }
size_t Tensor::itemsize() const { return at::defined(*this, "itemsize()").itemsize(); }
bool Tensor::is_contiguous(MemoryFormat format) const {
  return at::defined(*this, "is_contiguous()").is_contiguous(w(format));
}
bool Tensor::is_non_overlapping_and_dense() const {
  return at::defined(*this, "is_non_overlapping_and_dense()").is_non_overlapping_and_dense();
}
MemoryFormat Tensor::suggest_memory_format(bool) const {
  return static_cast<MemoryFormat>(at::defined(*this, "suggest_memory_format()").suggest_memory_format());
}
Tensor Tensor::contiguous(MemoryFormat format) const {
  TORCH_CHECK(format != MemoryFormat::Preserve, "preserve memory format is unsupported by the contiguous operator");
  if (is_contiguous(format)) return *this;
  return clone(format);
}

ScalarType Tensor::scalar_type() const {
  return defined() ? static_cast<ScalarType>(w(*this).dtype()) : ScalarType::Undefined;
}
Device Tensor::device() const {
  TORCH_CHECK(defined(), "tensor does not have a device");
  return Device(kCPU);
}
TensorOptions Tensor::options() const { return TensorOptions().dtype(scalar_type()).device(device()).layout(layout()); }
DeprecatedTypeProperties Tensor::type() const {
  return DeprecatedTypeProperties(is_quantized() ? Backend::QuantizedCPU : Backend::CPU, scalar_type());
}
QScheme Tensor::qscheme() const {
  try {
    return static_cast<QScheme>(at::defined(*this, "qscheme()").quantizer().scheme);
  } catch (...) {
    rethrow();
  }
}
bool Tensor::is_inference() const { return defined() && c10::InferenceMode::is_enabled(); }

void* Tensor::data_ptr() const { return defined() ? w(*this).data_ptr() : nullptr; }
void* Tensor::data_of(ScalarType type) const {
  const ScalarType own = scalar_type();
  TORCH_CHECK(own == type || isUnderlying(type, own), "expected scalar type ", type, " but found ", own);
  return data_ptr();
}
Tensor Tensor::variable_data() const { return defined() ? a(w(*this).alias()) : Tensor(); }
Scalar Tensor::item() const {
  TORCH_CHECK(numel() == 1, "a Tensor with ", numel(), " elements cannot be converted to Scalar");
  try {
    return a(at::defined(*this, "item()").item());
  } catch (...) {
    rethrow();
  }
}
bool Tensor::is_nonzero() const {
  TORCH_CHECK(numel() != 0, "Boolean value of Tensor with no values is ambiguous");
  TORCH_CHECK(numel() < 2, "Boolean value of Tensor with more than one value is ambiguous");
  return item().toBool();
}

Tensor Tensor::operator[](int64_t i) const { return select(0, i); }
Tensor Tensor::operator[](const Scalar& i) const {
  TORCH_CHECK_INDEX(i.isIntegral(false), "Can only index tensors with integral scalars");
  return select(0, i.toLong());
}
Tensor Tensor::operator[](const Tensor& i) const {
  TORCH_CHECK_INDEX(i.defined(), "Can only index with tensors that are defined");
  TORCH_CHECK_INDEX(i.dim() == 0, "Can only index with tensors that are scalars (zero-dim)");
  return (*this)[i.item()];
}

Tensor& Tensor::copy_from(const Tensor& o) { return copy_(o); }
Tensor& Tensor::fill_with(const Scalar& v) { return fill_(v); }

Tensor Tensor::operator~() const { return bitwise_not(); }
Tensor Tensor::operator-() const { return neg(); }
Tensor& Tensor::operator+=(const Tensor& o) { return add_(o); }
Tensor& Tensor::operator+=(const Scalar& o) { return add_(o); }
Tensor& Tensor::operator-=(const Tensor& o) { return sub_(o); }
Tensor& Tensor::operator-=(const Scalar& o) { return sub_(o); }
Tensor& Tensor::operator*=(const Tensor& o) { return mul_(o); }
Tensor& Tensor::operator*=(const Scalar& o) { return mul_(o); }
Tensor& Tensor::operator/=(const Tensor& o) { return div_(o); }
Tensor& Tensor::operator/=(const Scalar& o) { return div_(o); }
Tensor& Tensor::operator&=(const Tensor& o) { return bitwise_and_(o); }
Tensor& Tensor::operator|=(const Tensor& o) { return bitwise_or_(o); }
Tensor& Tensor::operator^=(const Tensor& o) { return bitwise_xor_(o); }

// Where the order matters, a number on the left is a tensor of the other's dtype and shape, as in PyTorch.
#define WICK_BINARY(op, tensors, scalar_left)                                    \
  Tensor operator op(const Tensor& x, const Tensor& y) { return tensors(x, y); } \
  Tensor operator op(const Tensor& x, const Scalar& y) { return tensors(x, y); } \
  Tensor operator op(const Scalar& x, const Tensor& y) { return scalar_left; }
namespace {
Tensor filled_like(const Tensor& t, const Scalar& v) { return at::empty_like(t).fill_(v); }
}  // namespace
WICK_BINARY(+, at::add, at::add(y, x))
WICK_BINARY(*, at::mul, at::mul(y, x))
WICK_BINARY(-, at::sub, filled_like(y, x).sub_(y))
WICK_BINARY(/, at::div, filled_like(y, x).div_(y))
WICK_BINARY(%, at::remainder, filled_like(y, x).remainder_(y))
WICK_BINARY(|, at::bitwise_or, at::bitwise_or(y, x))
WICK_BINARY(&, at::bitwise_and, at::bitwise_and(y, x))
WICK_BINARY(^, at::bitwise_xor, at::bitwise_xor(y, x))
WICK_BINARY(<, at::lt, at::gt(y, x))
WICK_BINARY(<=, at::le, at::ge(y, x))
WICK_BINARY(>, at::gt, at::lt(y, x))
WICK_BINARY(>=, at::ge, at::le(y, x))
WICK_BINARY(==, at::eq, at::eq(y, x))
WICK_BINARY(!=, at::ne, at::ne(y, x))
#undef WICK_BINARY

Tensor Tensor::to(optional<ScalarType> dtype, optional<Layout> layout, optional<Device> device, optional<bool>, bool,
                  bool copy, optional<MemoryFormat> format) const {
  TORCH_CHECK(!layout || *layout == kStrided, "to(options) doesn't support converting to a different layout");
  if (device) (void)w(*device);  // refuses those that there are not
  const ScalarType type = dtype.value_or(scalar_type());
  const MemoryFormat wanted = format.value_or(MemoryFormat::Preserve);
  const bool keeps_format = wanted == MemoryFormat::Preserve || is_contiguous(wanted);
  if (type == scalar_type() && keeps_format && !copy) return *this;
  try {
    Tensor out = a(wick::functions::to(at::defined(*this, "to()"), w(type), false, true, w(wanted)));
    if (requires_grad() && (isFloatingType(type) || isComplexType(type))) out.set_requires_grad(true);
    return out;
  } catch (...) {
    rethrow();
  }
}
Tensor Tensor::to(TensorOptions o, bool non_blocking, bool copy, optional<MemoryFormat> format) const {
  TORCH_CHECK(!o.requires_grad_opt(),
              "to(options) expects unset requires_grad flag, but got options.requires_grad set as ",
              o.requires_grad() ? "true" : "false");
  return to(o.scalar_type_opt(), o.layout_opt(), o.device_opt(), nullopt, non_blocking, copy,
            format ? format : o.memory_format_opt());
}
Tensor Tensor::to(Device device, ScalarType dtype, bool non_blocking, bool copy, optional<MemoryFormat> format) const {
  return to(dtype, nullopt, device, nullopt, non_blocking, copy, format);
}
Tensor Tensor::to(ScalarType dtype, bool non_blocking, bool copy, optional<MemoryFormat> format) const {
  return to(dtype, nullopt, nullopt, nullopt, non_blocking, copy, format);
}
Tensor Tensor::to(const Tensor& other, bool non_blocking, bool copy, optional<MemoryFormat> format) const {
  return to(other.scalar_type(), nullopt, other.device(), nullopt, non_blocking, copy, format);
}

bool Tensor::requires_grad() const { return defined() && w(*this).requires_grad(); }
const Tensor& Tensor::set_requires_grad(bool on) const {
  TORCH_CHECK(!on || isFloatingType(scalar_type()) || isComplexType(scalar_type()),
              "Only Tensors of floating point and complex dtype can require gradients");
  wick::functions::requires_grad_(at::defined(*this, "set_requires_grad()"), on);
  return *this;
}
Tensor& Tensor::requires_grad_(bool on) const { return const_cast<Tensor&>(set_requires_grad(on)); }
const Tensor& Tensor::grad() const {
  static const Tensor none;
  return none;
}
Tensor& Tensor::mutable_grad() const {
  thread_local Tensor none;
  none.reset();
  return none;
}
void Tensor::backward(const Tensor&, optional<bool>, bool, optional<TensorList>) const {
  TORCH_CHECK(false, "Wick has no autograd: backward() is not available");
}
Tensor Tensor::to_sparse() const { TORCH_CHECK(false, "Wick has no sparse tensors: to_sparse() is not available"); }
Tensor Tensor::to_sparse(int64_t) const { return to_sparse(); }
// In place: every handle of the tensor sees the other's elements, as modules need that hold a parameter twice.
void Tensor::set_data(const Tensor& data) const {
  if (!defined() || !data.defined()) {
    const_cast<Tensor&>(*this) = data;
    return;
  }
  wick::TensorImpl& to = *w(*this).impl();
  const wick::TensorImpl& from = *w(data).impl();
  if (&to == &from) return;
  to.storage = from.storage;
  to.sizes = from.sizes;
  to.strides = from.strides;
  to.offset = from.offset;
  to.numel = from.numel;
  to.dtype = from.dtype;
  to.quantizer = from.quantizer;
  to.row_lengths = from.row_lengths;
}
Tensor& Tensor::detach_() { return requires_grad() ? requires_grad_(false) : *this; }

Tensor arange(const Scalar& start, const Scalar& end, TensorOptions options) {
  const bool is_float = start.isFloatingPoint() || end.isFloatingPoint();
  return arange(start, end, 1, is_float ? wick_compat::default_dtype(options) : options);
}
Tensor range(const Scalar& start, const Scalar& end, TensorOptions options) { return range(start, end, 1, options); }
Tensor clamp(const Tensor& self, const c10::optional<Tensor>& min, const c10::optional<Tensor>& max) {
  TORCH_CHECK(min || max, "torch.clamp: At least one of 'min' or 'max' must not be None");
  Tensor out = min ? at::maximum(self, *min) : self;
  return max ? at::minimum(out, *max) : out;
}
Tensor Tensor::clamp(const optional<Tensor>& min, const optional<Tensor>& max) const {
  return at::clamp(*this, min, max);
}
Tensor& Tensor::clamp_(const optional<Tensor>& min, const optional<Tensor>& max) const {
  return copy_(at::clamp(*this, min, max));
}

Tensor Tensor::std(bool unbiased) const { return at::std(*this, unbiased); }
Tensor Tensor::std(OptionalIntArrayRef dim, bool unbiased, bool keepdim) const {
  return at::std(*this, dim, unbiased, keepdim);
}
Tensor Tensor::var(bool unbiased) const { return at::var(*this, unbiased); }
Tensor Tensor::var(OptionalIntArrayRef dim, bool unbiased, bool keepdim) const {
  return at::var(*this, dim, unbiased, keepdim);
}

#define WICK_SPREAD(Result, name)                                                                     \
  Result name(const Tensor& self, bool unbiased) { return at::name(self, nullopt, unbiased, false); } \
  Result name(const Tensor& self, OptionalIntArrayRef dim, bool unbiased, bool keepdim) {             \
    try {                                                                                             \
      return a(wick::functions::name(w(self), w(dim), unbiased, keepdim));                            \
    } catch (...) {                                                                                   \
      rethrow();                                                                                      \
    }                                                                                                 \
  }
using TwoTensors = std::tuple<Tensor, Tensor>;
WICK_SPREAD(Tensor, std)
WICK_SPREAD(Tensor, var)
WICK_SPREAD(TwoTensors, std_mean)
WICK_SPREAD(TwoTensors, var_mean)
#undef WICK_SPREAD

std::ostream& operator<<(std::ostream& out, const Tensor& t) {
  if (!t.defined()) return out << "[ Tensor (undefined) ]";
  return out << wick::repr(wick::IValue(w(t)));
}
std::ostream& print(std::ostream& out, const Tensor& t, int64_t) { return out << t; }
void print(const Tensor& t, int64_t line_size) { print(std::cout, t, line_size); }

}  // namespace at
